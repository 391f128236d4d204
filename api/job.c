#include "api/job.h"

#include "api/answer/problem.h"
#include "api/game/game.h"
#include "api/json/check.h"
#include "api/json/tree.h"
#include "api/request/negotiate.h"
#include "base/assert.h"

#include <stdatomic.h>
#include <string.h>

/* One case of a job. Whoever does the case writes here, and nobody else. */
struct slot {
    const cJSON *json; /* NULL in a text request */
    void *text_case;   /* what the text was read into; NULL in a JSON request */
    struct buffer out;
    struct faults faults;
    uint64_t weight; /* what it takes of the limit on a request; once it is `weighed` */
    bool weighed;
};

struct job {
    const struct service *service;
    struct admission admission;
    const struct game *game;
    const void *limits; /* the game's own */
    struct arena *arena;
    char *body;
    size_t length;

    size_t held; /* bytes drawn from the account of trees */

    bool batch;
    struct slot *slots;
    size_t count;
    /* Faults of the request outside its cases, before and after them in the document. */
    struct faults before, after;
    enum problem problem; /* what faults make of the request */
    bool too_many_values;
    bool not_parsed;    /* cJSON refused what was found good: a fault of ours */
    enum format format; /* of the answer; FORMAT_NONE: no picture can be had, and nothing else is acceptable */

    /* Written by every thread that does a case. */
    atomic_bool faulty;          /* some case has a fault: the rest are only checked */
    atomic_bool no_memory;       /* some case could not be answered */
    atomic_size_t out_bytes;     /* of all slots; past the limit on answers the rest are only checked */
    atomic_uint_fast64_t weight; /* of all cases so far; past the limit on a request the rest are only checked */
};

/* Faults of a case in a link name its parameter. */
static void init_faults(const struct job *job, struct faults *faults) {
    faults_init(faults, job->service->account);
    faults->parameter = job->admission.link ? "case" : NULL;
}

struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length,
                    struct arena *arena) {
    struct job *job = arena_alloc(arena, sizeof *job);
    ASSERT(admission->game != NULL);
    if (job == NULL)
        return NULL;
    /* One byte order mark is skipped. */
    size_t mark = length >= 3 && memcmp(body, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    *job = (struct job){
        .service = service,
        .admission = *admission,
        .game = admission->game,
        .limits = limits_of(&service->limits, &admission->game->limits),
        .arena = arena,
        .body = mark != 0 ? body + mark : body, /* which may be none */
        .length = length - mark,
        .problem = PROBLEM_INVALID_CASE,
        .format = admission->answer,
    };
    init_faults(job, &job->before);
    init_faults(job, &job->after);
    return job;
}

/* The most bytes that the answer may have. */
static size_t most_answer_bytes(const struct job *job) {
    const struct response_limits *limits = job->service->answer;
    return (size_t)(job->admission.link && limits->max_link_answer_bytes < limits->max_answer_bytes
                        ? limits->max_link_answer_bytes
                        : limits->max_answer_bytes);
}

/* There can be no picture: the next best format. */
static void give_up_picture(struct job *job) {
    if (job->format == FORMAT_SVG)
        job->format = job->admission.undrawn;
}

size_t job_case_count(const struct job *job) { return job->count; }

static bool allocate_slots(struct job *job, size_t count) {
    job->slots = arena_calloc(job->arena, count, sizeof *job->slots);
    if (job->slots == NULL)
        return false;
    job->count = count;
    for (size_t i = 0; i < count; i++) {
        buffer_init(&job->slots[i].out, most_answer_bytes(job), job->service->account);
        init_faults(job, &job->slots[i].faults);
    }
    return true;
}

static void fail_memory(struct job *job) { atomic_store(&job->no_memory, true); }

/* ---- begin ---- */

/* Room for the cases of the array `cases`, or a fault. */
static void count_cases(struct job *job, const cJSON *cases, const struct place *here) {
    size_t count = cJSON_IsArray(cases) ? (size_t)cJSON_GetArraySize(cases) : 0;
    uint64_t most = job->service->request->max_cases;
    if (!cJSON_IsArray(cases))
        fault_at(&job->before, here, FAULT_TYPE, "cases is no array");
    else if (count == 0 || count > most)
        fault_at(&job->before, here, FAULT_LENGTH, "cases has %zu cases; 1 to %llu are allowed", count,
                 (unsigned long long)most);
    else if (!allocate_slots(job, count))
        fail_memory(job);
}

/* The cases of a batch, from the first member called "cases". Other members are faults. */
static void find_cases(struct job *job, const cJSON *root, const cJSON *cases) {
    const struct place body = {0}, here = {.parent = &body, .member = "cases"};
    struct faults *faults = &job->before;
    const cJSON *member;
    job->batch = true;
    give_up_picture(job);
    cJSON_ArrayForEach(member, root) {
        if (member == cases) {
            count_cases(job, cases, &here);
            faults = &job->after;
            continue;
        }
        if (strcmp(member->string, "cases") == 0) {
            fault_at(faults, &here, FAULT_DUPLICATE_MEMBER, "the batch has the member \"cases\" more than once");
            continue;
        }
        const struct place unknown = json_unknown_place(&body, member);
        fault_at(faults, &unknown, FAULT_UNKNOWN_MEMBER, "beside \"cases\" there is no member \"%s\"",
                 fault_quote_string(member->string).text);
    }
    size_t index = 0;
    if (job->count != 0)
        cJSON_ArrayForEach(member, cases)
            job->slots[index++].json = member;
    ASSERT(index == job->count);
}

static enum work_outcome begin_json(struct job *job, struct work *work) {
    /* Checking reads a byte in some nanoseconds; a node of the tree costs some 30 ns. */
    if (!work_charge(work, 2 + job->length / 8))
        return WORK_EXHAUSTED;
    struct json_report report = json_check(job->body, job->length);
    if (!report.good) {
        job->problem = PROBLEM_MALFORMED;
        fault_in_text(&job->before, job->body, report.offset, FAULT_SYNTAX, "%s", report.reason);
        return WORK_DONE;
    }
    if (report.values > job->service->request->max_json_values) {
        job->too_many_values = true;
        return WORK_DONE;
    }
    if (!work_charge(work, 4 * report.values))
        return WORK_EXHAUSTED;
    const cJSON *root = NULL;
    enum json_tree_end end = json_tree_parse(job->body, job->length, report.values, job->arena, &root);
    if (end != JSON_TREE_GOOD) {
        job->not_parsed = end == JSON_TREE_REFUSED;
        if (end == JSON_TREE_NO_MEMORY)
            fail_memory(job);
        return WORK_DONE;
    }
    /* A link holds a single case. */
    const cJSON *cases = job->admission.link ? NULL : json_find_member(root, "cases");
    if (cases != NULL)
        find_cases(job, root, cases);
    else if (allocate_slots(job, 1))
        job->slots[0].json = root;
    else
        fail_memory(job);
    return WORK_DONE;
}

/* Read all cases of a judge's text. The format has no way to find a case but to read those before it. */
static bool read_cases(struct job *job, struct text_reader *reader) {
    const struct game *game = job->game;
    uint64_t count;
    if (!game->read_head(reader, &count))
        return false;
    /* A case takes a byte and a blank at least: what cannot be there is not allocated, and its reading fails. */
    if (!allocate_slots(job, count < job->length ? (size_t)count : job->length)) {
        reader->outcome = WORK_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < job->count; i++) {
        void *the_case = job->slots[i].text_case = text_alloc(reader, 1, game->case_size);
        if (the_case == NULL || !game->read_case(reader, the_case))
            return false;
    }
    return text_read_end(reader);
}

static enum work_outcome begin_text(struct job *job, struct work *work) {
    struct text_reader reader = {
        .text = job->body,
        .length = job->length,
        .most_cases = job->service->request->max_cases,
        .limits = job->limits,
        .faults = &job->before,
        .arena = job->arena,
        .work = work,
    };
    if (!work_charge(work, 10 + job->length / 2))
        return WORK_EXHAUSTED;
    job->batch = true;
    if (!read_cases(job, &reader)) {
        job->count = 0;
        job->problem = reader.malformed ? PROBLEM_MALFORMED : PROBLEM_INVALID_CASE;
        if (reader.outcome == WORK_NO_MEMORY)
            fail_memory(job);
        if (reader.outcome == WORK_EXHAUSTED)
            return WORK_EXHAUSTED;
    }
    return WORK_DONE;
}

static enum work_outcome begin_sgf(struct job *job, struct work *work) {
    struct json_decode d = {.limits = job->limits, .faults = &job->before, .arena = job->arena, .work = work};
    bool malformed = false;
    if (!allocate_slots(job, 1) ||
        (job->slots[0].text_case = arena_calloc(job->arena, 1, job->game->case_size)) == NULL)
        d.outcome = WORK_NO_MEMORY;
    else
        job->game->read_sgf(&d, job->body, job->length, &malformed, job->slots[0].text_case);
    job->problem = malformed ? PROBLEM_MALFORMED : PROBLEM_INVALID_CASE;
    if (d.outcome == WORK_NO_MEMORY)
        fail_memory(job);
    if (d.outcome != WORK_DONE || job->before.count != 0)
        job->count = 0;
    return d.outcome == WORK_EXHAUSTED ? WORK_EXHAUSTED : WORK_DONE;
}

enum work_outcome job_begin(struct job *job, struct work *work) {
    enum work_outcome outcome = WORK_DONE;
    if (job->length == 0) {
        job->problem = PROBLEM_MALFORMED;
        fault_in_text(&job->before, job->body, 0, FAULT_SYNTAX,
                      job->admission.link ? "the case is empty" : "the body is empty");
    } else {
        outcome = job->admission.body == FORMAT_TEXT  ? begin_text(job, work)
                  : job->admission.body == FORMAT_SGF ? begin_sgf(job, work)
                                                      : begin_json(job, work);
    }
    if (job->before.count + job->after.count != 0)
        atomic_store(&job->faulty, true);
    /* Jobs that wait for their cases hold their trees: all of them together have a bound, too. */
    if (outcome == WORK_DONE && account_take(job->service->trees, job->arena->used))
        job->held = job->arena->used;
    else if (outcome == WORK_DONE)
        fail_memory(job);
    return outcome;
}

/* ---- cases ---- */

static uint64_t total_limit(const struct job *job) { return ((const uint64_t *)job->limits)[job->game->total_limit]; }

/* Decode a JSON case into `arena`; faults go to its slot. With `over_total` what weighs is a fault. NULL when there is
 * nothing to answer; *ret_outcome is WORK_DONE then, unless work gave out. */
static const void *decode_case(struct job *job, size_t index, bool over_total, struct arena *arena, struct work *work,
                               enum work_outcome *ret_outcome) {
    struct slot *slot = &job->slots[index];
    const struct place body = {0}, cases = {.parent = &body, .member = "cases"},
                       element = {.parent = &cases, .index = index};
    struct json_decode d = {
        .limits = job->limits,
        .faults = &slot->faults,
        .arena = arena,
        .work = work,
        .over_total = over_total,
    };
    void *the_case = arena_calloc(arena, 1, job->game->case_size);
    if (the_case == NULL)
        d.outcome = WORK_NO_MEMORY;
    else
        job->game->decode(&d, slot->json, job->batch ? &element : &body, the_case);
    *ret_outcome = d.outcome == WORK_EXHAUSTED ? WORK_EXHAUSTED : WORK_DONE;
    if (d.outcome == WORK_NO_MEMORY)
        fail_memory(job);
    if (d.outcome != WORK_DONE)
        return NULL;
    if (slot->faults.count != 0)
        atomic_store(&job->faulty, true);
    if (!slot->weighed) {
        slot->weighed = true;
        slot->weight = job->game->weigh(the_case);
        atomic_fetch_add(&job->weight, slot->weight);
    }
    return slot->faults.count == 0 ? the_case : NULL;
}

/* Does the client have the answer? Then the case is checked (what is refused is refused to those too), and no more. */
static bool is_unchanged(const struct job *job) {
    return job->format != FORMAT_NONE && job->admission.unchanged[job->format];
}

static bool is_over_total(struct job *job) {
    return atomic_load_explicit(&job->weight, memory_order_relaxed) > total_limit(job);
}

static bool is_only_checked(struct job *job) {
    return is_unchanged(job) || is_over_total(job) || atomic_load_explicit(&job->faulty, memory_order_relaxed) ||
           atomic_load_explicit(&job->no_memory, memory_order_relaxed) ||
           atomic_load_explicit(&job->out_bytes, memory_order_relaxed) > most_answer_bytes(job);
}

static enum work_outcome answer_case(struct job *job, size_t index, const void *the_case, struct arena *scratch,
                                     struct work *work) {
    struct buffer *out = &job->slots[index].out;
    struct game_question question = {
        .limits = job->limits,
        .format = job->format,
        .number = index + 1,
        .cases = job->batch ? job->count : 0,
        .most_bytes = most_answer_bytes(job),
        .arena = scratch,
        .work = work,
    };
    enum work_outcome outcome = job->game->answer(the_case, &question, out);
    if (outcome == WORK_DONE && !job->batch && job->format == FORMAT_JSON)
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

enum work_outcome job_case(struct job *job, size_t index, struct arena *scratch, struct work *work) {
    struct slot *slot = &job->slots[index];
    const void *the_case = slot->text_case;
    enum work_outcome outcome = WORK_DONE;
    ASSERT(index < job->count);
    if (the_case == NULL)
        the_case = decode_case(job, index, false, scratch, work, &outcome);
    if (the_case != NULL && job->format == FORMAT_SVG && !job->game->can_draw(the_case))
        give_up_picture(job); /* a picture is of one case: no other thread looks */
    if (the_case != NULL && job->format != FORMAT_NONE && !is_only_checked(job))
        outcome = answer_case(job, index, the_case, scratch, work);
    if (outcome == WORK_EXHAUSTED)
        faults_clear(&slot->faults);
    arena_reset(scratch);
    return outcome;
}

/* ---- finish ---- */

/* The case with which the request passes its limit on the sum is decoded once more, so that this fault stands among its
 * others in the order of the document. */
static void place_over_total(struct job *job) {
    struct work work = {.left = WORK_UNBOUNDED};
    enum work_outcome outcome;
    uint64_t total = 0;
    size_t index = 0;
    while (index < job->count && (total += job->slots[index].weight) <= total_limit(job))
        index++;
    ASSERT(index < job->count);
    faults_clear(&job->slots[index].faults);
    decode_case(job, index, true, job->arena, &work, &outcome);
    atomic_store(&job->faulty, true);
}

/* The answers of a batch in one block; each part is freed as it is copied. */
static enum buffer_state join(struct job *job, struct buffer *body) {
    bool json = job->format == FORMAT_JSON;
    size_t length = atomic_load(&job->out_bytes) + (json ? sizeof "{\"results\":[]}\n" - 1 + job->count - 1 : 0);
    buffer_init(body, most_answer_bytes(job), job->service->account);
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
    ASSERT(body->length == length);
    return body->state;
}

/* The bytes of the answer, all parts in one; the state says whether they can be had. */
static enum buffer_state take_body(struct job *job, struct buffer *ret_body) {
    *ret_body = (struct buffer){0};
    if (atomic_load(&job->out_bytes) > most_answer_bytes(job))
        return BUFFER_FULL;
    if (job->batch)
        return join(job, ret_body);
    *ret_body = job->slots[0].out;
    job->slots[0].out = (struct buffer){0};
    return BUFFER_GOOD;
}

/* An answer by link: how long it may be kept, and its tag. */
static void add_cache_headers(const struct job *job, struct response *response) {
    response_add_header(response, "Cache-Control", "public, max-age=86400");
    response_add_header(response, "ETag", job->service->tag[job->format]);
    if (!job->admission.fixed_format)
        response_add_header(response, "Vary", "Accept");
}

static void respond_answer(struct job *job, struct response *ret_response) {
    const struct response_cors *cors = &job->admission.cors;
    struct buffer body;
    enum buffer_state state = take_body(job, &body);
    if (state != BUFFER_GOOD) {
        buffer_clear(&body);
        if (state == BUFFER_FULL)
            problem_respond(PROBLEM_ANSWER_TOO_LARGE, cors, ret_response, "%s allows %zu bytes in an answer",
                            job->admission.link ? "max_link_answer_bytes" : "max_answer_bytes", most_answer_bytes(job));
        else
            problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
        return;
    }
    response_init(ret_response, cors, 200,
                  job->format == FORMAT_TEXT ? "text/plain; charset=utf-8" : negotiate_types[job->format]);
    if (job->format == FORMAT_SVG) {
        /* A picture may stand in any page, and does nothing there. */
        response_add_header(ret_response, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        response_add_header(ret_response, "Cross-Origin-Resource-Policy", "cross-origin");
    }
    if (job->admission.link)
        add_cache_headers(job, ret_response);
    else
        response_add_header(ret_response, "Vary", "Accept");
    response_take(ret_response, &body);
}

/* All lists of faults in the order of the document. */
static void respond_faults(struct job *job, struct response *ret_response) {
    const struct response_cors *cors = &job->admission.cors;
    struct faults **lists = arena_array(job->arena, job->count + 2, sizeof *lists);
    if (lists == NULL) {
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
        return;
    }
    lists[0] = &job->before;
    for (size_t i = 0; i < job->count; i++)
        lists[i + 1] = &job->slots[i].faults;
    lists[job->count + 1] = &job->after;
    problem_respond_faults(job->problem, lists, job->count + 2, cors, ret_response);
}

void job_finish(struct job *job, struct response *ret_response) {
    const struct response_cors *cors = &job->admission.cors;
    if (is_over_total(job))
        place_over_total(job);
    /* Without memory the list of faults may have gaps. */
    if (atomic_load(&job->no_memory))
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
    else if (job->not_parsed)
        problem_respond(PROBLEM_INTERNAL, cors, ret_response, "a body that is JSON was not parsed");
    else if (atomic_load(&job->faulty))
        respond_faults(job, ret_response);
    else if (job->too_many_values)
        problem_respond(PROBLEM_TOO_LARGE, cors, ret_response, "max_json_values allows %llu values",
                        (unsigned long long)job->service->request->max_json_values);
    else if (job->format == FORMAT_NONE) {
        problem_respond_not_acceptable(negotiate_answer_list(false), cors, ret_response);
        if (!job->admission.fixed_format)
            response_add_header(ret_response, "Vary", "Accept");
    } else if (is_unchanged(job)) {
        response_init(ret_response, cors, 304, NULL);
        add_cache_headers(job, ret_response);
    } else {
        respond_answer(job, ret_response);
    }
}

void job_clear(struct job *job) {
    if (job == NULL)
        return;
    for (size_t i = 0; i < job->count; i++) {
        buffer_clear(&job->slots[i].out);
        faults_clear(&job->slots[i].faults);
    }
    faults_clear(&job->before);
    faults_clear(&job->after);
    account_give(job->service->trees, job->held);
}
