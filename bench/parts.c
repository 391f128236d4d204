/* Measures the parts of large requests in this process, for the benches that send them over HTTP.
 *
 *     parts body NAME    print the JSON of the request
 *     parts sum NAME     measure the unavoidable parts: cJSON parsing each case on its own, with memory from a warm
 * bump allocator; the public solver functions on decoded inputs; and copying the answer's bytes into fresh memory. Also
 * measure handle_request as a whole parts turns NAME   measure the server's steps: job_begin, every case, job_finish
 *
 * The last two print a JSON object with times in milliseconds of CPU. A pair is [cold, warm]: the first run in this
 * process, which touches its memory for the first time, and the best of the later runs. */
#include "bench/bodies.h"
#include "bench/clock.h"
#include "bench/inputs.h"

#include "api/api.h"
#include "api/handle.h"
#include "pawn/solve.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ROUNDS = 4, GAME_SIZE = 19, MOVES = 2000, LEGAL_MOVES = 300 };

/* ---- the requests ---- */

enum kind { BOARDS, GAMES, LEGAL_GAMES, FIELDS, MINES };

struct request {
    const char *name, *target;
    enum kind kind;
    unsigned count, rows, cols, mines;
};

static const struct request requests[] = {
    {"rows", "/mine", FIELDS, 1, 1000, 1000, 200000},
    /* A fifth of the cells are mines: at 10 %, 1000 x 1000 would be so hard that the search would dwarf parsing. */
    {"pairs", "/mine", MINES, 1, 500, 1000, 100000},
    {"games", "/go", GAMES, 100, 0, 0, 0},
    {"legal", "/go", LEGAL_GAMES, 100, 0, 0, 0},
    {"boards", "/pawn", BOARDS, 200, 0, 0, 0},
    {"fields", "/mine", FIELDS, 50, 1000, 1000, 200000},
};

struct input {
    const struct request *request;
    struct pawn_position *boards;
    struct go_move *moves; /* [count][MOVES] */
    size_t *move_counts;   /* [count] */
    struct mine_field *fields;
    char *body;
    size_t length;
    long *case_at, *case_end; /* [count] of its request */
};

static void *need(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static void draw_games(struct input *input) {
    unsigned count = input->request->count;
    input->moves = need(calloc(count, MOVES * sizeof *input->moves));
    input->move_counts = need(calloc(count, sizeof *input->move_counts));
    for (unsigned i = 0; i < count; i++) {
        struct go_move *moves = input->moves + (size_t)i * MOVES;
        input->move_counts[i] = MOVES;
        if (input->request->kind == LEGAL_GAMES)
            input->move_counts[i] = bench_draw_legal_game(i + 1, GAME_SIZE, LEGAL_MOVES, moves);
        else
            bench_draw_game(i + 1, GAME_SIZE, BENCH_EMPTY_POINT, MOVES, moves);
    }
}

static void draw(struct input *input) {
    const struct request *request = input->request;
    switch (request->kind) {
    case BOARDS:
        input->boards = need(calloc(request->count, sizeof *input->boards));
        for (unsigned i = 0; i < request->count; i++)
            bench_hard_board(i % BENCH_HARD_BOARDS, &input->boards[i]);
        return;
    case GAMES:
    case LEGAL_GAMES:
        draw_games(input);
        return;
    case FIELDS:
    case MINES:
        input->fields = need(calloc(request->count, sizeof *input->fields));
        for (unsigned i = 0; i < request->count; i++)
            bench_draw_field(i + 1, request->rows, request->cols, request->mines, &input->fields[i]);
        return;
    }
}

static void put_case(FILE *out, const struct input *input, unsigned i) {
    switch (input->request->kind) {
    case BOARDS:
        bench_put_board(out, &input->boards[i], true);
        return;
    case GAMES:
    case LEGAL_GAMES:
        bench_put_game(out, GAME_SIZE, input->moves + (size_t)i * MOVES, input->move_counts[i]);
        return;
    case FIELDS:
        bench_put_field(out, &input->fields[i]);
        return;
    case MINES:
        bench_put_mines(out, &input->fields[i]);
        return;
    }
}

static void write_body(struct input *input) {
    FILE *out = need(open_memstream(&input->body, &input->length));
    bool batch = input->request->count > 1;
    input->case_at = need(calloc(input->request->count, sizeof *input->case_at));
    input->case_end = need(calloc(input->request->count, sizeof *input->case_end));
    fputs(batch ? "{\"cases\":[" : "", out);
    for (unsigned i = 0; i < input->request->count; i++) {
        fputs(i == 0 ? "" : ",", out);
        input->case_at[i] = ftell(out);
        put_case(out, input, i);
        input->case_end[i] = ftell(out);
    }
    fputs(batch ? "]}" : "", out);
    fclose(out);
}

static void clear(struct input *input) {
    for (unsigned i = 0; input->fields != NULL && i < input->request->count; i++)
        free(input->fields[i].mines);
    free(input->fields);
    free(input->boards);
    free(input->moves);
    free(input->move_counts);
    free(input->body);
    free(input->case_at);
    free(input->case_end);
}

/* ---- the parts ---- */

/* A bump allocator for cJSON. It can free the latest block, because cJSON allocates and frees a buffer per number. */
static struct {
    unsigned char *memory;
    size_t used, newest;
} bump;

static const size_t BUMP_SIZE = (size_t)1 << 30;

static void *bump_alloc(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (size > BUMP_SIZE - bump.used)
        return NULL;
    bump.newest = bump.used;
    bump.used += size;
    return bump.memory + bump.newest;
}

static void bump_give_back(void *block) {
    if (block == bump.memory + bump.newest)
        bump.used = bump.newest;
}

static void parse(const struct input *input) {
    for (unsigned i = 0; i < input->request->count; i++) {
        bump.used = 0;
        need(cJSON_ParseWithLength(input->body + input->case_at[i], (size_t)(input->case_end[i] - input->case_at[i])));
    }
}

static void solve_board(const struct pawn_position *board, struct arena *arena, struct work *work) {
    struct pawn_answer answer;
    if (pawn_solve(board, PAWN_MOVES, arena, work, &answer) != OUTCOME_DONE)
        abort();
}

static void solve_field(const struct mine_field *field, uint64_t states, struct arena *arena, struct work *work) {
    struct mine_verdict verdict;
    if (mine_solve(field, MINE_NIMBER, states, arena, work, &verdict) != OUTCOME_DONE)
        abort();
}

static void solve(const struct input *input, struct arena *arena) {
    /* As many positions as each field of a batch may use. */
    const uint64_t max = 1000000, together = 4000000;
    struct work work = {.left = WORK_UNBOUNDED};
    unsigned count = input->request->count;
    for (unsigned i = 0; i < count; i++) {
        switch (input->request->kind) {
        case BOARDS:
            solve_board(&input->boards[i], arena, &work);
            break;
        case GAMES:
        case LEGAL_GAMES:
            bench_play_game(GAME_SIZE, input->moves + (size_t)i * MOVES, input->move_counts[i], arena);
            break;
        case FIELDS:
        case MINES:
            solve_field(&input->fields[i], together / count < max ? together / count : max, arena, &work);
            break;
        }
        arena_reset(arena);
    }
}

/* ---- the service without its server ---- */

struct served {
    struct account account;
    struct service *service;
    struct header headers[2];
    struct request_head head;
    char length[24];
};

static void serve(struct served *served, const struct input *input) {
    struct limits limits = {0};
    api_add_limits(&limits);
    account_init(&served->account, (size_t)1 << 30);
    served->service = need(service_new(&(struct service_config){
        .limits = limits,
        .cors_origins = "*",
        .version = "bench",
        .commit = "bench",
        .profile = "bench",
        .account = &served->account,
    }));
    snprintf(served->length, sizeof served->length, "%zu", input->length);
    served->headers[0] = (struct header){"Host", "127.0.0.1"};
    served->headers[1] = (struct header){"Content-Length", served->length};
    served->head = (struct request_head){"POST", input->request->target, "HTTP/1.1", served->headers, 2};
}

static void check(const struct response *response) {
    if (response->status == 200)
        return;
    fprintf(stderr, "parts: answered %u\n%.*s\n", response->status, (int)response->length, response->body);
    exit(1);
}

/* Copy the body, because readers overwrite numbers in it. */
static char *copy_body(const struct input *input) {
    return memcpy(need(malloc(input->length)), input->body, input->length);
}

/* ---- the tables ---- */

struct span {
    double cold, warm;
};

static const struct span no_span = {0, 1e9};

/* Record the time since `start` as the next run of a span. */
static void span_add(struct span *span, double start) {
    double spent = 1e3 * (bench_seconds() - start);
    if (span->cold == 0)
        span->cold = spent;
    else if (spent < span->warm)
        span->warm = spent;
}

static void print_span(const char *name, struct span span) {
    printf("\"%s\":[%.4f,%.4f],", name, span.cold, span.warm);
}

static void print_sum(struct input *input) {
    struct span parsed = no_span, solved = no_span, encoded = no_span, handled = no_span;
    struct arena arena;
    struct served served;
    struct response response;
    arena_init(&arena, ARENA_NO_CAP);
    bump.memory = mmap(NULL, BUMP_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bump.memory == MAP_FAILED)
        abort();
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = bump_alloc, .free_fn = bump_give_back});
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_seconds();
        parse(input);
        span_add(&parsed, start);
        start = bench_seconds();
        solve(input, &arena);
        span_add(&solved, start);
    }
    arena_clear(&arena);
    munmap(bump.memory, BUMP_SIZE);
    serve(&served, input); /* from now on, cJSON uses the server's hooks */
    for (int round = 0; round < ROUNDS; round++) {
        char *body = copy_body(input);
        double start = bench_seconds();
        handle_request(served.service, &served.head, body, input->length, &response);
        span_add(&handled, start);
        check(&response);
        free(body);
        start = bench_seconds();
        char *answer = memcpy(need(malloc(response.length)), response.body, response.length);
        span_add(&encoded, start);
        free(answer);
        if (round + 1 < ROUNDS)
            response_clear(&response);
    }
    printf("{");
    print_span("parse", parsed);
    print_span("solve", solved);
    print_span("encode", encoded);
    print_span("api", handled);
    printf("\"bytes\":%zu,\"answer\":%zu}\n", input->length, response.length);
    response_clear(&response);
    service_free(served.service);
}

static void print_turns(struct input *input) {
    struct span begun = no_span, all = no_span, finished = no_span;
    double slowest = 1e9;
    struct served served;
    serve(&served, input);
    for (int round = 0; round < ROUNDS; round++) {
        struct admission admission;
        struct response response;
        struct buffer unused;
        struct workspace workspace;
        struct job_turn turn;
        enum outcome outcome;
        struct work work = {.left = WORK_UNBOUNDED};
        char *body = copy_body(input);
        double max = 0;
        workspace_init(&workspace, &served.account, ARENA_NO_CAP, true);
        if (admit(served.service, &served.head, &admission, &response, &unused) != ADMIT_READ_BODY)
            abort();
        double start = bench_seconds();
        struct job *job = need(job_new(served.service, &admission, body, input->length));
        job_begin(job, &workspace, &work);
        span_add(&begun, start);
        start = bench_seconds();
        while (job_take(job, JOB_SHORT, &workspace, &work, &turn, &outcome)) {
            double once = bench_seconds();
            job_do(job, &turn, &workspace, &work);
            once = bench_seconds() - once;
            max = once > max ? once : max;
            job_deliver(job, &turn);
        }
        span_add(&all, start);
        slowest = 1e3 * max < slowest ? 1e3 * max : slowest;
        start = bench_seconds();
        job_finish(job, &response);
        span_add(&finished, start);
        check(&response);
        response_clear(&response);
        job_free(job);
        workspace_clear(&workspace);
        free(body);
    }
    printf("{");
    print_span("begin", begun);
    print_span("cases", all);
    print_span("finish", finished);
    printf("\"slowest\":%.4f}\n", slowest);
    service_free(served.service);
}

static void print_body(struct input *input) { fwrite(input->body, 1, input->length, stdout); }

static const struct {
    const char *name;
    void (*run)(struct input *input);
} commands[] = {{"body", print_body}, {"sum", print_sum}, {"turns", print_turns}};

int main(int count, char **arguments) {
    for (size_t c = 0; count == 3 && c < sizeof commands / sizeof *commands; c++)
        for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
            if (strcmp(arguments[1], commands[c].name) != 0 || strcmp(arguments[2], requests[r].name) != 0)
                continue;
            struct input input = {.request = &requests[r]};
            draw(&input);
            write_body(&input);
            commands[c].run(&input);
            clear(&input);
            return 0;
        }
    fprintf(stderr, "usage: parts body|sum|turns NAME, one of:");
    for (size_t r = 0; r < sizeof requests / sizeof *requests; r++)
        fprintf(stderr, " %s", requests[r].name);
    fprintf(stderr, "\n");
    return 2;
}
