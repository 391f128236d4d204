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

/* Find the next line that is not blank, and trim blanks and carriage returns at its end. Sets *ret_found to false if
 * there is none. */
static enum outcome find_line(struct source *source, struct work *work, struct case_position *ret_position,
                              bool *ret_found) {
    struct lines_source *lines = lines_of(source);
    struct line_search *s = &lines->search;
    *ret_found = false;
    while (s->start < source->length) {
        if (!work_charge(work, 1) || !find_end(source, s, work) || !find_last(source, s, work))
            return work_failure(work);
        struct line_search line = *s;
        size_t number = number_of(lines, lines->lines_read++), after = line.end + (line.end < source->length);
        *s = (struct line_search){.start = after, .end = after};
        if (line.start == line.last)
            continue;
        *ret_position = (struct case_position){.begin = line.start, .end = line.last, .line = number};
        *ret_found = true;
        break;
    }
    return OUTCOME_DONE;
}

/* Find the next block of lines. Its end is known when a line is found after a blank one, which begins the next block.
 */
static enum outcome find_block(struct source *source, struct work *work, struct case_position *ret_position,
                               bool *ret_found) {
    struct lines_source *lines = lines_of(source);
    struct case_position *block = &lines->before, line;
    for (;;) {
        bool is_found;
        enum outcome outcome = find_line(source, work, &line, &is_found);
        if (outcome != OUTCOME_DONE)
            return outcome;
        bool continues = is_found && block->line != 0 && line.line == lines->last_line + 1;
        if (is_found)
            lines->last_line = line.line;
        if (continues) {
            block->end = line.end;
            continue;
        }
        *ret_found = block->line != 0;
        *ret_position = *block;
        *block = is_found ? line : (struct case_position){0};
        if (*ret_found || !is_found)
            return OUTCOME_DONE;
    }
}

/* Find the next case. Sets `ended` if there is none. */
static enum outcome find_case(struct source *source, struct work *work, struct case_position *ret_position) {
    bool is_found = false;
    enum outcome outcome =
        (lines_of(source)->has_blocks ? find_block : find_line)(source, work, ret_position, &is_found);
    if (outcome == OUTCOME_DONE) {
        source->found += is_found;
        source->ended = !is_found;
    }
    return outcome;
}

/* All lines are blank. Report a missing case at the end of the last line. */
static void refuse_blank(struct source *source) {
    struct lines_source *lines = lines_of(source);
    const char *feed = source->length != 0 ? memrchr(source->bytes, '\n', source->length) : NULL;
    size_t begin = feed != NULL ? (size_t)(feed + 1 - source->bytes) : 0;
    size_t line = number_of(lines, lines->lines_read) - (begin < source->length);
    fault_in_line(&source->faults, NULL, line, source->length - begin + 1, FAULT_SYNTAX,
                  "the body has no cases, only blank lines");
    source_refuse(source, PROBLEM_MALFORMED);
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
            fault_in_line(&source->faults_after, NULL, position.line, lines->has_blocks, FAULT_LENGTH,
                          "the batch has too many cases; max_cases is %llu", (unsigned long long)max);
            if (lines->has_blocks) {
                source_refuse(source, PROBLEM_INVALID_CASE);
                return OUTCOME_DONE;
            }
        }
    }
    source->count = source->mode == MODE_STREAM ? SIZE_MAX : source->found;
    source->ended = false;
    if (source->found == 0)
        refuse_blank(source);
    source->found = 0;
    lines->lines_read = 0;
    lines->before = (struct case_position){0};
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
