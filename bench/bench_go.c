/* go: the solver compared with flood filling, and how its cost grows. */
#include "bench/baseline_go.h"
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "go/alive.h"
#include "go/score.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINISHED = 100, FINISHED_MOVES = 300 };

struct batch {
    unsigned size;
    size_t games, count; /* moves of each */
    struct go_move *moves;
    uint8_t *misses[2];
    uint8_t *boards[2];
    struct arena arena;
    size_t memory;
};

static void draw(struct batch *batch, unsigned size, enum bench_points points, size_t games, size_t count) {
    *batch = (struct batch){.size = size, .games = games, .count = count};
    arena_init(&batch->arena, ARENA_NO_CAP);
    batch->moves = malloc(games * count * sizeof *batch->moves);
    for (int side = 0; side < 2; side++) {
        batch->misses[side] = calloc(games, count);
        batch->boards[side] = calloc(games, (size_t)size * size);
        if (batch->moves == NULL || batch->misses[side] == NULL || batch->boards[side] == NULL)
            abort();
    }
    for (size_t g = 0; g < games; g++)
        bench_draw_game(g + 1, size, points, count, batch->moves + g * count);
}

static void clear(struct batch *batch) {
    arena_clear(&batch->arena);
    free(batch->moves);
    for (int side = 0; side < 2; side++) {
        free(batch->misses[side]);
        free(batch->boards[side]);
    }
}

static void run_ours(void *with) {
    struct batch *batch = with;
    struct work work = {.left = WORK_UNBOUNDED};
    for (size_t g = 0; g < batch->games; g++) {
        struct go_game *game;
        arena_reset(&batch->arena);
        if (go_game_new(batch->size, (struct go_rules){.ko = GO_KO_POSITIONAL}, batch->count, 0, &batch->arena, &work,
                        &game) != OUTCOME_DONE)
            abort();
        for (size_t m = g * batch->count; m < (g + 1) * batch->count; m++) {
            struct go_reply reply;
            if (go_game_play(game, batch->moves[m], &work, &reply) != OUTCOME_DONE)
                abort();
            batch->misses[0][m] = (uint8_t)reply.miss;
        }
        for (unsigned p = 0; p < batch->size * batch->size; p++)
            batch->boards[0][g * batch->size * batch->size + p] =
                (uint8_t)go_game_at(game, p / batch->size, p % batch->size);
        batch->memory = batch->arena.used;
    }
}

static void run_baseline(void *with) {
    struct batch *batch = with;
    for (size_t g = 0; g < batch->games; g++)
        baseline_go_play(batch->size, batch->moves + g * batch->count, batch->count,
                         batch->misses[1] + g * batch->count, batch->boards[1] + g * batch->size * batch->size);
}

static bool agree(const struct batch *batch) {
    return memcmp(batch->misses[0], batch->misses[1], batch->games * batch->count) == 0 &&
           memcmp(batch->boards[0], batch->boards[1], batch->games * batch->size * batch->size) == 0;
}

static void race(const char *name, unsigned size, enum bench_points points, size_t games, size_t count) {
    struct batch batch;
    draw(&batch, size, points, games, count);
    struct bench_pair pair = bench_race(3, run_ours, run_baseline, &batch);
    size_t misses[4] = {0};
    for (size_t m = 0; m < games * count; m++)
        misses[batch.misses[0][m]]++;
    double moves = (double)(games * count);
    printf("%-34s %8.1f %8.0f %7.1f  %4.0f %4.1f %4.1f  %s\n", name, 1e9 * pair.ours / moves,
           1e9 * pair.baseline / moves, pair.baseline / pair.ours, 100 * (double)misses[1] / moves,
           100 * (double)misses[2] / moves, 100 * (double)misses[3] / moves, agree(&batch) ? "yes" : "NO");
    if (!agree(&batch))
        exit(1);
    clear(&batch);
}

/* Games that were played to their end, and how to replay them. */
struct finished {
    enum go_ko ko;
    struct go_move moves[FINISHED][FINISHED_MOVES];
    struct go_game *games[FINISHED];
    struct arena arena, replay;
    size_t sum; /* of what the referee says, so that none of it can be left out */
};

static struct go_game *play_to_end(const struct finished *f, unsigned g, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    struct go_reply reply;
    if (go_game_new(19, (struct go_rules){.ko = f->ko}, FINISHED_MOVES, 0, arena, &work, &game) != OUTCOME_DONE)
        abort();
    for (unsigned m = 0; m < FINISHED_MOVES; m++)
        if (go_game_play(game, f->moves[g][m], &work, &reply) != OUTCOME_DONE)
            abort();
    return game;
}

static void run_replay(void *with) {
    struct finished *f = with;
    for (unsigned g = 0; g < FINISHED; g++) {
        arena_reset(&f->replay);
        f->sum += go_game_prisoners(play_to_end(f, g, &f->replay), GO_BLACK);
    }
}

static void run_legal(void *with) {
    struct finished *f = with;
    struct work work = {.left = WORK_UNBOUNDED};
    for (unsigned g = 0; g < FINISHED; g++) {
        uint8_t points[GO_POINTS];
        unsigned count;
        if (go_game_legal(f->games[g], GO_BLACK, &work, points, &count) != OUTCOME_DONE)
            abort();
        f->sum += count;
    }
}

static void run_score(void *with) {
    struct finished *f = with;
    for (unsigned g = 0; g < FINISHED; g++) {
        struct go_score score;
        go_game_score(f->games[g], &(struct go_agreement){0}, &score);
        f->sum += score.black;
    }
}

static void run_alive(void *with) {
    struct finished *f = with;
    for (unsigned g = 0; g < FINISHED; g++) {
        uint8_t marks[GO_POINTS];
        go_game_alive(f->games[g], false, marks);
        f->sum += marks[0];
    }
}

/* Compare what a referee says about the end of a game with replaying the game. */
static void referee(enum go_ko ko, const char *name) {
    static struct finished f;
    f = (struct finished){.ko = ko};
    arena_init(&f.arena, ARENA_NO_CAP);
    arena_init(&f.replay, ARENA_NO_CAP);
    for (unsigned g = 0; g < FINISHED; g++) {
        bench_draw_game(g + 1, 19, BENCH_EMPTY_POINT, FINISHED_MOVES, f.moves[g]);
        f.games[g] = play_to_end(&f, g, &f.arena);
    }
    struct bench_pair legal = bench_race(5, run_legal, run_replay, &f),
                      score = bench_race(5, run_score, run_replay, &f),
                      alive = bench_race(5, run_alive, run_replay, &f);
    printf("%-34s %8.2f %8.2f %8.2f %8.2f  %6.2f %6.2f %6.2f\n", name, 1e6 * legal.baseline / FINISHED,
           1e6 * legal.ours / FINISHED, 1e6 * score.ours / FINISHED, 1e6 * alive.ours / FINISHED,
           legal.ours / legal.baseline, score.ours / score.baseline, alive.ours / alive.baseline);
    arena_clear(&f.arena);
    arena_clear(&f.replay);
}

void bench_go(void) {
    printf("\ngo; ns of CPU per move; misses in percent\n");
    printf("%-34s %8s %8s %7s  %4s %4s %4s  %s\n", "games", "arbiter", "baseline", "ratio", "1", "2", "3", "equal");
    race("100 x 2000 random moves, 19 x 19", 19, BENCH_ANY_POINT, 100, 2000);
    race("100 x 2000 on empty points, 19 x 19", 19, BENCH_EMPTY_POINT, 100, 2000);
    race("100 x 2000 on empty points, 9 x 9", 9, BENCH_EMPTY_POINT, 100, 2000);
    race("100 x 2000 on empty points, 5 x 5", 5, BENCH_EMPTY_POINT, 100, 2000);
    printf("\ngo: the end of 100 games of 300 moves on empty points, 19 x 19; us of CPU per game\n");
    printf("%-34s %8s %8s %8s %8s  %6s %6s %6s\n", "ko", "replay", "legal", "score", "alive", "ratio", "ratio",
           "ratio");
    referee(GO_KO_POSITIONAL, "positional");
    referee(GO_KO_SITUATIONAL, "situational");
    referee(GO_KO_SIMPLE, "simple");
}

void bench_go_growth(void) {
    printf("\ngo: growth, moves on empty points\n%-8s %8s %10s %10s %12s\n", "board", "moves", "ms", "ns/move",
           "KiB/game");
    const struct {
        unsigned size, count;
    } rows[] = {{9, 2000}, {13, 2000}, {19, 2000}, {25, 2000}, {19, 100}, {19, 1000}, {19, 10000}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct batch batch;
        draw(&batch, rows[r].size, BENCH_EMPTY_POINT, 1, rows[r].count);
        double seconds = bench_best(3, run_ours, &batch);
        printf("%2u x %-3u %8u %10.3f %10.1f %12zu\n", rows[r].size, rows[r].size, rows[r].count, 1e3 * seconds,
               1e9 * seconds / rows[r].count, batch.memory / 1024);
        clear(&batch);
    }
}
