/* A JSON case on each line. */
#include "api/job/json_case.h"
#include "api/job/lines.h"
#include "api/json/check.h"

/* Check that the line is JSON and not too large. Counts its values. */
static enum outcome check_line(const struct source *source, struct case_reading *r, struct json_report *ret_report) {
    const struct case_position *position = r->position;
    char *line = source->bytes + position->begin;
    enum outcome outcome = json_check(line, position->end - position->begin, r->work, ret_report);
    if (outcome != OUTCOME_DONE)
        return outcome;
    r->values = ret_report->values;
    if (!ret_report->good) {
        r->problem = PROBLEM_MALFORMED;
        fault_in_line(r->faults, NULL, (struct fault_line){position->line, ret_report->offset + 1}, FAULT_SYNTAX, "%s",
                      ret_report->reason);
        source_name_byte(ret_report->reason, line + ret_report->offset, source->bytes + position->end, r->faults);
        bool followed = json_case_is_followed(ret_report->reason, line + ret_report->offset);
        if (position->line == 1) /* source_advise looks at the body from its beginning */
            source_advise(source, followed ? FORMAT_LINES : FORMAT_NONE, r->faults);
    } else if (ret_report->values > source->service->request->max_json_values) {
        r->problem = PROBLEM_TOO_LARGE;
    }
    return OUTCOME_DONE;
}

static enum outcome read_lines(const struct source *source, struct case_reading *r) {
    const struct place whole = {0};
    struct json_report report;
    if (!json_case_pay(r))
        return work_failure(r->work);
    enum outcome outcome = check_line(source, r, &report);
    if (outcome != OUTCOME_DONE || r->problem != PROBLEM_NONE)
        return outcome;
    return json_case_read(source, r, report.has_long_numbers, &whole, 0);
}

/* A file with one case per line begins like a JSON file, so only the first line tells them apart. */
static enum source_look look(const char *bytes, size_t length) {
    (void)length;
    return *bytes == '{' || *bytes == '[' ? SOURCE_LIKE : SOURCE_UNLIKE;
}

const struct source_format source_lines = {
    .size = sizeof(struct lines_source),
    .look = look,
    .open = lines_open,
    .next = lines_next,
    .read = read_lines,
};
