/* Requests without a server: answers, formats, the order of faults, and exhausted work budgets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"

/* Post `body`, and compare the status and the answer. `answer` is the whole text or, if it begins with dots, a part of
 * it. */
static void expect(const struct service *service, const char *target, const char *header, const char *value,
                   const char *body, unsigned status, const char *answer) {
    struct response response = test_ask(service, "POST", target, header, value, body, strlen(body));
    char *text = strndup(response.length != 0 ? response.body : "", response.length);
    bool part = strncmp(answer, "...", 3) == 0;
    if (response.status != status || (part ? strstr(text, answer + 3) == NULL : strcmp(text, answer) != 0))
        fail_msg("%s %s\n  gave %u %s\n  not  %u %s", target, body, response.status, text, status, answer);
    free(text);
    response_clear(&response);
}

static void post(const struct service *service, const char *target, const char *body, unsigned status,
                 const char *answer) {
    expect(service, target, NULL, NULL, body, status, answer);
}

static void the_samples_get_their_answers(void **state) {
    struct service *service = *state;
    post(service, "/mine", "{\"board\":[\"...\",\"...\",\"...\"]}", 200,
         "{\"verdict\":\"Xiemao\",\"nimber\":1,\"openings\":1,\"three_bv\":1,\"shared_numbers\":0,\"turn\":\"Xiemao\"}"
         "\n");
    post(service, "/mine", "{\"rows\":3,\"cols\":3,\"mines\":[[1,1],[1,1]]}", 200,
         "{\"verdict\":\"Fanglaoshi\",\"nimber\":0,\"openings\":0,\"three_bv\":8,\"shared_numbers\":0,\"turn\":"
         "\"Xiemao\"}\n");
    post(service, "/pawn", "{\"board\":[\"..#.\",\"O..O\",\"....\",\".X..\"],\"turn\":\"Red\"}", 200,
         "{\"verdict\":\"Red\",\"steps\":7}\n");
    post(service, "/go",
         "{\"size\":2,\"moves\":[[\"B\",0,0],[\"W\",\"A2\"],[\"B\",\"pass\"],[\"W\",1,1],[\"B\",\"b2\"]]}", 200,
         "{\"misses\":[{\"move\":2,\"color\":\"W\",\"at\":[0,0],\"name\":\"A2\",\"code\":1,\"reason\":\"occupied\"}],"
         "\"board\":[\"BB\",\".W\"],\"played\":4,\"prisoners\":{\"B\":0,\"W\":0}}\n");
}

/* The answer includes the field, so the position of every mine is compared. */
static void a_field_of_any_width_is_the_same_in_rows_and_in_pairs(void **state) {
    struct service *service = *state;
    uint64_t random = 1;
    for (unsigned cols = 1; cols <= 140; cols++) {
        enum { ROWS = 3 };
        char *forms[2], *answers[2];
        size_t lengths[2];
        FILE *rows = open_memstream(&forms[0], &lengths[0]), *pairs = open_memstream(&forms[1], &lengths[1]);
        fprintf(rows, "{\"include\":[\"board\"],\"board\":[");
        fprintf(pairs, "{\"include\":[\"board\"],\"rows\":%d,\"cols\":%u,\"mines\":[", ROWS, cols);
        const char *comma = "";
        for (unsigned r = 0; r < ROWS; r++) {
            fprintf(rows, r == 0 ? "\"" : ",\"");
            for (unsigned c = 0; c < cols; c++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                bool mine = random >> 61 == 0;
                fputc(mine ? '*' : '.', rows);
                if (mine)
                    fprintf(pairs, "%s[%u,%u]", comma, r, c), comma = ",";
            }
            fputc('"', rows);
        }
        fprintf(rows, "]}");
        fprintf(pairs, "]}");
        fclose(rows);
        fclose(pairs);
        for (int form = 0; form < 2; form++) {
            struct response response = test_ask(service, "POST", "/mine", NULL, NULL, forms[form], lengths[form]);
            assert_int_equal(response.status, 200);
            answers[form] = strndup(response.body, response.length);
            response_clear(&response);
        }
        assert_string_equal(answers[0], answers[1]);
        for (int form = 0; form < 2; form++) {
            free(forms[form]);
            free(answers[form]);
        }
    }
}

static void an_empty_body_is_malformed(void **state) {
    struct service *service = *state;
    post(service, "/go", "", 400, "...{\"line\":1,\"column\":1,\"code\":\"syntax\",\"detail\":\"the body is empty\"}");
    post(service, "/go", "\xef\xbb\xbf", 400, "...the body is empty");
    post(service, "/go", " \n\n", 400, "...{\"line\":3,\"column\":1,\"code\":\"syntax\"");
    expect(service, "/go", "Content-Type", "text/plain", "", 400, "...the body is empty");
}

static void a_position_is_found_after_all_kinds_of_line_ends(void **state) {
    struct service *service = *state;
    uint64_t random = 1;
    for (unsigned length = 0; length < 800; length++) {
        char body[802], answer[64];
        unsigned line = 1, column = 1;
        for (unsigned i = 0; i < length; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned drawn = (unsigned)(random >> 33) % (length % 2 == 0 ? 4 : 400);
            body[i] = drawn == 0 ? '\n' : drawn == 1 ? '\r' : ' ';
        }
        strcpy(body + length, "?");
        for (unsigned i = 0; i < length; i++) {
            bool end = body[i] == '\n' || (body[i] == '\r' && body[i + 1] != '\n');
            line += end;
            column = end ? 1 : column + 1;
        }
        snprintf(answer, sizeof answer, "...{\"line\":%u,\"column\":%u,", line, column);
        post(service, "/go", body, 400, answer);
    }
}

static void a_batch_answers_in_order_and_echoes_ids(void **state) {
    struct service *service = *state;
    post(service, "/mine",
         "{\"cases\":[{\"id\":\"\\u00e9\\\"\",\"board\":[\".\"]},{\"board\":[\"*\"],\"id\":-9007199254740991},"
         "{\"id\":1.0,\"board\":[\".*.\"]}]}",
         200,
         "{\"results\":["
         "{\"id\":\"\xc3\xa9\\\"\",\"verdict\":\"Xiemao\",\"nimber\":1,\"openings\":1,\"three_bv\":1,\"shared_"
         "numbers\":0,\"turn\":\"Xiemao\"},"
         "{\"id\":-9007199254740991,\"verdict\":\"Fanglaoshi\",\"nimber\":0,\"openings\":0,\"three_bv\":0,"
         "\"shared_numbers\":0,\"turn\":\"Xiemao\"},"
         "{\"id\":1,\"verdict\":\"Fanglaoshi\",\"nimber\":0,\"openings\":0,\"three_bv\":2,\"shared_numbers\":0,"
         "\"turn\":\"Xiemao\"}]}\n");
}

static void forms_follow_content_type_and_accept(void **state) {
    struct service *service = *state;
    expect(service, "/mine", "Content-Type", "text/plain", "2\n3 3 0\n3 3 1\n1 1\n", 200,
           "Case #1: Xiemao\nCase #2: Fanglaoshi\n");
    expect(service, "/mine", "Accept", "text/plain", "{\"board\":[\".\"]}", 200, "Case #1: Xiemao\n");
    expect(service, "/pawn", "Accept", "application/json;q=0.5, text/*", "{\"board\":[\"O.O\",\".X.\"]}", 200,
           "Black 2\n");
    expect(service, "/pawn", "Content-Type", "Text/Plain; charset=\"UTF-8\"",
           "\xef\xbb\xbf"
           "7 1\r\n2 3 O.O\t.X.",
           200, "Black 2\n");
    expect(service, "/go", "Content-Type", "text/plain", "1 0", 200,
           "...................\n...................\n...................\n...................\n...................\n"
           "...................\n...................\n...................\n...................\n...................\n"
           "...................\n...................\n...................\n...................\n...................\n"
           "...................\n...................\n...................\n...................\n");
}

static void accept_is_weighed_as_rfc_9110_has_it(void **state) {
    static const struct {
        const char *accept;
        unsigned status;
        bool text;
    } rows[] = {
        {"", 200, false},
        {" , ", 200, false},
        {"*/*", 200, false},
        {"text/plain", 200, true},
        {"TEXT/PLAIN", 200, true},
        {"text/*", 200, true},
        {"text/plain, application/json", 200, false},
        {"text/plain, */*;q=0.9", 200, true},
        {"text/plain;q=0.5, application/json;q=0.4", 200, true},
        {"application/json;q=0, */*", 200, true},
        {"application/json;q=0, text/plain;q=0", 406, false},
        {"*/*;q=0", 406, false},
        {"text/*;q=0, */*", 200, false},
        {"text/plain;q=0.001, application/json;q=0.000", 200, true},
        {"text/plain;format=flowed", 200, true},
        {"image/svg+xml", 200, false},
        {"text/html", 406, false},
        {"garbage", 406, false},
        {"text/plain;q=2", 406, false},
        {"application/json;x=\"a,b;q=0\", text/plain;q=0.1", 200, false},
    };
    struct service *service = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const char body[] = "{\"board\":[\".\"]}";
        struct response response = test_ask(service, "POST", "/mine", "Accept", rows[i].accept, body, strlen(body));
        bool text = response.length != 0 && response.body[0] == 'C';
        if (response.status != rows[i].status || text != rows[i].text)
            fail_msg("Accept: %s gave %u %.*s", rows[i].accept, response.status, (int)response.length, response.body);
        response_clear(&response);
    }
}

static void faults_come_in_the_order_of_the_document(void **state) {
    struct service *service = *state;
    post(service, "/pawn", "{\"turn\":\"Blue\",\"id\":1.5,\"extra\":0,\"turn\":\"Red\"}", 422,
         "...\"detail\":\"5 errors; the first: \\\"board\\\" is missing\",\"errors\":["
         "{\"pointer\":\"\",\"code\":\"missing\",\"detail\":\"\\\"board\\\" is missing\"},"
         "{\"pointer\":\"/turn\",\"code\":\"value\",\"detail\":\"\\\"turn\\\" is \\\"Blue\\\"; it must be \\\"Red\\\" "
         "or "
         "\\\"Black\\\"\"},"
         "{\"pointer\":\"/id\",\"code\":\"type\",\"detail\":\"\\\"id\\\" must be an integer\"},"
         "{\"pointer\":\"/extra\",\"code\":\"unknown-member\",\"detail\":\"unknown member \\\"extra\\\"; "
         "a /pawn case can have \\\"board\\\", \\\"turn\\\", \\\"include\\\" and \\\"id\\\"\"},"
         "{\"pointer\":\"/turn\",\"code\":\"duplicate-member\",");
    post(service, "/mine", "{\"a/b\":1,\"cases\":[{\"board\":[\"?\"]},3,{\"rows\":1}],\"c~d\":2}", 422,
         "...\"detail\":\"6 errors; the first: unknown member \\\"a/b\\\"; a batch can have \\\"cases\\\", "
         "\\\"states\\\" and \\\"include\\\"\",\"errors\":["
         "{\"pointer\":\"/a~1b\",\"code\":\"unknown-member\",");
    post(service, "/mine", "{\"cases\":[{\"board\":[\".\"]},{\"rows\":0}],\"c~d\":2}", 422,
         "...\"pointer\":\"/cases/1\",\"code\":\"missing\",\"detail\":\"\\\"cols\\\" is missing\"},"
         "{\"pointer\":\"/cases/1\",\"code\":\"missing\",\"detail\":\"\\\"mines\\\" is missing\"},"
         "{\"pointer\":\"/cases/1/rows\",\"code\":\"range\",\"detail\":\"\\\"rows\\\" is 0; it must be between 1 and "
         "1000\"},"
         "{\"pointer\":\"/c~0d\",\"code\":\"unknown-member\"");
}

/* Send a long list as the member `name`; two of its elements are elements[wrong]. If the name contains an escape, the
 * whole list is parsed into the tree. */
static struct response ask_long_list(const struct service *service, const char *target, const char *head,
                                     const char *name, const char *const elements[4], unsigned wrong,
                                     const char *tail) {
    char *body = malloc(1000000), *at = body + sprintf(body, "%s\"%s\":[", head, name);
    for (unsigned i = 0; i < 13000; i++)
        at += sprintf(at, "%s%s", i != 0 ? ", " : "", i == 500 || i == 12998 ? elements[wrong] : elements[0]);
    at += sprintf(at, "]%s", tail);
    struct response response = test_ask(service, "POST", target, NULL, NULL, body, (size_t)(at - body));
    free(body);
    return response;
}

static void a_long_list_has_the_faults_of_any_list(void **state) {
    struct service *service = *state;
    static const struct {
        const char *target, *head, *names[2], *elements[4], *tail;
    } lists[] = {
        {"/go",
         "{\"id\":\"a\",",
         {"moves", "mo\\u0076es"},
         {"[\"B\",\"pass\"]", "[\"B\",19,0]", "7", "[\"B\",\"Z\\u0041]\"]"},
         ",\"x\":1,\"moves\":[]}"},
        {"/go",
         "{",
         {"moves", "mo\\u0076es"},
         {"[\"W\",\"Q16\"]", "[\"W\",\"I5\"]", "[1]", "{\"a\":[]}"},
         ",\"size\":19}"},
        {"/mine",
         "{\"rows\":9,\"cols\":9,",
         {"mines", "\\u006dines"},
         {"[1,2]", "[9,2]", "[1,2,3]", "[1.5,null]"},
         ",\"include\":[\"board\"]}"},
    };
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (unsigned wrong = 0; wrong < 4; wrong++) {
            struct response answer[2];
            for (int n = 0; n < 2; n++)
                answer[n] = ask_long_list(service, lists[l].target, lists[l].head, lists[l].names[n], lists[l].elements,
                                          wrong, lists[l].tail);
            assert_int_equal(answer[0].status, wrong == 0 && l != 0 ? 200 : 422);
            assert_int_equal(answer[0].status, answer[1].status);
            assert_int_equal(answer[0].length, answer[1].length);
            assert_memory_equal(answer[0].body, answer[1].body, answer[0].length);
            if (wrong != 0)
                assert_non_null(memmem(answer[0].body, answer[0].length, "/12998", 6));
            response_clear(&answer[0]);
            response_clear(&answer[1]);
        }
}

static void twenty_faults_are_listed_and_all_are_counted(void **state) {
    struct service *service = *state;
    char body[2048] = "{\"rows\":2,\"cols\":2,\"mines\":[";
    for (int i = 0; i < 50; i++)
        strcat(body, i == 0 ? "[9,0]" : ",[9,0]");
    strcat(body, "]}");
    struct response response = test_ask(service, "POST", "/mine", NULL, NULL, body, strlen(body));
    char *text = strndup(response.body, response.length);
    assert_non_null(strstr(text, "\"50 errors; the first: the mine's row is 9; it must be between 0 and 1\""));
    assert_non_null(strstr(text, "/mines/19/0"));
    assert_null(strstr(text, "/mines/20/0"));
    free(text);
    response_clear(&response);
}

static void answers_do_not_depend_on_how_much_work_a_lane_allows(void **state) {
    static const char *const bodies[][2] = {
        {"/pawn", "{\"cases\":[{\"board\":[\"O...\",\"...O\",\"....\",\".X..\"]},{\"board\":[\"OO\",\".X\"],\"turn\":"
                  "\"Black\"}]}"},
        {"/go", "{\"size\":3,\"setup\":[\"B..\",\"...\",\"..W\"],\"moves\":[[\"B\",0,0],[\"W\",1,1],[\"B\",\"c3\"]]}"},
        {"/mine", "{\"rows\":30,\"cols\":30,\"mines\":[[1,1],[5,5],[7,2],[20,20],[20,22]]}"},
        {"/mine", "{\"cases\":[{\"board\":[\"..*\"]},{\"board\":[\"x\"]},{\"board\":1}]}"},
    };
    struct service *service = *state;
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        struct response whole = test_ask(service, "POST", bodies[b][0], NULL, NULL, bodies[b][1], strlen(bodies[b][1]));
        struct header host = {"Host", "test"};
        struct request_head head = {"POST", bodies[b][0], "HTTP/1.1", &host, 1};
        struct admission admission;
        struct response unused, response;
        struct buffer from_head;
        unsigned runs_out = 0;
        assert_int_equal(admit(service, &head, &admission, &unused, &from_head), ADMIT_READ_BODY);
        for (uint64_t allowed = 0; allowed < 2000; allowed += 7) {
            struct workspace small, large;
            struct job_turn turn;
            enum outcome outcome;
            char *body = strdup(bodies[b][1]);
            struct work little = {.left = allowed}, enough = {.left = WORK_UNBOUNDED};
            workspace_init(&small, service->account, 4096, false);
            workspace_init(&large, service->account, ARENA_NO_CAP, true);
            struct job *job = job_new(service, &admission, body, strlen(body));
            assert_non_null(job);
            if (job_begin(job, &small, &little) == OUTCOME_MORE_WORK && ++runs_out)
                assert_int_equal(job_begin(job, &large, &enough), OUTCOME_DONE);
            while (!job_is_done(job)) {
                /* Take a case in the short lane, or in the long lane if it needed more. */
                if (job_take(job, JOB_SHORT, &small, &little, &turn, &outcome) ||
                    job_take(job, JOB_SHORT, &small, &enough, &turn, &outcome)) {
                    if (job_do(job, &turn, &small, &little) == OUTCOME_MORE_WORK && ++runs_out)
                        job_put_back(job, &turn, JOB_LONG);
                    else
                        job_deliver(job, &turn);
                }
                while (job_take(job, JOB_LONG, &large, &enough, &turn, &outcome)) {
                    assert_int_equal(job_do(job, &turn, &large, &enough), OUTCOME_DONE);
                    job_deliver(job, &turn);
                }
            }
            job_finish(job, &response);
            assert_int_equal(response.status, whole.status);
            assert_int_equal(response.length, whole.length);
            assert_memory_equal(response.body, whole.body, whole.length);
            response_clear(&response);
            job_free(job);
            workspace_clear(&small);
            workspace_clear(&large);
            free(body);
        }
        assert_in_range(runs_out, 3, 2000);
        response_clear(&whole);
    }
}

/* A single step's budget does not cover the blanks in these bodies, but every step must make progress. There are blanks
 * after the cases, before the first case, and in a line of their own. */
static void a_body_of_blanks_is_begun_in_steps(void **state) {
    static const struct {
        const char *target, *type, *front, *back;
    } bodies[] = {
        {"/mine", "application/json", "{\"cases\":[{\"board\":[\".\"]}]", "}"},
        {"/go", "text/plain", "", " 1 0"},
        {"/mine", "text/plain", "", "{\"board\":[\".\"]}"},
        {"/mine", "application/x-ndjson", "", "\n{\"board\":[\".\"]}"},
    };
    struct service *service = *state;
    const size_t length = (size_t)64 << 20;
    char *body = malloc(length);
    assert_non_null(body);
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        struct header headers[] = {{"Host", "test"}, {"Content-Type", bodies[b].type}};
        struct request_head head = {"POST", bodies[b].target, "HTTP/1.1", headers, 2};
        struct admission admission;
        struct response response;
        struct buffer unused;
        struct workspace workspace;
        struct job_turn turn;
        enum outcome outcome = OUTCOME_MORE_WORK;
        memset(body, ' ', length);
        memcpy(body, bodies[b].front, strlen(bodies[b].front));
        memcpy(body + length - strlen(bodies[b].back), bodies[b].back, strlen(bodies[b].back));
        assert_int_equal(admit(service, &head, &admission, &response, &unused), ADMIT_READ_BODY);
        workspace_init(&workspace, service->account, ARENA_NO_CAP, true);
        struct job *job = job_new(service, &admission, body, length);
        assert_non_null(job);
        for (unsigned step = 0; step < 1000 && outcome == OUTCOME_MORE_WORK; step++)
            outcome = job_begin(job, &workspace, &(struct work){.left = JOB_MIN_WORK});
        assert_int_equal(outcome, OUTCOME_DONE);
        bool taken = false;
        for (unsigned step = 0; step < 1000 && !taken; step++)
            taken = job_take(job, JOB_SHORT, &workspace, &(struct work){.left = JOB_MIN_WORK}, &turn, &outcome);
        assert_true(taken);
        assert_int_equal(job_do(job, &turn, &workspace, &(struct work){.left = WORK_UNBOUNDED}), OUTCOME_DONE);
        job_deliver(job, &turn);
        struct work work = {.left = JOB_MIN_WORK}; /* reading on is needed to see that there are no more lines */
        assert_true(job_is_done(job) || !job_take(job, JOB_SHORT, &workspace, &work, &turn, &outcome));
        assert_true(job_is_done(job));
        job_finish(job, &response);
        assert_int_equal(response.status, 200);
        response_clear(&response);
        job_free(job);
        workspace_clear(&workspace);
    }
    free(body);
}

/* The size of a tree is not known until it has been parsed. */
static void a_large_tree_needs_the_largest_workspace(void **state) {
    struct service *service = *state;
    const size_t values = 1000000;
    char *body = malloc(2 * values + 100), *end = stpcpy(body, "{\"board\":[\".\"],\"x\":[");
    for (size_t v = 0; v < values; v++)
        end = stpcpy(end, v == 0 ? "1" : ",1");
    end = stpcpy(end, "]}");
    struct header host = {"Host", "test"};
    struct request_head head = {"POST", "/mine", "HTTP/1.1", &host, 1};
    struct admission admission;
    struct response response;
    struct buffer unused;
    struct workspace small, large;
    struct job_turn turn;
    struct work work = {.left = WORK_UNBOUNDED};
    enum outcome outcome;
    assert_int_equal(admit(service, &head, &admission, &response, &unused), ADMIT_READ_BODY);
    workspace_init(&small, NULL, ARENA_NO_CAP, false);
    workspace_init(&large, NULL, ARENA_NO_CAP, true);
    struct job *job = job_new(service, &admission, body, (size_t)(end - body));
    assert_int_equal(job_begin(job, &small, &work), OUTCOME_DONE);
    assert_true(job_take(job, JOB_SHORT, &small, &work, &turn, &outcome));
    assert_int_equal(job_do(job, &turn, &small, &work), OUTCOME_MORE_WORK);
    job_put_back(job, &turn, JOB_LONG);
    assert_true(job_take(job, JOB_LONG, &large, &work, &turn, &outcome));
    assert_int_equal(job_do(job, &turn, &large, &work), OUTCOME_DONE);
    job_deliver(job, &turn);
    job_finish(job, &response);
    assert_int_equal(response.status, 422);
    response_clear(&response);
    job_free(job);
    workspace_clear(&small);
    workspace_clear(&large);
    free(body);
}

static void an_answer_outlives_its_job(void **state) {
    struct service *service = *state;
    struct response first = test_ask(service, "POST", "/mine", NULL, NULL, "{\"board\":[\".\"]}", 15);
    struct response second = test_ask(service, "POST", "/mine", NULL, NULL, "{\"board\":[\"*\"]}", 15);
    assert_memory_equal(first.body, "{\"verdict\":\"Xiemao\"", 19);
    assert_memory_equal(second.body, "{\"verdict\":\"Fanglaoshi\"", 23);
    response_clear(&first);
    response_clear(&second);
}

/* A small request is not charged, so it is answered even when a large one is refused. */
static void a_full_account_is_an_overload_and_all_memory_is_freed(void **state) {
    struct account account;
    static const char cases[] = "{\"cases\":[{\"board\":[\".\"]},{\"board\":[\"*\"]},{\"board\":[\"*.*\"]}]}";
    char body[5000];
    (void)state;
    snprintf(body, sizeof body, "%-4999s", cases);
    for (size_t inflight = 1; inflight < 6000; inflight += 13) {
        struct service *service = test_service(test_limits(), inflight, &account);
        struct response large = test_ask(service, "POST", "/mine", NULL, NULL, body, strlen(body));
        struct response small = test_ask(service, "POST", "/mine", NULL, NULL, cases, strlen(cases));
        assert_true(large.status == 200 || large.status == 503);
        if (inflight < 300)
            assert_int_equal(large.status, 503);
        if (inflight > 4000)
            assert_int_equal(large.status, 200);
        assert_int_equal(small.status, 200);
        response_clear(&large);
        response_clear(&small);
        assert_int_equal(atomic_load(&account.used), 0);
        service_free(service);
    }
}

/* 100,000 numbers take 6 MiB, of which 4 MiB are not charged. */
static void a_large_tree_is_charged(void **state) {
    char *body;
    size_t length;
    FILE *out = open_memstream(&body, &length);
    (void)state;
    fprintf(out, "{\"board\":[\".\"],\"more\":[1");
    for (int i = 0; i < 100000; i++)
        fprintf(out, ",1");
    fprintf(out, "]}");
    fclose(out);
    for (size_t mega = 1; mega <= 16; mega *= 16) {
        struct account account;
        struct service *service = test_service(test_limits(), mega << 20, &account);
        struct response response = test_ask(service, "POST", "/mine", NULL, NULL, body, length);
        assert_int_equal(response.status, mega == 1 ? 503 : 422);
        response_clear(&response);
        assert_int_equal(atomic_load(&account.used), 0);
        service_free(service);
    }
    free(body);
}

static void an_answer_over_its_limit_is_refused_whatever_the_case(void **state) {
    struct account account;
    struct limits limits = test_limits();
    static const char body[] = "{\"cases\":[{\"board\":[\".\"]},{\"board\":[\"*\"]}]}";
    unsigned refused = 0, answered = 0;
    (void)state;
    for (size_t max = 1; max < 250; max++) {
        test_set_limit(&limits, "max_answer_bytes", max);
        struct service *service = test_service(limits, TEST_INFLIGHT, &account);
        struct response response = test_ask(service, "POST", "/mine", NULL, NULL, body, strlen(body));
        if (response.status == 200) {
            assert_true(response.length <= max);
            answered++;
        } else {
            assert_int_equal(response.status, 422);
            assert_int_equal(answered, 0);
            refused++;
        }
        response_clear(&response);
        service_free(service);
    }
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    struct response whole = test_ask(service, "POST", "/mine", NULL, NULL, body, strlen(body));
    assert_int_equal(refused, whole.length - 1);
    assert_int_equal(answered, 250 - whole.length);
    response_clear(&whole);
    service_free(service);
}

/* A hundred lines, of which the first few use up the allowed number of values. */
static void lines_of_a_batch_are_read_after_too_many_values(void **state) {
    static const char *const ends[] = {"{}\n", "{\n"};
    static const unsigned statuses[] = {413, 400};
    struct header headers[] = {
        {"Host", "test"}, {"Content-Type", "application/x-ndjson"}, {"Accept", "application/json"}};
    struct request_head head = {"POST", "/mine", "HTTP/1.1", headers, 3};
    (void)state;
    for (int e = 0; e < 2; e++) {
        struct account account;
        struct limits limits = test_limits();
        struct buffer body;
        test_set_limit(&limits, "max_json_values", 10);
        struct service *service = test_service(limits, TEST_INFLIGHT, &account);
        assert_non_null(service);
        buffer_init(&body, SIZE_MAX, NULL);
        for (int line = 0; line < 99; line++)
            buffer_put_string(&body, "{\"board\":[\".\"]}\n");
        buffer_put_string(&body, ends[e]);
        struct response response = {0};
        handle_request(service, &head, body.data, body.length, &response);
        assert_int_equal(response.status, statuses[e]);
        response_clear(&response);
        buffer_clear(&body);
        service_free(service);
        assert_int_equal(atomic_load(&account.used), 0);
    }
}

/* One case exceeds the limit on the sum. Its fault is reported in order with the others. */
static void a_total_is_a_fault_of_the_case_that_passes_it(void **state) {
    static const struct {
        const char *target, *limit;
        uint64_t max;
        const char *body, *answer;
    } rows[] = {
        {"/pawn", "max_pawn_cells_total", 12,
         "{\"cases\":[{\"board\":[\"O.O\",\".X.\"]},{\"board\":[\"O.O\",\".X.\"]},{\"turn\":0,\"board\":[\"O.O\",\".X."
         "\"],"
         "\"id\":true},{\"board\":[\"O.O\",\".X.\"]}]}",
         "...\"errors\":[{\"pointer\":\"/cases/2/turn\",\"code\":\"type\",\"detail\":\"\\\"turn\\\" is a number; it "
         "must be "
         "a string\"},"
         "{\"pointer\":\"/cases/2/board\",\"code\":\"range\",\"detail\":\"with this board, the request exceeds "
         "max_pawn_cells_total\"},"
         "{\"pointer\":\"/cases/2/id\",\"code\":\"type\",\"detail\":\"\\\"id\\\" is a boolean; it must be a string "
         "or an integer\"}]"},
        {"/mine", "max_mine_cells_total", 9, "{\"rows\":2,\"cols\":5,\"mines\":[]}",
         "...\"errors\":[{\"pointer\":\"/rows\",\"code\":\"range\",\"detail\":\"with this field, the request exceeds "
         "max_mine_cells_total\"}]"},
        {"/go", "max_moves_total", 3,
         "{\"cases\":[{\"sgf\":\"(;B[aa];W[bb])\"},{\"moves\":[[\"B\",0,0]]},{\"sgf\":\"(;B[aa])\"},{\"sgf\":\"(\"}]}",
         "...\"errors\":[{\"pointer\":\"/cases/2/sgf\",\"line\":1,\"column\":1,\"code\":\"range\",\"detail\":\"with "
         "these moves, the request exceeds max_moves_total\"},{\"pointer\":\"/cases/3/sgf\","},
        /* A case that cannot be read does not count towards the sum. */
        {"/go", "max_moves_total", 3,
         "{\"cases\":[{\"sgf\":\"(;B[aa];W[bb];B[cc];W[zz])\"},{\"moves\":[[\"B\",0,0],[\"B\",1,0],[\"B\",2,0]]}]}",
         "...\"detail\":\"'zz' is not on the 19 x 19 board\",\"errors\":[{\"pointer\":\"/cases/0/sgf\""},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct account account;
        struct limits limits = test_limits();
        test_set_limit(&limits, rows[r].limit, rows[r].max);
        struct service *service = test_service(limits, TEST_INFLIGHT, &account);
        post(service, rows[r].target, rows[r].body, 422, rows[r].answer);
        test_set_limit(&limits, rows[r].limit, 1000);
        service_free(service);
        assert_int_equal(atomic_load(&account.used), 0);
    }
}

/* Exactly those limits that are declared to change answers change the tags. */
static void tags_follow_the_limits_that_change_answers(void **state) {
    struct account account;
    const struct limits defaults = test_limits();
    struct service *service = test_service(defaults, TEST_INFLIGHT, &account);
    size_t changing = 0;
    (void)state;
    for (size_t i = 0; i < defaults.count; i++) {
        struct limits limits = defaults;
        limits.value[i]--;
        struct service *other = test_service(limits, TEST_INFLIGHT, &account);
        bool differs = other->link_hash[FORMAT_JSON] != service->link_hash[FORMAT_JSON];
        assert_int_equal(differs, limits_row(&defaults, i)->changes_links);
        changing += differs;
        service_free(other);
    }
    assert_in_range(changing, 1, defaults.count - 1);
    service_free(service);
}

static void an_invalid_origin_is_found_in_a_list_of_origins(void **state) {
    static const struct {
        const char *list, *wrong; /* the invalid origin; NULL if there is none */
    } rows[] = {
        {"*", NULL},
        {" * ,", NULL},
        {"file://", NULL},
        {"* *", "*"},
        {"file:///", "file:///"},
        {"https://a", NULL},
        {"https://a.example, http://localhost:3000,null", NULL},
        {"http://[::1]:8080", NULL},
        {"http://127.0.0.1:1 , capacitor://localhost", NULL},
        {"chrome-extension://abcdefghijklmnop", NULL},
        {"*, https://a", "*"},
        {"https://a,*", "*"},
        {"https://a/", "https://a/"},
        {"https://a/b", "https://a/b"},
        {"a", "a"},
        {"a.example:80", "a.example:80"},
        {"https://", "https://"},
        {"https:/a", "https:/a"},
        {"://a", "://a"},
        {"https://A.example", "https://A.example"},
        {"HTTPS://a", "HTTPS://a"},
        {"https://a:443", "https://a:443"},
        {"http://a:80", "http://a:80"},
        {"https://a:", "https://a:"},
        {"https://a:0", "https://a:0"},
        {"https://a:65536", "https://a:65536"},
        {"https://a:1x", "https://a:1x"},
        {"https://user@a", "https://user@a"},
        {"https://[::1", "https://[::1"},
        {"https://[]", "https://[]"},
        {"https://a;https://b", "https://a;https://b"},
        {"NULL", "NULL"},
        {"", ""},
        {" , ", ""},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *wrong = NULL;
        size_t length = 0;
        bool good = cors_check(rows[r].list, &wrong, &length);
        if (good != (rows[r].wrong == NULL) ||
            (!good && (strlen(rows[r].wrong) != length || memcmp(wrong, rows[r].wrong, length) != 0)))
            fail_msg("\"%s\": %s, \"%.*s\"", rows[r].list, good ? "good" : "wrong", (int)length,
                     wrong != NULL ? wrong : "");
    }
}

static void request_ids_are_kept_when_they_are_harmless(void **state) {
    (void)state;
    assert_true(head_request_id_is_good("a-Z_0.9"));
    assert_false(head_request_id_is_good(""));
    assert_false(head_request_id_is_good("a b"));
    assert_false(head_request_id_is_good("a\"b"));
    assert_true(head_request_id_is_good("1234567890123456789012345678901234567890123456789012345678901234"));
    assert_false(head_request_id_is_good("12345678901234567890123456789012345678901234567890123456789012345"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_samples_get_their_answers, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(a_field_of_any_width_is_the_same_in_rows_and_in_pairs, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(an_empty_body_is_malformed, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(a_position_is_found_after_all_kinds_of_line_ends, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(a_batch_answers_in_order_and_echoes_ids, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(forms_follow_content_type_and_accept, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(accept_is_weighed_as_rfc_9110_has_it, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(faults_come_in_the_order_of_the_document, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(a_long_list_has_the_faults_of_any_list, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(twenty_faults_are_listed_and_all_are_counted, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(answers_do_not_depend_on_how_much_work_a_lane_allows, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(a_body_of_blanks_is_begun_in_steps, test_start_service, test_stop_service),
        cmocka_unit_test_setup_teardown(a_large_tree_needs_the_largest_workspace, test_start_service,
                                        test_stop_service),
        cmocka_unit_test_setup_teardown(an_answer_outlives_its_job, test_start_service, test_stop_service),
        cmocka_unit_test(a_full_account_is_an_overload_and_all_memory_is_freed),
        cmocka_unit_test(a_large_tree_is_charged),
        cmocka_unit_test(an_answer_over_its_limit_is_refused_whatever_the_case),
        cmocka_unit_test(lines_of_a_batch_are_read_after_too_many_values),
        cmocka_unit_test(a_total_is_a_fault_of_the_case_that_passes_it),
        cmocka_unit_test(tags_follow_the_limits_that_change_answers),
        cmocka_unit_test(an_invalid_origin_is_found_in_a_list_of_origins),
        cmocka_unit_test(request_ids_are_kept_when_they_are_harmless),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
