/* The small requests of script/bench http and lanes: what it costs just to solve them, what it costs cJSON to parse
 * them with memory from a bump allocator, and their bodies. The pawn board is the one in the README, which takes twice
 * the work of an average random board. */
#include "bench/bench.h"
#include "bench/bodies.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "pawn/solve.h"

#include <cjson/cJSON.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 9, MOVES = 20, MINES = 10, MAX_STATES = 1000000, ROUNDS = 5 };

struct small {
    struct pawn_position board;
    struct go_move moves[MOVES];
    struct mine_field field;
    struct arena arena;
    char *body;
    size_t length;
};

/* A bump allocator for cJSON. It can free the latest block, because cJSON allocates and frees a buffer per number. */
static struct {
    alignas(max_align_t) unsigned char memory[1 << 16];
    size_t used, newest;
} bump;

static void *bump_alloc(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof bump.memory - bump.used)
        return NULL;
    bump.newest = bump.used;
    bump.used += size;
    return bump.memory + bump.newest;
}

static void bump_give_back(void *block) {
    if (block == bump.memory + bump.newest)
        bump.used = bump.newest;
}

static void parse(void *with) {
    struct small *small = with;
    bump.used = 0;
    if (cJSON_ParseWithLength(small->body, small->length) == NULL)
        abort();
}

static void solve_board(void *with) {
    struct small *small = with;
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer;
    if (pawn_solve(&small->board, 0, &small->arena, &work, &answer) != OUTCOME_DONE)
        abort();
    arena_reset(&small->arena);
}

static void solve_game(void *with) {
    struct small *small = with;
    bench_play_game(SIZE, small->moves, MOVES, &small->arena);
    arena_reset(&small->arena);
}

static void solve_field(void *with) {
    struct small *small = with;
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_verdict verdict;
    if (mine_solve(&small->field, MINE_NIMBER, MAX_STATES, &small->arena, &work, &verdict) != OUTCOME_DONE)
        abort();
    arena_reset(&small->arena);
}

static void put_board(FILE *out, const struct small *small) { bench_put_board(out, &small->board, false); }

static void put_game(FILE *out, const struct small *small) { bench_put_game(out, SIZE, small->moves, MOVES); }

static void put_field(FILE *out, const struct small *small) { bench_put_field(out, &small->field); }

/* The row of one request. */
static void print_row(const char *target, void (*solve)(void *), void (*put)(FILE *, const struct small *),
                      struct small *small) {
    FILE *out = open_memstream(&small->body, &small->length);
    if (out == NULL)
        abort();
    put(out, small);
    fclose(out);
    printf("%-6s %8.0f %8.0f  %s\n", target, 1e9 * bench_best(ROUNDS, solve, small),
           1e9 * bench_best(ROUNDS, parse, small), small->body);
    free(small->body);
}

void bench_small(void) {
    static struct small small;
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = bump_alloc, .free_fn = bump_give_back});
    arena_init(&small.arena, ARENA_NO_CAP);
    small.board = (struct pawn_position){.rows = 4, .cols = 4, .red = {4, 7}, .pawn = 13, .obstacle = {[2] = true}};
    bench_draw_game(1, SIZE, BENCH_EMPTY_POINT, MOVES, small.moves);
    bench_draw_field(1, SIZE, SIZE, MINES, &small.field);
    printf("\nsmall requests; ns of CPU to solve each, and for cJSON to parse it\n%-6s %8s %8s  body\n", "route",
           "solve", "parse");
    print_row("/pawn", solve_board, put_board, &small);
    print_row("/go", solve_game, put_game, &small);
    print_row("/mine", solve_field, put_field, &small);
    free(small.field.mines);
    arena_clear(&small.arena);
}
