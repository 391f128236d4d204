#include "fuzz/ask.h"

#include "api/json/check.h"
#include "api/request.h"
#include "base/hash.h"
#include "reference/random.h"

#include <strings.h>

enum { WORKERS = 4, SHORT_WORKERS = 3, SHORT_WORKSPACE = 48 << 10 };

const char *const ask_targets[ASK_GAMES] = {"/pawn", "/go", "/mine"};
const char *const ask_accepts[ASK_ACCEPTS] = {ASK_JSON, ASK_TEXT, ASK_LINES, "image/svg+xml"};

void ask_fail(const char *file, int line, const char *sentence) {
    fprintf(stderr, "%s:%d: it does not hold that %s\n", file, line, sentence);
    abort();
}

/* ---- the two services ---- */

static struct account account;

static const struct {
    const char *name;
    uint64_t roomy, tight;
} bounds[] = {
    {"max_body_bytes", 1 << 18, 1500},
    {"max_json_values", 3000, 60},
    {"max_cases", 300, 3},
    {"max_moves", 200, 4},
    {"max_moves_total", 600, 6},
    {"max_pawn_cells", 132, 9},
    {"max_pawn_cells_total", 300, 15},
    {"max_mine_cells", 600, 12},
    {"max_mine_cells_total", 1500, 20},
    {"max_search_states", 150, 3},
    {"max_answer_bytes", 1 << 16, 400},
    {"max_link_answer_bytes", 3000, 200},
    {"max_stream_bytes", 1000, 100},
};

static struct service *new_service(bool tight) {
    struct limits limits = test_limits();
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        test_set_limit(&limits, bounds[b].name, tight ? bounds[b].tight : bounds[b].roomy);
    account_init(&account, TEST_INFLIGHT);
    struct service *service = service_new(&(struct service_config){
        .limits = limits,
        .cors_origins = tight ? "*" : "http://a,https://b.example:8443",
        .version = "0",
        .commit = "fuzz",
        .profile = "fuzz",
        .account = &account,
        .hash_seed = 1,
    });
    INSIST(service != NULL);
    return service;
}

static const struct service *service_of(bool tight) {
    static struct service *services[2];
    if (services[tight] == NULL)
        services[tight] = new_service(tight);
    return services[tight];
}

void ask_end(void) { INSIST(atomic_load(&account.used) == 0); }

uint64_t ask_seed(const uint8_t *data, size_t size) { return hash_bytes(HASH_OF_NOTHING, data, size); }

unsigned ask_choice(uint8_t letter, unsigned choices) { return (uint8_t)(letter - 'a') % choices; }

struct asked ask_by_letter(const char *type, const uint8_t *data, size_t size) {
    unsigned choice = ask_choice(data[0], ASK_GAMES * ASK_ACCEPTS * 2);
    return (struct asked){
        .method = "POST",
        .target = ask_targets[choice % ASK_GAMES],
        .type = type,
        .accept = ask_accepts[choice / ASK_GAMES % ASK_ACCEPTS],
        .body = (const char *)data + 1,
        .length = size - 1,
        .tight = choice >= ASK_GAMES * ASK_ACCEPTS,
    };
}

/* ---- invariants of every answer ---- */

const char *ask_header(const struct response *response, const char *name) {
    for (size_t h = 0; h < response->header_count; h++)
        if (strcasecmp(response->headers[h].name, name) == 0)
            return response_value(response, h);
    return NULL;
}

bool ask_has(const struct response *response, const char *bytes) {
    return response->length != 0 && memmem(response->body, response->length, bytes, strlen(bytes)) != NULL;
}

bool ask_is_good(const struct response *response) { return response->status == 200; }

bool ask_is_too_large(const struct response *response) {
    return response->status == 413 || (response->status == 422 && ask_has(response, "/problems/answer-too-large"));
}

/* Check that these bytes are one JSON value. The check may overwrite numbers, so it gets a copy. */
static void insist_json(const char *bytes, size_t length) {
    char *copy = malloc(length + 1);
    INSIST(copy != NULL);
    memcpy(copy, bytes, length);
    const struct work work = {.left = 0};
    struct json_report report;
    INSIST(json_check(copy, length, &work, &report) == OUTCOME_DONE && report.good);
    free(copy);
}

static void insist_lines(const char *bytes, size_t length) {
    for (const char *end = bytes + length, *feed; bytes < end; bytes = feed + 1) {
        feed = memchr(bytes, '\n', (size_t)(end - bytes));
        INSIST(feed != NULL);
        insist_json(bytes, (size_t)(feed - bytes));
    }
}

static void insist_headers(const struct response *response) {
    INSIST(response->header_count <= RESPONSE_HEADERS);
    for (size_t h = 0; h < response->header_count; h++) {
        const struct header *header = &response->headers[h];
        for (const char *c = response_value(response, h); *c != 0; c++)
            INSIST(*c >= ' ' && *c <= '~');
        for (size_t other = 0; other < h; other++)
            INSIST(strcasecmp(header->name, response->headers[other].name) != 0 || strcmp(header->name, "Vary") == 0);
    }
}

static void insist_problem(const struct response *response, const char *type) {
    char status[32];
    if (response->status == 404 && strncmp(type, "text/html;", 10) == 0) /* the page that browsers get */
        return;
    snprintf(status, sizeof status, "\"status\":%u", response->status);
    INSIST(strcmp(type, "application/problem+json") == 0);
    INSIST(ask_has(response, status));
}

/* Check that an answer is plausible. */
static void insist_answer(const struct response *response) {
    static const unsigned known[] = {200, 204, 304, 308, 400, 404, 405, 406, 413, 414, 415, 422};
    const char *type = ask_header(response, "Content-Type");
    size_t k = 0;
    while (k < sizeof known / sizeof *known && known[k] != response->status)
        k++;
    INSIST(k < sizeof known / sizeof *known);
    INSIST((response->status == 204 || response->status == 304 || response->status == 308) == (type == NULL));
    INSIST(type != NULL || response->length == 0);
    insist_headers(response);
    if (type == NULL || ask_header(response, "Content-Encoding") != NULL)
        return;
    if (response->status >= 400)
        insist_problem(response, type);
    if (strstr(type, "json") != NULL && strcmp(type, ASK_LINES) != 0 && strcmp(type, "application/jsonl") != 0)
        insist_json(response->body, response->length);
    else if (strstr(type, "json") != NULL)
        insist_lines(response->body, response->length);
}

void ask_insist_same(const struct response *one, const struct response *other) {
    if (one->status != other->status || one->length != other->length ||
        (one->length != 0 && memcmp(one->body, other->body, one->length) != 0))
        fprintf(stderr, "%u: %.*s\n%u: %.*s\n", one->status, (int)one->length, one->length != 0 ? one->body : "",
                other->status, (int)other->length, other->length != 0 ? other->body : "");
    INSIST(one->status == other->status);
    INSIST(one->length == other->length);
    INSIST(one->length == 0 || memcmp(one->body, other->body, one->length) == 0);
    INSIST(one->header_count == other->header_count);
    for (size_t h = 0; h < one->header_count; h++) {
        INSIST(strcmp(one->headers[h].name, other->headers[h].name) == 0);
        INSIST(strcmp(response_value(one, h), response_value(other, h)) == 0);
    }
}

void ask_insist_bytes(const struct response *response, const char *bytes, size_t length) {
    bool same = response->status == 200 && response->length == length && memcmp(response->body, bytes, length) == 0;
    if (!same)
        fprintf(stderr, "%u: %.*sis not\n%.*s", response->status, (int)response->length, response->body, (int)length,
                bytes);
    INSIST(same);
}

/* ---- on one thread ---- */

/* Copy the body to a block of exactly its length, so that a read past its end is detected. */
static char *copy_of(const char *body, size_t length) {
    char *copy = malloc(length != 0 ? length : 1);
    INSIST(copy != NULL);
    if (length != 0)
        memcpy(copy, body, length);
    return copy;
}

static struct response ask_service(const struct service *service, const struct request_head *head, const char *body,
                                   size_t length) {
    struct response response = {0};
    char *copy = copy_of(body, length);
    handle_request(service, head, copy, length, &response);
    free(copy);
    insist_answer(&response);
    return response;
}

static struct request_head head_of(const struct asked *asked, struct header headers[3]) {
    size_t count = 0;
    headers[count++] = (struct header){"Host", "test"};
    if (asked->type != NULL)
        headers[count++] = (struct header){"Content-Type", asked->type};
    if (asked->accept != NULL)
        headers[count++] = (struct header){"Accept", asked->accept};
    return (struct request_head){asked->method, asked->target, "HTTP/1.1", headers, count};
}

struct response ask(const struct asked *asked) {
    struct header headers[3];
    struct request_head head = head_of(asked, headers);
    return ask_service(service_of(asked->tight), &head, asked->body, asked->length);
}

struct response ask_head(const struct request_head *head, const char *body, size_t length) {
    return ask_service(service_of(false), head, body, length);
}

/* ---- by workers taking turns ---- */

struct worker {
    struct workspace workspace;
    struct job_turn turn;
    bool busy;
};

struct turns {
    struct job *job;
    struct reference_random random;
    struct worker workers[WORKERS]; /* the last ones work in the long lane */
    struct buffer lines;
};

/* Get a random budget, from nothing to plenty. */
static struct work some_work(struct turns *turns) {
    return (struct work){.left =
                             reference_random_below(&turns->random, 1u << reference_random_below(&turns->random, 24))};
}

static void begin(struct turns *turns, const struct service *service) {
    uint64_t budget = some_work(turns).left + 1;
    struct work work;
    for (size_t h = 0; h < WORKERS; h++)
        workspace_init(&turns->workers[h].workspace, service->account,
                       h < SHORT_WORKERS ? SHORT_WORKSPACE : ARENA_NO_CAP, h >= SHORT_WORKERS);
    buffer_init(&turns->lines, SIZE_MAX, service->account);
    do
        work = (struct work){.left = budget *= 2};
    while (job_begin(turns->job, &turns->workers[WORKERS - 1].workspace, &work) == OUTCOME_MORE_WORK);
}

static void take(struct turns *turns, struct worker *worker) {
    enum job_lane lane = worker->workspace.is_largest ? JOB_LONG : JOB_SHORT;
    enum outcome outcome;
    uint64_t budget = some_work(turns).left + 1;
    bool has_turn = job_has_turn(turns->job, lane);
    do {
        struct work work = {.left = budget *= 2};
        worker->busy = job_take(turns->job, lane, &worker->workspace, &work, &worker->turn, &outcome);
    } while (outcome == OUTCOME_MORE_WORK);
    INSIST(has_turn || !worker->busy);
}

static void do_case(struct turns *turns, struct worker *worker) {
    struct work unbounded = {.left = WORK_UNBOUNDED};
    struct work work = worker->workspace.is_largest ? unbounded : some_work(turns);
    worker->busy = false;
    if (job_do(turns->job, &worker->turn, &worker->workspace, &work) == OUTCOME_DONE) {
        job_deliver(turns->job, &worker->turn);
        return;
    }
    INSIST(!worker->workspace.is_largest);
    job_put_back(turns->job, &worker->turn, reference_random_chance(&turns->random, 50) ? JOB_LONG : JOB_SHORT);
}

/* Read a piece of a stream. Returns true if there was anything to read. */
static bool read_piece(struct turns *turns) {
    char bytes[256];
    size_t size = 1 + reference_random_below(&turns->random, sizeof bytes);
    bool readable = job_is_readable(turns->job), read = job_is_read(turns->job);
    size_t length = job_read(turns->job, bytes, size);
    INSIST(length <= size);
    INSIST(readable == (length != 0 || read));
    buffer_put(&turns->lines, bytes, length);
    return length != 0;
}

static void step(struct turns *turns) {
    struct worker *worker = &turns->workers[reference_random_below(&turns->random, WORKERS)];
    if (worker->busy)
        do_case(turns, worker);
    else
        take(turns, worker);
    if (job_is_stream(turns->job) && reference_random_chance(&turns->random, 30))
        read_piece(turns);
}

static void finish(struct turns *turns, struct response *ret_response) {
    struct job_progress progress = job_progress(turns->job);
    INSIST(!job_is_broken(turns->job));
    while (job_is_stream(turns->job) && read_piece(turns))
        ;
    INSIST(!job_is_stream(turns->job) || job_is_read(turns->job));
    INSIST(progress.bytes <= job_progress(turns->job).bytes);
    job_finish(turns->job, ret_response);
    if (job_is_stream(turns->job))
        response_take(ret_response, &turns->lines);
    insist_answer(ret_response);
}

/* Process a body in at most this many steps. Returns false, without an answer, if that isn't enough. */
static bool do_body(const struct service *service, const struct admission *admission, char *body, size_t length,
                    uint64_t seed, size_t max_steps, struct response *ret_response) {
    struct turns turns = {.job = job_new(service, admission, body, length), .random = {seed}};
    INSIST(turns.job != NULL);
    begin(&turns, service);
    for (; !job_is_done(turns.job) && max_steps != 0; max_steps--)
        step(&turns);
    bool done = job_is_done(turns.job);
    if (done)
        finish(&turns, ret_response);
    for (size_t h = 0; h < WORKERS; h++)
        workspace_clear(&turns.workers[h].workspace);
    buffer_clear(&turns.lines);
    job_free(turns.job);
    return done;
}

static bool do_in_turns(const struct service *service, const struct request_head *head, size_t first_line,
                        const char *body, size_t length, uint64_t seed, size_t max_steps,
                        struct response *ret_response) {
    struct admission admission;
    struct buffer from_head;
    enum admit_action action = admit(service, head, &admission, ret_response, &from_head);
    bool done = true;
    if (first_line != 0)
        admission.first_line = first_line;
    if (action == ADMIT_PROBE) {
        pages_respond_well(&admission.cors, ret_response);
    } else if (action == ADMIT_HAS_BODY) {
        done = do_body(service, &admission, from_head.data, from_head.length, seed, max_steps, ret_response);
        buffer_clear(&from_head);
    } else if (action == ADMIT_READ_BODY && length > service->request->max_body_bytes) {
        admit_respond_too_large(service, &admission, ret_response);
    } else if (action == ADMIT_READ_BODY) {
        char *copy = copy_of(body, length);
        done = do_body(service, &admission, copy, length, seed, max_steps, ret_response);
        free(copy);
    }
    return done;
}

struct response ask_in_turns(const struct asked *asked, uint64_t seed) {
    struct header headers[3];
    struct request_head head = head_of(asked, headers);
    struct response response = {0};
    do_in_turns(service_of(asked->tight), &head, asked->first_line, asked->body, asked->length, seed, SIZE_MAX,
                &response);
    return response;
}

static void insist_same_in_turns(const struct response *response, struct response in_turns) {
    ask_insist_same(response, &in_turns);
    response_clear(&in_turns);
}

struct response ask_both_ways(const struct asked *asked, uint64_t seed) {
    struct response response = ask(asked);
    insist_same_in_turns(&response, ask_in_turns(asked, seed));
    return response;
}

struct response ask_head_both_ways(const struct request_head *head, const char *body, size_t length, uint64_t seed) {
    struct response response = ask_head(head, body, length), in_turns = {0};
    do_in_turns(service_of(false), head, 0, body, length, seed, SIZE_MAX, &in_turns);
    insist_same_in_turns(&response, in_turns);
    return response;
}

void ask_and_leave(const struct asked *asked, uint64_t seed) {
    struct header headers[3];
    struct request_head head = head_of(asked, headers);
    struct response response = {0};
    if (do_in_turns(service_of(asked->tight), &head, asked->first_line, asked->body, asked->length, seed, seed % 64,
                    &response))
        response_clear(&response);
}
