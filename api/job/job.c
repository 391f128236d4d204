#include "api/job/job.h"

#include "api/answer/problem.h"
#include "api/game/case.h"
#include "api/job/answer.h"
#include "api/job/body.h"
#include "api/job/reading.h"
#include "api/json/encode.h"
#include "base/assert.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 256,                /* cases */
    UNCHARGED_ANSWER = 64 << 10, /* bytes: of a small body's answer so many are not charged, and of the parts as many
                                    again */
    UNCHARGED_RECORD = 32 << 10, /* and of a collection, in the place of notes, so many */
};

/* In the order of struct job_limits. */
static const struct limit limits[] = {
    {"max_stream_bytes", "bytes of solved lines that wait for their reader", (uint64_t)1 << 20, LIMIT_MOST, false},
};
LIMITS_MATCH(limits, struct job_limits);
const struct limit_group job_limits = {limits, sizeof limits / sizeof *limits};

_Static_assert(JOB_LEAST_WORK >= (int)BODY_LEAST_WORK, "a budget that is enough for the body");

enum slot_state { SLOT_FREE, SLOT_TAKEN, SLOT_AGAIN, SLOT_DONE };

/* A case in the window. Who takes it writes here, then who does it, then who delivers it. */
struct slot {
    enum slot_state state;
    enum job_lane lane; /* where it was done last; SLOT_AGAIN: where it is to be done */
    bool over_total; /* with this case the batch passes its limit on the sum: it is decoded for the place of that fault
                        only */
    struct body_place place;
    struct buffer out; /* its result; of a stream a line */
    struct fault_list faults;
    enum body_fault fault; /* what is wrong with it, other than what the faults say */
    uint64_t values;       /* of a line */
    uint64_t weight;       /* what it takes of the limit on a request */
    void *collection;      /* it is not answered, but is this; or NULL */
};

struct job {
    struct body body;
    const struct admission *admission;
    const struct job_limits *limits;
    enum format format; /* of the answer; FORMAT_NONE: no picture can be had, and nothing else is acceptable */

    struct workspace record; /* what the one case was read into that is a collection */

    struct slot *slots; /* [window]; case k is slots[k % window] */
    struct slot single; /* for a window of one */
    size_t window;
    bool stream;     /* the answer leaves in lines */
    bool broken;     /* ... and cannot go on: a last line says so */
    size_t last;     /* bytes of the last line that were read */
    size_t oldest;   /* the first case in the window */
    size_t undone;   /* cases that were found and are not done */
    size_t read;     /* of a stream: bytes of the oldest case's line that were read */
    size_t held;     /* of a stream: bytes of memory of the lines that are done and not read */
    uint64_t weight; /* of the cases that were joined */
    uint64_t values; /* likewise */
    size_t passed;   /* bytes of the body before the case that left the window last */
    struct buffer joined;
    struct buffer id; /* of the one case that was refused, as JSON: job_put_id */

    /* Written by every thread that does a case. */
    atomic_bool faulty;                /* some case has a fault: the rest of a batch are only checked */
    atomic_int failure;                /* enum body_fault: why some good case could not be answered */
    atomic_size_t out_bytes;           /* of all results; past the limit on answers the rest are only checked */
    atomic_uint_fast64_t early_weight; /* of all cases so far; past the limit on a request the rest are only checked */
};

/* Note that a case could not be answered. The first reason stays. */
static void fail(struct job *job, enum body_fault why) {
    int good = BODY_GOOD;
    atomic_compare_exchange_strong(&job->failure, &good, (int)why);
}

/* ---- the beginning and the end ---- */

static size_t most_answer_bytes(const struct job *job) {
    return (size_t)answer_limit(job->body.service, job->admission).bytes;
}

bool job_is_stream(const struct job *job) { return job->stream; }

bool job_is_broken(const struct job *job) { return job->broken; }

struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length) {
    struct job *job = malloc(sizeof *job);
    ASSERT(admission->game != NULL);
    if (job == NULL)
        return NULL;
    *job = (struct job){.oldest = 0};
    body_init(&job->body, service, admission, body, length, admission->answer == FORMAT_LINES);
    job->admission = admission;
    job->limits = limits_of(&service->limits, &job_limits);
    job->format = admission->answer;
    buffer_init(&job->joined, most_answer_bytes(job), service->account);
    buffer_init(&job->id, SIZE_MAX, NULL);
    workspace_init(&job->record, service->account, 0, true);
    job->record.reading.uncharged = length <= ADMIT_SMALL_BODY ? UNCHARGED_RECORD : 0;
    if (length <= ADMIT_SMALL_BODY)
        job->joined.uncharged = UNCHARGED_ANSWER;
    return job;
}

/* Free the window and what is in it. */
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
    workspace_clear(&job->record);
    buffer_clear(&job->joined);
    buffer_clear(&job->id);
    body_clear(&job->body);
    free(job);
}

/* Make the window. False when memory is exhausted. */
static bool open_window(struct job *job) {
    size_t most = body_most_cases(&job->body), window = most < WINDOW ? most : WINDOW;
    job->slots = window == 1 ? &job->single : calloc(window, sizeof *job->slots);
    if (job->slots == NULL)
        return false;
    job->window = window;
    for (size_t s = 0; s < window; s++) {
        buffer_init(&job->slots[s].out, most_answer_bytes(job), job->body.service->account);
        if (job->body.length <= ADMIT_SMALL_BODY)
            job->slots[s].out.uncharged = UNCHARGED_ANSWER / window;
        body_init_faults(&job->body, &job->slots[s].faults);
    }
    return true;
}

/* There can be no picture: the next best format. */
static void give_up_picture(struct job *job) {
    if (job->format == FORMAT_SVG)
        job->format = job->admission->undrawn;
}

enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work) {
    enum outcome outcome = body_begin(&job->body, workspace, work);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (job->body.format != job->admission->body)
        job->format = job->admission->answer_to_json;
    if (job->body.batch)
        give_up_picture(job);
    if (job->body.fault == BODY_GOOD && !open_window(job)) {
        job->body.fault = BODY_NO_MEMORY;
        job->body.ended = true;
    }
    if (job->body.faults.count + job->body.faults_behind.count != 0)
        atomic_store(&job->faulty, true);
    job->stream = job->format == FORMAT_LINES && job->body.fault == BODY_GOOD;
    return OUTCOME_DONE;
}

/* ---- taking ---- */

static struct slot *slot_of(const struct job *job, size_t number) { return &job->slots[number % job->window]; }

/* The first case of the window that is to be done again in a lane; `found` when there is none. */
static size_t find_again(const struct job *job, enum job_lane lane) {
    size_t number = job->oldest;
    for (; number < job->body.found; number++)
        if (slot_of(job, number)->state == SLOT_AGAIN && slot_of(job, number)->lane == lane)
            break;
    return number;
}

/* May another case be looked for? Of a stream that is not read fast enough none is. */
static bool has_space(const struct job *job) {
    return !job->body.ended && job->body.found - job->oldest < job->window &&
           (!job_is_stream(job) || job->held < job->limits->max_stream_bytes);
}

bool job_has_turn(const struct job *job, enum job_lane lane) {
    return (job->undone != 0 && find_again(job, lane) < job->body.found) || (lane == JOB_SHORT && has_space(job));
}

static void enter(struct job *job, size_t number, const struct body_place *place) {
    struct slot *slot = slot_of(job, number);
    ASSERT(slot->state == SLOT_FREE && slot->out.length == 0 && slot->faults.count == 0);
    slot->state = SLOT_TAKEN;
    slot->lane = JOB_SHORT;
    slot->over_total = false;
    slot->place = *place;
    slot->faults.line = place->line != 0 && !job->body.alone ? place->line : 0;
    slot->fault = BODY_GOOD;
    slot->values = slot->weight = 0;
    slot->collection = NULL;
    job->undone++;
}

bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome) {
    struct body_place place;
    size_t number = job->undone != 0 ? find_again(job, lane) : job->body.found;
    *ret_outcome = OUTCOME_DONE;
    *ret_turn = (struct job_turn){.number = number};
    if (number < job->body.found) {
        slot_of(job, number)->state = SLOT_TAKEN;
        return true;
    }
    if (lane != JOB_SHORT || !has_space(job))
        return false;
    *ret_outcome = body_next(&job->body, workspace, work, &place, &ret_turn->text_case);
    if (*ret_outcome != OUTCOME_DONE || job->body.found == number) {
        job->broken |= job->stream && job->body.fault != BODY_GOOD;
        return false;
    }
    enter(job, number, &place);
    return true;
}

void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane) {
    struct slot *slot = slot_of(job, turn->number);
    ASSERT(slot->state == SLOT_TAKEN);
    slot->state = SLOT_AGAIN;
    slot->lane = lane;
}

/* ---- doing ---- */

static uint64_t total_limit(const struct job *job) { return job->body.game->total_limit(job->body.limits); }

/* A case that is done, and where. */
struct doing {
    struct job *job;
    struct slot *slot;
    const struct job_turn *turn;
    struct workspace *workspace;
    struct work *work;
};

/* Read the case into a workspace. */
static enum outcome read_case(const struct doing *d, struct workspace *workspace, void **ret_case) {
    struct reading reading = {
        .body = &d->job->body,
        .place = &d->slot->place,
        .workspace = workspace,
        .work = d->work,
        .over_total = d->slot->over_total,
        .faults = &d->slot->faults,
    };
    enum outcome outcome = reading_do(&reading, d->turn->number, d->turn->text_case, ret_case);
    d->slot->fault = reading.fault;
    d->slot->values = reading.values;
    return outcome;
}

/* The case is a collection: read it once more, to where it stays until the job ends. */
static enum outcome keep_collection(const struct doing *d) {
    struct workspace *workspace = &d->job->record;
    void *collection = NULL;
    workspace_reset(workspace);
    enum outcome outcome = read_case(d, workspace, &collection);
    d->slot->collection = outcome == OUTCOME_DONE ? collection : NULL;
    return outcome;
}

static bool is_over_total(const struct job *job) {
    return atomic_load_explicit(&job->early_weight, memory_order_relaxed) > total_limit(job);
}

/* Is the request refused, whatever its other cases are? Then they are checked, and no more. */
static bool is_only_checked(const struct job *job) {
    return answer_is_unchanged(job->admission, job->format) ||
           (!job->body.alone && (is_over_total(job) || atomic_load_explicit(&job->faulty, memory_order_relaxed) ||
                                 atomic_load_explicit(&job->failure, memory_order_relaxed) != BODY_GOOD ||
                                 atomic_load_explicit(&job->out_bytes, memory_order_relaxed) > most_answer_bytes(job)));
}

static enum outcome answer_case(const struct doing *d, const void *the_case) {
    struct job *job = d->job;
    const struct body *body = &job->body;
    struct game_question question = {
        .limits = body->limits,
        .format = job->format == FORMAT_LINES ? FORMAT_JSON : job->format,
        .number = d->turn->number + 1,
        .cases = body->batch && !body->alone ? body->count : 0,
        .most_bytes = most_answer_bytes(job),
        .hash_seed = body->service->hash_seed,
        .arena = &d->workspace->solving,
        .work = d->work,
    };
    /* The case begins with what its result repeats of it. */
    if (question.format == FORMAT_JSON && case_text_bytes(the_case) > question.most_bytes) {
        d->slot->out.outcome = OUTCOME_TOO_LARGE;
        return OUTCOME_DONE;
    }
    return body->game->answer(the_case, &question, &d->slot->out);
}

/* A case that is read: answer it, unless it is refused. */
static enum outcome solve_case(const struct doing *d, const void *the_case) {
    struct job *job = d->job;
    struct slot *slot = d->slot;
    const struct game *game = job->body.game;
    if (game->records != NULL && slot->faults.count == 0 && game->records->count_games(the_case) != 0)
        return keep_collection(d);
    if (job->format == FORMAT_SVG && !game->can_draw(the_case))
        give_up_picture(job); /* a picture is of one case: no other thread looks */
    if (job->body.format != FORMAT_TEXT) {
        uint64_t weight = game->weigh(the_case);
        atomic_fetch_add_explicit(&job->early_weight, weight - slot->weight, memory_order_relaxed);
        slot->weight = weight; /* it may have been added before, and the case put back */
    }
    if (slot->faults.count != 0 || job->format == FORMAT_NONE || is_only_checked(job))
        return OUTCOME_DONE;
    return answer_case(d, the_case);
}

/* The reason for which a case that may be good was not answered; BODY_GOOD: it was answered, or is faulty. */
static enum body_fault failure_of_case(const struct slot *slot, enum outcome outcome) {
    if (outcome == OUTCOME_NO_MEMORY || slot->out.outcome == OUTCOME_NO_MEMORY || slot->fault == BODY_NO_MEMORY)
        return BODY_NO_MEMORY;
    if (outcome == OUTCOME_INTERNAL)
        return BODY_NOT_SOLVED;
    return slot->fault == BODY_NOT_PARSED ? BODY_NOT_PARSED : BODY_GOOD;
}

/* End the line of a case that is answered by itself. If there is a problem, it takes the place of the result. It is
 * charged like a result, but no limit on answers applies to it. */
static void end_line(struct job *job, struct slot *slot, const struct case_echo *echo, enum outcome outcome) {
    struct buffer *out = &slot->out;
    buffer_put_char(out, '\n');
    enum body_fault ours = failure_of_case(slot, outcome);
    struct answer_failure failure = {
        .fault = ours != BODY_GOOD ? ours : slot->fault,
        .faults = &slot->faults,
        .too_large = out->outcome == OUTCOME_TOO_LARGE,
    };
    if (!answer_is_failure(&failure))
        return;
    if (ours != BODY_GOOD)
        fail(job, ours);
    else
        atomic_store(&job->faulty, true);
    buffer_clear(out);
    out->max = SIZE_MAX;
    case_put_head(out, echo);
    buffer_put_literal(out, "\"problem\":");
    answer_put_problem(out, job->body.service, job->admission, &failure);
    buffer_put_literal(out, "}\n");
    fault_list_clear(&slot->faults);
    if (out->outcome != OUTCOME_DONE) {
        /* Without memory for the line the stream ends. */
        buffer_clear(out);
        out->outcome = OUTCOME_NO_MEMORY;
        fail(job, BODY_NO_MEMORY);
    }
}

/* Note the outcome of a case that is answered together with others, or is the whole body. */
static void note_outcome(struct job *job, struct slot *slot, const struct case_echo *echo, enum outcome outcome) {
    enum body_fault ours = failure_of_case(slot, outcome);
    if (ours != BODY_GOOD)
        fail(job, ours);
    if (slot->faults.count != 0 || slot->fault != BODY_GOOD)
        atomic_store(&job->faulty, true);
    /* A full buffer stands for more than may be sent. */
    size_t bytes = slot->out.outcome == OUTCOME_TOO_LARGE ? most_answer_bytes(job) + 1 : slot->out.length;
    atomic_fetch_add_explicit(&job->out_bytes, bytes, memory_order_relaxed);
    if (!job->body.batch && echo->id != NULL)
        case_put_id(&job->id, echo);
}

enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work) {
    struct slot *slot = slot_of(job, turn->number);
    struct doing doing = {job, slot, turn, workspace, work};
    static const struct case_echo nothing = {0};
    void *the_case = NULL;
    ASSERT(slot->state == SLOT_TAKEN);
    enum outcome outcome = read_case(&doing, workspace, &the_case);
    if (outcome == OUTCOME_DONE && slot->fault == BODY_GOOD && !slot->over_total)
        outcome = solve_case(&doing, the_case);
    /* Perhaps a larger workspace is enough. */
    if (outcome == OUTCOME_NO_MEMORY && !workspace->is_largest)
        outcome = OUTCOME_MORE_WORK;
    bool ended = outcome != OUTCOME_MORE_WORK && outcome != OUTCOME_CANCELLED;
    if (!ended) {
        buffer_clear(&slot->out);
        fault_list_clear(&slot->faults);
        slot->fault = BODY_GOOD;
        slot->collection = NULL;
    } else if (outcome == OUTCOME_DONE && slot->collection != NULL) {
        ASSERT(slot->faults.count == 0 && slot->fault == BODY_GOOD);
    } else {
        const struct case_echo *echo = the_case != NULL && slot->fault == BODY_GOOD ? the_case : &nothing;
        (job->body.alone ? end_line : note_outcome)(job, slot, echo, outcome);
    }
    workspace_reset(workspace);
    return ended ? OUTCOME_DONE : outcome;
}

/* ---- delivering ---- */

/* The slot is free for another case. */
static void release(struct job *job, struct slot *slot) {
    struct buffer other;
    size_t uncharged = slot->out.uncharged;
    buffer_clear(&slot->out);
    fault_list_clear(&slot->faults);
    buffer_init(&other, most_answer_bytes(job), job->body.service->account);
    other.uncharged = uncharged;
    slot->out = other;
    slot->state = SLOT_FREE;
    job->passed = slot->place.begin;
    job->oldest++;
}

/* With this case the batch passes its limit on the sum. It must be decoded once more, so that this fault stands among
 * its others in the order of the document. That takes as long as the first time, so it is a step of its own. */
static void ask_for_place(struct job *job, struct slot *slot) {
    buffer_clear(&slot->out);
    fault_list_clear(&slot->faults);
    buffer_clear(&job->id);
    slot->over_total = true;
    slot->state = SLOT_AGAIN;
    job->undone++;
    atomic_store(&job->faulty, true);
}

/* What is wrong with the whole because of one case. Nothing behind a case that cannot be read at all counts. */
static void join_faults(struct job *job, struct slot *slot) {
    struct body *body = &job->body;
    bool many = body->format == FORMAT_LINES && job->values > body->service->request->max_json_values;
    if (slot->fault == BODY_MALFORMED) {
        fault_list_clear(&body->faults);
        body->fault = BODY_MALFORMED;
        body->ended = true;
    } else if (many) {
        body->fault = BODY_TOO_MANY_VALUES;
        atomic_store(&job->faulty, true);
    }
    fault_list_append(&body->faults, &slot->faults);
}

/* Does the batch pass its limit with this case, whose place is not known yet? */
static bool passes_total(const struct job *job, const struct slot *slot) {
    uint64_t limit = total_limit(job);
    return !slot->over_total && job->weight <= limit && slot->weight > limit - job->weight;
}

/* Put the result of the oldest case to those before it. */
static void join(struct job *job, struct slot *slot) {
    job->values += slot->values;
    job->weight += slot->weight;
    if (job->body.fault != BODY_MALFORMED)
        join_faults(job, slot);
    if (!job->body.batch)
        return; /* its result is the answer */
    if (is_only_checked(job))
        return;
    if (job->format == FORMAT_JSON)
        buffer_put_string(&job->joined, job->joined.length == 0 ? "{\"results\":[" : ",");
    buffer_put(&job->joined, slot->out.data, slot->out.length);
}

/* The one case was a collection: its games are the cases now. */
static void open_collection(struct job *job, const void *collection) {
    body_open(&job->body, collection);
    give_up_picture(job);
    close_window(job);
    job->single = (struct slot){.state = SLOT_FREE};
    if (open_window(job))
        return;
    fail(job, BODY_NO_MEMORY);
    job->broken = job->stream;
    job->body.ended = true;
}

void job_deliver(struct job *job, const struct job_turn *turn) {
    struct slot *slot = slot_of(job, turn->number);
    ASSERT(slot->state == SLOT_TAKEN && job->undone != 0);
    slot->state = SLOT_DONE;
    job->undone--;
    if (slot->collection != NULL) {
        open_collection(job, slot->collection);
        return;
    }
    if (job_is_stream(job)) {
        job->held += slot->out.capacity;
        job->broken |= slot->out.outcome != OUTCOME_DONE;
        return;
    }
    while (job->oldest < job->body.found && (slot = slot_of(job, job->oldest))->state == SLOT_DONE) {
        if (passes_total(job, slot)) {
            ask_for_place(job, slot);
            break;
        }
        join(job, slot);
        if (!job->body.batch)
            break;
        release(job, slot);
    }
}

bool job_is_done(const struct job *job) { return job->body.ended && job->undone == 0; }

/* ---- the answer ---- */

void job_put_id(const struct job *job, struct buffer *out) {
    if (job->id.length == 0 && job->id.outcome == OUTCOME_DONE)
        return;
    buffer_put_literal(out, "\"id\":");
    buffer_put(out, job->id.data, job->id.length);
    buffer_put_char(out, ',');
    if (out->outcome == OUTCOME_DONE)
        out->outcome = job->id.outcome;
}

/* Copy what is left of a line, of which *at bytes were read, as far as it fits. True when all of it was read. */
static bool copy_line(const char *line, size_t length, size_t *at, char *to, size_t size, size_t *copied) {
    size_t left = length - *at, part = left < size - *copied ? left : size - *copied;
    if (part != 0)
        memcpy(to + *copied, line + *at, part);
    *copied += part;
    *at += part;
    return part == left;
}

size_t job_read(struct job *job, char *ret_bytes, size_t size) {
    size_t copied = 0;
    while (copied < size && job->last == 0 && job->oldest < job->body.found) {
        struct slot *slot = slot_of(job, job->oldest);
        if (slot->state != SLOT_DONE || slot->out.outcome != OUTCOME_DONE ||
            !copy_line(slot->out.data, slot->out.length, &job->read, ret_bytes, size, &copied))
            break;
        job->read = 0;
        job->held -= slot->out.capacity;
        release(job, slot);
    }
    /* This takes the place of a line for which there was no memory. No line may follow: a client that counts lines
     * would take it for the missing one. */
    if (job->broken && job->read == 0)
        copy_line(problem_last_line, strlen(problem_last_line), &job->last, ret_bytes, size, &copied);
    return copied;
}

bool job_is_read(const struct job *job) { return job_is_done(job) && !job->broken && job->oldest == job->body.found; }

bool job_is_readable(const struct job *job) {
    return job->broken || job_is_read(job) ||
           (job->oldest < job->body.found && slot_of(job, job->oldest)->state == SLOT_DONE);
}

bool job_has_refused(const struct job *job) { return atomic_load(&job->faulty); }

bool job_has_failed(const struct job *job) { return atomic_load(&job->failure) != BODY_GOOD; }

struct job_progress job_progress(const struct job *job) {
    const struct body *body = &job->body;
    bool all = body->ended && job->oldest == body->found;
    return (struct job_progress){.cases = body->found - job->undone, .bytes = all ? body->length : job->passed};
}

/* What is wrong with the request, if anything is. */
static struct answer_failure failure_of(struct job *job) {
    struct body *body = &job->body;
    enum body_fault ours = (enum body_fault)atomic_load(&job->failure);
    struct answer_failure failure = {
        .fault = ours != BODY_GOOD ? ours : body->fault,
        .faults = &body->faults,
        .too_large = atomic_load(&job->out_bytes) > most_answer_bytes(job),
    };
    if (body->fault == BODY_GOOD || body->fault == BODY_INVALID)
        fault_list_append(&body->faults, &body->faults_behind);
    return failure;
}

bool job_is_heavy(const struct job *job) {
    size_t length = job->body.batch ? job->joined.length : job->window != 0 ? job->slots[0].out.length : 0;
    return answer_is_heavy(job->admission, length);
}

/* Move the answer's bytes, all parts in one, to *ret_body. What is wrong with them is its state. */
static void take_bytes(struct job *job, struct buffer *ret_body) {
    struct buffer *bytes = job->body.batch ? &job->joined : &job->slots[0].out;
    if (job->format == FORMAT_JSON && job->body.batch)
        buffer_put_literal(bytes, "]}\n");
    else if (job->format == FORMAT_JSON)
        buffer_put_char(bytes, '\n');
    *ret_body = *bytes;
    bytes->data = NULL;
    bytes->capacity = bytes->length = 0;
}

void job_finish(struct job *job, struct response *ret_response) {
    const struct service *service = job->body.service;
    struct buffer bytes;
    if (job_is_stream(job)) {
        answer_with_lines(job->admission, ret_response);
        return;
    }
    struct answer_failure failure = failure_of(job);
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
