/* pawn: the solver against an explicit graph, and how it grows. */
#include "bench/baseline_pawn.h"
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "pawn/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct side {
    struct pawn_position root;
    bool all; /* every move and a line, not the verdict alone */
    struct arena arena;
    struct pawn_ranked_move ours[PAWN_MOST_MOVES], theirs[PAWN_MOST_MOVES];
    unsigned moves, line[2];
    struct pawn_verdict verdict[2];
};

static struct pawn_analysis *analyse(struct side *side) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_analysis *analysis;
    arena_reset(&side->arena);
    if (pawn_analyse(&side->root, side->all ? PAWN_MOVES : PAWN_VERDICT, &side->arena, &work, &analysis) != DONE)
        abort();
    return analysis;
}

static void run_ours(void *with) {
    struct side *side = with;
    struct pawn_analysis *analysis = analyse(side);
    side->verdict[0] = pawn_root_verdict(analysis);
    if (!side->all)
        return;
    struct pawn_position p = side->root;
    struct pawn_ranked_move ranked[PAWN_MOST_MOVES];
    side->moves = pawn_rank_moves(analysis, &p, side->ours);
    side->line[0] = 0;
    for (; side->line[0] < side->verdict[0].steps; side->line[0]++) {
        if (pawn_rank_moves(analysis, &p, ranked) == 0)
            break;
        pawn_position_play(&p, ranked[0].move);
    }
}

static void run_baseline(void *with) {
    struct side *side = with;
    struct baseline_pawn *solved = baseline_pawn_new(&side->root, side->all);
    side->verdict[1] = baseline_pawn_value(solved, &side->root);
    if (side->all) {
        struct pawn_position p = side->root;
        for (unsigned m = 0; m < side->moves; m++) {
            struct pawn_position next = p;
            pawn_position_play(&next, side->ours[m].move);
            side->theirs[m].verdict = baseline_pawn_value(solved, &next);
        }
        /* Its line: any move that keeps the value. */
        for (side->line[1] = 0; side->line[1] < side->verdict[1].steps; side->line[1]++) {
            struct pawn_move moves[PAWN_MOST_MOVES];
            unsigned count = pawn_position_moves(&p, moves), left = side->verdict[1].steps - side->line[1], m = 0;
            struct pawn_position next = p;
            for (; m < count; m++) {
                next = p;
                pawn_position_play(&next, moves[m]);
                struct pawn_verdict verdict = baseline_pawn_value(solved, &next);
                if (verdict.winner == side->verdict[1].winner && verdict.steps == left - 1)
                    break;
            }
            if (m == count)
                break;
            p = next;
        }
    }
    baseline_pawn_free(solved);
}

static bool agree(const struct side *side) {
    if (memcmp(&side->verdict[0], &side->verdict[1], sizeof side->verdict[0]) != 0)
        return false;
    for (unsigned m = 0; side->all && m < side->moves; m++) {
        struct pawn_verdict x = side->ours[m].verdict, y = side->theirs[m].verdict;
        if (x.winner != y.winner || (x.winner != PAWN_TIE && x.steps != y.steps + 1))
            return false;
    }
    return !side->all || side->line[0] == side->line[1];
}

static const char *name_of(enum pawn_winner winner) {
    return winner == PAWN_RED_WINS ? "Red" : winner == PAWN_BLACK_WINS ? "Black" : "tie";
}

void bench_pawn(void) {
    static struct side side;
    arena_init(&side.arena, ARENA_NO_CAP);
    for (int all = 0; all < 2; all++) {
        double sums[2] = {0}, least = 1e9;
        printf("\npawn, 10 x 10, %s; ms of CPU\n", all ? "every move and a line" : "verdict only");
        printf("%-5s %-5s %5s %10s %10s %8s  %s\n", "board", "wins", "moves", "arbiter", "baseline", "ratio", "equal");
        for (unsigned b = 0; b < BENCH_HARD_BOARDS; b++) {
            bench_hard_board(b, &side.root);
            side.all = all;
            struct bench_pair pair = bench_race(3, run_ours, run_baseline, &side);
            bool equal = agree(&side);
            printf("%-5u %-5s %5u %10.3f %10.1f %8.0f  %s\n", b + 1, name_of(side.verdict[0].winner),
                   side.verdict[0].steps, 1e3 * pair.ours, 1e3 * pair.baseline, pair.baseline / pair.ours,
                   equal ? "yes" : "NO");
            if (!equal)
                exit(1);
            sums[0] += pair.ours;
            sums[1] += pair.baseline;
            least = pair.baseline / pair.ours < least ? pair.baseline / pair.ours : least;
        }
        printf("all %13s %10.3f %10.1f %8.0f  (least %.0f)\n", "", 1e3 * sums[0], 1e3 * sums[1], sums[1] / sums[0],
               least);
    }
    arena_clear(&side.arena);
}

void bench_pawn_growth(void) {
    static struct side side;
    enum { BOARDS = 40 };
    arena_init(&side.arena, ARENA_NO_CAP);
    printf("\npawn: growth, the slowest of %d boards a size (ms of CPU), most memory\n", BOARDS);
    printf("%-8s %10s %10s %10s %12s %12s\n", "board", "states", "verdict", "moves", "KiB verdict", "KiB moves");
    for (unsigned size = 4; size * size <= PAWN_MAX_CELLS && size <= 16; size += 2) {
        double slowest[2] = {0};
        size_t most[2] = {0};
        for (uint64_t seed = 1; seed <= BOARDS; seed++) {
            bench_draw_board(seed, size, size, &side.root);
            for (int all = 0; all < 2; all++) {
                side.all = all;
                double seconds = 1e9;
                for (int round = 0; round < 3; round++) {
                    double once = bench_once(run_ours, &side);
                    seconds = once < seconds ? once : seconds;
                }
                slowest[all] = seconds > slowest[all] ? seconds : slowest[all];
                most[all] = side.arena.used > most[all] ? side.arena.used : most[all];
            }
        }
        unsigned cells = size * size;
        printf("%2u x %-3u %10u %10.3f %10.3f %12zu %12zu\n", size, size, cells * (cells - 1) / 2 * cells * 2,
               1e3 * slowest[0], 1e3 * slowest[1], most[0] / 1024, most[1] / 1024);
    }
    arena_clear(&side.arena);
}
