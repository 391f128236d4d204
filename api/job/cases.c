#include "api/job/cases.h"

#include "api/job/json_case.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { UNCHARGED_COLLECTION = 32 << 10 /* bytes of a collection in a small body */ };

bool cases_init(struct cases *cases, const struct service *service, const struct admission *admission, char *body,
                size_t length) {
    *cases = (struct cases){
        .source = source_new(service, admission, admission->body, body, length),
        .answer = admission->answer,
    };
    return cases->source != NULL;
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

/* If the body is of a vague type, detect its format. The source is replaced if it is a different one. */
static enum outcome detect(struct cases *cases, struct work *work) {
    struct source *vague = cases->source;
    const struct admission *admission = vague->admission;
    if (!format_table[vague->body].is_vague || admission->link || admission->answer_if_detected == FORMAT_NONE)
        return OUTCOME_DONE;
    for (; vague->blanks < vague->length && ascii_is_space(vague->bytes[vague->blanks]); vague->blanks++)
        if (vague->blanks % 8 == 0 && !work_charge(work, 1))
            return work_failure(work);
    const char *begin = vague->bytes + vague->blanks;
    size_t length = vague->length - vague->blanks;
    if (length == 0 || vague->format->look(begin, length) == SOURCE_SURE)
        return OUTCOME_DONE;
    enum format guess = source_guess(admission->game, SOURCE_SURE, begin, length);
    if (guess == FORMAT_NONE || !format_table[guess].is_detected)
        return OUTCOME_DONE;
    struct source *detected =
        source_new(vague->service, admission, guess, vague->bytes - vague->mark, vague->length + vague->mark);
    if (detected == NULL)
        return OUTCOME_NO_MEMORY;
    source_free(vague);
    cases->source = detected;
    cases->answer = admission->answer_if_detected;
    return OUTCOME_DONE;
}

/* Refuse a body with parameters that belong to records. */
static void check_parameters(struct source *source) {
    const char *const *names = source->admission->game->parameters;
    uint32_t named = source->admission->parameters.named;
    if (named == 0 || format_table[source->body].takes_parameters)
        return;
    for (size_t p = 0; names[p] != NULL; p++)
        if (named >> p & 1)
            fault_in_query(&source->faults, names[p], strlen(names[p]), FAULT_UNKNOWN_MEMBER,
                           "unknown parameter \"%s\"; only requests with an SGF record as the body have parameters",
                           names[p]);
    source_refuse(source, PROBLEM_MALFORMED);
}

/* If the head names a charset other than UTF-8, the body must be UTF-8 all the same. */
static enum outcome check_charset(struct source *source, struct work *work) {
    if (!source->admission->other_charset || format_table[source->body].is_binary)
        return OUTCOME_DONE;
    for (size_t bytes; source->valid < source->length; source->valid += bytes) {
        if (!work_charge(work, 1))
            return work_failure(work);
        bytes = utf8_length(source->bytes + source->valid, source->length - source->valid);
        if (bytes == 0) {
            fault_in_line(&source->faults, NULL, fault_find_line(source->bytes, source->valid, FAULT_FIRST_BYTE),
                          FAULT_SYNTAX, "the body is not UTF-8, and no other charset is supported");
            source_refuse(source, PROBLEM_UNSUPPORTED_MEDIA_TYPE);
            return OUTCOME_DONE;
        }
    }
    return OUTCOME_DONE;
}

/* Make --include a default, unless it has become a parameter. */
static enum outcome add_include(struct source *source, struct workspace *workspace, struct work *work) {
    const char *include = source->service->include;
    if (include == NULL || format_table[source->body].takes_parameters)
        return OUTCOME_DONE;
    const struct json_field *field = json_find_field(source->admission->game->members, "include");
    enum outcome outcome = json_default_read(source, field, include, strlen(include), workspace, work, &source->faults);
    workspace_reset(workspace);
    if (source->faults.count != 0)
        source_refuse(source, PROBLEM_INVALID_CASE);
    return outcome;
}

/* Check what depends on the format. */
static enum outcome admit_body(struct cases *cases, struct workspace *workspace, struct work *work) {
    enum outcome outcome = detect(cases, work);
    if (outcome == OUTCOME_DONE)
        outcome = check_charset(cases->source, work);
    if (outcome == OUTCOME_DONE)
        outcome = add_include(cases->source, workspace, work);
    if (outcome == OUTCOME_DONE)
        check_parameters(cases->source);
    cases->is_admitted = outcome == OUTCOME_DONE;
    return outcome;
}

enum outcome cases_open(struct cases *cases, struct workspace *workspace, struct work *work) {
    enum outcome outcome = OUTCOME_DONE;
    if (refuse_empty(cases->source))
        return OUTCOME_DONE;
    if (!cases->is_admitted)
        outcome = admit_body(cases, workspace, work);
    if (outcome != OUTCOME_DONE || cases->source->problem != PROBLEM_NONE)
        return outcome;
    return cases->source->format->open(cases->source, workspace, work);
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
    struct found_case *found = cases->again[lane].first;
    if (found != NULL)
        cases->again[lane].first = found->next;
    return found;
}

void cases_put_back(struct cases *cases, struct found_case *found, enum job_lane lane) {
    struct again_cases *again = &cases->again[lane];
    found->lane = lane;
    found->next = NULL;
    if (again->first == NULL)
        again->first = found;
    else
        again->last->next = found;
    again->last = found;
}
