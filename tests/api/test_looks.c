/* How many bytes of a body are read under a work budget, and after the stop flag has been set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"
#include "api/watched.h"
#include "reference/random.h"

enum {
    MAX = 8 << 20,      /* bytes of a body */
    CHUNK = 128 << 10,  /* bytes that can be read between two checks of the budget, plus a few pages */
    LITTLE_WORK = 1000, /* units of work */
    MAX_A_UNIT = 256,   /* the maximum number of bytes read for one unit of work */
};

static const char lines[] = "application/x-ndjson", json[] = "application/json";

/* A job, and the workspace of the one thread that does it. */
struct one {
    struct admission admission;
    struct job *job;
    struct workspace workspace;
};

static void begin_one(struct one *one, const struct service *service, const char *target, const char *type,
                      const char *accept, char *body, size_t length) {
    struct header headers[] = {{"Host", "test"}, {"Content-Type", type}, {"Accept", accept}};
    struct request_head head = {"POST", target, "HTTP/1.1", headers, 3};
    struct response response = {0};
    assert_int_equal(admit(service, &head, &one->admission, &response, NULL), ADMIT_READ_BODY);
    one->job = job_new(service, &one->admission, body, length);
    assert_non_null(one->job);
    workspace_init(&one->workspace, service->account, ARENA_NO_CAP, true);
}

static void end_one(struct one *one) {
    job_free(one->job);
    workspace_clear(&one->workspace);
}

static void begin_job(struct one *one) {
    struct work work = {.left = WORK_UNBOUNDED};
    assert_int_equal(job_begin(one->job, &one->workspace, &work), OUTCOME_DONE);
}

/* ---- under a budget ---- */

/* Take the next case with a small budget for each call. Returns the number of calls. No call may read more than its
 * budget covers. */
static size_t take_little(struct one *one, struct job_turn *ret_turn) {
    enum outcome outcome = OUTCOME_MORE_WORK;
    size_t calls = 0;
    for (; outcome == OUTCOME_MORE_WORK; calls++) {
        struct work work = {.left = LITTLE_WORK};
        watched_begin(0, 0, NULL);
        job_take(one->job, JOB_SHORT, &one->workspace, &work, ret_turn, &outcome);
        assert_in_range(watched_end(), 0, LITTLE_WORK * MAX_A_UNIT + CHUNK);
    }
    return calls;
}

static void long_lines_are_looked_at_in_parts_and_paid_for(void **state) {
    static const char text[] = "{\"id\":1}", blanks[] = " \t\r";
    /* Spaces or tabs before the case; carriage returns after it; or a long blank line after it. */
    for (int form = 0; form < 6; form++) {
        char *body = watched_new(MAX);
        struct one one;
        struct job_turn turn;
        memset(body, blanks[form % 3], MAX);
        memcpy(form == 0 || form == 1 ? body + MAX - strlen(text) : body, text, strlen(text));
        if (form > 2)
            body[strlen(text)] = body[MAX - 1] = '\n';
        begin_one(&one, *state, "/mine", lines, lines, body, MAX);
        struct work work = {.left = JOB_MIN_WORK};
        while (job_begin(one.job, &one.workspace, &work) == OUTCOME_MORE_WORK)
            work.left = JOB_MIN_WORK;
        size_t calls = take_little(&one, &turn);
        if (form > 2)
            calls = take_little(&one, &turn);
        /* Blanks before a case are left to the check of the case, which is charged later. */
        bool before = form == 0 || form == 1;
        assert_true(before || calls > MAX / 64 / LITTLE_WORK / 2);
        end_one(&one);
        watched_free();
    }
}

/* Remove the blanks around a line, byte by byte. */
static void trim_plainly(const char *text, size_t *begin, size_t *end) {
    while (*begin < *end && (text[*begin] == ' ' || text[*begin] == '\t'))
        ++*begin;
    while (*begin < *end && strchr(" \t\r", text[*end - 1]) != NULL)
        --*end;
}

/* Compare the cases in a body of lines with a plain reading. Each case is malformed at its first 'x'. */
static void check_lines(const struct service *service, const char *text, size_t length) {
    struct one one;
    struct job_turn turn;
    enum outcome outcome = OUTCOME_MORE_WORK;
    char *body = malloc(length);
    assert_non_null(body);
    memcpy(body, text, length);
    begin_one(&one, service, "/mine", lines, lines, body, length);
    begin_job(&one);
    size_t number = 1;
    for (size_t at = 0; at < length; number++) {
        const char *feed = memchr(text + at, '\n', length - at);
        size_t begin = at, end = feed != NULL ? (size_t)(feed - text) : length;
        size_t next = end + 1;
        trim_plainly(text, &begin, &end);
        if (begin != end) {
            char bytes[2048], place[64];
            struct work work = {.left = 1};
            while (!job_take(one.job, JOB_SHORT, &one.workspace, &work, &turn, &outcome) &&
                   outcome == OUTCOME_MORE_WORK)
                work.left = 1;
            assert_int_equal(outcome, OUTCOME_DONE);
            work.left = WORK_UNBOUNDED;
            assert_int_equal(job_do(one.job, &turn, &one.workspace, &work), OUTCOME_DONE);
            job_deliver(one.job, &turn);
            size_t read = job_read(one.job, bytes, sizeof bytes - 1);
            bytes[read] = 0;
            const char *wrong = memchr(text + begin, 'x', end - begin);
            snprintf(place, sizeof place, "\"line\":%zu,\"column\":%zu,", number, (size_t)(wrong - text) - at + 1);
            if (strstr(bytes, place) == NULL)
                fail_msg("%s is not in %s, of %.*s", place, bytes, (int)length, text);
        }
        at = next;
    }
    struct work work = {.left = WORK_UNBOUNDED};
    assert_false(job_take(one.job, JOB_SHORT, &one.workspace, &work, &turn, &outcome));
    assert_true(job_is_done(one.job));
    end_one(&one);
    free(body);
}

static void lines_are_trimmed_as_a_plain_reader_trims_them(void **state) {
    static const char bytes[] = "  \t\t\r\n\nx";
    struct reference_random random = {1};
    for (int round = 0; round < 3000; round++) {
        char text[200];
        size_t length = 0;
        while (length < sizeof text - 40) {
            char byte = bytes[reference_random_below(&random, sizeof bytes - 1)];
            size_t count = 1 + reference_random_below(&random, reference_random_below(&random, 4) == 0 ? 30 : 2);
            memset(text + length, byte, byte == 'x' ? 1 : count);
            length += byte == 'x' ? 1 : count;
        }
        text[reference_random_below(&random, (unsigned)length)] = 'x';
        check_lines(*state, text, length);
    }
}

/* ---- after a stop ---- */

enum { STOPPED = 2 << 20 /* bytes of a body; the stop flag is set in its middle */ };

/* Bodies with one case: a beginning, a repeated part, and an end. */
static const struct stopped {
    const char *target, *type, *first, *again, *last;
    unsigned passes; /* how often the body is read */
} stopped[] = {
    /* Checked and skipped: a long list is not parsed. */
    {"/mine", "application/json", "{\"board\":[\".\"],\"x\":[0", ",0", "]}", 2},
    {"/mine", "application/json", "{\"x\":[{}", ",{}", "],\"board\":[\".\"]}", 2},
    /* Checked, skipped, and parsed. */
    {"/mine", "application/json", "{\"x\":[\"\"", ",\"\\\\\"", "]}", 3},
    {"/mine", "application/json", "{", "\"abcdefg\":0,", "\"x\":0}", 3},
    {"/go", "application/json", "{\"moves\":[[\"B\",\"pass\"]", ",[\"B\",         \"pass\"]", "]}", 3},
    {"/mine", "application/json", "{\"x\":[0", ",0", "],\"cases\":[{}]}", 2},
    {"/mine", "application/json", "{\"x\":\"", "\\\"", "\",\"cases\":[{}]}", 2},
    {"/mine", "application/x-ndjson", "{\"board\":[\".\"],\"x\":[0", ",0", "]}", 3},
    /* Read for the character set (escapes, then UTF-8), the survey, and the game. */
    {"/go", "application/x-go-sgf", "(;C[", "a", "])", 4},
    {"/go", "application/x-go-sgf", "(;C[", "\\]", "])", 4},
    {"/go", "application/x-go-sgf", "(;", " ", ")", 4},
    {"/go", "application/x-go-sgf", "(;B[aa]", "()", ")", 4},
    {"/go", "application/x-go-sgf", "(;B[aa]", ";C[]", ")", 4},
    {"/go", "application/x-go-sgf", "(;B[aa]", "(;W[bb])", ")", 3},
    {"/go", "application/x-go-sgf", "(", "(", ")", 1},
    {"/go", "application/x-go-sgf", "(;B[aa]", "(;W[bb]", "", 3},
    /* Also read in each set that CA can name, and for bytes that mean the same in all of them. */
    {"/go", "application/x-go-sgf", "(;CA[GBK]C[", "\x90]", "])", 6},
    {"/go", "application/x-go-sgf", "(;CA[x]C[", "\x90\x90 ", "])", 8},
    /* Read twice in each set. */
    {"/go", "application/x-go-sgf", "(;C[\xe9", "];C[x];C[\xe9", "])", 12},
    {"/mine", "text/plain", "1\n1 1 0\n", " ", "", 1},
};

static char *put_stopped(const struct stopped *s) {
    size_t first = strlen(s->first), again = strlen(s->again), last = strlen(s->last), at = first;
    char *body = watched_new(STOPPED);
    memset(body, ' ', STOPPED);
    memcpy(body, s->first, first);
    for (; at + again + last <= STOPPED; at += again)
        memcpy(body + at, s->again, again);
    memcpy(body + at, s->last, last);
    return body;
}

static enum outcome do_all(struct one *one, struct work *work) {
    struct job_turn turn;
    enum outcome outcome = job_begin(one->job, &one->workspace, work);
    if (outcome == OUTCOME_DONE && job_take(one->job, JOB_SHORT, &one->workspace, work, &turn, &outcome))
        outcome = job_do(one->job, &turn, &one->workspace, work);
    return outcome;
}

static void next_to_nothing_is_looked_at_after_a_stop(void **state) {
    for (const struct stopped *s = stopped; s < stopped + sizeof stopped / sizeof *stopped; s++)
        for (unsigned pass = 0; pass < s->passes; pass++) {
            char *body = put_stopped(s);
            atomic_bool stop = false;
            struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
            struct one one;
            begin_one(&one, *state, s->target, s->type, json, body, STOPPED);
            watched_begin(STOPPED / 2, pass, &stop);
            enum outcome outcome = do_all(&one, &work);
            size_t looked = watched_end();
            if (!atomic_load(&stop) || outcome != OUTCOME_CANCELLED || looked > CHUNK)
                fail_msg("%s %s, pass %u: %zu bytes, outcome %d", s->type, s->again, pass, looked, (int)outcome);
            end_one(&one);
            watched_free();
        }
}

/* The second of two cases exceeds the limit on the sum of cells. */
static void the_case_that_passes_a_total_is_looked_at_where_work_can_be_stopped(void **state) {
    static const char first[] = "{\"cases\":[{\"board\":[\"..\"]},{\"board\":[\"..\"],\"x\":[0", last[] = "]}]}";
    struct account account;
    struct limits limits = test_limits();
    struct one one;
    struct job_turn turn;
    enum outcome outcome;
    (void)state;
    test_set_limit(&limits, "max_mine_cells_total", 3);
    struct service *service = test_service(limits, TEST_INFLIGHT, &account);
    assert_non_null(service);
    const struct stopped body_of = {.first = first, .again = ",0", .last = last};
    char *body = put_stopped(&body_of);
    begin_one(&one, service, "/mine", json, json, body, STOPPED);
    begin_job(&one);
    atomic_bool stop = false;
    struct work work = {.left = WORK_UNBOUNDED, .stop = &stop};
    for (int k = 0; k < 2; k++) {
        assert_true(job_take(one.job, JOB_SHORT, &one.workspace, &work, &turn, &outcome));
        assert_int_equal(job_do(one.job, &turn, &one.workspace, &work), OUTCOME_DONE);
        watched_begin(0, 0, NULL);
        job_deliver(one.job, &turn);
        assert_int_equal(watched_end(), 0);
    }
    assert_false(job_is_done(one.job));
    assert_true(job_take(one.job, JOB_SHORT, &one.workspace, &work, &turn, &outcome));
    assert_int_equal(turn.number, 1);
    watched_begin(STOPPED / 2, 0, &stop);
    assert_int_equal(job_do(one.job, &turn, &one.workspace, &work), OUTCOME_CANCELLED);
    assert_in_range(watched_end(), 1, CHUNK);
    end_one(&one);
    watched_free();
    service_free(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lines_are_looked_at_in_parts_and_paid_for),
        cmocka_unit_test(lines_are_trimmed_as_a_plain_reader_trims_them),
        cmocka_unit_test(next_to_nothing_is_looked_at_after_a_stop),
        cmocka_unit_test(the_case_that_passes_a_total_is_looked_at_where_work_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, test_start_service, test_stop_service);
}
