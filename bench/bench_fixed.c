/* A fixed workload whose instructions are counted: see script/bench --check. */
#include "api/work/schedule.h"
#include "bench/bench.h"
#include "bench/inputs.h"
#include "bench/texts.h"
#include "pawn/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 5, MOVES = 2000, MAX_STATES = 1000000, JOBS = 1000, TURNS = 10000, STEP = 5000 /* microseconds */ };

struct fixed {
    struct arena arena;
    struct pawn_position board;
    unsigned wants;
    unsigned size;
    struct go_move moves[GAMES][MOVES];
    struct mine_field field;
    bool clicks;
    struct bench_reading reading;
    unsigned clients;
    struct scheduled jobs[JOBS];
};

static void count_board(struct fixed *fixed) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer;
    if (pawn_solve(&fixed->board, fixed->wants, &fixed->arena, &work, &answer) != OUTCOME_DONE)
        abort();
}

static void count_games(struct fixed *fixed) {
    for (unsigned g = 0; g < GAMES; g++)
        bench_play_game(fixed->size, fixed->moves[g], MOVES, &fixed->arena);
}

static void count_field(struct fixed *fixed) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct mine_verdict verdict;
    struct mine_clicks clicks;
    enum outcome outcome =
        fixed->clicks
            ? mine_solve_with_lists(&fixed->field, MAX_STATES, 100, &fixed->arena, &work, &verdict, &clicks, NULL)
            : mine_solve(&fixed->field, MINE_NIMBER, MAX_STATES, &fixed->arena, &work, &verdict);
    if (outcome != OUTCOME_DONE)
        abort();
}

static void count_moves(struct fixed *fixed) { bench_read(&fixed->reading); }

static void count_pairs(struct fixed *fixed) { bench_read(&fixed->reading); }

static void join(struct fixed *fixed, struct schedule *schedule, struct scheduled *job) {
    unsigned client = (unsigned)(job - fixed->jobs) % fixed->clients;
    struct client_address address = {{[0] = (unsigned char)(client >> 8), [1] = (unsigned char)client}};
    *job = (struct scheduled){0};
    if (!schedule_join(schedule, job, &address))
        abort();
    schedule_add_new(schedule, job);
}

/* JOBS jobs are waiting. Each leaves after its turn and joins again. */
static void count_turns(struct fixed *fixed) {
    struct schedule schedule;
    schedule_init(&schedule, JOBS);
    for (size_t j = 0; j < JOBS; j++)
        join(fixed, &schedule, &fixed->jobs[j]);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct scheduled *job = schedule_begin_turn(&schedule, JOB_SHORT);
        schedule_end_turn(&schedule, job, JOB_SHORT, STEP);
        schedule_leave(&schedule, job);
        join(fixed, &schedule, job);
    }
    for (size_t j = 0; j < JOBS; j++)
        schedule_leave(&schedule, &fixed->jobs[j]);
    schedule_clear(&schedule);
}

/* Only instructions in this function are counted. */
__attribute__((noinline)) void bench_counted(void (*run)(struct fixed *), struct fixed *fixed);
void bench_counted(void (*run)(struct fixed *), struct fixed *fixed) {
    run(fixed);
    __asm__ volatile("" ::: "memory"); /* prevents a tail call, after which counting would stop too late */
}

static const struct {
    const char *name;
    void (*run)(struct fixed *);
    unsigned a, b,
        c; /* pawn: board number, parts; go: size, kind of points; mine: side, mines, clicks; queue: clients */
} works[] = {
    {"pawn-long", count_board, 0, 0, 0},
    {"pawn-tie", count_board, 7, 0, 0},
    {"pawn-line", count_board, 0, PAWN_MOVES | PAWN_LINE, 0},
    {"go-19-any", count_games, 19, BENCH_ANY_POINT, 0},
    {"go-19-empty", count_games, 19, BENCH_EMPTY_POINT, 0},
    {"go-5-empty", count_games, 5, BENCH_EMPTY_POINT, 0},
    {"mine-0", count_field, 1000, 0, 0},
    {"mine-10000", count_field, 1000, 10000, 0},
    {"mine-60000", count_field, 1000, 60000, 0},
    {"mine-300000", count_field, 1000, 300000, 0},
    {"mine-clusters", count_field, 300, 7200, 0},
    {"mine-clicks", count_field, 300, 5400, 1},
    {"text-moves", count_moves, 0, 0, 0},
    {"text-pairs", count_pairs, 0, 0, 0},
    {"turns-1", count_turns, 1, 0, 0},
    {"turns-1000", count_turns, 1000, 0, 0},
};

bool bench_fixed(const char *name) {
    static struct fixed fixed;
    arena_init(&fixed.arena, ARENA_NO_CAP);
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        if (name == NULL)
            printf("%s\n", works[k].name);
        if (name == NULL || strcmp(name, works[k].name) != 0)
            continue;
        if (works[k].run == count_board) {
            bench_hard_board(works[k].a, &fixed.board);
            fixed.wants = works[k].b;
        } else if (works[k].run == count_games) {
            fixed.size = works[k].a;
            for (unsigned g = 0; g < GAMES; g++)
                bench_draw_game(g + 1, works[k].a, (enum bench_points)works[k].b, MOVES, fixed.moves[g]);
        } else if (works[k].run == count_moves) {
            bench_reading_init(&fixed.reading, "go", bench_write_random_games);
        } else if (works[k].run == count_pairs) {
            bench_reading_init(&fixed.reading, "mine", bench_write_large_field);
        } else if (works[k].run == count_turns) {
            fixed.clients = works[k].a;
        } else {
            bench_draw_field(1, works[k].a, works[k].a, works[k].b, &fixed.field);
            fixed.clicks = works[k].c;
        }
        bench_counted(works[k].run, &fixed);
        free(fixed.field.mines);
        bench_reading_clear(&fixed.reading);
        arena_clear(&fixed.arena);
        return true;
    }
    return name == NULL;
}
