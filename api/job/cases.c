#include "api/job/cases.h"

#include "api/job/source_json.h"
#include "api/job/source_lines.h"
#include "api/job/source_records.h"
#include "api/job/source_text.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>

enum { UNCHARGED_COLLECTION = 32 << 10 /* bytes of the collection in a small body */ };

/* The formats of bodies. */
static const struct source_format *const formats[FORMATS] = {
    [FORMAT_JSON] = &source_json,
    [FORMAT_TEXT] = &source_text,
    [FORMAT_LINES] = &source_lines,
    [FORMAT_SGF] = &source_records,
};

bool cases_init(struct cases *cases, const struct service *service, const struct admission *admission, char *body,
                size_t length) {
    /* A byte order mark is skipped, except in a record, where it shows the encoding. */
    bool may_be_marked = admission->first_line == 0 && admission->body != FORMAT_SGF;
    size_t mark = may_be_marked ? utf8_mark_length(body, length) : 0;
    *cases = (struct cases){
        .source =
            source_new(formats[admission->body], service, admission, mark != 0 ? body + mark : body, length - mark),
        .answer = admission->answer,
        .may_be_json = admission->body == FORMAT_TEXT && admission->answer_to_json != FORMAT_NONE,
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

/* Find out whether a text is JSON, because many programs send JSON as text/plain. */
static enum outcome detect(struct cases *cases, struct work *work) {
    const struct source *text = cases->source;
    for (bool found = false; !found;) {
        size_t begin = cases->blanks, left = text->length - begin;
        size_t end = left < SOURCE_STEP ? text->length : begin + SOURCE_STEP;
        while (cases->blanks < end && ascii_is_space(text->bytes[cases->blanks]))
            cases->blanks++;
        found = cases->blanks < end || end == text->length;
        /* Charged afterwards, so that each call makes progress, and a text without blanks costs nothing. */
        source_pay_afterwards(work, (cases->blanks - begin) / 8);
        if (!found && !work_charge(work, 1))
            return work_failure(work);
    }
    if (cases->blanks == text->length || text->bytes[cases->blanks] != '{')
        return OUTCOME_DONE;
    struct source *json = source_new(formats[FORMAT_JSON], text->service, text->admission, text->bytes, text->length);
    if (json == NULL)
        return OUTCOME_NO_MEMORY;
    cases->answer = text->admission->answer_to_json;
    source_free(cases->source);
    cases->source = json;
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

enum outcome cases_open(struct cases *cases, struct workspace *workspace, struct work *work) {
    if (refuse_empty(cases->source))
        return OUTCOME_DONE;
    if (cases->may_be_json) {
        enum outcome outcome = detect(cases, work);
        if (outcome != OUTCOME_DONE)
            return outcome;
        cases->may_be_json = false;
    }
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
    struct found_case *found = STAILQ_FIRST(&cases->again[lane]);
    if (found != NULL)
        STAILQ_REMOVE_HEAD(&cases->again[lane], entry);
    return found;
}

void cases_put_back(struct cases *cases, struct found_case *found, enum job_lane lane) {
    found->lane = lane;
    STAILQ_INSERT_TAIL(&cases->again[lane], found, entry);
}
