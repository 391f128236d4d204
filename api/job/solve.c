#include "api/job/solve.h"

#include "api/game/case.h"

/* A case that is being done. */
struct doing {
    struct cases *cases;
    struct results *results;
    struct result *result;
    const struct job_turn *turn;
    struct workspace *workspace;
    struct work *work;
};

/* Read the case into a workspace. *ret_case is NULL if there was no memory for it. */
static enum outcome read_case(const struct doing *d, struct workspace *workspace, void *the_case, void **ret_case) {
    const struct source *source = d->cases->source;
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

/* The case is a collection: read it again into memory that lives as long as the job. */
static enum outcome keep_collection(const struct doing *d) {
    struct workspace *workspace = cases_collection(d->cases);
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
    const struct source *source = d->cases->source;
    const struct results *results = d->results;
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
    const struct game *game = d->cases->source->admission->game;
    if (d->result->faults.count == 0 && is_collection(game, the_case))
        return keep_collection(d);
    return results_want(d->results, d->result, the_case) ? answer_case(d, the_case) : OUTCOME_DONE;
}

enum outcome solve_do(struct cases *cases, struct results *results, const struct job_turn *turn,
                      struct workspace *workspace, struct work *work) {
    struct result *result = results_at(results, turn->number);
    struct doing doing = {cases, results, result, turn, workspace, work};
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
