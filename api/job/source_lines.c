/* Cases in lines: a JSON case on each line. Blank lines are skipped. */
#include "api/job/advice.h"
#include "api/job/json_case.h"
#include "api/job/source.h"
#include "api/json/check.h"
#include "base/ascii.h"

#include <string.h>

enum {
    BLANKS_A_UNIT = 8,     /* bytes; one is read in 1 ns */
    SEARCHED_A_UNIT = 256, /* bytes; memchr reads 30 or more in 1 ns */
};

/* The search for a line. A line may have 60 MB, and other threads may wait for the job. So the search stops when the
 * budget is exhausted, and the next call continues. */
struct line_search {
    size_t start; /* the beginning of the line */
    size_t first; /* all bytes of the line before this one are blank */
    size_t end;   /* the line does not end before this byte */
    size_t last;  /* all bytes from here to the end are blank; 0: the end is not known */
};

struct lines_source {
    struct source source;
    struct line_search search;
    size_t lines_read; /* lines before the current one */
};

static struct lines_source *lines_of(struct source *source) { return (struct lines_source *)source; }

/* The number of a line of the body, which may be a slice of a longer body. */
static size_t number_of(const struct lines_source *lines, size_t index) {
    size_t first = lines->source.admission->first_line;
    return (first != 0 ? first : 1) + index;
}

static size_t step_of(size_t left) { return left < SOURCE_STEP ? left : SOURCE_STEP; }

/* The next three functions return false when the budget is exhausted. Their work is charged afterwards. */

static bool find_first(const struct source *source, struct line_search *s, struct work *work) {
    for (;;) {
        size_t begin = s->first, stop = begin + step_of(source->length - begin);
        while (s->first < stop && ascii_is_blank(source->bytes[s->first]))
            s->first++;
        source_pay_afterwards(work, (s->first - begin) / BLANKS_A_UNIT);
        if (s->first < stop || stop == source->length)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

static bool find_end(const struct source *source, struct line_search *s, struct work *work) {
    if (s->end < s->first)
        s->end = s->first;
    for (;;) {
        size_t step = step_of(source->length - s->end);
        const char *begin = source->bytes + s->end, *feed = memchr(begin, '\n', step);
        size_t step_bytes = feed != NULL ? (size_t)(feed - begin) : step;
        s->end += step_bytes;
        source_pay_afterwards(work, step_bytes / SEARCHED_A_UNIT);
        if (feed != NULL || s->end == source->length)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

static bool find_last(const struct source *source, struct line_search *s, struct work *work) {
    if (s->last == 0)
        s->last = s->end;
    for (;;) {
        size_t begin = s->last, stop = begin - step_of(begin - s->first);
        while (s->last > stop && (ascii_is_blank(source->bytes[s->last - 1]) || source->bytes[s->last - 1] == '\r'))
            s->last--;
        source_pay_afterwards(work, (begin - s->last) / BLANKS_A_UNIT);
        if (s->last > stop || stop == s->first)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

/* Find the next line that is not blank, without the blanks around it and the carriage returns at its end. If there is
 * none, `ended` is set. */
static enum outcome find_line(struct source *source, struct work *work, struct case_position *ret_position) {
    struct lines_source *lines = lines_of(source);
    struct line_search *s = &lines->search;
    while (s->start < source->length) {
        if (!work_charge(work, 1) || !find_first(source, s, work) || !find_end(source, s, work) ||
            !find_last(source, s, work))
            return work_failure(work);
        struct line_search line = *s;
        size_t number = number_of(lines, lines->lines_read++), after = line.end + (line.end < source->length);
        *s = (struct line_search){.start = after, .first = after};
        if (line.first == line.last)
            continue;
        *ret_position = (struct case_position){
            .begin = line.first, .end = line.last, .line = number, .column = line.first - line.start + 1};
        source->found++;
        return OUTCOME_DONE;
    }
    source->ended = true;
    return OUTCOME_DONE;
}

/* All lines are blank. The fault is a missing case, at the end of the last line. */
static void refuse_blank(struct source *source) {
    struct lines_source *lines = lines_of(source);
    const char *feed = source->length != 0 ? memrchr(source->bytes, '\n', source->length) : NULL;
    size_t begin = feed != NULL ? (size_t)(feed + 1 - source->bytes) : 0;
    size_t line = number_of(lines, lines->lines_read) - (begin < source->length);
    fault_in_line(&source->faults, NULL, line, source->length - begin + 1, FAULT_SYNTAX,
                  "there is no case, only blank lines");
    source_refuse(source, PROBLEM_MALFORMED);
}

/* The lines of a batch are counted first, because the budget of a case depends on their number. Too many lines are a
 * fault, but all lines are checked, because a malformed line is reported instead. In a stream one line suffices. */
static enum outcome open_lines(struct source *source, struct workspace *workspace, struct work *work) {
    struct lines_source *lines = lines_of(source);
    uint64_t max = source->service->request->max_cases;
    (void)workspace;
    source_set_batch(source);
    while (!source->ended && !(source->mode == MODE_STREAM && source->found != 0)) {
        struct case_position position;
        enum outcome outcome = find_line(source, work, &position);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (!source->ended && source->mode == MODE_BATCH && source->found == max + 1)
            fault_in_line(&source->faults_after, NULL, position.line, 0, FAULT_LENGTH,
                          "the batch has more than %llu cases", (unsigned long long)max);
    }
    source->count = source->mode == MODE_STREAM ? SIZE_MAX : source->found;
    source->ended = false;
    if (source->found == 0)
        refuse_blank(source);
    source->found = 0;
    lines->lines_read = 0;
    lines->search = (struct line_search){.start = 0};
    return OUTCOME_DONE;
}

static enum outcome next_lines(struct source *source, struct workspace *workspace, struct work *work,
                               struct case_position *ret_position, void **ret_case) {
    (void)workspace;
    *ret_case = NULL;
    enum outcome outcome = find_line(source, work, ret_position);
    source->ended |= source->found == source->count;
    return outcome;
}

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
        fault_in_line(r->faults, NULL, position->line, position->column + ret_report->offset, FAULT_SYNTAX, "%s",
                      ret_report->reason);
        advice_name_byte(line + ret_report->offset, source->bytes + position->end, r->faults);
        bool followed = json_case_is_followed(ret_report->reason, line + ret_report->offset);
        if (position->line == 1) /* advice_add reads the body from its beginning */
            advice_add(source, followed ? FORMAT_LINES : FORMAT_NONE, r->faults);
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

/* A file of lines begins like one of JSON; its first line tells. */
static enum source_look look(const char *bytes, size_t length) {
    (void)length;
    return *bytes == '{' || *bytes == '[' ? SOURCE_LIKE : SOURCE_UNLIKE;
}

const struct source_format source_lines = {
    .size = sizeof(struct lines_source),
    .look = look,
    .open = open_lines,
    .next = next_lines,
    .read = read_lines,
};
