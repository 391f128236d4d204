#include "api/job/lines.h"

#include "base/ascii.h"

#include <string.h>

enum {
    BLANKS_A_UNIT = 8,     /* bytes; each takes 1 ns to read */
    SEARCHED_A_UNIT = 256, /* bytes; memchr reads at least 30 per ns */
};

static struct lines_source *lines_of(struct source *source) { return (struct lines_source *)source; }

/* Convert a line index to a line number, which is larger if the body is a slice of a longer one. */
static size_t number_of(const struct lines_source *lines, size_t index) {
    size_t first = lines->source.admission->first_line;
    return (first != 0 ? first : 1) + index;
}

/* A case consists of all lines up to a blank one. */
static bool has_blocks(const struct source *source) { return !format_table[source->body].is_in_lines; }

static size_t step_of(size_t left) { return left < SOURCE_STEP ? left : SOURCE_STEP; }

/* The next two functions return false when the budget runs out. Their work is charged afterwards. */

static bool find_end(const struct source *source, struct line_search *s, struct work *work) {
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
        size_t begin = s->last, stop = begin - step_of(begin - s->start);
        while (s->last > stop && (ascii_is_blank(source->bytes[s->last - 1]) || source->bytes[s->last - 1] == '\r'))
            s->last--;
        source_pay_afterwards(work, (begin - s->last) / BLANKS_A_UNIT);
        if (s->last > stop || stop == s->start)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

/* Find the next case: a line that is not blank or, in a format with blocks, all lines before a blank one. Blanks and
 * carriage returns at its end are trimmed. Sets `ended` if there is none. */
static enum outcome find_case(struct source *source, struct work *work, struct case_position *ret_position) {
    struct lines_source *lines = lines_of(source);
    struct line_search *s = &lines->search;
    struct case_position *block = &lines->block;
    bool is_blank = false;
    while (s->start < source->length && (block->line == 0 || (has_blocks(source) && !is_blank))) {
        if (!work_charge(work, 1) || !find_end(source, s, work) || !find_last(source, s, work))
            return work_failure(work);
        size_t number = number_of(lines, lines->lines_read++), after = s->end + (s->end < source->length);
        is_blank = s->start == s->last;
        if (!is_blank && block->line == 0)
            *block = (struct case_position){.begin = s->start, .line = number};
        if (!is_blank)
            block->end = s->last;
        *s = (struct line_search){.start = after, .end = after};
    }
    source->ended = block->line == 0;
    source->found += !source->ended;
    *ret_position = *block;
    *block = (struct case_position){0};
    return OUTCOME_DONE;
}

/* The lines of a batch are counted first, because the budget of each case depends on their number. Too many lines are a
 * fault, but all lines are still checked, because a malformed line takes precedence. No block is malformed. For a
 * stream, finding one line is enough. */
enum outcome lines_open(struct source *source, struct workspace *workspace, struct work *work) {
    struct lines_source *lines = lines_of(source);
    uint64_t max = source->service->request->max_cases;
    (void)workspace;
    source_set_batch(source);
    while (!source->ended && !(source->mode == MODE_STREAM && source->found != 0)) {
        struct case_position position;
        enum outcome outcome = find_case(source, work, &position);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (!source->ended && source->mode == MODE_BATCH && source->found == max + 1) {
            fault_in_line(&source->faults_after, NULL, (struct fault_line){position.line, has_blocks(source)},
                          FAULT_LENGTH, "the batch has too many cases; max_cases is %llu", (unsigned long long)max);
            if (has_blocks(source)) {
                source_refuse(source, PROBLEM_INVALID_CASE);
                return OUTCOME_DONE;
            }
        }
    }
    source->count = source->mode == MODE_STREAM ? SIZE_MAX : source->found;
    source->ended = false;
    if (source->found == 0) { /* a case is missing at the end of the last line */
        struct fault_line first = {number_of(lines, 0), 1};
        fault_in_line(&source->faults, NULL, fault_find_line(source->bytes, source->length, first), FAULT_SYNTAX,
                      "the body has no cases, only blank lines");
        source_refuse(source, PROBLEM_MALFORMED);
    }
    source->found = 0;
    lines->lines_read = 0;
    lines->search = (struct line_search){.start = 0};
    return OUTCOME_DONE;
}

enum outcome lines_next(struct source *source, struct workspace *workspace, struct work *work,
                        struct case_position *ret_position, void **ret_case) {
    (void)workspace;
    *ret_case = NULL;
    enum outcome outcome = find_case(source, work, ret_position);
    source->ended |= source->found == source->count;
    return outcome;
}
