/* pawn: the solver compared with an explicit graph, and how its cost grows. */
#include "bench/baseline_pawn.h"
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "pawn/solve.h"

#include <stdio.h>
#include <stdlib.h>

struct side {
    struct pawn_position root;
    bool all; /* find every move and a line, not just the verdict */
    struct arena arena;
    struct pawn_answer ours;
    struct pawn_verdict theirs, their_moves[PAWN_MAX_MOVES];
    unsigned their_line;
};

static void run_ours(void *with) {
    struct side *side = with;
    struct work work = {.left = WORK_UNBOUNDED};
    arena_reset(&side->arena);
    if (pawn_solve(&side->root, side->all ? PAWN_MOVES | PAWN_LINE : 0, &side->arena, &work, &side->ours) !=
        OUTCOME_DONE)
        abort();
}

/* Find the baseline's line, which can play any move that keeps the value. */
static unsigned walk_baseline(const struct baseline_pawn *solved, struct pawn_position p, struct pawn_verdict verdict) {
    for (unsigned left = verdict.steps; left > 0; left--) {
        struct pawn_move moves[PAWN_MAX_MOVES];
        struct pawn_position next = p;
        unsigned count = pawn_position_moves(&p, moves), m = 0;
        for (; m < count; m++) {
            next = p;
            pawn_position_play(&next, moves[m]);
            struct pawn_verdict value = baseline_pawn_value(solved, &next);
            if (value.winner == verdict.winner && value.steps == left - 1)
                break;
        }
        if (m == count)
            return verdict.steps - left;
        p = next;
    }
    return verdict.steps;
}

static void run_baseline(void *with) {
    struct side *side = with;
    struct baseline_pawn *solved = baseline_pawn_new(&side->root, side->all);
    side->theirs = baseline_pawn_value(solved, &side->root);
    for (unsigned m = 0; side->all && m < side->ours.move_count; m++) {
        struct pawn_position next = side->root;
        pawn_position_play(&next, side->ours.moves[m].move);
        side->their_moves[m] = baseline_pawn_value(solved, &next);
    }
    if (side->all)
        side->their_line = walk_baseline(solved, side->root, side->theirs);
    baseline_pawn_free(solved);
}

/* Play our line by the rules. The game must end with its last move. */
static bool line_holds(const struct side *side) {
    struct pawn_position p = side->root;
    for (unsigned m = 0; m < side->ours.verdict.steps; m++) {
        if (pawn_position_end(&p) != PAWN_NOT_OVER)
            return false;
        pawn_position_play(&p, side->ours.line[m]);
    }
    return side->their_line == side->ours.verdict.steps &&
           (side->ours.verdict.winner == PAWN_TIE || pawn_position_end(&p) != PAWN_NOT_OVER);
}

static bool agree(const struct side *side) {
    if (side->ours.verdict.winner != side->theirs.winner || side->ours.verdict.steps != side->theirs.steps)
        return false;
    for (unsigned m = 0; m < side->ours.move_count; m++) {
        struct pawn_verdict x = side->ours.moves[m].verdict, y = side->their_moves[m];
        if (x.winner != y.winner || (x.winner != PAWN_TIE && x.steps != y.steps + 1))
            return false;
    }
    return !side->all || line_holds(side);
}

static const char *name_of(enum pawn_winner winner) {
    return winner == PAWN_RED_WINS ? "Red" : winner == PAWN_BLACK_WINS ? "Black" : "tie";
}

void bench_pawn(void) {
    static struct side side;
    arena_init(&side.arena, ARENA_NO_CAP);
    for (int all = 0; all < 2; all++) {
        double sums[2] = {0}, min = 1e9;
        printf("\npawn, 10 x 10, %s; ms of CPU\n", all ? "every move and a line" : "verdict only");
        printf("%-5s %-5s %5s %10s %10s %8s  %s\n", "board", "wins", "moves", "arbiter", "baseline", "ratio", "equal");
        for (unsigned b = 0; b < BENCH_HARD_BOARDS; b++) {
            bench_hard_board(b, &side.root);
            side.all = all;
            struct bench_pair pair = bench_race(3, run_ours, run_baseline, &side);
            bool equal = agree(&side);
            printf("%-5u %-5s %5u %10.3f %10.1f %8.0f  %s\n", b + 1, name_of(side.ours.verdict.winner),
                   side.ours.verdict.steps, 1e3 * pair.ours, 1e3 * pair.baseline, pair.baseline / pair.ours,
                   equal ? "yes" : "NO");
            if (!equal)
                exit(1);
            sums[0] += pair.ours;
            sums[1] += pair.baseline;
            min = pair.baseline / pair.ours < min ? pair.baseline / pair.ours : min;
        }
        printf("all %13s %10.3f %10.1f %8.0f  (least %.0f)\n", "", 1e3 * sums[0], 1e3 * sums[1], sums[1] / sums[0],
               min);
    }
    arena_clear(&side.arena);
}

void bench_pawn_growth(void) {
    static struct side side;
    enum { BOARDS = 40 };
    arena_init(&side.arena, ARENA_NO_CAP);
    printf("\npawn: growth, the slowest of %d boards per size (ms of CPU), peak memory\n", BOARDS);
    printf("%-8s %10s %10s %10s %12s\n", "board", "states", "verdict", "moves", "KiB moves");
    for (unsigned size = 4; size * size <= PAWN_MAX_CELLS && size <= 16; size += 2) {
        double slowest[2] = {0};
        size_t max = 0; /* of the layers of a line; other memory has been rewound */
        for (uint64_t seed = 1; seed <= BOARDS; seed++) {
            bench_draw_board(seed, size, size, &side.root);
            for (int all = 0; all < 2; all++) {
                side.all = all;
                double seconds = bench_best(3, run_ours, &side);
                slowest[all] = seconds > slowest[all] ? seconds : slowest[all];
                max = side.arena.used > max ? side.arena.used : max;
            }
        }
        unsigned cells = size * size;
        printf("%2u x %-3u %10u %10.3f %10.3f %12zu\n", size, size, cells * (cells - 1) / 2 * cells * 2,
               1e3 * slowest[0], 1e3 * slowest[1], max / 1024);
    }
    arena_clear(&side.arena);
}
