#include "api/job/job.h"

#include "api/job/answer.h"
#include "api/job/results.h"
#include "base/assert.h"

#include <stdlib.h>

/* In the order of struct job_limits. */
static const struct limit limits[] = {
    {"max_stream_bytes", "bytes of finished lines that a stream buffers until the client reads them", (uint64_t)1 << 20,
     (uint64_t)1 << 20, LIMIT_MAX, false},
};
LIMITS_MATCH(limits, struct job_limits);
const struct limit_group job_limits = {limits, sizeof limits / sizeof *limits};

struct job {
    enum {
        STAGE_CHECK, /* check as much of the body as is needed before the first case */
        STAGE_CASES, /* process the cases */
        STAGE_REFUSED,
        STAGE_ANSWERED, /* the response is written */
    } stage;
    struct cases cases;
    struct results results;
    struct response response;
};

/* ---- begin and end ---- */

struct job *job_new(const struct service *service, const struct admission *admission, char *body, size_t length) {
    struct job *job = malloc(sizeof *job);
    ASSERT(admission->game != NULL);
    if (job == NULL)
        return NULL;
    const struct job_limits *own = limits_of(&service->limits, &job_limits);
    job->stage = STAGE_CHECK;
    job->response = (struct response){0};
    results_init(&job->results, service, admission, own->max_stream_bytes);
    if (cases_init(&job->cases, service, admission, body, length))
        return job;
    job_free(job);
    return NULL;
}

void job_free(struct job *job) {
    if (job == NULL)
        return;
    results_clear(&job->results);
    response_clear(&job->response);
    cases_clear(&job->cases);
    free(job);
}

/* End the job: no further cases are taken. */
static void give_up(struct job *job, enum outcome why) {
    results_fail(&job->results, why);
    job->cases.source->ended = true;
    job->results.is_broken = job_is_stream(job);
}

enum outcome job_begin(struct job *job, struct workspace *workspace, struct work *work) {
    ASSERT(job->stage == STAGE_CHECK);
    enum outcome outcome = cases_open(&job->cases, workspace, work);
    const struct source *source = job->cases.source;
    if (outcome != OUTCOME_DONE && !results_is_failure(outcome))
        return outcome;
    if (outcome != OUTCOME_DONE)
        give_up(job, outcome);
    if (!results_open(&job->results, job->cases.source, job->cases.answer))
        give_up(job, OUTCOME_NO_MEMORY);
    if (source->faults.count + source->faults_after.count != 0)
        atomic_store(&job->results.faulty, true);
    job->stage = source->ended ? STAGE_REFUSED : STAGE_CASES;
    return OUTCOME_DONE;
}

/* ---- cases ---- */

bool job_has_turn(const struct job *job, enum job_lane lane) {
    return cases_have_again(&job->cases, lane) || (lane == JOB_SHORT && results_room(&job->results) != NULL);
}

bool job_take(struct job *job, enum job_lane lane, struct workspace *workspace, struct work *work,
              struct job_turn *ret_turn, enum outcome *ret_outcome) {
    struct found_case *found = cases_take_again(&job->cases, lane);
    struct result *room;
    bool is_found = false;
    *ret_outcome = OUTCOME_DONE;
    *ret_turn = (struct job_turn){.number = found != NULL ? found->number : job->cases.source->found};
    if (found != NULL)
        return true;
    if (lane != JOB_SHORT || (room = results_room(&job->results)) == NULL)
        return false;
    enum outcome outcome = cases_find(&job->cases, workspace, work, &room->found, &ret_turn->the_case, &is_found);
    if (results_is_failure(outcome))
        give_up(job, outcome);
    else
        *ret_outcome = outcome;
    if (job->cases.source->problem != PROBLEM_NONE)
        atomic_store(&job->results.faulty, true);
    return is_found;
}

void job_put_back(struct job *job, const struct job_turn *turn, enum job_lane lane) {
    cases_put_back(&job->cases, &results_at(&job->results, turn->number)->found, lane);
}

void job_deliver(struct job *job, const struct job_turn *turn) {
    struct result *result = results_at(&job->results, turn->number), *again;
    if (result->collection != NULL && cases_open_games(&job->cases, result->collection)) {
        if (!results_open(&job->results, job->cases.source, job->cases.answer))
            give_up(job, OUTCOME_NO_MEMORY);
        return;
    }
    if (result->collection != NULL)
        give_up(job, OUTCOME_NO_MEMORY);
    else if (job_is_stream(job) && result->out.outcome != OUTCOME_DONE)
        give_up(job, result->out.outcome);
    if ((again = results_deliver(&job->results, result)) != NULL)
        cases_put_back(&job->cases, &again->found, again->found.lane);
}

bool job_is_done(const struct job *job) {
    bool all = job->stage == STAGE_CASES && job->cases.source->ended && results_are_done(&job->results);
    return all || job->stage == STAGE_REFUSED || job->stage == STAGE_ANSWERED;
}

/* ---- processing a case, on any thread ---- */

/* A case being processed. */
struct doing {
    struct job *job;
    struct result *result;
    const struct job_turn *turn;
    struct workspace *workspace;
    struct work *work;
};

/* Read the case into a workspace. *ret_case is NULL if there was no memory for it. */
static enum outcome read_case(const struct doing *d, struct workspace *workspace, void *the_case, void **ret_case) {
    const struct source *source = d->job->cases.source;
    struct result *result = d->result;
    struct case_reading reading = {
        .number = d->turn->number,
        .position = &result->found.position,
        .workspace = workspace,
        .work = d->work,
        .over_total = result->over_total,
        .faults = &result->faults,
        .problem = PROBLEM_NONE,
        .the_case = the_case,
    };
    enum outcome outcome = source->format->read(source, &reading);
    result->problem = reading.problem;
    result->values = reading.values;
    *ret_case = reading.the_case;
    return outcome;
}

/* The case is a collection: read it again, into memory that lasts as long as the job. */
static enum outcome keep_collection(const struct doing *d) {
    struct workspace *workspace = cases_collection(&d->job->cases);
    void *collection;
    if (workspace == NULL)
        return OUTCOME_NO_MEMORY;
    workspace_reset(workspace);
    enum outcome outcome = read_case(d, workspace, NULL, &collection);
    d->result->collection = outcome == OUTCOME_DONE ? collection : NULL;
    return outcome;
}

static bool is_collection(const struct game *game, const void *the_case) {
    return game->records != NULL && game->records->count_games(the_case) != 0;
}

/* Solve the case, and write the bytes of its result. */
static enum outcome answer_case(const struct doing *d, const void *the_case) {
    const struct source *source = d->job->cases.source;
    const struct results *results = &d->job->results;
    struct game_question question = {
        .limits = source->limits,
        .format = results->format == FORMAT_LINES ? FORMAT_JSON : results->format,
        .number = d->turn->number + 1,
        .cases = source->mode == MODE_BATCH ? source->count : 0,
        .max_bytes = results->max_bytes,
        .hash_seed = source->service->hash_seed,
        .arena = &d->workspace->solving,
        .work = d->work,
    };
    return source->admission->game->answer(the_case, &question, &d->result->out);
}

/* Solve a case that was read, unless it is refused. */
static enum outcome solve_case(const struct doing *d, const void *the_case) {
    const struct game *game = d->job->cases.source->admission->game;
    if (d->result->faults.count == 0 && is_collection(game, the_case))
        return keep_collection(d);
    return results_want(&d->job->results, d->result, the_case) ? answer_case(d, the_case) : OUTCOME_DONE;
}

enum outcome job_do(struct job *job, const struct job_turn *turn, struct workspace *workspace, struct work *work) {
    struct results *results = &job->results;
    struct result *result = results_at(results, turn->number);
    struct doing doing = {job, result, turn, workspace, work};
    static const struct case_echo nothing = {0};
    void *the_case;
    results_start(results, result);
    enum outcome outcome = read_case(&doing, workspace, turn->the_case, &the_case);
    if (outcome == OUTCOME_DONE && result->problem == PROBLEM_NONE && !result->over_total)
        outcome = solve_case(&doing, the_case);
    if (outcome == OUTCOME_NO_MEMORY && !workspace->is_largest)
        outcome = OUTCOME_MORE_WORK;
    bool has_echo = the_case != NULL && result->problem == PROBLEM_NONE;
    if (result->collection == NULL)
        results_end(results, result, has_echo ? the_case : &nothing, outcome);
    workspace_reset(workspace);
    return outcome == OUTCOME_MORE_WORK || outcome == OUTCOME_CANCELLED ? outcome : OUTCOME_DONE;
}

/* ---- a stream ---- */

bool job_is_stream(const struct job *job) {
    return job->cases.source->mode == MODE_STREAM && job->stage == STAGE_CASES;
}

bool job_is_broken(const struct job *job) { return job->results.is_broken; }

size_t job_read(struct job *job, char *ret_bytes, size_t size) { return results_read(&job->results, ret_bytes, size); }

size_t job_left(const struct job *job) {
    return job->results.held + job->cases.source->length - job_progress(job).bytes;
}

bool job_is_read(const struct job *job) {
    return job_is_done(job) && !job_is_broken(job) && results_are_read(&job->results);
}

bool job_is_readable(const struct job *job) {
    return job_is_broken(job) || job_is_read(job) || results_first_done(&job->results) != NULL;
}

/* ---- what is known so far ---- */

bool job_has_refused(const struct job *job) { return atomic_load(&job->results.faulty); }

bool job_has_failed(const struct job *job) { return atomic_load(&job->results.failure) != OUTCOME_DONE; }

struct job_progress job_progress(const struct job *job) {
    const struct source *source = job->cases.source;
    if (job->stage == STAGE_REFUSED)
        return (struct job_progress){.cases = 0, .bytes = source->length};
    bool all = source->ended && results_are_done(&job->results);
    return (struct job_progress){.cases = job->results.done, .bytes = all ? source->length : job->results.done_bytes};
}

void job_put_id(const struct job *job, struct buffer *out) {
    const struct buffer *id = &job->results.id;
    if (id->length == 0 && id->outcome == OUTCOME_DONE)
        return;
    buffer_put_literal(out, "\"id\":");
    buffer_put(out, id->data, id->length);
    buffer_put_char(out, ',');
    if (out->outcome == OUTCOME_DONE)
        out->outcome = id->outcome;
}

/* ---- the answer ---- */

bool job_is_heavy(const struct job *job) { return !job_is_stream(job) && results_are_heavy(&job->results); }

void job_write(struct job *job) {
    ASSERT(job_is_done(job));
    if (job_is_stream(job) || job->stage == STAGE_ANSWERED)
        return;
    results_respond(&job->results, &job->response);
    job->stage = STAGE_ANSWERED;
}

void job_finish(struct job *job, struct response *ret_response) {
    ASSERT(job_is_stream(job) || job_is_done(job));
    if (job_is_stream(job)) {
        answer_with_lines(job->results.admission, ret_response);
    } else if (job->stage == STAGE_ANSWERED) {
        *ret_response = job->response;
        job->response = (struct response){0};
    } else {
        results_respond(&job->results, ret_response);
        job->stage = STAGE_ANSWERED;
    }
}
