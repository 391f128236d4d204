#include "api/job/open.h"

#include "api/job/json_case.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

/* If the body is of a vague type, detect its format. *source is replaced if it is a different one. */
static enum outcome detect(struct source **source, struct work *work) {
    struct source *vague = *source;
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

enum outcome source_open(struct source **source, struct workspace *workspace, struct work *work) {
    enum outcome outcome = OUTCOME_DONE;
    if (!(*source)->is_admitted) {
        outcome = detect(source, work);
        if (outcome == OUTCOME_DONE)
            outcome = check_charset(*source, work);
        if (outcome == OUTCOME_DONE)
            outcome = add_include(*source, workspace, work);
        if (outcome != OUTCOME_DONE)
            return outcome;
        check_parameters(*source);
        (*source)->is_admitted = true;
    }
    return (*source)->problem != PROBLEM_NONE ? OUTCOME_DONE : (*source)->format->open(*source, workspace, work);
}
