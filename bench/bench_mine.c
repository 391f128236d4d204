/* mine: the solver compared with counting cell by cell, how its cost grows, and what clusters of openings cost. */
#include "bench/baseline_mine.h"
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_STATES = 1000000, MAX_CLICKS = 100 };

struct side {
    struct mine_field field;
    uint64_t max_states;
    bool clicks; /* also find the winning clicks */
    struct arena arena;
    size_t memory;
    uint64_t states;
    struct mine_verdict ours, theirs;
    struct mine_clicks found;
};

static void run_ours(void *with) {
    struct side *side = with;
    struct work work = {.left = WORK_UNBOUNDED};
    arena_reset(&side->arena);
    enum outcome outcome =
        side->clicks ? mine_solve_with_lists(&side->field, side->max_states, MAX_CLICKS, &side->arena, &work,
                                             &side->ours, &side->found, NULL)
                     : mine_solve(&side->field, MINE_NIMBER, side->max_states, &side->arena, &work, &side->ours);
    if (outcome != OUTCOME_DONE)
        abort();
    side->states = work.statistics.states;
    side->memory = side->arena.used;
}

static void run_baseline(void *with) {
    struct side *side = with;
    side->theirs = baseline_mine_solve(&side->field);
}

/* Nimbers are compared only if the baseline found one. */
static bool agree(const struct side *side) {
    return side->ours.openings == side->theirs.openings && side->ours.three_bv == side->theirs.three_bv &&
           side->ours.shared_numbers == side->theirs.shared_numbers &&
           (!side->theirs.known || (side->ours.known && side->ours.nimber == side->theirs.nimber));
}

void bench_mine(void) {
    static struct side side;
    const unsigned mines[] = {0, 1000, 10000, 100000, 300000, 1000000};
    printf("\nmine, 1000 x 1000; clusters solved by formulas and symmetry only, without search; ms of CPU\n");
    printf("%-8s %9s %9s %9s %9s %8s  %s\n", "mines", "openings", "shared", "arbiter", "baseline", "ratio", "equal");
    arena_init(&side.arena, ARENA_NO_CAP);
    for (size_t m = 0; m < sizeof mines / sizeof *mines; m++) {
        bench_draw_field(m + 1, 1000, 1000, mines[m], &side.field);
        struct bench_pair pair = bench_race(3, run_ours, run_baseline, &side);
        printf("%-8u %9u %9u %9.3f %9.2f %8.1f  %s\n", mines[m], side.ours.openings, side.ours.shared_numbers,
               1e3 * pair.ours, 1e3 * pair.baseline, pair.baseline / pair.ours, agree(&side) ? "yes" : "NO");
        if (!agree(&side))
            exit(1);
        free(side.field.mines);
    }
    arena_clear(&side.arena);
}

void bench_mine_growth(void) {
    static struct side side;
    const unsigned sizes[] = {125, 250, 500, 1000, 2000, 4000}, percents[] = {1, 5, 20};
    side.max_states = MAX_STATES;
    arena_init(&side.arena, ARENA_NO_CAP);
    printf("\nmine: growth, ms of CPU and ns per cell\n%-12s %6s %10s %10s %10s\n", "field", "mines", "ms", "ns/cell",
           "KiB");
    for (size_t p = 0; p < sizeof percents / sizeof *percents; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            unsigned cells = sizes[s] * sizes[s];
            bench_draw_field(s + 1, sizes[s], sizes[s], cells / 100 * percents[p], &side.field);
            double seconds = bench_best(3, run_ours, &side);
            printf("%4u x %-5u %5u%% %10.3f %10.2f %10zu\n", sizes[s], sizes[s], percents[p], 1e3 * seconds,
                   1e9 * seconds / cells, side.memory / 1024);
            free(side.field.mines);
        }
    arena_clear(&side.arena);
}

/* Solve `count` random fields once each, and print a row of the table. */
static void survey(unsigned rows, unsigned cols, unsigned mines, unsigned count) {
    static struct side side;
    uint64_t max_states = 0, states = 0;
    uint32_t unknown = 0, undecided = 0;
    double slowest = 0, seconds = 0;
    side.max_states = MAX_STATES;
    arena_init(&side.arena, ARENA_NO_CAP);
    for (unsigned f = 0; f < count; f++) {
        bench_draw_field(f + 1, rows, cols, mines, &side.field);
        double start = bench_seconds();
        run_ours(&side);
        double spent = bench_seconds() - start;
        free(side.field.mines);
        unknown += !side.ours.known;
        undecided += !side.ours.known && !side.ours.won;
        states += side.states;
        max_states = side.states > max_states ? side.states : max_states;
        seconds += spent;
        slowest = spent > slowest ? spent : slowest;
    }
    printf("%4u x %-4u %5.1f%% %6u %8u %9u %10.0f %10llu %9.2f %9.1f %7.2f\n", rows, cols,
           100.0 * mines / (rows * cols), count, unknown, undecided, (double)states / count,
           (unsigned long long)max_states, 1e3 * seconds / count, 1e3 * slowest,
           states != 0 ? 1e6 * seconds / (double)states : 0);
    arena_clear(&side.arena);
}

static void survey_head(const char *what) {
    printf("\nmine: %s, at most %d states per field\n", what, MAX_STATES);
    printf("%-11s %6s %6s %8s %9s %10s %10s %9s %9s %7s\n", "field", "mines", "fields", "unknown", "undecided",
           "states", "most", "ms", "slowest", "us/st");
}

static void survey_percent(unsigned side, unsigned percent, unsigned count) {
    survey(side, side, side * side / 100 * percent, count);
}

void bench_clusters(void) {
    survey_head("clusters of openings");
    survey(16, 30, 99, 1000);
    survey(16, 16, 40, 1000);
    for (unsigned percent = 1; percent <= 25; percent++)
        survey_percent(100, percent, 200);
    for (unsigned percent = 1; percent <= 25; percent++)
        if (percent <= 9 || percent >= 12)
            survey_percent(300, percent, 50);
    for (unsigned percent = 1; percent <= 25; percent++)
        if (percent <= 8 || percent >= 13)
            survey_percent(1000, percent, 10);
}

void bench_hard_band(void) {
    survey_head("the hard band");
    for (unsigned percent = 7; percent <= 13; percent++)
        survey_percent(300, percent, 20);
    for (unsigned percent = 7; percent <= 13; percent++)
        survey_percent(1000, percent, 5);
}

void bench_clicks(void) {
    static struct side side;
    const struct {
        unsigned side, mines;
    } rows[] = {{1000, 0},   {1000, 1000}, {1000, 10000}, {1000, 30000}, {1000, 50000}, {1000, 60000},
                {300, 4500}, {300, 7200},  {300, 13500},  {100, 800},    {100, 1000},   {100, 1300}};
    side.max_states = MAX_STATES;
    arena_init(&side.arena, ARENA_NO_CAP);
    printf("\nmine: winning clicks compared with the verdict, ms of CPU\n");
    printf("%-11s %7s %9s %9s %7s %10s\n", "field", "mines", "verdict", "clicks", "ratio", "states");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bench_draw_field(r + 1, rows[r].side, rows[r].side, rows[r].mines, &side.field);
        side.clicks = false;
        double verdict = bench_best(3, run_ours, &side);
        side.clicks = true;
        double clicks = bench_best(3, run_ours, &side);
        printf("%4u x %-4u %7u %9.2f %9.2f %7.1f %10llu%s\n", rows[r].side, rows[r].side, rows[r].mines, 1e3 * verdict,
               1e3 * clicks, clicks / verdict, (unsigned long long)side.states,
               !side.found.known       ? "  not known"
               : side.ours.nimber == 0 ? "  worth 0: nothing to search"
                                       : "");
        free(side.field.mines);
    }
    arena_clear(&side.arena);
}
