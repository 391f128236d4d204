#include "api/job/cases.h"

#include "api/job/open.h"

#include <stdlib.h>

enum { UNCHARGED_COLLECTION = 32 << 10 /* bytes of a collection in a small body */ };

bool cases_init(struct cases *cases, const struct service *service, const struct admission *admission, char *body,
                size_t length) {
    *cases = (struct cases){
        .source = source_new(service, admission, admission->body, body, length),
        .answer = admission->answer,
    };
    if (cases->source == NULL)
        return false;
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        STAILQ_INIT(&cases->again[lane]);
    return true;
}

void cases_clear(struct cases *cases) {
    if (cases->collection != NULL)
        workspace_clear(cases->collection);
    free(cases->collection);
    source_free(cases->source);
}

/* ---- opening ---- */

/* Refuse an empty body. The last slice of a longer body may be empty: its source then reports a missing case, with the
 * right line number. */
static bool refuse_empty(struct source *source) {
    if (source->length != 0 || source->admission->first_line > 1)
        return false;
    fault_in_line(&source->faults, NULL, FAULT_FIRST_BYTE, FAULT_SYNTAX,
                  source->admission->link ? "the case is empty" : "the body is empty");
    source_refuse(source, PROBLEM_MALFORMED);
    return true;
}

enum outcome cases_open(struct cases *cases, struct workspace *workspace, struct work *work) {
    if (refuse_empty(cases->source))
        return OUTCOME_DONE;
    enum outcome outcome = source_open(&cases->source, workspace, work);
    if (cases->source->body != cases->source->admission->body)
        cases->answer = cases->source->admission->answer_if_detected;
    return outcome;
}

struct workspace *cases_collection(struct cases *cases) {
    const struct source *source = cases->source;
    if (cases->collection == NULL && (cases->collection = malloc(sizeof *cases->collection)) != NULL) {
        workspace_init(cases->collection, source->service->account, 0, true);
        if (source_is_small(source))
            cases->collection->reading.uncharged = UNCHARGED_COLLECTION;
    }
    return cases->collection;
}

bool cases_open_games(struct cases *cases, const void *collection) {
    struct source *games = source_games_new(cases->source, collection);
    if (games == NULL)
        return false;
    source_free(cases->source);
    cases->source = games;
    return true;
}

/* ---- finding ---- */

enum outcome cases_find(struct cases *cases, struct workspace *workspace, struct work *work, struct found_case *found,
                        void **ret_case, bool *ret_found) {
    struct source *source = cases->source;
    found->number = source->found;
    found->lane = JOB_SHORT;
    enum outcome outcome = source->format->next(source, workspace, work, &found->position, ret_case);
    *ret_found = outcome == OUTCOME_DONE && source->found != found->number;
    return outcome;
}

struct found_case *cases_take_again(struct cases *cases, enum job_lane lane) {
    struct found_case *found = STAILQ_FIRST(&cases->again[lane]);
    if (found != NULL)
        STAILQ_REMOVE_HEAD(&cases->again[lane], entry);
    return found;
}

void cases_put_back(struct cases *cases, struct found_case *found, enum job_lane lane) {
    found->lane = lane;
    STAILQ_INSERT_TAIL(&cases->again[lane], found, entry);
}
