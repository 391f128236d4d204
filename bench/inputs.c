#include "bench/inputs.h"

#include "reference/random.h"

#include <stdlib.h>
#include <string.h>

static unsigned draw_free_cell(struct reference_random *random, const struct pawn_position *p, unsigned from) {
    unsigned cells = p->rows * p->cols, cell;
    do
        cell = from + reference_random_below(random, cells - from);
    while (p->obstacle[cell]);
    return cell;
}

void bench_draw_board(uint64_t seed, unsigned rows, unsigned cols, struct pawn_position *ret_position) {
    struct reference_random random = {seed};
    struct pawn_position *p = ret_position;
    unsigned cells = rows * cols, percent = reference_random_below(&random, 25);
    *p = (struct pawn_position){.rows = rows, .cols = cols, .turn = PAWN_RED};
    for (unsigned cell = 0; cell < cells; cell++)
        p->obstacle[cell] = reference_random_chance(&random, percent);
    p->obstacle[0] = p->obstacle[1] = p->obstacle[cells - 1] = false; /* leave room for all three pieces */
    p->pawn = draw_free_cell(&random, p, cells / 2 > cols ? cells / 2 : cols);
    do
        p->red[0] = draw_free_cell(&random, p, 0);
    while (p->red[0] == p->pawn);
    do
        p->red[1] = draw_free_cell(&random, p, 0);
    while (p->red[1] == p->pawn || p->red[1] == p->red[0]);
}

void bench_hard_board(unsigned number, struct pawn_position *ret_position) {
    /* Chosen from the first 20,000: Red wins in 77, 71, 65, 59 and 23 moves, Black in 38 and 30; three are ties. */
    static const uint64_t seeds[BENCH_HARD_BOARDS] = {12882, 18544, 12918, 9352, 15721, 1749, 18049, 4018, 7704, 15274};
    bench_draw_board(seeds[number], 10, 10, ret_position);
}

void bench_draw_game(uint64_t seed, unsigned size, enum bench_points points, size_t count, struct go_move *ret_moves) {
    struct reference_random random = {seed};
    struct work work = {.left = WORK_UNBOUNDED};
    struct arena arena;
    struct go_game *game;
    struct go_reply reply;
    arena_init(&arena, ARENA_NO_CAP);
    if (go_game_new(size, (struct go_rules){GO_KO_POSITIONAL, false}, count, 0, &arena, &work, &game) != OUTCOME_DONE)
        abort();
    for (size_t m = 0; m < count; m++) {
        struct go_move *move = &ret_moves[m];
        move->color = m % 2 == 0 ? GO_BLACK : GO_WHITE;
        /* A board may be full for one colour, so the number of tries is limited. */
        for (unsigned tries = 0; tries < 1000; tries++) {
            move->row = (uint8_t)reference_random_below(&random, size);
            move->col = (uint8_t)reference_random_below(&random, size);
            if (points == BENCH_ANY_POINT || go_game_at(game, move->row, move->col) == GO_EMPTY)
                break;
        }
        if (go_game_play(game, *move, &work, &reply) != OUTCOME_DONE)
            abort();
    }
    arena_clear(&arena);
}

size_t bench_draw_legal_game(uint64_t seed, unsigned size, size_t count, struct go_move *ret_moves) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct arena arena;
    struct go_game *game;
    struct go_reply reply;
    size_t kept = 0;
    arena_init(&arena, ARENA_NO_CAP);
    bench_draw_game(seed, size, BENCH_EMPTY_POINT, count, ret_moves);
    if (go_game_new(size, (struct go_rules){GO_KO_POSITIONAL, false}, count, 0, &arena, &work, &game) != OUTCOME_DONE)
        abort();
    for (size_t m = 0; m < count; m++) {
        if (go_game_play(game, ret_moves[m], &work, &reply) != OUTCOME_DONE)
            abort();
        if (reply.miss == GO_PLAYED)
            ret_moves[kept++] = ret_moves[m];
    }
    arena_clear(&arena);
    return kept;
}

void bench_play_game(unsigned size, const struct go_move *moves, size_t count, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    struct go_reply reply;
    if (go_game_new(size, (struct go_rules){GO_KO_POSITIONAL, false}, count, 0, arena, &work, &game) != OUTCOME_DONE)
        abort();
    for (size_t m = 0; m < count; m++)
        if (go_game_play(game, moves[m], &work, &reply) != OUTCOME_DONE)
            abort();
}

void bench_draw_field(uint64_t seed, unsigned rows, unsigned cols, unsigned mines, struct mine_field *ret_field) {
    struct reference_random random = {seed};
    unsigned words = mine_words(cols), cells = rows * cols;
    uint64_t *map = calloc((size_t)rows * words, sizeof *map);
    if (map == NULL)
        abort();
    /* Floyd's sampling: draw one of the cells up to `last`; if it is taken already, take `last` itself. */
    for (unsigned last = cells - mines; last < cells; last++) {
        unsigned cell = reference_random_below(&random, last + 1);
        uint64_t *word = &map[(size_t)(cell / cols) * words + cell % cols / 64];
        if (*word >> cell % cols % 64 & 1) {
            cell = last;
            word = &map[(size_t)(cell / cols) * words + cell % cols / 64];
        }
        *word |= (uint64_t)1 << cell % cols % 64;
    }
    *ret_field = (struct mine_field){.rows = rows, .cols = cols, .mines = map};
}
