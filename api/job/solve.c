#include "api/job/solve.h"

#include "api/game/case.h"

static bool is_over_total(const struct job *job) {
    return atomic_load_explicit(&job->size_read, memory_order_relaxed) > state_total_limit(job);
}

bool solve_is_off(const struct job *job) {
    return answer_is_unchanged(job->admission, job->format) ||
           (job->source->mode != MODE_STREAM &&
            (is_over_total(job) || atomic_load_explicit(&job->faulty, memory_order_relaxed) ||
             atomic_load_explicit(&job->failure, memory_order_relaxed) != OUTCOME_DONE ||
             atomic_load_explicit(&job->answer_bytes, memory_order_relaxed) > state_max_answer_bytes(job)));
}

/* A case that is being done. */
struct doing {
    struct job *job;
    struct slot *slot;
    const struct job_turn *turn;
    struct workspace *workspace;
    struct work *work;
};

/* Read the case into a workspace. *ret_case is NULL if there was no memory for it. */
static enum outcome read_case(const struct doing *d, struct workspace *workspace, void *the_case, void **ret_case) {
    const struct source *source = d->job->source;
    struct slot *slot = d->slot;
    struct case_reading reading = {
        .number = d->turn->number,
        .position = &slot->position,
        .workspace = workspace,
        .work = d->work,
        .over_total = slot->over_total,
        .faults = &slot->faults,
        .problem = PROBLEM_NONE,
        .the_case = the_case,
    };
    enum outcome outcome = source->format->read(source, &reading);
    slot->problem = reading.problem;
    slot->values = reading.values;
    *ret_case = reading.the_case;
    return outcome;
}

/* The case is a collection: read it again into memory that lives as long as the job. */
static enum outcome keep_collection(const struct doing *d) {
    struct workspace *workspace = &d->job->collection;
    void *collection;
    workspace_reset(workspace);
    enum outcome outcome = read_case(d, workspace, NULL, &collection);
    d->slot->collection = outcome == OUTCOME_DONE ? collection : NULL;
    return outcome;
}

static bool is_collection(const struct job *job, const void *the_case) {
    const struct game_records *records = job->admission->game->records;
    return records != NULL && records->count_games(the_case) != 0;
}

static enum outcome answer_case(const struct doing *d, const void *the_case) {
    struct job *job = d->job;
    const struct source *source = job->source;
    struct game_question question = {
        .limits = source->limits,
        .format = job->format == FORMAT_LINES ? FORMAT_JSON : job->format,
        .number = d->turn->number + 1,
        .cases = source->mode == MODE_BATCH ? source->count : 0,
        .max_bytes = state_max_answer_bytes(job),
        .hash_seed = job->service->hash_seed,
        .arena = &d->workspace->solving,
        .work = d->work,
    };
    /* The result begins with the parts of the case that it repeats. */
    if (question.format == FORMAT_JSON && case_text_bytes(the_case) > question.max_bytes)
        return OUTCOME_TOO_LARGE;
    return job->admission->game->answer(the_case, &question, &d->slot->out);
}

/* Solve a case that was read, unless it is refused. */
static enum outcome solve_case(const struct doing *d, const void *the_case) {
    struct job *job = d->job;
    struct slot *slot = d->slot;
    const struct game *game = job->admission->game;
    if (slot->faults.count == 0 && is_collection(job, the_case))
        return keep_collection(d);
    if (job->format == FORMAT_SVG && !game->can_draw(the_case))
        state_give_up_picture(job); /* a picture is of a single case, so no other thread reads the format */
    if (job->source->format->format != FORMAT_TEXT) { /* the reader of a text has checked the sum already */
        uint64_t size = game->size_of(the_case);
        atomic_fetch_add_explicit(&job->size_read, size - slot->size, memory_order_relaxed);
        slot->size = size; /* a case that was put back has added its size already */
    }
    if (slot->faults.count != 0 || job->format == FORMAT_NONE || solve_is_off(job))
        return OUTCOME_DONE;
    return answer_case(d, the_case);
}

/* End the line of a case of a stream. If there is a problem, it replaces the result. It is charged like a result, but
 * the limits on answers do not apply to it. */
static void end_line(struct job *job, struct slot *slot, const struct case_echo *echo, enum outcome outcome) {
    struct buffer *out = &slot->out;
    struct answer_failure failure = {.outcome = outcome, .problem = slot->problem, .faults = &slot->faults};
    if (!answer_is_failure(&failure))
        return;
    if (state_is_failure(outcome))
        state_fail(job, outcome);
    else
        atomic_store(&job->faulty, true);
    buffer_clear(out);
    out->max = SIZE_MAX;
    case_put_head(out, echo);
    buffer_put_literal(out, "\"problem\":");
    answer_put_problem(out, job->service, job->admission, &failure);
    buffer_put_literal(out, "}\n");
    fault_list_clear(&slot->faults);
    if (out->outcome != OUTCOME_DONE) {
        /* If there is no memory for the line, the stream ends. */
        buffer_clear(out);
        out->outcome = OUTCOME_NO_MEMORY;
        state_fail(job, OUTCOME_NO_MEMORY);
    }
}

/* Note the outcome of a case that is not answered by a line of its own. */
static void note_outcome(struct job *job, struct slot *slot, const struct case_echo *echo, enum outcome outcome) {
    if (state_is_failure(outcome))
        state_fail(job, outcome);
    if (slot->faults.count != 0 || slot->problem != PROBLEM_NONE)
        atomic_store(&job->faulty, true);
    size_t bytes = outcome == OUTCOME_TOO_LARGE ? state_max_answer_bytes(job) + 1 : slot->out.length;
    atomic_fetch_add_explicit(&job->answer_bytes, bytes, memory_order_relaxed);
    if (job->source->mode == MODE_SINGLE && echo->id != NULL)
        case_put_id(&job->id, echo);
}

/* End a case that is done. */
static void end_case(const struct doing *d, const struct case_echo *echo, enum outcome outcome) {
    struct slot *slot = d->slot;
    bool is_stream = d->job->source->mode == MODE_STREAM;
    if (is_stream)
        buffer_put_char(&slot->out, '\n');
    if (outcome == OUTCOME_DONE)
        outcome = slot->out.outcome;
    (is_stream ? end_line : note_outcome)(d->job, slot, echo, outcome);
}

enum outcome solve_do(struct job *job, struct slot *slot, const struct job_turn *turn, struct workspace *workspace,
                      struct work *work) {
    struct doing doing = {job, slot, turn, workspace, work};
    static const struct case_echo nothing = {0};
    void *the_case;
    enum outcome outcome = read_case(&doing, workspace, turn->the_case, &the_case);
    if (outcome == OUTCOME_DONE && slot->problem == PROBLEM_NONE && !slot->over_total)
        outcome = solve_case(&doing, the_case);
    if (outcome == OUTCOME_NO_MEMORY && !workspace->is_largest)
        outcome = OUTCOME_MORE_WORK;
    bool is_put_back = outcome == OUTCOME_MORE_WORK || outcome == OUTCOME_CANCELLED;
    if (is_put_back) {
        buffer_clear(&slot->out);
        fault_list_clear(&slot->faults);
        slot->problem = PROBLEM_NONE;
        slot->collection = NULL;
    } else if (slot->collection == NULL || outcome != OUTCOME_DONE) {
        end_case(&doing, the_case != NULL && slot->problem == PROBLEM_NONE ? the_case : &nothing, outcome);
    }
    workspace_reset(workspace);
    return is_put_back ? outcome : OUTCOME_DONE;
}
