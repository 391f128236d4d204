/* climb: search for the 88 x 88 fields (about 8 KB as rows) that take longest to solve, by hill climbing.
 *
 * Each climb starts from the worst of about a hundred random fields with 10 to 11 % mines, the density at which
 * openings share the most numbers, and flips one cell after another. A flip is kept unless it reduces the solver's
 * work. To limit the time per try, the search stops at a cap. Only a field that exceeds the cap is then solved
 * completely: if that takes more than the default of a million states, the climb ends there; otherwise twice that
 * field's work becomes the new cap.
 *
 * Prints a line for each climb: seconds of CPU, states, whether the nimber is known, mines, and the field in the format
 * of bench/slow_fields.txt. This is row by row: "a" is a mine, "b" an empty cell and a mine, ... "y" 24 empty cells and
 * a mine, and "z" 25 empty cells. */
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"

#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 88, WORDS = 2, MAX_STATES = 1000000, LONGEST_GAP = 25, DRAWS = 300, CAP = 30000000, START_SECONDS = 40 };

struct climb {
    struct mine_field field;
    uint64_t rows[SIDE * WORDS];
    struct arena arena;
    struct mine_verdict verdict;
    uint64_t states;
};

/* Get the work that it takes to solve the field; UINT64_MAX if more than `cap`. */
static uint64_t work_of(struct climb *climb, uint64_t cap) {
    struct work work = {.left = cap};
    enum outcome outcome = mine_solve(&climb->field, MINE_NIMBER, MAX_STATES, &climb->arena, &work, &climb->verdict);
    climb->states = work.statistics.states;
    arena_reset(&climb->arena);
    if (outcome == OUTCOME_NO_MEMORY)
        abort();
    return outcome == OUTCOME_DONE ? cap - work.left : UINT64_MAX;
}

static void flip(struct climb *climb, unsigned cell) {
    climb->rows[cell / SIDE * WORDS + cell % SIDE / 64] ^= (uint64_t)1 << cell % SIDE % 64;
}

/* Generate random fields and keep the worst. Returns its work. */
static uint64_t draw_worst(struct climb *climb, struct reference_random *random) {
    uint64_t best = 0, kept[SIDE * WORDS];
    for (unsigned d = 0; d < DRAWS && best != UINT64_MAX; d++) {
        struct mine_field drawn;
        unsigned cells = SIDE * SIDE, mines = cells / 10 + reference_random_below(random, cells / 100);
        bench_draw_field(reference_random_next(random), SIDE, SIDE, mines, &drawn);
        memcpy(climb->rows, drawn.mines, sizeof climb->rows);
        free(drawn.mines);
        uint64_t work = work_of(climb, CAP);
        if (work > best) {
            best = work;
            memcpy(kept, climb->rows, sizeof kept);
        }
    }
    memcpy(climb->rows, kept, sizeof kept);
    return best;
}

static void climb_from(struct climb *climb, uint64_t seed) {
    struct reference_random random = {seed};
    climb->field = (struct mine_field){.rows = SIDE, .cols = SIDE, .mines = climb->rows};
    double start = bench_seconds();
    uint64_t cap = CAP, best = draw_worst(climb, &random);
    while (bench_seconds() - start < START_SECONDS) {
        if (best == UINT64_MAX) {
            best = work_of(climb, WORK_UNBOUNDED - 1);
            if (!climb->verdict.known)
                return;
            cap = 2 * best;
        }
        unsigned cell = reference_random_below(&random, SIDE * SIDE);
        flip(climb, cell);
        uint64_t work = work_of(climb, cap);
        if (work >= best)
            best = work;
        else
            flip(climb, cell);
    }
}

static void print_field(const struct climb *climb) {
    unsigned gap = 0;
    for (unsigned cell = 0; cell < SIDE * SIDE; cell++) {
        if (climb->rows[cell / SIDE * WORDS + cell % SIDE / 64] >> cell % SIDE % 64 & 1) {
            putchar('a' + (int)gap);
            gap = 0;
        } else if (++gap == LONGEST_GAP) {
            putchar('z');
            gap = 0;
        }
    }
    putchar('\n');
}

static unsigned count_mines(const struct climb *climb) {
    unsigned mines = 0;
    for (unsigned w = 0; w < SIDE * WORDS; w++)
        mines += (unsigned)__builtin_popcountll(climb->rows[w]);
    return mines;
}

void bench_climb(unsigned seconds, uint64_t seed) {
    static struct climb climb;
    arena_init(&climb.arena, ARENA_NO_CAP);
    for (double start = bench_seconds(); bench_seconds() - start < seconds; seed++) {
        climb_from(&climb, seed);
        double begin = bench_seconds();
        work_of(&climb, WORK_UNBOUNDED);
        printf("%6.2f %8llu %-7s %4u ", bench_seconds() - begin, (unsigned long long)climb.states,
               climb.verdict.known ? "known" : "unknown", count_mines(&climb));
        print_field(&climb);
    }
    arena_clear(&climb.arena);
}
