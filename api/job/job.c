#include "api/job/job.h"

#include "api/answer/problem.h"
#include "api/job/answer.h"
#include "api/job/cases.h"
#include "api/job/solve.h"
#include "api/job/source_records.h"
#include "api/job/state.h"
#include "api/text/reader.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* In the order of struct job_limits. */
static const struct limit limits[] = {
    {"max_stream_bytes", "bytes of solved lines that wait for their reader", (uint64_t)1 << 20, (uint64_t)1 << 20,
     LIMIT_MAX, false},
};
LIMITS_MATCH(limits, struct job_limits);
const struct limit_group job_limits = {limits, sizeof limits / sizeof *limits};

enum {
    WINDOW = 256, /* cases */
    /* Bytes that are not charged for a small body: of its answer, of its results, and of a collection. */
    UNCHARGED_ANSWER = 64 << 10,
    UNCHARGED_PARTS = 64 << 10,
    UNCHARGED_COLLECTION = 32 << 10,
};

_Static_assert(JOB_MIN_WORK >= (int)SOURCE_MIN_WORK, "a budget that is enough for the source");

/* ---- begin and end ---- */

struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length) {
    struct job *job = malloc(sizeof *job);
    ASSERT(admission->game != NULL);
    if (job == NULL)
        return NULL;
    /* A byte order mark is skipped, except in a record, where it shows the encoding. */
    bool may_be_marked = admission->first_line == 0 && admission->body != FORMAT_SGF;
    size_t mark = may_be_marked ? utf8_mark_length(body, length) : 0;
    bool may_be_json = admission->body == FORMAT_TEXT && admission->answer_to_json != FORMAT_NONE;
    *job = (struct job){
        .service = service,
        .admission = admission,
        .limits = limits_of(&service->limits, &job_limits),
        .stage = may_be_json ? STAGE_DETECT : STAGE_CHECK,
        .format = admission->answer,
        .source = source_new(cases_formats[admission->body], service, admission, mark != 0 ? body + mark : body,
                             length - mark),
    };
    if (job->source == NULL) {
        free(job);
        return NULL;
    }
    buffer_init(&job->joined, state_max_answer_bytes(job), service->account);
    buffer_init(&job->id, SIZE_MAX, NULL);
    workspace_init(&job->collection, service->account, 0, true);
    if (source_is_small(job->source)) {
        job->joined.uncharged = UNCHARGED_ANSWER;
        job->collection.reading.uncharged = UNCHARGED_COLLECTION;
    }
    return job;
}

/* Free the window and the results in it. */
static void close_window(struct job *job) {
    for (size_t s = 0; s < job->window; s++) {
        buffer_clear(&job->slots[s].out);
        fault_list_clear(&job->slots[s].faults);
    }
    if (job->slots != &job->single)
        free(job->slots);
    job->slots = NULL;
    job->window = 0;
}

void job_free(struct job *job) {
    if (job == NULL)
        return;
    close_window(job);
    workspace_clear(&job->collection);
    buffer_clear(&job->joined);
    buffer_clear(&job->id);
    response_clear(&job->response);
    source_free(job->source);
    free(job);
}

/* The largest number of cases. A valid case in lines takes at least three bytes, of which one is its line feed; the
 * last line may lack that. Invalid ones may be shorter; then the window is smaller than the number of cases, which is
 * allowed. */
static size_t max_cases(const struct source *source) {
    return source->count != SIZE_MAX ? source->count : source->length / 3 + 1;
}

/* Allocate the window. False when memory is exhausted. */
static bool open_window(struct job *job) {
    const struct source *source = job->source;
    size_t max = max_cases(source), window = max < WINDOW ? max : WINDOW;
    job->slots = window == 1 ? &job->single : calloc(window, sizeof *job->slots);
    if (job->slots == NULL)
        return false;
    job->window = window;
    for (size_t s = 0; s < window; s++) {
        buffer_init(&job->slots[s].out, state_max_answer_bytes(job), job->service->account);
        job->slots[s].out.uncharged = source_is_small(source) ? UNCHARGED_PARTS / window : 0;
        source_init_faults(source, &job->slots[s].faults);
    }
    return true;
}

/* Find out whether a text is JSON, because many programs send JSON as text/plain. */
static enum outcome detect(struct job *job, struct work *work) {
    const struct source *text = job->source;
    for (bool found = false; !found;) {
        size_t begin = job->blanks, left = text->length - begin;
        size_t end = left < SOURCE_STEP ? text->length : begin + SOURCE_STEP;
        while (job->blanks < end && ascii_is_space(text->bytes[job->blanks]))
            job->blanks++;
        found = job->blanks < end || end == text->length;
        /* Charged afterwards, so that each call makes progress, and a text without blanks costs nothing. */
        source_pay_afterwards(work, (job->blanks - begin) / 8);
        if (!found && !work_charge(work, 1))
            return work_failure(work);
    }
    if (job->blanks == text->length || text->bytes[job->blanks] != '{')
        return OUTCOME_DONE;
    struct source *json =
        source_new(cases_formats[FORMAT_JSON], job->service, job->admission, text->bytes, text->length);
    if (json == NULL)
        return OUTCOME_NO_MEMORY;
    source_free(job->source);
    job->source = json;
    job->format = job->admission->answer_to_json;
    return OUTCOME_DONE;
}

/* Refuse an empty body. If it is the last slice of a longer body, it may be empty: then its source reports a missing
 * case at its line. */
static bool refuse_empty(struct source *source) {
    if (source->length != 0 || source->admission->first_line > 1)
        return false;
    fault_in_text(&source->faults, source->bytes, 0, FAULT_SYNTAX,
                  source->admission->link ? "the case is empty" : "the body is empty");
    source_refuse(source, PROBLEM_MALFORMED);
    return true;
}

/* The body is checked as far as needed before the first case; `outcome` is final. */
static void end_check(struct job *job, enum outcome outcome) {
    const struct source *source = job->source;
    if (source->mode != MODE_SINGLE)
        state_give_up_picture(job);
    if (outcome == OUTCOME_DONE && !source->ended && !open_window(job))
        outcome = OUTCOME_NO_MEMORY;
    if (state_is_failure(outcome))
        state_fail(job, outcome);
    job->stage = outcome != OUTCOME_DONE || source->ended ? STAGE_REFUSED : STAGE_CASES;
    if (source->faults.count + source->faults_after.count != 0)
        atomic_store(&job->faulty, true);
}

enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work) {
    enum outcome outcome = OUTCOME_DONE;
    ASSERT(job->stage == STAGE_DETECT || job->stage == STAGE_CHECK);
    if (!refuse_empty(job->source)) {
        if (job->stage == STAGE_DETECT && (outcome = detect(job, work)) == OUTCOME_DONE)
            job->stage = STAGE_CHECK;
        if (outcome == OUTCOME_DONE)
            outcome = job->source->format->open(job->source, workspace, work);
        if (outcome != OUTCOME_DONE && !state_is_failure(outcome))
            return outcome;
    }
    end_check(job, outcome);
    return OUTCOME_DONE;
}

/* ---- taking ---- */

static struct slot *slot_of(const struct job *job, size_t number) { return &job->slots[number % job->window]; }

/* Find the first case of the window that must be done again in a lane; `found` when there is none. */
static size_t find_again(const struct job *job, enum job_lane lane) {
    size_t number = job->first;
    for (; number < job->source->found; number++)
        if (slot_of(job, number)->state == SLOT_AGAIN && slot_of(job, number)->lane == lane)
            break;
    return number;
}

/* May another case be taken? No while a stream holds too many unread lines. */
static bool has_space(const struct job *job) {
    return job->stage == STAGE_CASES && !job->source->ended && job->source->found - job->first < job->window &&
           (job->source->mode != MODE_STREAM || job->held < job->limits->max_stream_bytes);
}

bool job_has_turn(const struct job *job, enum job_lane lane) {
    return (job->pending != 0 && find_again(job, lane) < job->source->found) || (lane == JOB_SHORT && has_space(job));
}

/* End the job: no further case is taken. */
static void give_up(struct job *job, enum outcome why) {
    state_fail(job, why);
    job->source->ended = true;
    if (job->source->mode == MODE_STREAM)
        job->stage = STAGE_BROKEN;
}

static void enter(struct job *job, size_t number, const struct case_position *position) {
    struct slot *slot = slot_of(job, number);
    ASSERT(slot->state == SLOT_FREE && slot->out.length == 0 && slot->faults.count == 0);
    slot->state = SLOT_TAKEN;
    slot->lane = JOB_SHORT;
    slot->over_total = false;
    slot->position = *position;
    slot->faults.line = job->source->mode == MODE_BATCH ? position->line : 0;
    slot->problem = PROBLEM_NONE;
    slot->values = slot->size = 0;
    slot->collection = NULL;
    job->pending++;
}

bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome) {
    struct source *source = job->source;
    struct case_position position;
    size_t number = job->pending != 0 ? find_again(job, lane) : source->found;
    *ret_outcome = OUTCOME_DONE;
    *ret_turn = (struct job_turn){.number = number};
    if (number < source->found) {
        slot_of(job, number)->state = SLOT_TAKEN;
        return true;
    }
    if (lane != JOB_SHORT || !has_space(job))
        return false;
    enum outcome outcome = source->format->next(source, workspace, work, &position, &ret_turn->the_case);
    if (state_is_failure(outcome)) {
        give_up(job, outcome);
    } else if (outcome != OUTCOME_DONE) {
        *ret_outcome = outcome;
    } else if (source->found != number) {
        enter(job, number, &position);
        return true;
    } else if (source->problem != PROBLEM_NONE) {
        atomic_store(&job->faulty, true);
    }
    return false;
}

void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane) {
    struct slot *slot = slot_of(job, turn->number);
    ASSERT(slot->state == SLOT_TAKEN);
    slot->state = SLOT_AGAIN;
    slot->lane = lane;
}

/* ---- doing ---- */

enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work) {
    struct slot *slot = slot_of(job, turn->number);
    ASSERT(slot->state == SLOT_TAKEN);
    return solve_do(job, slot, turn, workspace, work);
}

/* ---- delivering ---- */

/* Free the slot for another case. */
static void release(struct job *job, struct slot *slot) {
    size_t uncharged = slot->out.uncharged;
    buffer_clear(&slot->out);
    fault_list_clear(&slot->faults);
    buffer_init(&slot->out, state_max_answer_bytes(job), job->service->account);
    slot->out.uncharged = uncharged;
    slot->state = SLOT_FREE;
    job->done_bytes = slot->position.begin;
    job->first++;
}

/* The batch exceeds the limit on the sum of sizes at this case. The case is read again, so that this fault is among
 * its other faults in the order of the document. That takes as long as reading it the first time, so it is a step of
 * its own. */
static void ask_for_position(struct job *job, struct slot *slot) {
    buffer_clear(&slot->out);
    fault_list_clear(&slot->faults);
    buffer_clear(&job->id);
    slot->over_total = true;
    slot->state = SLOT_AGAIN;
    job->pending++;
    atomic_store(&job->faulty, true);
}

/* Add the faults of a case to those of the body. After a malformed case all other faults are dropped. */
static void join_faults(struct job *job, struct slot *slot) {
    struct source *source = job->source;
    if (slot->problem == PROBLEM_MALFORMED) {
        fault_list_clear(&source->faults);
        source_refuse(source, PROBLEM_MALFORMED);
    } else if (job->values > job->service->request->max_json_values) {
        source->problem = PROBLEM_TOO_LARGE; /* later lines are still checked, because a malformed one is reported
                                              * instead */
        atomic_store(&job->faulty, true);
    }
    fault_list_append(&source->faults, &slot->faults);
}

/* Does the batch exceed the limit on the sum at this case, and is the position of that fault not known yet? */
static bool exceeds_total(const struct job *job, const struct slot *slot) {
    uint64_t limit = state_total_limit(job);
    return job->source->problem != PROBLEM_MALFORMED && !slot->over_total && job->total_size <= limit &&
           slot->size > limit - job->total_size;
}

/* Join the result of the first case in the window to the results before it. */
static void join(struct job *job, struct slot *slot) {
    job->values += slot->values;
    job->total_size += slot->size;
    if (job->source->problem != PROBLEM_MALFORMED)
        join_faults(job, slot);
    if (job->source->mode == MODE_SINGLE) /* its result is the whole answer */
        return;
    if (solve_is_off(job))
        return;
    if (job->format == FORMAT_JSON)
        buffer_put_string(&job->joined, job->joined.length == 0 ? "{\"results\":[" : ",");
    buffer_put(&job->joined, slot->out.data, slot->out.length);
}

/* The single case was a collection: replace the source by one of its games. */
static void open_collection(struct job *job, const void *collection) {
    struct source *games = source_games_new(job->source, collection);
    state_give_up_picture(job);
    if (games == NULL) {
        give_up(job, OUTCOME_NO_MEMORY);
        return;
    }
    close_window(job);
    job->single = (struct slot){.state = SLOT_FREE};
    source_free(job->source);
    job->source = games;
    if (!open_window(job))
        give_up(job, OUTCOME_NO_MEMORY);
}

void job_deliver(struct job *job, const struct job_turn *turn) {
    struct slot *slot = slot_of(job, turn->number);
    ASSERT(slot->state == SLOT_TAKEN && job->pending != 0);
    slot->state = SLOT_DONE;
    job->pending--;
    if (slot->collection != NULL) {
        open_collection(job, slot->collection);
        return;
    }
    if (job->source->mode == MODE_STREAM) {
        job->held += slot->out.capacity;
        if (slot->out.outcome != OUTCOME_DONE)
            give_up(job, slot->out.outcome);
        return;
    }
    while (job->first < job->source->found && (slot = slot_of(job, job->first))->state == SLOT_DONE) {
        if (exceeds_total(job, slot)) {
            ask_for_position(job, slot);
            break;
        }
        join(job, slot);
        if (job->source->mode == MODE_SINGLE)
            break;
        release(job, slot);
    }
}

bool job_is_done(const struct job *job) {
    return job->stage == STAGE_REFUSED || job->stage == STAGE_ANSWERED || (job->source->ended && job->pending == 0);
}

/* ---- a stream ---- */

bool job_is_stream(const struct job *job) {
    return job->source->mode == MODE_STREAM && (job->stage == STAGE_CASES || job->stage == STAGE_BROKEN);
}

bool job_is_broken(const struct job *job) { return job->stage == STAGE_BROKEN; }

/* Copy the rest of a line, of which *at bytes were read, as far as it fits. True when all of it was read. */
static bool copy_line(const char *line, size_t length, size_t *at, char *to, size_t size, size_t *copied) {
    size_t left = length - *at, count = left < size - *copied ? left : size - *copied;
    if (count != 0)
        memcpy(to + *copied, line + *at, count);
    *copied += count;
    *at += count;
    return count == left;
}

size_t job_read(struct job *job, char *ret_bytes, size_t size) {
    size_t copied = 0;
    while (copied < size && job->read_last == 0 && job->first < job->source->found) {
        struct slot *slot = slot_of(job, job->first);
        if (slot->state != SLOT_DONE || slot->out.outcome != OUTCOME_DONE ||
            !copy_line(slot->out.data, slot->out.length, &job->read, ret_bytes, size, &copied))
            break;
        job->read = 0;
        job->held -= slot->out.capacity;
        release(job, slot);
    }
    /* The stream is broken: write the last line, and no line after it, because a client that counts lines would take
     * that for the missing one. */
    if (job_is_broken(job) && job->read == 0)
        copy_line(problem_last_line, strlen(problem_last_line), &job->read_last, ret_bytes, size, &copied);
    return copied;
}

size_t job_left(const struct job *job) { return job->held + job->source->length - job_progress(job).bytes; }

bool job_is_read(const struct job *job) {
    return job_is_done(job) && !job_is_broken(job) && job->first == job->source->found;
}

bool job_is_readable(const struct job *job) {
    return job_is_broken(job) || job_is_read(job) ||
           (job->first < job->source->found && slot_of(job, job->first)->state == SLOT_DONE);
}

bool job_has_refused(const struct job *job) { return atomic_load(&job->faulty); }

bool job_has_failed(const struct job *job) { return atomic_load(&job->failure) != OUTCOME_DONE; }

struct job_progress job_progress(const struct job *job) {
    const struct source *source = job->source;
    if (job->stage == STAGE_REFUSED)
        return (struct job_progress){.cases = 0, .bytes = source->length};
    bool all = source->ended && job->pending == 0;
    return (struct job_progress){.cases = source->found - job->pending,
                                 .bytes = all ? source->length : job->done_bytes};
}

/* ---- other answers ---- */

void job_put_id(const struct job *job, struct buffer *out) {
    if (job->id.length == 0 && job->id.outcome == OUTCOME_DONE)
        return;
    buffer_put_literal(out, "\"id\":");
    buffer_put(out, job->id.data, job->id.length);
    buffer_put_char(out, ',');
    if (out->outcome == OUTCOME_DONE)
        out->outcome = job->id.outcome;
}

/* All cases are done: collect the failures of the request. Called once. */
static struct answer_failure close_faults(struct job *job) {
    struct source *source = job->source;
    enum outcome outcome = (enum outcome)atomic_load(&job->failure);
    if (outcome == OUTCOME_DONE && atomic_load(&job->answer_bytes) > state_max_answer_bytes(job))
        outcome = OUTCOME_TOO_LARGE;
    if (source->problem == PROBLEM_NONE || source->problem == PROBLEM_INVALID_CASE)
        fault_list_append(&source->faults, &source->faults_after);
    return (struct answer_failure){.outcome = outcome, .problem = source->problem, .faults = &source->faults};
}

bool job_is_heavy(const struct job *job) {
    size_t length = job->source->mode == MODE_BATCH ? job->joined.length
                    : job->window != 0              ? job->slots[0].out.length
                                                    : 0;
    return !job_is_stream(job) && answer_is_heavy(job->admission, length);
}

/* Move the bytes of the answer, all results in one, to *ret_body. Its outcome says whether writing has failed. */
static void take_bytes(struct job *job, struct buffer *ret_body) {
    bool batch = job->source->mode == MODE_BATCH;
    struct buffer *bytes = batch ? &job->joined : &job->slots[0].out;
    if (job->format == FORMAT_JSON && batch)
        buffer_put_literal(bytes, "]}\n");
    else if (job->format == FORMAT_JSON || job->format == FORMAT_LINES)
        buffer_put_char(bytes, '\n');
    *ret_body = *bytes;
    bytes->data = NULL;
    bytes->capacity = bytes->length = 0;
}

static void write_response(struct job *job, struct response *ret_response) {
    const struct service *service = job->service;
    struct buffer bytes;
    struct answer_failure failure = close_faults(job);
    if (answer_is_failure(&failure)) {
        answer_refuse(service, job->admission, &failure, ret_response);
    } else if (job->format == FORMAT_NONE) {
        answer_not_acceptable(job->admission, ret_response);
    } else if (answer_is_unchanged(job->admission, job->format)) {
        answer_unchanged(service, job->admission, job->format, ret_response);
    } else {
        take_bytes(job, &bytes);
        answer_with(service, job->admission, job->format, &bytes, ret_response);
    }
}

void job_write(struct job *job) {
    ASSERT(job_is_done(job));
    if (job_is_stream(job) || job->stage == STAGE_ANSWERED)
        return;
    write_response(job, &job->response);
    job->stage = STAGE_ANSWERED;
}

void job_finish(struct job *job, struct response *ret_response) {
    if (job_is_stream(job)) {
        answer_with_lines(job->admission, ret_response);
        return;
    }
    job_write(job);
    *ret_response = job->response;
    job->response = (struct response){0};
}
