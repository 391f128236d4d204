/* The way of a request: see api.h. */
#include "api/json/check.h"
#include "api/json/encode.h"
#include "api/json/tree.h"
#include "api/request/negotiate.h"
#include "api/request/routes.h"

#include "base/checked.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One case of a job. Whoever does the case writes here, and nobody else. */
struct slot {
    const cJSON *json; /* NULL in a text request */
    void *text_case;   /* what the text was read into; NULL in a JSON request */
    struct buffer out;
    struct faults faults;
};

struct api_job {
    const struct api *api;
    struct api_admission admission;
    struct arena *arena;
    char *body;
    size_t length;

    size_t held; /* bytes drawn from the account of trees */

    bool batch;
    struct slot *slots;
    size_t count;
    size_t over_total; /* the case with which the request passes its limit on the sum; SIZE_MAX: none */
    /* Faults of the request outside its cases, before and after them in the document. */
    struct faults before, after;
    enum problem problem; /* what faults make of the request */
    bool too_many_values;
    enum api_form form; /* of the answer; API_FORMS: no picture can be had, and nothing else is acceptable */

    /* Written by every thread that does a case. */
    atomic_bool faulty;      /* some case has a fault: the rest are only checked */
    atomic_bool no_memory;   /* some case could not be answered */
    atomic_size_t out_bytes; /* of all slots; past max_answer_bytes the rest are only checked */
};

void response_header(struct api_response *response, const char *name, const char *value) {
    response->headers[response->header_count++] = (struct api_header){name, value};
}

void response_init(const struct api *api, const struct api_admission *admission, unsigned status,
                   const char *content_type, struct api_response *ret_response) {
    *ret_response = (struct api_response){.status = status, .body = ""};
    if (content_type != NULL)
        response_header(ret_response, "Content-Type", content_type);
    response_header(ret_response, "X-Content-Type-Options", "nosniff");
    if (admission->allow_origin != NULL) {
        response_header(ret_response, "Access-Control-Allow-Origin", admission->allow_origin);
        response_header(ret_response, "Access-Control-Expose-Headers", "X-Request-Id, ETag, Retry-After");
    }
    if (!api->any_origin)
        response_header(ret_response, "Vary", "Origin");
}

void response_cacheable(const struct api *api, const struct api_admission *admission, enum api_form form,
                        struct api_response *response) {
    response_header(response, "Cache-Control", "public, max-age=86400");
    response_header(response, "ETag", api->etag[form]);
    if (!admission->fixed_form)
        response_header(response, "Vary", "Accept");
}

void response_take(struct api_response *response, struct buffer *body) {
    response->owned = *body;
    response->body = response->owned.data;
    response->length = response->owned.length;
    *body = (struct buffer){0};
}

void api_response_clear(struct api_response *response) {
    if (response != NULL)
        buffer_clear(&response->owned);
}

void put_result_head(struct buffer *out, const struct case_id *id) {
    if (id->json == NULL) {
        buffer_put_literal(out, "{");
        return;
    }
    buffer_put_literal(out, "{\"id\":");
    if (cJSON_IsString(id->json))
        put_json_string(out, id->json->valuestring, strlen(id->json->valuestring));
    else
        buffer_put_integer(out, (int64_t)id->json->valuedouble);
    buffer_put_literal(out, ",");
}

void api_respond_too_large(const struct api *api, const struct api_admission *admission,
                           struct api_response *ret_response) {
    respond_problem(api, admission, PROBLEM_TOO_LARGE, ret_response, "max_body_bytes allows %llu bytes in a body",
                    (unsigned long long)api->limits.max_body_bytes);
}

void api_respond_overloaded(const struct api *api, const struct api_admission *admission, const char *detail,
                            struct api_response *ret_response) {
    respond_problem(api, admission, PROBLEM_OVERLOADED, ret_response, "%s", detail);
}

void api_respond_well(const struct api *api, const struct api_admission *admission, struct api_response *ret_response) {
    static const char well[] = "{\"status\":\"ok\"}\n";
    response_init(api, admission, 200, "application/json", ret_response);
    ret_response->body = well;
    ret_response->length = sizeof well - 1;
}

/* "a, b" as a, b and an empty string, each terminated. */
static char *split_origins(const char *list) {
    char *origins = calloc(strlen(list) + 2, 1), *to = origins;
    if (origins == NULL)
        return NULL;
    while (*list != 0) {
        size_t length = strcspn(list, ", ");
        memcpy(to, list, length);
        to += length != 0 ? length + 1 : 0;
        list += length;
        list += strspn(list, ", ");
    }
    return origins;
}

static void write_limits(struct api *api) {
    struct buffer *out = &api->limits_json;
    for (size_t i = 0; i < api_limit_count; i++)
        buffer_printf(out, "%s\"%s\":%llu", i == 0 ? "{" : ",", api_limit_table[i].name,
                      (unsigned long long)*api_limit_value(&api->limits, &api_limit_table[i]));
    buffer_put_literal(out, "}\n");
}

/* One step of a hash over the bytes of a text (FNV-1a). */
static uint64_t mix(uint64_t hash, const char *text) {
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

/* What an answer by link depends on, beside its link: the program, the form, the limits. */
static void write_etags(struct api *api, const struct api_config *config) {
    /* Those that can change an answer to a case. */
    const uint64_t limits[] = {
        config->limits.max_moves,        config->limits.max_moves_total,      config->limits.max_pawn_cells,
        config->limits.max_mine_cells,   config->limits.max_pawn_cells_total, config->limits.max_mine_cells_total,
        config->limits.max_answer_bytes, config->limits.max_search_states,    config->limits.max_link_answer_bytes,
        config->limits.max_json_values,
    };
    for (int form = 0; form < API_FORMS; form++) {
        uint64_t hash = mix(mix(0xcbf29ce484222325u, config->version), config->commit);
        hash = mix(hash, form_types[form]);
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
            hash = (hash ^ limits[i]) * 0x100000001b3u;
        snprintf(api->etag[form], sizeof api->etag[form], "\"%016llx\"", (unsigned long long)hash);
    }
}

struct api *api_new(const struct api_config *config) {
    struct api *api = calloc(1, sizeof *api);
    if (api == NULL)
        return NULL;
    json_tree_prepare();
    api->limits = config->limits;
    api->account = config->account;
    api->trees = config->trees;
    api->any_origin = strcmp(config->cors_origins, "*") == 0;
    api->cors_origins = split_origins(config->cors_origins);
    buffer_init(&api->limits_json, SIZE_MAX, NULL);
    buffer_init(&api->version_json, SIZE_MAX, NULL);
    write_limits(api);
    write_etags(api, config);
    buffer_printf(&api->version_json, "{\"name\":\"arbiter\",\"version\":\"%s\",\"commit\":\"%s\"}\n", config->version,
                  config->commit);
    if (api->cors_origins == NULL || api->limits_json.state != BUFFER_GOOD || api->version_json.state != BUFFER_GOOD) {
        api_free(api);
        return NULL;
    }
    return api;
}

void api_free(struct api *api) {
    if (api == NULL)
        return;
    free(api->cors_origins);
    buffer_clear(&api->limits_json);
    buffer_clear(&api->version_json);
    free(api);
}

size_t api_most_tree_bytes(const struct api_limits *limits) {
    size_t most = SIZE_MAX / 8, bytes = most;
    if (limits->max_json_values < most / 128 && limits->max_body_bytes < most / 4)
        bytes = (size_t)limits->max_json_values * 128 + (size_t)limits->max_body_bytes * 2;
    /* A text of small cases is decoded into less than this. */
    return bytes < ((size_t)64 << 20) ? (size_t)64 << 20 : bytes;
}

const struct api_limits *api_limits_of(const struct api *api) { return &api->limits; }

/* Faults of a case in a link name its parameter. */
static void init_faults(const struct api_job *job, struct faults *faults) {
    faults_init(faults, job->api->account);
    faults->parameter = job->admission.link ? "case" : NULL;
}

struct api_job *api_job_new(const struct api *api, const struct api_admission *admission, char *body, size_t length,
                            struct arena *arena) {
    struct api_job *job = arena_alloc(arena, sizeof *job);
    if (job == NULL)
        return NULL;
    /* One byte order mark is skipped. */
    size_t mark = length >= 3 && memcmp(body, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *job = (struct api_job){
        .api = api,
        .admission = *admission,
        .arena = arena,
        .body = mark != 0 ? body + mark : body, /* which may be none */
        .length = length - mark,
        .over_total = SIZE_MAX,
        .problem = PROBLEM_INVALID_CASE,
        .form = admission->answer,
    };
    init_faults(job, &job->before);
    init_faults(job, &job->after);
    return job;
}

/* The most bytes that the answer may have. */
static size_t most_answer_bytes(const struct api_job *job) {
    const struct api_limits *limits = &job->api->limits;
    return (size_t)(job->admission.link && limits->max_link_answer_bytes < limits->max_answer_bytes
                        ? limits->max_link_answer_bytes
                        : limits->max_answer_bytes);
}

/* There can be no picture: the next best form. */
static void give_up_picture(struct api_job *job) {
    if (job->form == API_SVG)
        job->form = job->admission.undrawn;
}

size_t api_case_count(const struct api_job *job) { return job->count; }

static bool allocate_slots(struct api_job *job, size_t count) {
    job->slots = arena_calloc(job->arena, count, sizeof *job->slots);
    if (job->slots == NULL)
        return false;
    job->count = count;
    for (size_t i = 0; i < count; i++) {
        buffer_init(&job->slots[i].out, most_answer_bytes(job), job->api->account);
        init_faults(job, &job->slots[i].faults);
    }
    return true;
}

static void fail_memory(struct api_job *job) { atomic_store(&job->no_memory, true); }

/* The cases of a batch, from the first member called "cases". Other members are faults. */
static void find_cases(struct api_job *job, const cJSON *root, const cJSON *cases) {
    const struct place body = {0}, here = {.parent = &body, .member = "cases"};
    struct faults *faults = &job->before;
    const cJSON *member;
    job->batch = true;
    give_up_picture(job);
    cJSON_ArrayForEach(member, root) {
        if (member == cases) {
            size_t count = cJSON_IsArray(cases) ? (size_t)cJSON_GetArraySize(cases) : 0;
            if (!cJSON_IsArray(cases))
                fault_at(faults, &here, FAULT_TYPE, "cases is no array");
            else if (count == 0 || count > job->api->limits.max_cases)
                fault_at(faults, &here, FAULT_LENGTH, "cases has %zu cases; 1 to %llu are allowed", count,
                         (unsigned long long)job->api->limits.max_cases);
            else if (!allocate_slots(job, count))
                fail_memory(job);
            faults = &job->after;
            continue;
        }
        if (strcmp(member->string, "cases") == 0) {
            fault_at(faults, &here, FAULT_DUPLICATE_MEMBER, "the batch has the member \"cases\" more than once");
            continue;
        }
        size_t length = strlen(member->string);
        const struct place unknown = {.parent = &body, .member = member->string};
        fault_at(faults, length > 64 ? &body : &unknown, FAULT_UNKNOWN_MEMBER,
                 "beside \"cases\" there is no member \"%s\"", quote(member->string, length).text);
    }
    size_t index = 0;
    if (job->count != 0)
        cJSON_ArrayForEach(member, cases)
            job->slots[index++].json = member;
}

static uint64_t total_limit(const struct api_job *job) {
    return *(const uint64_t *)((const char *)&job->api->limits + job->admission.game->total_offset);
}

static void find_over_total(struct api_job *job) {
    uint64_t total = 0;
    for (size_t i = 0; i < job->count && job->over_total == SIZE_MAX; i++) {
        total += job->admission.game->weigh(&job->api->limits, job->slots[i].json);
        if (total > total_limit(job))
            job->over_total = i;
    }
}

static enum work_outcome begin_json(struct api_job *job, struct work *work) {
    /* Checking reads a byte in some nanoseconds; a node of the tree costs some 30 ns. */
    if (!work_charge(work, 2 + job->length / 8))
        return WORK_EXHAUSTED;
    struct json_report report = json_check(job->body, job->length);
    if (!report.good) {
        job->problem = PROBLEM_MALFORMED;
        fault_in_text(&job->before, job->body, report.offset, FAULT_SYNTAX, "%s", report.reason);
        return WORK_DONE;
    }
    if (report.values > job->api->limits.max_json_values) {
        job->too_many_values = true;
        return WORK_DONE;
    }
    if (!work_charge(work, 4 * report.values))
        return WORK_EXHAUSTED;
    const cJSON *root = json_tree_parse(job->body, job->length, report.values, job->arena);
    if (root == NULL) {
        fail_memory(job);
        return WORK_DONE;
    }
    /* A link holds a single case. */
    const cJSON *cases = job->admission.link ? NULL : find_member(root, "cases");
    if (cases != NULL)
        find_cases(job, root, cases);
    else if (allocate_slots(job, 1))
        job->slots[0].json = root;
    else
        fail_memory(job);
    find_over_total(job);
    return WORK_DONE;
}

/* Read all cases of a judge's text. The format has no way to find a case but to read those before it. */
static bool read_cases(struct api_job *job, struct reader *reader) {
    const struct game *game = job->admission.game;
    uint64_t count;
    if (!game->read_head(reader, &count))
        return false;
    /* A case takes a byte and a blank at least: what cannot be there is not allocated, and its reading fails. */
    if (!allocate_slots(job, count < job->length ? (size_t)count : job->length)) {
        reader->outcome = WORK_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < job->count; i++) {
        void *the_case = job->slots[i].text_case = reader_alloc(reader, 1, game->case_size);
        if (the_case == NULL || !game->read_case(reader, the_case))
            return false;
    }
    return read_end(reader);
}

static enum work_outcome begin_text(struct api_job *job, struct work *work) {
    struct reader reader = {
        .text = job->body,
        .length = job->length,
        .limits = &job->api->limits,
        .faults = &job->before,
        .arena = job->arena,
    };
    if (!work_charge(work, 10 + job->length / 2))
        return WORK_EXHAUSTED;
    job->batch = true;
    if (!read_cases(job, &reader)) {
        job->count = 0;
        job->problem = reader.problem;
        if (reader.outcome == WORK_NO_MEMORY)
            fail_memory(job);
    }
    return WORK_DONE;
}

static enum work_outcome begin_sgf(struct api_job *job, struct work *work) {
    const struct game *game = job->admission.game;
    struct decode d = {.limits = &job->api->limits, .faults = &job->before, .arena = job->arena, .work = work};
    if (!allocate_slots(job, 1) || (job->slots[0].text_case = arena_calloc(job->arena, 1, game->case_size)) == NULL)
        d.outcome = WORK_NO_MEMORY;
    else
        game->read_sgf(&d, job->body, job->length, &job->problem, job->slots[0].text_case);
    if (d.outcome == WORK_NO_MEMORY)
        fail_memory(job);
    if (d.outcome != WORK_DONE || job->before.count != 0)
        job->count = 0;
    return d.outcome == WORK_EXHAUSTED ? WORK_EXHAUSTED : WORK_DONE;
}

enum work_outcome api_begin(struct api_job *job, struct work *work) {
    enum work_outcome outcome = WORK_DONE;
    if (job->length == 0) {
        job->problem = PROBLEM_MALFORMED;
        fault_in_text(&job->before, job->body, 0, FAULT_SYNTAX,
                      job->admission.link ? "the case is empty" : "the body is empty");
    } else {
        outcome = job->admission.body == API_TEXT  ? begin_text(job, work)
                  : job->admission.body == API_SGF ? begin_sgf(job, work)
                                                   : begin_json(job, work);
    }
    if (job->before.count + job->after.count != 0)
        atomic_store(&job->faulty, true);
    /* Jobs that wait for their cases hold their trees: all of them together have a bound, too. */
    if (outcome == WORK_DONE && account_take(job->api->trees, job->arena->used))
        job->held = job->arena->used;
    else if (outcome == WORK_DONE)
        fail_memory(job);
    return outcome;
}

/* Decode a JSON case. NULL when there is nothing to answer; *ret_outcome is WORK_DONE then, unless work gave out. */
static const void *decode_case(struct api_job *job, size_t index, struct arena *scratch, struct work *work,
                               enum work_outcome *ret_outcome) {
    const struct game *game = job->admission.game;
    struct slot *slot = &job->slots[index];
    const struct place body = {0}, cases = {.parent = &body, .member = "cases"},
                       element = {.parent = &cases, .index = index};
    struct decode d = {
        .limits = &job->api->limits,
        .faults = &slot->faults,
        .arena = scratch,
        .work = work,
        .over_total = index == job->over_total,
    };
    void *the_case = arena_calloc(scratch, 1, game->case_size);
    if (the_case == NULL)
        d.outcome = WORK_NO_MEMORY;
    else
        game->decode(&d, slot->json, job->batch ? &element : &body, the_case);
    *ret_outcome = d.outcome == WORK_EXHAUSTED ? WORK_EXHAUSTED : WORK_DONE;
    if (d.outcome == WORK_NO_MEMORY)
        fail_memory(job);
    if (slot->faults.count != 0)
        atomic_store(&job->faulty, true);
    return d.outcome == WORK_DONE && slot->faults.count == 0 ? the_case : NULL;
}

/* Positions that a case may visit: in a batch they share a larger number. */
static uint64_t search_states(const struct api_job *job) {
    const uint64_t batch_states = 4000000;
    uint64_t most = job->api->limits.max_search_states;
    return job->batch && batch_states / job->count < most ? batch_states / job->count : most;
}

/* Does the client have the answer? Then the case is checked (what is refused is refused to those too), and no more. */
static bool is_unchanged(const struct api_job *job) {
    return job->form != API_FORMS && job->admission.unchanged[job->form];
}

static bool is_only_checked(struct api_job *job) {
    return is_unchanged(job) || atomic_load_explicit(&job->faulty, memory_order_relaxed) ||
           atomic_load_explicit(&job->no_memory, memory_order_relaxed) ||
           atomic_load_explicit(&job->out_bytes, memory_order_relaxed) > most_answer_bytes(job);
}

static enum work_outcome answer_case(struct api_job *job, size_t index, const void *the_case, struct arena *scratch,
                                     struct work *work) {
    struct buffer *out = &job->slots[index].out;
    struct answering a = {
        .limits = &job->api->limits,
        .form = job->form,
        .number = index + 1,
        .search_states = search_states(job),
        .arena = scratch,
        .work = work,
    };
    enum work_outcome outcome = job->admission.game->answer(the_case, &a, out);
    if (outcome == WORK_DONE && !job->batch && a.form == API_JSON)
        buffer_put_literal(out, "\n");
    if (outcome == WORK_EXHAUSTED) {
        buffer_clear(out);
        return WORK_EXHAUSTED;
    }
    if (outcome == WORK_NO_MEMORY || out->state == BUFFER_NO_MEMORY)
        fail_memory(job);
    /* A full buffer stands for more than may be sent. */
    size_t bytes = out->state == BUFFER_FULL ? most_answer_bytes(job) + 1 : out->length;
    atomic_fetch_add_explicit(&job->out_bytes, bytes, memory_order_relaxed);
    return WORK_DONE;
}

enum work_outcome api_case(struct api_job *job, size_t index, struct arena *scratch, struct work *work) {
    struct slot *slot = &job->slots[index];
    const void *the_case = slot->text_case;
    enum work_outcome outcome = WORK_DONE;
    if (the_case == NULL)
        the_case = decode_case(job, index, scratch, work, &outcome);
    if (the_case != NULL && job->form == API_SVG && !job->admission.game->can_draw(the_case))
        give_up_picture(job); /* a picture is of one case: no other thread looks */
    if (the_case != NULL && job->form != API_FORMS && !is_only_checked(job))
        outcome = answer_case(job, index, the_case, scratch, work);
    if (outcome == WORK_EXHAUSTED)
        faults_clear(&slot->faults), slot->faults.count = 0;
    arena_reset(scratch);
    return outcome;
}

static bool is_too_large(const struct api_job *job, size_t length) { return length > most_answer_bytes(job); }

/* The answers of a batch in one block; each part is freed as it is copied. */
static enum buffer_state join(struct api_job *job, struct buffer *body) {
    bool json = job->form == API_JSON;
    size_t length = atomic_load(&job->out_bytes) + (json ? sizeof "{\"results\":[]}\n" - 1 + job->count - 1 : 0);
    buffer_init(body, most_answer_bytes(job), job->api->account);
    if (!buffer_reserve(body, length))
        return body->state;
    if (json)
        buffer_put_literal(body, "{\"results\":[");
    for (size_t i = 0; i < job->count; i++) {
        if (json && i != 0)
            buffer_put_char(body, ',');
        buffer_put(body, job->slots[i].out.data, job->slots[i].out.length);
        buffer_clear(&job->slots[i].out);
    }
    if (json)
        buffer_put_literal(body, "]}\n");
    return body->state;
}

static void respond_answer(struct api_job *job, struct api_response *ret_response) {
    static const char *const types[API_FORMS] = {
        [API_JSON] = "application/json", [API_TEXT] = "text/plain; charset=utf-8", [API_SVG] = "image/svg+xml"};
    struct buffer body = {0};
    enum buffer_state state = BUFFER_FULL;
    if (!is_too_large(job, atomic_load(&job->out_bytes))) {
        if (job->batch) {
            state = join(job, &body);
        } else {
            body = job->slots[0].out;
            job->slots[0].out = (struct buffer){0};
            state = BUFFER_GOOD;
        }
    }
    if (state != BUFFER_GOOD) {
        buffer_clear(&body);
        if (state == BUFFER_FULL)
            respond_problem(job->api, &job->admission, PROBLEM_ANSWER_TOO_LARGE, ret_response,
                            "%s allows %zu bytes in an answer",
                            job->admission.link ? "max_link_answer_bytes" : "max_answer_bytes", most_answer_bytes(job));
        else
            api_respond_overloaded(job->api, &job->admission, "memory is exhausted", ret_response);
        return;
    }
    response_init(job->api, &job->admission, 200, types[job->form], ret_response);
    if (job->form == API_SVG) {
        /* A picture may stand in any page, and does nothing there. */
        response_header(ret_response, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        response_header(ret_response, "Cross-Origin-Resource-Policy", "cross-origin");
    }
    if (job->admission.link)
        response_cacheable(job->api, &job->admission, job->form, ret_response);
    else
        response_header(ret_response, "Vary", "Accept");
    response_take(ret_response, &body);
}

/* All lists of faults in the order of the document. */
static void respond_job_faults(struct api_job *job, struct api_response *ret_response) {
    struct faults **lists = arena_array(job->arena, job->count + 2, sizeof *lists);
    if (lists == NULL) {
        api_respond_overloaded(job->api, &job->admission, "memory is exhausted", ret_response);
        return;
    }
    lists[0] = &job->before;
    for (size_t i = 0; i < job->count; i++)
        lists[i + 1] = &job->slots[i].faults;
    lists[job->count + 1] = &job->after;
    respond_faults(job->api, &job->admission, job->problem, lists, job->count + 2, ret_response);
}

void api_finish(struct api_job *job, struct api_response *ret_response) {
    /* Without memory the list of faults may have gaps. */
    if (atomic_load(&job->no_memory))
        api_respond_overloaded(job->api, &job->admission, "memory is exhausted", ret_response);
    else if (atomic_load(&job->faulty))
        respond_job_faults(job, ret_response);
    else if (job->too_many_values)
        respond_problem(job->api, &job->admission, PROBLEM_TOO_LARGE, ret_response,
                        "max_json_values allows %llu values", (unsigned long long)job->api->limits.max_json_values);
    else if (job->form == API_FORMS) {
        respond_not_acceptable(job->api, &job->admission, answer_list(false), ret_response);
        if (!job->admission.fixed_form)
            response_header(ret_response, "Vary", "Accept");
    } else if (is_unchanged(job)) {
        response_init(job->api, &job->admission, 304, NULL, ret_response);
        response_cacheable(job->api, &job->admission, job->form, ret_response);
    } else {
        respond_answer(job, ret_response);
    }
}

void api_job_clear(struct api_job *job) {
    if (job == NULL)
        return;
    for (size_t i = 0; i < job->count; i++) {
        buffer_clear(&job->slots[i].out);
        faults_clear(&job->slots[i].faults);
    }
    faults_clear(&job->before);
    faults_clear(&job->after);
    account_give(job->api->trees, job->held);
}

/* A job whose body has been admitted, done on this thread. */
static void do_job(const struct api *api, const struct api_admission *admission, char *body, size_t length,
                   struct api_response *ret_response) {
    struct arena arena, scratch;
    struct work work = {.left = WORK_UNBOUNDED};
    arena_init(&arena, ARENA_NO_CAP);
    arena_init(&scratch, ARENA_NO_CAP);
    struct api_job *job = api_job_new(api, admission, body, length, &arena);
    if (job == NULL) {
        api_respond_overloaded(api, admission, "memory is exhausted", ret_response);
    } else {
        api_begin(job, &work);
        for (size_t i = 0; i < job->count; i++)
            api_case(job, i, &scratch, &work);
        api_finish(job, ret_response);
        api_job_clear(job);
    }
    arena_clear(&arena);
    arena_clear(&scratch);
}

void api_handle(const struct api *api, const struct api_head *head, char *body, size_t length,
                struct api_response *ret_response) {
    struct api_admission admission;
    struct buffer from_head;
    switch (api_admit(api, head, &admission, ret_response, &from_head)) {
    case API_ANSWER:
        return;
    case API_HAS_BODY:
        do_job(api, &admission, from_head.data, from_head.length, ret_response);
        buffer_clear(&from_head);
        return;
    case API_PROBE:
        api_respond_well(api, &admission, ret_response);
        return;
    case API_READ_BODY:
        break;
    }
    if (length > api->limits.max_body_bytes)
        api_respond_too_large(api, &admission, ret_response);
    else
        do_job(api, &admission, body, length, ret_response);
}
