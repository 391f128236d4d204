/* A job that runs step by step: its cases are taken, processed and delivered in any order, in both lanes, with budgets
 * that run out, and its lines are read in pieces. The answer must always be byte for byte that of handle_request, which
 * processes one case after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/problem.h"
#include "api/json/encode.h"
#include "api/request.h"
#include "base/buffer.h"
#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKERS = 5,  /* cases in progress at the same time */
    WINDOW = 256, /* the maximum number of cases that a job holds */
};

static const char lines[] = "application/x-ndjson", json[] = "application/json", text[] = "text/plain",
                  sgf[] = "application/x-go-sgf";

/* A request. */
struct asked {
    const char *target, *type, *accept;
    char *body;
    size_t length;
};

static struct asked ask(const char *target, const char *type, const char *accept, struct buffer *body) {
    struct asked asked = {target, type, accept, body->data, body->length};
    assert_int_equal(body->outcome, OUTCOME_DONE);
    return asked;
}

static struct request_head head_of(const struct asked *asked, struct header headers[3]) {
    headers[0] = (struct header){"Content-Type", asked->type};
    headers[1] = (struct header){"Accept", asked->accept};
    headers[2] = (struct header){"Host", "test"};
    return (struct request_head){"POST", asked->target, "HTTP/1.1", headers, 3};
}

static char *copy_of(const struct asked *asked) {
    char *copy = malloc(asked->length);
    if (copy == NULL)
        abort();
    memcpy(copy, asked->body, asked->length);
    return copy;
}

/* A job that runs step by step. */
struct stepped {
    struct admission admission;
    char *body;
    struct job *job;
    struct worker {
        struct workspace workspace;
        struct job_turn turn;
        bool busy;
    } workers[WORKERS];
    struct buffer read;
};

static void begin(struct stepped *stepped, const struct service *service, const struct asked *asked, uint64_t budget) {
    struct header headers[3];
    struct response response = {0};
    struct buffer none;
    struct request_head head = head_of(asked, headers);
    *stepped = (struct stepped){.body = copy_of(asked)};
    assert_int_equal(admit(service, &head, &stepped->admission, &response, &none), ADMIT_READ_BODY);
    stepped->job = job_new(service, &stepped->admission, stepped->body, asked->length);
    assert_non_null(stepped->job);
    for (int h = 0; h < WORKERS; h++)
        workspace_init(&stepped->workers[h].workspace, service->account, ARENA_NO_CAP, true);
    buffer_init(&stepped->read, SIZE_MAX, NULL);
    struct work work;
    do
        work = (struct work){.left = budget *= 2};
    while (job_begin(stepped->job, &stepped->workers[0].workspace, &work) == OUTCOME_MORE_WORK);
}

static void end(struct stepped *stepped) {
    for (int h = 0; h < WORKERS; h++)
        workspace_clear(&stepped->workers[h].workspace);
    job_free(stepped->job);
    buffer_clear(&stepped->read);
    free(stepped->body);
}

/* Let a worker take a case, doubling the budget until it is sufficient. Returns whether there was a case. */
static bool take(struct stepped *stepped, struct worker *worker, enum job_lane lane, uint64_t budget) {
    enum outcome outcome;
    do {
        struct work work = {.left = budget *= 2};
        worker->busy = job_take(stepped->job, lane, &worker->workspace, &work, &worker->turn, &outcome);
    } while (outcome == OUTCOME_MORE_WORK);
    return worker->busy;
}

/* Process a worker's case. Returns false if the budget is not sufficient; the case is then put back into the lane
 * `again`. */
static bool do_it(struct stepped *stepped, struct worker *worker, uint64_t budget, enum job_lane again) {
    struct work work = {.left = budget};
    worker->busy = false;
    if (job_do(stepped->job, &worker->turn, &worker->workspace, &work) == OUTCOME_MORE_WORK) {
        job_put_back(stepped->job, &worker->turn, again);
        return false;
    }
    job_deliver(stepped->job, &worker->turn);
    return true;
}

/* Read a piece of the lines. Returns whether there was anything to read. */
static bool read_piece(struct stepped *stepped, size_t piece) {
    char bytes[4096];
    bool readable = job_is_readable(stepped->job), read = job_is_read(stepped->job);
    size_t length = job_read(stepped->job, bytes, piece);
    assert_true(length <= piece);
    assert_int_equal(readable, length != 0 || read);
    buffer_put(&stepped->read, bytes, length);
    return length != 0;
}

/* Get the answer. The caller frees its bytes. */
static char *finish(struct stepped *stepped, size_t piece, unsigned *ret_status) {
    struct response response = {0};
    assert_true(job_is_done(stepped->job));
    assert_false(job_is_broken(stepped->job));
    while (job_is_stream(stepped->job) && read_piece(stepped, piece))
        ;
    job_finish(stepped->job, &response);
    if (job_is_stream(stepped->job)) {
        assert_true(job_is_read(stepped->job));
        assert_int_equal(response.length, 0);
    } else {
        buffer_put(&stepped->read, response.body, response.length);
    }
    *ret_status = response.status;
    response_clear(&response);
    buffer_put_char(&stepped->read, 0);
    return strdup(stepped->read.data);
}

static char *do_in_any_order(const struct service *service, const struct asked *asked, size_t piece, uint64_t seed,
                             unsigned *ret_status) {
    struct stepped stepped;
    struct reference_random random = {seed};
    uint64_t budget = (uint64_t)1 << seed % 13;
    begin(&stepped, service, asked, budget);
    while (!job_is_done(stepped.job)) {
        struct worker *worker = &stepped.workers[reference_random_below(&random, WORKERS)];
        unsigned dice = reference_random_below(&random, 8);
        if (!worker->busy)
            take(&stepped, worker, dice < 2 ? JOB_LONG : JOB_SHORT, budget);
        else if (dice < 4) /* the budget grows, so every case is eventually completed */
            do_it(&stepped, worker, budget = budget < 1000000000 ? budget + budget / 16 + 1 : budget,
                  dice % 2 == 0 ? JOB_LONG : JOB_SHORT);
        if (job_is_stream(stepped.job) && dice == 7)
            read_piece(&stepped, piece);
    }
    char *bytes = finish(&stepped, piece, ret_status);
    end(&stepped);
    return bytes;
}

/* Get the answer of handle_request. The caller frees it. */
static char *do_in_order(const struct service *service, const struct asked *asked, unsigned *ret_status) {
    struct header headers[3];
    struct response response = {0};
    struct request_head head = head_of(asked, headers);
    char *copy = copy_of(asked);
    handle_request(service, &head, copy, asked->length, &response);
    free(copy);
    char *bytes = strndup(response.length != 0 ? response.body : "", response.length);
    *ret_status = response.status;
    response_clear(&response);
    return bytes;
}

/* Check that the bytes are the same for every order, and contain `parts` one after the other. `parts` ends with
 * NULL. */
static void expect(const struct service *service, const struct asked *asked, unsigned status,
                   const char *const *parts) {
    static const size_t pieces[] = {1, 7, 4096};
    unsigned got;
    char *right = do_in_order(service, asked, &got), *at = right;
    assert_int_equal(got, status);
    for (; *parts != NULL; parts++) {
        at = strstr(at, *parts);
        if (at == NULL)
            fail_msg("%s is not in its place in\n%.2000s", *parts, right);
    }
    for (uint64_t seed = 1; seed <= 24; seed++) {
        char *bytes = do_in_any_order(service, asked, pieces[seed % 3], seed, &got);
        assert_int_equal(got, status);
        if (strcmp(bytes, right) != 0)
            fail_msg("%s, seed %d:\n%.2000s\nis not\n%.2000s", asked->target, (int)seed, bytes, right);
        free(bytes);
    }
    free(right);
}

/* ---- bodies ---- */

/* Append a field with one row. `number` is its id and determines its width. With `bad`, every fifth field is
 * invalid. */
static void put_field(struct buffer *out, unsigned number, bool bad) {
    buffer_printf(out, "{\"id\":%u,\"include\":[\"wins\",\"board\"],\"board\":[\"%.*s\"]}", number,
                  (int)(1 + number % 16), bad && number % 5 == 3 ? "x..............." : "..*...*..*.*...*");
}

static void put_lines(struct buffer *out, unsigned count, bool bad) {
    buffer_init(out, SIZE_MAX, NULL);
    for (unsigned k = 0; k < count; k++) {
        put_field(out, k, bad);
        buffer_put_string(out, k % 3 == 0 ? "\n" : k % 3 == 1 ? "\r\n" : "\n \t\n");
    }
}

static void put_batch(struct buffer *out, unsigned count, bool bad) {
    buffer_init(out, SIZE_MAX, NULL);
    for (unsigned k = 0; k < count; k++) {
        buffer_put_string(out, k == 0 ? "{\"cases\":[" : ",");
        put_field(out, k, bad);
    }
    buffer_put_string(out, "]}");
}

static void put_text(struct buffer *out, unsigned count) {
    buffer_init(out, SIZE_MAX, NULL);
    buffer_printf(out, "%u\n", count);
    for (unsigned k = 0; k < count; k++)
        buffer_printf(out, "%u %u 1\n0 %u\n", 1 + k % 5, 1 + k % 7, k % (1 + k % 7));
}

/* Append a collection of this many games, some with a change of the board. With `bad`, every fifth game is invalid. */
static void put_games(struct buffer *out, unsigned count, bool bad) {
    for (unsigned k = 0; k < count; k++)
        buffer_printf(out, "(;SZ[%u]C[game %u];B[aa];W[aa](%s)(;B[bb]))\n", 2 + k % 18, k,
                      bad && k % 5 == 3 ? ";AB[zz]"
                      : k % 3 == 0      ? ";AE[aa]AW[aa]"
                                        : "");
}

static void put_collection(struct buffer *out, unsigned count, bool bad, bool in_json) {
    struct buffer games;
    buffer_init(out, SIZE_MAX, NULL);
    buffer_init(&games, SIZE_MAX, NULL);
    put_games(&games, count, bad);
    if (in_json) {
        buffer_put_string(out, "{\"id\":\"c\",\"include\":[\"boards\"],\"sgf\":");
        json_put_string(out, games.data, games.length);
        buffer_put_string(out, ",\"game\":\"all\"}");
    } else {
        buffer_put(out, games.data, games.length);
    }
    buffer_clear(&games);
}

#define PARTS(...)                                                                                                     \
    (const char *const[]) { __VA_ARGS__, NULL }

/* ---- tests ---- */

static void the_order_in_which_cases_are_done_does_not_change_the_answer(void **state) {
    static const unsigned counts[] = {1, 2, 7, 300};
    struct service *service = *state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct buffer body;
        put_batch(&body, counts[c], false);
        struct asked batch = ask("/mine", json, json, &body);
        expect(service, &batch, 200, PARTS("{\"results\":[{\"id\":0,"));
        batch.accept = lines;
        expect(service, &batch, 200, PARTS("{\"id\":0,"));
        batch.accept = text;
        expect(service, &batch, 200, PARTS("Case #1: "));
        buffer_clear(&body);
        put_lines(&body, counts[c], false);
        struct asked stream = ask("/mine", lines, lines, &body);
        expect(service, &stream, 200, PARTS("{\"id\":0,"));
        stream.accept = json;
        expect(service, &stream, 200, PARTS("{\"results\":[{\"id\":0,"));
        stream.accept = text;
        expect(service, &stream, 200, PARTS("Case #1: "));
        buffer_clear(&body);
        put_text(&body, counts[c]);
        struct asked judged = ask("/mine", text, text, &body);
        expect(service, &judged, 200, PARTS("Case #1: "));
        judged.accept = lines;
        expect(service, &judged, 200, PARTS("{\"verdict\":"));
        judged.accept = json;
        expect(service, &judged, 200, PARTS("{\"results\":[{\"verdict\":"));
        buffer_clear(&body);
    }
}

static void the_games_of_a_collection_are_the_cases_of_a_batch(void **state) {
    static const unsigned counts[] = {1, 2, 7, 300};
    struct service *service = *state;
    for (size_t c = 0; c < 2 * sizeof counts / sizeof *counts; c++) {
        struct buffer body;
        bool in_json = c % 2 != 0;
        put_collection(&body, counts[c / 2], false, in_json);
        struct asked asked = ask(in_json ? "/go" : "/go?game=all&include=boards", in_json ? json : sgf, json, &body);
        expect(service, &asked, 200, PARTS(in_json ? "{\"results\":[{\"id\":\"c\"," : "{\"results\":[{\"misses\":"));
        asked.accept = lines;
        expect(service, &asked, 200, PARTS("\"record\":{\"game\":1,", "}\n"));
        asked.accept = text;
        expect(service, &asked, 200, PARTS("miss 1\n"));
        asked.accept = "image/svg+xml";
        expect(service, &asked, 406, PARTS("\"available\":[\"application/json\""));
        asked.accept = "image/svg+xml, text/plain;q=0.1";
        expect(service, &asked, 200, PARTS("miss 1\n"));
        buffer_clear(&body);
    }
}

static void a_bad_game_refuses_a_collection_but_for_lines(void **state) {
    struct service *service = *state;
    for (int in_json = 0; in_json < 2; in_json++) {
        struct buffer body;
        put_collection(&body, 300, true, in_json);
        struct asked asked = ask(in_json ? "/go" : "/go?game=all", in_json ? json : sgf, json, &body);
        expect(
            service, &asked, 422,
            PARTS("\"detail\":\"60 errors; the first: 'zz' is not on the ", "\"line\":4,\"column\":34", "\"line\":9,"));
        asked.accept = lines;
        expect(service, &asked, 200, PARTS("\"record\":{\"game\":3,", "\"problem\":", "\"record\":{\"game\":5,"));
        buffer_clear(&body);
    }
}

static void limits_of_a_batch_hold_for_a_collection(void **state) {
    struct account account;
    struct limits limits = test_limits();
    (void)state;
    test_set_limit(&limits, "max_cases", 7);
    test_set_limit(&limits, "max_moves_total", 13);
    struct service *service = test_service(limits, TEST_INFLIGHT, &account);
    for (int in_json = 0; in_json < 2; in_json++) {
        struct buffer body;
        put_collection(&body, 8, false, in_json);
        struct asked asked = ask(in_json ? "/go" : "/go?game=all", in_json ? json : sgf, json, &body);
        expect(service, &asked, 422,
               PARTS("\"line\":8,\"column\":1,\"code\":\"length\"", "too many games; max_cases is 7"));
        buffer_clear(&body);
        /* Each game has three moves, or two and a change, so the fifth exceeds the limit on the sum. */
        put_collection(&body, 7, false, in_json);
        asked = ask(in_json ? "/go" : "/go?game=all", in_json ? json : sgf, json, &body);
        expect(service, &asked, 422, PARTS("\"line\":5,\"column\":1,\"code\":\"range\"", "max_moves_total"));
        asked.accept = lines;
        expect(service, &asked, 200, PARTS("\"record\":{\"game\":7,\"games\":7"));
        buffer_clear(&body);
    }
    assert_int_equal(atomic_load(&account.used), 0);
    service_free(service);
}

/* A batch or a collection has no picture. If lines are the next best format, the answer is a stream. */
static void lines_in_the_place_of_a_picture_are_a_stream(void **state) {
    static const char picture_or_lines[] = "image/svg+xml, application/x-ndjson;q=0.5";
    struct service *service = *state;
    for (int form = 0; form < 4; form++) {
        struct buffer body;
        bool is_record = form >= 2, is_bad = form % 2 != 0;
        unsigned status[2];
        if (is_record)
            put_collection(&body, 300, is_bad, false);
        else
            put_batch(&body, 300, is_bad);
        struct asked asked = ask(is_record ? "/go?game=all" : "/mine", is_record ? sgf : json, lines, &body);
        char *right = do_in_order(service, &asked, &status[0]);
        asked.accept = picture_or_lines;
        char *bytes = do_in_order(service, &asked, &status[1]);
        assert_int_equal(status[0], 200);
        assert_int_equal(status[1], 200);
        assert_string_equal(bytes, right);
        assert_true((strstr(bytes, "\"problem\":") != NULL) == is_bad);
        free(bytes);
        free(right);
        expect(service, &asked, 200, PARTS("}\n", "}\n"));
        buffer_clear(&body);
    }
}

/* A field is known to be too large for a picture only after it has been read. */
static void a_line_in_the_place_of_a_picture_ends(void **state) {
    struct service *service = *state;
    struct buffer body;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_put_literal(&body, "{\"rows\":1000,\"cols\":1000,\"mines\":[]}");
    struct asked asked = ask("/mine", json, "image/svg+xml, application/jsonl;q=0.5", &body);
    expect(service, &asked, 200, PARTS("{\"", "}\n"));
    struct response response = test_ask(service, "POST", "/mine", "Accept", asked.accept, asked.body, asked.length);
    bool typed = false;
    for (size_t h = 0; h < response.header_count; h++)
        typed |= strcmp(response.headers[h].name, "Content-Type") == 0 &&
                 strcmp(response.headers[h].value, "application/jsonl") == 0;
    assert_true(typed);
    response_clear(&response);
    buffer_clear(&body);
}

static void a_single_case_is_one_line(void **state) {
    struct service *service = *state;
    struct asked asked = {"/pawn", json, lines, "{\"id\":1,\"board\":[\"OO\",\"X.\"]}", 28};
    expect(service, &asked, 200, PARTS("{\"id\":1,\"verdict\":\"Red\",\"steps\":1}\n"));
    struct asked record = {"/go", "application/x-go-sgf", lines, "(;SZ[1])", 8};
    expect(service, &record, 200, PARTS("{\"misses\":[],\"board\":[\".\"]"));
}

static void a_refused_case_of_a_stream_has_its_problem_in_its_line(void **state) {
    struct service *service = *state;
    struct buffer body;
    put_lines(&body, 300, true);
    buffer_put_string(&body, "{\n");
    struct asked stream = ask("/mine", lines, lines, &body);
    expect(service, &stream, 200,
           PARTS("{\"id\":2,\"verdict\"", "\n{\"id\":3,\"problem\":{\"type\":\"/problems/invalid-case\"",
                 "\"pointer\":\"/board/0\"", "\n{\"id\":4,\"verdict\"", "\n{\"id\":298,\"problem\":", "\n{\"id\":299,",
                 "\n{\"problem\":{\"type\":\"/problems/malformed\"", "\"line\":401,\"column\":2"));
    buffer_clear(&body);
}

/* Append the answer to a part of a stream that begins with line `first_line`, and check the other results of its
 * job. */
static void answer_part(const struct service *service, const char *part, size_t first_line, bool refused,
                        struct buffer *out) {
    struct buffer body;
    struct header headers[3];
    struct admission admission;
    struct response response = {0};
    struct workspace workspace;
    struct job_turn turn;
    enum outcome outcome;
    struct work work = {.left = WORK_UNBOUNDED};
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_put_string(&body, part);
    struct asked asked = {"/mine", lines, lines, body.data, body.length};
    struct request_head head = head_of(&asked, headers);
    assert_int_equal(admit(service, &head, &admission, &response, NULL), ADMIT_READ_BODY);
    admission.first_line = first_line;
    struct job *job = job_new(service, &admission, body.data, body.length);
    workspace_init(&workspace, service->account, ARENA_NO_CAP, true);
    assert_int_equal(job_begin(job, &workspace, &work), OUTCOME_DONE);
    for (size_t done = 0; job_take(job, JOB_SHORT, &workspace, &work, &turn, &outcome); done++) {
        assert_int_equal(job_progress(job).cases, done);
        job_do(job, &turn, &workspace, &work);
        job_deliver(job, &turn);
        struct job_progress progress = job_progress(job);
        assert_int_equal(progress.cases, done + 1);
        assert_true(progress.bytes <= body.length);
    }
    char bytes[4096];
    for (size_t length; (length = job_read(job, bytes, sizeof bytes)) != 0;)
        buffer_put(out, bytes, length);
    job_finish(job, &response);
    if (!job_is_stream(job))
        buffer_put(out, response.body, response.length);
    else
        assert_int_equal(job_progress(job).bytes, body.length);
    assert_int_equal(job_has_refused(job), refused);
    assert_false(job_has_failed(job));
    response_clear(&response);
    workspace_clear(&workspace);
    job_free(job);
    buffer_clear(&body);
}

static void a_stream_may_come_in_parts(void **state) {
    static const char *const parts[] = {"\n{\"board\":[\".\"]}\n{\n", "{\"board\":[\".*\"]}\r\n\n",
                                        " \n{\"board\":[\"x\"]}"};
    static const size_t first_lines[] = {1, 4, 6};
    static const bool refused[] = {true, false, true};
    struct service *service = *state;
    struct buffer whole, in_parts, one;
    buffer_init(&whole, SIZE_MAX, NULL);
    buffer_init(&in_parts, SIZE_MAX, NULL);
    buffer_init(&one, SIZE_MAX, NULL);
    for (int p = 0; p < 3; p++) {
        answer_part(service, parts[p], first_lines[p], refused[p], &in_parts);
        buffer_put_string(&one, parts[p]);
    }
    buffer_put_char(&one, 0);
    answer_part(service, one.data, 0, true, &whole);
    assert_int_equal(in_parts.length, whole.length);
    assert_memory_equal(in_parts.data, whole.data, whole.length);
    in_parts.length = 0;
    answer_part(service, " \n\n  ", 9, true, &in_parts);
    /* A byte order mark is allowed only at the beginning of the stream. */
    answer_part(service, "\xef\xbb\xbf{\"board\":[\".\"]}", 10, true, &in_parts);
    buffer_put_char(&in_parts, 0);
    assert_non_null(strstr(in_parts.data, "only blank lines\",\"errors\":[{\"line\":11,\"column\":3,"));
    buffer_clear(&whole);
    buffer_clear(&in_parts);
    buffer_clear(&one);
}

static void faults_of_a_batch_stand_in_the_order_of_the_document(void **state) {
    struct service *service = *state;
    struct buffer body;
    put_batch(&body, 600, false);
    /* Make the boards of three cases invalid, two of them after the first window. */
    static const unsigned bad[] = {5, 300, 599};
    for (int b = 0; b < 3; b++) {
        char id[32];
        snprintf(id, sizeof id, "{\"id\":%u,", bad[b]);
        buffer_put_char(&body, 0);
        char *board = strstr(strstr(body.data, id), "\"board\":[\"") + 10;
        body.length--;
        *board = '?';
    }
    struct asked batch = ask("/mine", json, json, &body);
    expect(service, &batch, 422,
           PARTS("\"detail\":\"3 errors", "/cases/5/board/0", "/cases/300/board/0", "/cases/599/board/0"));
    buffer_clear(&body);
    put_lines(&body, 400, true);
    struct asked stream = ask("/mine", lines, json, &body);
    expect(service, &stream, 422, PARTS("\"detail\":\"80 errors", "\"line\":5,", "/board/0", "\"line\":11,"));
    buffer_put_string(&body, "{,\n");
    stream = ask("/mine", lines, json, &body);
    expect(service, &stream, 400, PARTS("\"errors\":[{\"line\":534,\"column\":2,\"code\":\"syntax\""));
    buffer_clear(&body);
}

static void the_case_that_exceeds_a_total_is_listed_with_the_faults_of_others(void **state) {
    struct account account;
    struct limits limits = test_limits();
    struct buffer body;
    (void)state;
    test_set_limit(&limits, "max_mine_cells_total", 300 * 2 + 1);
    struct service *service = test_service(limits, TEST_INFLIGHT, &account);
    assert_non_null(service);
    for (int form = 0; form < 2; form++) {
        buffer_init(&body, SIZE_MAX, NULL);
        buffer_put_string(&body, form == 0 ? "{\"cases\":[" : "");
        for (int k = 0; k < 400; k++)
            buffer_printf(&body, "%s{\"board\":[\"..\"]%s}%s", form == 0 && k != 0 ? "," : "",
                          k == 10 || k == 290 || k == 310 ? ",\"more\":1" : "", form == 0 ? "" : "\n");
        buffer_put_string(&body, form == 0 ? "]}" : "");
        struct asked asked = ask("/mine", form == 0 ? json : lines, json, &body);
        if (form == 0)
            expect(service, &asked, 422,
                   PARTS("4 errors", "/cases/10/more", "/cases/290/more", "/cases/300/board\",\"code\":\"range\"",
                         "/cases/310/more"));
        else
            expect(service, &asked, 422,
                   PARTS("4 errors", "\"line\":11,", "\"line\":291,", "\"line\":301,", "\"code\":\"range\"",
                         "\"line\":311,"));
        /* The limit on the sum does not apply to lines. */
        asked.accept = lines;
        expect(service, &asked, 200, PARTS("{\"verdict\":\"Xiemao\""));
        buffer_clear(&body);
    }
    service_free(service);
}

/* Count the cases that can be taken in the short lane, one after the other, while the first is left unfinished. */
static size_t count_behind_the_first(struct stepped *stepped) {
    struct worker *first = &stepped->workers[0], *other = &stepped->workers[1];
    size_t count = 0;
    assert_true(take(stepped, first, JOB_SHORT, 1000));
    assert_int_equal(first->turn.number, 0);
    assert_false(do_it(stepped, first, 1, JOB_LONG));
    for (; job_has_turn(stepped->job, JOB_SHORT); count++) {
        assert_true(take(stepped, other, JOB_SHORT, 1000));
        assert_int_equal(other->turn.number, count + 1);
        assert_true(do_it(stepped, other, WORK_UNBOUNDED, JOB_LONG));
    }
    return count;
}

static void a_job_keeps_at_most_the_cases_of_its_window(void **state) {
    struct service *service = *state;
    for (int form = 0; form < 3; form++) {
        struct stepped stepped;
        struct buffer body;
        unsigned status;
        if (form == 0)
            put_batch(&body, 700, false);
        else
            put_lines(&body, 700, false);
        struct asked asked = ask("/mine", form == 0 ? json : lines, form == 2 ? lines : json, &body);
        char *right = do_in_order(service, &asked, &status);
        begin(&stepped, service, &asked, 1000);
        assert_int_equal(count_behind_the_first(&stepped), WINDOW - 1);
        assert_false(job_is_done(stepped.job));
        assert_false(form == 2 && job_is_readable(stepped.job));
        /* Finally process the first case, and then the others. */
        for (enum job_lane lane = JOB_LONG; !job_is_done(stepped.job); lane = JOB_SHORT) {
            assert_true(job_has_turn(stepped.job, lane));
            if (take(&stepped, &stepped.workers[0], lane, 1000))
                assert_true(do_it(&stepped, &stepped.workers[0], WORK_UNBOUNDED, JOB_LONG));
            while (job_is_stream(stepped.job) && read_piece(&stepped, 4096))
                ;
        }
        char *bytes = finish(&stepped, 4096, &status);
        assert_int_equal(status, 200);
        assert_string_equal(bytes, right);
        free(bytes);
        free(right);
        end(&stepped);
        buffer_clear(&body);
    }
}

static void a_stream_that_is_not_read_is_held_up(void **state) {
    struct account account;
    struct limits limits = test_limits();
    struct buffer body;
    struct stepped stepped;
    (void)state;
    test_set_limit(&limits, "max_stream_bytes", 1000);
    struct service *service = test_service(limits, TEST_INFLIGHT, &account);
    assert_non_null(service);
    buffer_init(&body, SIZE_MAX, NULL);
    for (int k = 0; k < 100; k++)
        buffer_put_string(&body, "{\"board\":[\"...\"]}\n");
    struct asked stream = ask("/mine", lines, lines, &body);
    begin(&stepped, service, &stream, 1000);
    const size_t line = strlen("{\"verdict\":\"Xiemao\",\"nimber\":1,\"openings\":1,\"three_bv\":1,\"shared_numbers\":"
                               "0,\"turn\":\"Xiemao\"}\n");
    size_t solved = 0;
    enum { MEMORY = 256 /* bytes allocated for such a line */ };
    while (!job_is_done(stepped.job)) {
        bool goes_on = (solved - stepped.read.length / line) * MEMORY < 1000;
        assert_int_equal(job_has_turn(stepped.job, JOB_SHORT), goes_on);
        if (!goes_on) {
            assert_true(read_piece(&stepped, 7));
        } else if (take(&stepped, &stepped.workers[0], JOB_SHORT, 1000)) {
            assert_true(do_it(&stepped, &stepped.workers[0], WORK_UNBOUNDED, JOB_LONG));
            solved++;
        }
    }
    assert_int_equal(solved, 100);
    unsigned status;
    char *bytes = finish(&stepped, 4096, &status);
    assert_int_equal(strlen(bytes), 100 * line);
    free(bytes);
    end(&stepped);
    buffer_clear(&body);
    service_free(service);
}

static void a_line_may_be_as_long_as_an_answer_and_a_problem_longer(void **state) {
    (void)state;
    static const char answer[] = "{\"verdict\":\"Xiemao\",\"nimber\":1,\"openings\":1,\"three_bv\":1,\"shared_"
                                 "numbers\":0,\"turn\":\"Xiemao\"}\n";
    for (int less = 0; less < 2; less++) {
        struct account account;
        struct limits limits = test_limits();
        test_set_limit(&limits, "max_answer_bytes", strlen(answer) - (size_t)less);
        struct service *service = test_service(limits, TEST_INFLIGHT, &account);
        assert_non_null(service);
        struct asked asked = {"/mine", lines, lines, "{\"board\":[\"...\"]}\n{\"id\":1}\n", 27};
        expect(service, &asked, 200,
               PARTS(less == 0 ? answer : "{\"problem\":{\"type\":\"/problems/answer-too-large\"",
                     "{\"id\":1,\"problem\":{\"type\":\"/problems/invalid-case\""));
        service_free(service);
    }
}

/* A job that is abandoned, or that runs out of memory, leaks nothing. */
static void a_job_may_be_left_at_any_point(void **state) {
    struct service *service = *state;
    struct buffer body;
    put_lines(&body, 300, true);
    struct asked stream = ask("/mine", lines, lines, &body);
    size_t used = account_free(service->account);
    for (int steps = 0; steps < 40; steps++) {
        struct stepped stepped;
        begin(&stepped, service, &stream, 1000);
        for (int s = 0; s < steps; s++) {
            struct worker *worker = &stepped.workers[s % WORKERS];
            if (!worker->busy)
                take(&stepped, worker, JOB_SHORT, 1000);
            else
                do_it(&stepped, worker, s % 3 == 0 ? 1 : WORK_UNBOUNDED, JOB_LONG);
            read_piece(&stepped, 7);
        }
        end(&stepped);
        assert_int_equal(account_free(service->account), used);
    }
    buffer_clear(&body);
}

/* Append lines that are each refused with 20 faults. Together they exceed 4 KiB, so they are charged. */
static void put_refused_lines(struct buffer *out) {
    buffer_init(out, SIZE_MAX, NULL);
    for (int k = 0; k < WINDOW; k++) {
        buffer_put_string(out, "{\"board\":[0");
        for (int f = 1; f < 20; f++)
            buffer_put_string(out, ",0");
        buffer_put_string(out, "]}\n");
    }
}

/* Process the cases of a stream as long as there are any to take. */
static void do_while_it_may(struct stepped *stepped) {
    while (!job_is_broken(stepped->job) && take(stepped, &stepped->workers[0], JOB_SHORT, JOB_MIN_WORK))
        assert_true(do_it(stepped, &stepped->workers[0], WORK_UNBOUNDED, JOB_LONG));
}

/* Read the ready lines of a stream. Returns their length in bytes. */
static size_t read_known(struct stepped *stepped) {
    char bytes[4096];
    size_t all = 0;
    for (size_t length; (length = job_read(stepped->job, bytes, 7)) != 0; all += length)
        buffer_put(&stepped->read, bytes, length);
    return all;
}

static void problems_of_a_stream_are_charged_and_held_up_as_its_results_are(void **state) {
    enum { MAX = 64 << 10, LINE = 8 << 10 };
    struct account account;
    struct limits limits = test_limits();
    struct buffer body;
    struct stepped stepped;
    unsigned status;
    (void)state;
    test_set_limit(&limits, "max_stream_bytes", MAX);
    struct service *service = test_service(limits, TEST_INFLIGHT, &account);
    assert_non_null(service);
    put_refused_lines(&body);
    struct asked stream = ask("/mine", lines, lines, &body);
    char *right = do_in_order(service, &stream, &status);
    assert_int_equal(atomic_load(&account.used), 0);
    begin(&stepped, service, &stream, JOB_MIN_WORK);
    while (!job_is_done(stepped.job)) {
        do_while_it_may(&stepped);
        size_t used = atomic_load(&account.used), known = read_known(&stepped);
        assert_true(known > MAX / 2 || job_is_done(stepped.job));
        assert_in_range(used, known, MAX + LINE);
    }
    char *bytes = finish(&stepped, 4096, &status);
    assert_string_equal(bytes, right);
    free(bytes);
    free(right);
    end(&stepped);
    assert_int_equal(atomic_load(&account.used), 0);
    buffer_clear(&body);
    service_free(service);
}

static void a_stream_without_memory_for_a_line_ends_with_a_fixed_one(void **state) {
    struct account account;
    struct buffer body;
    struct stepped stepped;
    unsigned status;
    (void)state;
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    assert_non_null(service);
    put_refused_lines(&body);
    struct asked stream = ask("/mine", lines, lines, &body);
    char *right = do_in_order(service, &stream, &status);
    for (size_t max = 0; max < 40 << 10; max += 1 << 10) {
        account.limit = max;
        begin(&stepped, service, &stream, JOB_MIN_WORK);
        do_while_it_may(&stepped);
        assert_true(job_is_broken(stepped.job));
        assert_true(job_has_failed(stepped.job));
        assert_in_range(atomic_load(&account.used), 0, max);
        size_t known = read_known(&stepped), last = strlen(problem_last_line);
        assert_true(known >= last && (max < 20 << 10 || known > 10 << 10));
        assert_memory_equal(stepped.read.data, right, known - last);
        assert_true(known == last || right[known - last - 1] == '\n');
        assert_memory_equal(stepped.read.data + known - last, problem_last_line, last);
        assert_true(job_is_readable(stepped.job));
        assert_false(job_is_read(stepped.job));
        end(&stepped);
        assert_int_equal(atomic_load(&account.used), 0);
    }
    free(right);
    buffer_clear(&body);
    service_free(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_in_which_cases_are_done_does_not_change_the_answer),
        cmocka_unit_test(the_games_of_a_collection_are_the_cases_of_a_batch),
        cmocka_unit_test(a_bad_game_refuses_a_collection_but_for_lines),
        cmocka_unit_test(limits_of_a_batch_hold_for_a_collection),
        cmocka_unit_test(lines_in_the_place_of_a_picture_are_a_stream),
        cmocka_unit_test(a_line_in_the_place_of_a_picture_ends),
        cmocka_unit_test(a_single_case_is_one_line),
        cmocka_unit_test(a_refused_case_of_a_stream_has_its_problem_in_its_line),
        cmocka_unit_test(a_stream_may_come_in_parts),
        cmocka_unit_test(faults_of_a_batch_stand_in_the_order_of_the_document),
        cmocka_unit_test(the_case_that_exceeds_a_total_is_listed_with_the_faults_of_others),
        cmocka_unit_test(a_job_keeps_at_most_the_cases_of_its_window),
        cmocka_unit_test(a_stream_that_is_not_read_is_held_up),
        cmocka_unit_test(a_line_may_be_as_long_as_an_answer_and_a_problem_longer),
        cmocka_unit_test(a_job_may_be_left_at_any_point),
        cmocka_unit_test(problems_of_a_stream_are_charged_and_held_up_as_its_results_are),
        cmocka_unit_test(a_stream_without_memory_for_a_line_ends_with_a_fixed_one),
    };
    return cmocka_run_group_tests(tests, test_start_service, test_stop_service);
}
