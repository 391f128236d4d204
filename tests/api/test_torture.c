/* Memory runs out at every possible point of every kind of request. The answer must then be either byte for byte the
 * same, or 503; nothing may leak, and the next request must be answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"
#include "api/torture/coverage.h"
#include "api/torture/failing.h"
#include "api/torture/lanes.h"
#include "api/torture/requests.h"

#include <cjson/cJSON.h>

/* The number of texts that cJSON parses before it fails; if negative, it never fails. */
static long taken = -1;

cJSON *__real_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);
cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated);

cJSON *__wrap_cJSON_ParseWithLengthOpts(const char *json, size_t length, const char **end, cJSON_bool terminated) {
    bool refused = taken == 0;
    taken -= taken > 0;
    return refused ? NULL : __real_cJSON_ParseWithLengthOpts(json, length, end, terminated);
}

enum {
    HEADERS = 5,
    PADDING = ADMIT_SMALL_BODY, /* line ends after a body, so that its memory is charged */
    NEVER = -1,                 /* no allocation fails */
    MAX_ALLOCATIONS = 5000,     /* the maximum for one request */
};

/* A way to send a request. */
struct way {
    bool lanes, padded;
    const char *tag; /* If-None-Match; NULL for none */
    bool plain;      /* leaves out the request's Accept-Encoding */
};

struct answer {
    struct response response;
    bool broken; /* the stream was cut off */
};

static struct request_head head_of(const struct torture_request *request, const struct way *way,
                                   struct header headers[HEADERS]) {
    size_t count = 0;
    bool encoded = request->name != NULL && strcmp(request->name, "Accept-Encoding") == 0;
    headers[count++] = (struct header){"Host", "test"};
    if (request->type != NULL)
        headers[count++] = (struct header){"Content-Type", request->type};
    if (request->accept != NULL)
        headers[count++] = (struct header){"Accept", request->accept};
    if (request->name != NULL && !(encoded && way->plain))
        headers[count++] = (struct header){request->name, request->value};
    if (way->tag != NULL)
        headers[count++] = (struct header){"If-None-Match", way->tag};
    const char *method = request->method != NULL ? request->method : request->body != NULL ? "POST" : "GET";
    return (struct request_head){method, request->target, "HTTP/1.1", headers, count};
}

/* Send the request with allocation `first` failing. If `first` is NEVER, none fails. */
static struct answer ask(const struct service *service, const struct torture_request *request, const struct way *way,
                         long first, enum failing_span span) {
    struct header headers[HEADERS];
    struct answer answer = {0};
    struct request_head head = head_of(request, way, headers);
    size_t length = request->body != NULL ? strlen(request->body) : 0, padded = length + (way->padded ? PADDING : 0);
    char *body = malloc(padded + 1);
    assert_non_null(body);
    memset(body, '\n', padded);
    memcpy(body, request->body != NULL ? request->body : "", length);
    taken = request->not_parsed ? 0 : -1;
    failing_begin(first, span);
    if (way->lanes)
        answer.broken = lanes_handle(service, &head, body, padded, &answer.response);
    else
        handle_request(service, &head, body, padded, &answer.response);
    taken = -1;
    free(body);
    return answer;
}

static const char *header_of(const struct response *response, const char *name) {
    for (size_t h = 0; h < response->header_count; h++)
        if (strcmp(response->headers[h].name, name) == 0)
            return response_value(response, h);
    return "";
}

static bool has_lines(const struct response *response) {
    return strcmp(header_of(response, "Content-Type"), "application/x-ndjson") == 0;
}

static bool begins(const char *bytes, size_t length, const char *word) {
    return length >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

static bool same_heads(const struct response *a, const struct response *b) {
    bool same = a->status == b->status && a->header_count == b->header_count && a->closes == b->closes;
    for (size_t h = 0; same && h < a->header_count; h++)
        same = strcmp(a->headers[h].name, b->headers[h].name) == 0 &&
               strcmp(response_value(a, h), response_value(b, h)) == 0;
    return same;
}

static bool same(const struct response *a, const struct response *b) {
    return same_heads(a, b) && a->length == b->length && memcmp(a->body, b->body, a->length) == 0;
}

static bool is_refusal(const struct response *response) {
    return response->status == 503 && begins(response->body, response->length, "{\"type\":\"/problems/overloaded\",") &&
           strcmp(header_of(response, "Content-Type"), "application/problem+json") == 0 &&
           strcmp(header_of(response, "Cache-Control"), "no-store") == 0 &&
           strcmp(header_of(response, "Retry-After"), "1") == 0;
}

static size_t line_length(const char *line, const char *end) {
    const char *feed = line != NULL ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    return feed != NULL ? (size_t)(feed + 1 - line) : 0;
}

/* Is this the right line, or does it report that there was no memory for the same case? */
static bool is_good_line(const char *line, size_t length, const char *right, size_t right_length) {
    static const char problem[] = "\"problem\":{\"type\":\"/problems/overloaded\"";
    const char *from = memmem(line, length, problem, sizeof problem - 1);
    if (length == right_length && memcmp(line, right, length) == 0)
        return true;
    size_t before = from != NULL ? (size_t)(from - line) : 0;
    /* If the id of a case could not be read, the line has no id. */
    return from != NULL && (before == 1 || (before <= right_length && memcmp(line, right, before) == 0));
}

/* Is each line either the right line or, in its place, a report that memory ran out? */
static bool has_good_lines(const struct answer *answer, const struct response *right) {
    const char *at = answer->response.body, *end = at + answer->response.length;
    const char *right_at = right->body, *right_end = right_at + right->length;
    size_t count = 0;
    bool refused = false;
    for (size_t length; (length = line_length(at, end)) != 0; at += length, count++) {
        size_t right_length = line_length(right_at, right_end);
        if (!is_good_line(at, length, right_at, right_length))
            return false;
        refused |= length != right_length || memcmp(at, right_at, length) != 0;
        right_at += right_length;
    }
    /* A collection that could not be read for lack of memory results in one line, like any case. */
    bool unopened = refused && count == 1;
    return answer->broken || (at == end && (right_at == right_end || unopened));
}

/* Is this answer allowed when memory runs out? `plain` is the right answer, uncompressed, in case there is no memory to
 * compress it. */
static bool is_good(const struct answer *answer, const struct response *right, const struct response *plain) {
    const struct response *response = &answer->response;
    if (!answer->broken && (same(response, right) || same(response, plain) || is_refusal(response)))
        return true;
    return has_lines(right) && same_heads(response, right) && has_good_lines(answer, right);
}

static void say(const struct torture_request *request, const struct way *way, const struct answer *answer, long first,
                enum failing_span span) {
    print_error("%s %s %s%s%s, allocation %ld%s: %u%s\n%.*s\n", request->target, request->body ? request->body : "",
                way->lanes ? "in lanes" : "", way->padded ? " padded" : "", way->tag ? " with a tag" : "", first,
                span == FAILING_ONCE ? "" : " and all others", answer->response.status,
                answer->broken ? ", broken off" : "", (int)answer->response.length, answer->response.body);
}

struct stats {
    unsigned failures, refused, otherwise; /* failed allocations, and what they resulted in */
    unsigned poor;                         /* requests with too small an account */
};

/* Make every allocation of a request fail, alone and together with all later ones. */
static void torture(const struct service *service, const struct torture_request *request, const struct way *way,
                    const struct response *right, const struct response *plain, struct stats *stats) {
    for (enum failing_span span = FAILING_ONCE; span < FAILING_SPANS; span++) {
        bool failed = true;
        for (long first = 0; failed; first++) {
            long live = failing_live();
            size_t held = atomic_load(&service->account->used);
            struct answer answer = ask(service, request, way, first, span);
            failed = failing_end();
            if (!is_good(&answer, right, plain) || (!failed && !same(&answer.response, right))) {
                say(request, way, &answer, first, span);
                fail_msg("a wrong answer");
            }
            stats->failures += failed;
            stats->refused += failed && is_refusal(&answer.response);
            stats->otherwise += failed && same(&answer.response, right);
            response_clear(&answer.response);
            if (failing_live() != live || atomic_load(&service->account->used) != held) {
                say(request, way, &answer, first, span);
                fail_msg("%ld blocks leak", failing_live() - live);
            }
            assert_true(first < MAX_ALLOCATIONS);
        }
    }
}

/* Lower the account's limit, and raise it step by step from almost nothing. */
static void impoverish(const struct service *service, const struct torture_request *request, const struct way *way,
                       const struct response *right, const struct response *plain, struct stats *stats) {
    size_t rich = service->account->limit, held = atomic_load(&service->account->used);
    for (size_t limit = 1; limit < 8 << 20; limit += 1 + limit / 5) {
        service->account->limit = held + limit;
        struct answer answer = ask(service, request, way, NEVER, FAILING_ONCE);
        if (!is_good(&answer, right, plain)) {
            say(request, way, &answer, (long)limit, FAILING_ONCE);
            fail_msg("a wrong answer with %zu bytes in flight", limit);
        }
        stats->poor += !same(&answer.response, right);
        response_clear(&answer.response);
        assert_int_equal(atomic_load(&service->account->used), held);
    }
    service->account->limit = rich;
}

/* Torture a request in one way. Returns the answer that is right if nothing fails. */
static struct response torture_one(const struct service *service, const struct torture_request *request,
                                   const struct way *way, struct stats *stats) {
    size_t rich = service->account->limit;
    struct way plain_way = {false, way->padded, way->tag, true}, right_way = {false, way->padded, way->tag, false};
    service->account->limit = request->unpaid ? 1 : rich;
    struct response right = ask(service, request, &right_way, NEVER, FAILING_ONCE).response;
    struct response plain = ask(service, request, &plain_way, NEVER, FAILING_ONCE).response;
    torture(service, request, way, &right, &plain, stats);
    service->account->limit = rich;
    if (way->padded && !request->unpaid)
        impoverish(service, request, way, &right, &plain, stats);
    response_clear(&plain);
    return right;
}

/* The state that all requests share. */
struct torture {
    struct service *service;
    struct stats stats;
    struct coverage coverage;
};

/* Torture a request in all ways, and if its answer has a tag, with that tag, too. */
static void torture_all_ways(struct torture *t, const struct torture_request *request) {
    for (int w = 0; w < 8; w++) {
        char tag[RESPONSE_TAG_BYTES];
        struct way first = {0}, way = {.lanes = w & 1, .padded = w & 2};
        struct response right = ask(t->service, request, &first, NEVER, FAILING_ONCE).response;
        snprintf(tag, sizeof tag, "%s", header_of(&right, "ETag"));
        response_clear(&right);
        way.tag = w & 4 ? tag : NULL;
        if ((way.padded ? request->body == NULL : request->unpaid) || (way.tag != NULL && *tag == 0))
            continue;
        right = torture_one(t->service, request, &way, &t->stats);
        if (right.status != (way.tag != NULL ? 304 : request->status)) {
            say(request, &way, &(struct answer){.response = right}, NEVER, FAILING_ONCE);
            fail_msg("%u was expected", request->status);
        }
        struct header headers[HEADERS];
        struct request_head head = head_of(request, &way, headers);
        coverage_note(&t->coverage, t->service, &head, request->body, &right);
        response_clear(&right);
    }
}

static void every_allocation_may_fail_of_every_kind_of_request(void **state) {
    struct account account;
    struct limits limits = test_limits();
    long live = failing_live();
    torture_lower_limits(&limits);
    struct torture t = {.service = test_service(limits, TEST_INFLIGHT, &account)};
    struct buffer gaps;
    (void)state;
    coverage_init(&t.coverage);
    for (size_t r = 0; r < torture_request_count; r++)
        torture_all_ways(&t, &torture_requests[r]);
    print_message("%u allocations failed: %u requests were refused, %u answered as ever; %u had too small an account\n",
                  t.stats.failures, t.stats.refused, t.stats.otherwise, t.stats.poor);
    buffer_init(&gaps, SIZE_MAX, NULL);
    coverage_put_gaps(&t.coverage, t.service, &gaps);
    if (gaps.length != 0)
        fail_msg("never asked, or never seen:\n%.*s", (int)gaps.length, gaps.data);
    buffer_clear(&gaps);
    coverage_clear(&t.coverage);
    service_free(t.service);
    assert_int_equal(failing_live(), live);
}

static void an_api_without_memory_is_none(void **state) {
    (void)state;
    for (enum failing_span span = FAILING_ONCE; span < FAILING_SPANS; span++) {
        bool failed = true;
        long first = 0;
        for (; failed; first++) {
            struct account account;
            long live = failing_live();
            failing_begin(first, span);
            struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
            failed = failing_end();
            assert_int_equal(service == NULL, failed);
            service_free(service);
            assert_int_equal(failing_live(), live);
        }
        assert_true(first > 4);
    }
}

#define LONG_LIST_HEAD "{\"rows\":9,\"cols\":9,\"mines\":["

/* cJSON refuses the body itself if `good` is 0, otherwise an element of its long list. */
static void a_body_that_cjson_refuses_for_no_reason_is_our_fault(void **state) {
    static const struct way one_thread = {0};
    struct account account;
    struct service *service = test_service(test_limits(), TEST_INFLIGHT, &account);
    const struct torture_request *list = torture_requests;
    (void)state;
    while (list->body == NULL || !begins(list->body, strlen(list->body), LONG_LIST_HEAD))
        list++;
    for (long good = 0; good < 4; good++) {
        struct header headers[HEADERS];
        struct request_head head = head_of(list, &one_thread, headers);
        struct response response = {0};
        char *body = strdup(list->body);
        taken = good;
        handle_request(service, &head, body, strlen(body), &response);
        taken = -1;
        assert_int_equal(response.status, 500);
        assert_int_equal(atomic_load(&account.used), 0);
        response_clear(&response);
        free(body);
    }
    service_free(service);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_of_every_kind_of_request),
        cmocka_unit_test(an_api_without_memory_is_none),
        cmocka_unit_test(a_body_that_cjson_refuses_for_no_reason_is_our_fault),
    };
    return cmocka_run_group_tests_name("torture", tests, NULL, NULL);
}
