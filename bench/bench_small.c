/* The small requests of script/bench http and lanes: what solving them alone costs, and the bodies that ask for them.
 * The pawn board is the README's: those drawn at random take half its work on average. */
#include "bench/bench.h"
#include "bench/bodies.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "pawn/solve.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 9, MOVES = 20, MINES = 10, MAX_STATES = 1000000, ROUNDS = 5 };

struct small {
    struct pawn_position board;
    struct go_move moves[MOVES];
    struct mine_field field;
    struct arena arena;
};

static void solve_board(void *with) {
    struct small *small = with;
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer;
    if (pawn_solve(&small->board, 0, &small->arena, &work, &answer) != WORK_DONE)
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
    if (mine_solve(&small->field, MAX_STATES, &small->arena, &work, NULL, &verdict) != WORK_DONE)
        abort();
    arena_reset(&small->arena);
}

/* The row of one request; its body follows. */
static void time_of(const char *target, void (*solve)(void *), struct small *small) {
    printf("%-6s %8.0f  ", target, 1e9 * bench_best(ROUNDS, solve, small));
}

void bench_small(void) {
    static struct small small;
    arena_init(&small.arena, ARENA_NO_CAP);
    small.board = (struct pawn_position){.rows = 4, .cols = 4, .red = {4, 7}, .pawn = 13, .obstacle = {[2] = true}};
    bench_draw_game(1, SIZE, BENCH_EMPTY_POINT, MOVES, small.moves);
    bench_draw_field(1, SIZE, SIZE, MINES, &small.field);
    printf("\nsmall requests; ns of CPU to solve each\n%-6s %8s  body\n", "route", "ns");
    time_of("/pawn", solve_board, &small);
    bench_put_board(stdout, &small.board, false);
    printf("\n");
    time_of("/go", solve_game, &small);
    bench_put_game(stdout, SIZE, small.moves, MOVES);
    printf("\n");
    time_of("/mine", solve_field, &small);
    bench_put_field(stdout, &small.field);
    printf("\n");
    free(small.field.mines);
    arena_clear(&small.arena);
}
