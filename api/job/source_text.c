/* Cases in the contest format: their number, followed by the cases. The end of a case can only be found by reading it,
 * so `next` reads it. */
#include "api/game/formats.h"
#include "api/job/json_case.h"
#include "api/job/source.h"
#include "api/text/reader.h"
#include "base/ascii.h"
#include "base/assert.h"

#include <string.h>

struct text_source {
    struct source source;
    size_t at;               /* where the next case begins */
    uint64_t total;          /* the size of the cases so far */
    struct buffer positions; /* struct case_position: the cases in a stream, all of which `open` finds */
};

static struct text_source *text_of(struct source *source) { return (struct text_source *)source; }

static struct text_reader reader_at(const struct source *source, size_t at, uint64_t total, struct fault_list *faults,
                                    struct workspace *workspace, struct work *work) {
    return (struct text_reader){
        .text = source->bytes,
        .length = source->length,
        .at = at,
        .total = total,
        .max_cases = source->service->request->max_cases,
        .limits = source->limits,
        .faults = faults,
        .arena = &workspace->reading,
        .work = work,
    };
}

/* Is the body a drawing whose first rows have only digits? */
static bool is_like_drawing(const struct source *source) {
    enum { LOOKED_AT = 4096 };
    const char *end = source->bytes + (source->length < LOOKED_AT ? source->length : LOOKED_AT);
    const char *first = ascii_skip_space(source->bytes, end), *row = first;
    for (const char *at = first; at < end && ((*at >= '1' && *at <= '8') || *at == '\n' || *at == '\r'); at++)
        if (*at == '\n' || *at == '\r')
            row = at + 1;
    return row != first && row < end && source_table[FORMAT_DRAWING]->look(row, (size_t)(end - row)) == SOURCE_SURE;
}

/* Reading has stopped. If that is because of a fault, refuse the body. */
static enum outcome stop(struct source *source, const struct text_reader *reader) {
    if (reader->outcome != OUTCOME_DONE)
        return reader->outcome;
    source_advise(source, FORMAT_NONE, &source->faults);
    if (format_is_of(FORMAT_DRAWING, source->admission->game) && is_like_drawing(source))
        fault_list_add_advice(&source->faults, " (text whose first line has only digits is read as contest format; "
                                               "in the first row of a drawing, write '.' for a digit, or send JSON)");
    source_refuse(source, reader->malformed ? PROBLEM_MALFORMED : PROBLEM_INVALID_CASE);
    return OUTCOME_DONE;
}

/* Read a case. Returns NULL if reading has stopped. */
static void *read_case(const struct source *source, struct text_reader *reader) {
    const struct game *game = source->admission->game;
    void *the_case = text_alloc(reader, 1, game->case_size);
    return the_case != NULL && game->read_case(reader, the_case) ? the_case : NULL;
}

/* Read a whole case, even beyond the budget, because the next case begins where this one ends. Does not begin if the
 * budget is used up. */
static enum outcome read_next(struct source *source, struct workspace *workspace, struct work *work,
                              struct case_position *ret_position, void **ret_case) {
    struct text_source *text = text_of(source);
    struct work unbounded = {.left = WORK_UNBOUNDED, .stop = work->stop};
    if (!work_charge(work, 1))
        return work_failure(work);
    struct text_reader reader = reader_at(source, text->at, text->total, &source->faults, workspace, &unbounded);
    void *the_case = read_case(source, &reader);
    bool last = source->found + 1 == source->count;
    if (the_case == NULL || (last && !text_read_end(&reader))) {
        if (the_case == NULL)
            fault_list_add_advice(&source->faults, " (case %zu)", source->found + 1);
        workspace_reset(workspace);
        return stop(source, &reader);
    }
    *ret_position = (struct case_position){.begin = text->at, .total_before = text->total};
    *ret_case = the_case;
    source_pay_afterwards(work, 1 + (reader.at - text->at) / 5);
    text->at = reader.at;
    text->total = reader.total;
    source->found++;
    source->ended = last;
    return OUTCOME_DONE;
}

/* Read the number of cases and the blanks around it (of which there can be a million), even beyond the budget. */
static enum outcome read_head(struct source *source, struct workspace *workspace, struct work *work) {
    struct work unbounded = {.left = WORK_UNBOUNDED, .stop = work->stop};
    uint64_t count;
    if (!work_charge(work, 1))
        return work_failure(work);
    struct text_reader reader = reader_at(source, 0, 0, &source->faults, workspace, &unbounded);
    if (!source->admission->game->read_head(&reader, &count))
        return stop(source, &reader);
    source_pay_afterwards(work, reader.at / 5);
    source->count = (size_t)count;
    text_of(source)->at = reader.at;
    return OUTCOME_DONE;
}

/* A body in the contest format is refused as a whole, even if each case is answered on a line of its own. So for a
 * stream, read all of it first and keep the positions of its cases. */
static enum outcome read_all(struct source *source, struct workspace *workspace, struct work *work) {
    struct text_source *text = text_of(source);
    while (!source->ended) {
        struct case_position position;
        void *the_case;
        enum outcome outcome = read_next(source, workspace, work, &position, &the_case);
        workspace_reset(workspace);
        if (outcome != OUTCOME_DONE || source->problem != PROBLEM_NONE)
            return outcome;
        buffer_put(&text->positions, &position, sizeof position);
    }
    source->found = 0;
    source->ended = false;
    return text->positions.outcome;
}

static enum outcome open_text(struct source *source, struct workspace *workspace, struct work *work) {
    if (source->count == 0) {
        source_init_positions(source, &text_of(source)->positions);
        source_set_batch(source);
        enum outcome outcome = read_head(source, workspace, work);
        if (outcome != OUTCOME_DONE || source->problem != PROBLEM_NONE)
            return outcome;
    }
    return source->mode == MODE_STREAM ? read_all(source, workspace, work) : OUTCOME_DONE;
}

static enum outcome next_text(struct source *source, struct workspace *workspace, struct work *work,
                              struct case_position *ret_position, void **ret_case) {
    if (source->mode != MODE_STREAM)
        return read_next(source, workspace, work, ret_position, ret_case);
    const char *positions = text_of(source)->positions.data;
    memcpy(ret_position, positions + source->found * sizeof *ret_position, sizeof *ret_position);
    *ret_case = NULL;
    source->ended = ++source->found == source->count;
    return OUTCOME_DONE;
}

/* Read a case that `next` has already accepted, unless the reading contains it already. */
static enum outcome read_text(const struct source *source, struct case_reading *r) {
    struct fault_list none;
    if (r->the_case != NULL)
        return json_defaults_decode(source, r);
    fault_list_init(&none, NULL);
    struct text_reader reader =
        reader_at(source, r->position->begin, r->position->total_before, &none, r->workspace, r->work);
    r->the_case = read_case(source, &reader);
    ASSERT(none.count == 0);
    fault_list_clear(&none);
    return reader.outcome == OUTCOME_DONE ? json_defaults_decode(source, r) : reader.outcome;
}

static void close_text(struct source *source) { buffer_clear(&text_of(source)->positions); }

/* A file that resembles no format is read as the contest format anyway, so this does not have to be certain. */
static enum source_look look(const char *bytes, size_t length) {
    (void)length;
    return *bytes >= '0' && *bytes <= '9' ? SOURCE_LIKE : SOURCE_UNLIKE;
}

const struct source_format source_text = {
    .size = sizeof(struct text_source),
    .checks_total = true,
    .look = look,
    .open = open_text,
    .next = next_text,
    .read = read_text,
    .close = close_text,
};
