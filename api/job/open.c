#include "api/job/open.h"

#include "api/job/json_case.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

/* Skip blanks at the beginning of a body. Returns false when the budget runs out. */
static bool skip_blanks(struct source *source, struct work *work) {
    for (;;) {
        size_t begin = source->blanks, left = source->length - begin;
        size_t end = left < SOURCE_STEP ? source->length : begin + SOURCE_STEP;
        while (source->blanks < end && ascii_is_space(source->bytes[source->blanks]))
            source->blanks++;
        /* Charged afterwards, so that every call makes progress and a body without blanks costs nothing. */
        source_pay_afterwards(work, (source->blanks - begin) / 8);
        if (source->blanks < end || end == source->length)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

/* If the body is of a vague type, detect its format. *source is replaced if it is a different one. */
static enum outcome detect(struct source **source, struct work *work) {
    struct source *vague = *source;
    if (!skip_blanks(vague, work))
        return work_failure(work);
    vague->is_looked_at = false;
    const char *begin = vague->bytes + vague->blanks;
    size_t length = vague->length - vague->blanks;
    if (length == 0 || vague->format->look(begin, length) == SOURCE_SURE)
        return OUTCOME_DONE;
    enum format guess = source_guess(vague->admission->game, SOURCE_SURE, begin, length);
    if (guess == FORMAT_NONE || !format_table[guess].is_detected)
        return OUTCOME_DONE;
    struct source *detected = source_new_as(vague, guess);
    if (detected == NULL)
        return OUTCOME_NO_MEMORY;
    source_free(vague);
    *source = detected;
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
    while (source->valid < source->length) {
        size_t left = source->length - source->valid, step = left < SOURCE_STEP ? left : SOURCE_STEP,
               before = source->valid;
        size_t end = before + step, bytes;
        if (!work_charge(work, 1 + step / 8))
            return work_failure(work);
        while (source->valid < end) {
            bytes = utf8_length(source->bytes + source->valid, source->length - source->valid);
            if (bytes == 0) {
                fault_in_text(&source->faults, source->bytes, source->valid, FAULT_SYNTAX,
                              "the body is not UTF-8, and no other charset is supported");
                source_refuse(source, PROBLEM_UNSUPPORTED_MEDIA_TYPE);
                return OUTCOME_DONE;
            }
            source->valid += bytes;
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

enum outcome source_open(struct source **source, struct workspace *workspace, struct work *work) {
    enum outcome outcome = OUTCOME_DONE;
    if ((*source)->is_looked_at)
        outcome = detect(source, work);
    if (outcome == OUTCOME_DONE && !(*source)->is_admitted) {
        outcome = check_charset(*source, work);
        if (outcome == OUTCOME_DONE)
            outcome = add_include(*source, workspace, work);
        if (outcome == OUTCOME_DONE) {
            check_parameters(*source);
            (*source)->is_admitted = true;
        }
    }
    if (outcome != OUTCOME_DONE || (*source)->problem != PROBLEM_NONE)
        return outcome;
    return (*source)->format->open(*source, workspace, work);
}
