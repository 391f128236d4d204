/* text: whole requests in contest format, from memory to memory, compared with textbook contest programs; and the
 * reader on its own.
 *
 * Our side is handle_request on this thread, which also reads a head and frees all its memory in the end. Their side is
 * baseline_text.h, reading from an fmemopen stream and writing to an open_memstream. */
#include "bench/baseline_mine.h"
#include "bench/baseline_text.h"
#include "bench/bench.h"
#include "bench/clock.h"
#include "bench/inputs.h"
#include "bench/texts.h"

#include "api/api.h"
#include "api/handle.h"

#include <stdlib.h>
#include <string.h>

enum { GAMES = 100, FIELDS = 100, SIZE = 19, LEGAL = 300, ROUNDS = 3 };

/* A text, and whatever both sides need to answer it. */
struct text {
    const char *target;
    void (*baseline)(FILE *in, FILE *out);
    char *body;
    size_t length;
    struct service *service;
    struct response ours;
    char *theirs;
    size_t their_length;
};

static void *must(void *block) {
    if (block == NULL)
        abort();
    return block;
}

/* ---- the texts ---- */

static void write_legal_games(FILE *out) {
    struct go_move moves[LEGAL];
    fprintf(out, "%d\n", GAMES);
    for (unsigned g = 0; g < GAMES; g++)
        bench_write_game(out, moves, bench_draw_legal_game(g + 1, SIZE, LEGAL, moves));
}

/* Fields whose openings share no numbers, so that the textbook method is correct. */
static void write_small_fields(FILE *out) {
    unsigned written = 0;
    fprintf(out, "%d\n", FIELDS);
    for (uint64_t seed = 1; written < FIELDS; seed++) {
        struct mine_field field;
        bench_draw_field(seed, 100, 100, 100, &field);
        if (baseline_mine_solve(&field).known) {
            bench_write_field(out, &field);
            written++;
        }
        free(field.mines);
    }
}

static void write_hard_boards(FILE *out) {
    fprintf(out, "1 %d\n", BENCH_HARD_BOARDS);
    for (unsigned b = 0; b < BENCH_HARD_BOARDS; b++) {
        struct pawn_position position;
        bench_hard_board(b, &position);
        bench_write_board(out, &position);
    }
}

static void write_text(struct text *text, void (*write)(FILE *out)) {
    bench_write_text(write, &text->body, &text->length);
}

/* ---- whole requests ---- */

static void run_ours(void *with) {
    struct text *text = with;
    char length[24];
    struct header headers[] = {{"Host", "bench"}, {"Content-Type", "text/plain"}, {"Content-Length", length}};
    struct request_head head = {"POST", text->target, "HTTP/1.1", headers, 3};
    snprintf(length, sizeof length, "%zu", text->length);
    response_clear(&text->ours);
    handle_request(text->service, &head, text->body, text->length, &text->ours); /* leaves the text as it is */
}

static void run_baseline(void *with) {
    struct text *text = with;
    free(text->theirs);
    FILE *in = must(fmemopen(text->body, text->length, "r"));
    FILE *out = must(open_memstream(&text->theirs, &text->their_length));
    text->baseline(in, out);
    fclose(in);
    fclose(out);
}

static bool agree(const struct text *text) {
    return text->ours.status == 200 && text->ours.length == text->their_length &&
           memcmp(text->ours.body, text->theirs, text->their_length) == 0;
}

static const char *verdict_of(bool met) { return met ? "met" : "MISSED"; }

static void race(const char *name, double target, const char *path, void (*baseline)(FILE *, FILE *),
                 void (*write)(FILE *), struct service *service) {
    struct text text = {.target = path, .baseline = baseline, .service = service};
    write_text(&text, write);
    struct bench_pair pair = bench_race(ROUNDS, run_ours, run_baseline, &text);
    double ratio = pair.baseline / pair.ours;
    printf("%-38s %8zu %9.3f %9.2f %7.1f %6.0f  %-6s  %s\n", name, text.length / 1000, 1e3 * pair.ours,
           1e3 * pair.baseline, ratio, target, verdict_of(ratio >= target), agree(&text) ? "yes" : "NO");
    if (!agree(&text))
        exit(1);
    response_clear(&text.ours);
    free(text.body);
    free(text.theirs);
}

/* ---- the reader alone ---- */

static void run_reader(void *with) { bench_read(with); }

/* Convert line endings to CRLF. */
static void add_returns(struct bench_reading *reading) {
    char *text = must(malloc(2 * reading->length));
    size_t length = 0;
    for (size_t i = 0; i < reading->length; i++) {
        if (reading->text[i] == '\n')
            text[length++] = '\r';
        text[length++] = reading->text[i];
    }
    free(reading->text);
    reading->text = text;
    reading->length = length;
}

static void read_alone(const char *name, double target, bool returns, const char *game, void (*write)(FILE *)) {
    struct bench_reading reading;
    bench_reading_init(&reading, game, write);
    if (returns)
        add_returns(&reading);
    double rate = 1e-6 * (double)reading.length / bench_best(2 * ROUNDS, run_reader, &reading);
    printf("%-38s %8zu %9.0f", name, reading.length / 1000, rate);
    if (target > 0)
        printf(" %25.0f  %s", target, verdict_of(rate >= target));
    printf("\n");
    bench_reading_clear(&reading);
}

void bench_text(void) {
    struct account account;
    struct limits limits = {0};
    api_add_limits(&limits);
    /* The textbook method doesn't search, so ours must not search either when the winner is unknown. */
    for (size_t i = 0; i < limits.count; i++)
        if (strcmp(limits_row(&limits, i)->name, "max_search_states") == 0)
            limits.value[i] = 0;
    account_init(&account, (size_t)1 << 30);
    struct service *service = must(service_new(&(struct service_config){
        .limits = limits,
        .cors_origins = "*",
        .version = "bench",
        .commit = "bench",
        .profile = "bench",
        .account = &account,
    }));
    printf("\ntext: whole requests, read, solved and printed; ms of CPU; the baseline reads with fscanf\n");
    printf("%-38s %8s %9s %9s %7s %6s  %-6s  %s\n", "requests", "KB", "arbiter", "baseline", "ratio", "target", "",
           "equal");
    race("go, 100 x 2000 random moves", 6, "/go", baseline_text_go, bench_write_random_games, service);
    race("go, 100 legal games of 300 moves", 6, "/go", baseline_text_go, write_legal_games, service);
    race("mine, 1000 x 1000 with 10^5 mines", 8, "/mine", baseline_text_mine, bench_write_large_field, service);
    race("mine, 100 x (100 x 100 with 100 mines)", 8, "/mine", baseline_text_mine, write_small_fields, service);
    race("pawn, 10 hard boards of 10 x 10", 100, "/pawn", baseline_text_pawn, write_hard_boards, service);
    service_free(service);
    printf("\ntext: the reader alone\n%-38s %8s %9s %25s\n", "texts", "KB", "MB/s", "target");
    read_alone("go, moves", 500, false, "go", bench_write_random_games);
    read_alone("go, moves, lines end with CRLF", 0, true, "go", bench_write_random_games);
    read_alone("mine, pairs", 500, false, "mine", bench_write_large_field);
    read_alone("mine, pairs, lines end with CRLF", 0, true, "mine", bench_write_large_field);
    read_alone("pawn, boards", 0, false, "pawn", write_hard_boards);
}
