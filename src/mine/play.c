/* The state of a game is the set of face-up cells. The runs of blanks are sorted by opening, so that each is revealed
 * once, together with its opening. */
#include "mine/play.h"

#include "base/assert.h"
#include "mine/openings.h"

/* Adjacent blanks in a row: columns `start` to `end` - 1. */
struct span {
    uint16_t row, start, end;
};

struct mine_play {
    struct mine_field field;       /* excluding cells that are face up */
    uint64_t *face_up;             /* of the field being played */
    struct mine_openings openings; /* of `field` */
    struct span *spans;            /* sorted by opening */
    uint32_t *starts;              /* [openings + 1] the spans of opening k are starts[k] to starts[k + 1] - 1 */
};

/* Sort the runs by opening, with a counting sort. starts[] is zeroed, and has two more elements than there are
 * openings. Each opening is counted two places higher, so that its start ends up in its own place. */
static void sort_runs(struct mine_play *play) {
    const struct mine_openings *openings = &play->openings;
    for (uint32_t run = 0; run < openings->row_runs[play->field.rows]; run++)
        play->starts[openings->runs[run].opening + 2]++;
    for (uint32_t k = 2; k <= openings->graph.vertices; k++)
        play->starts[k] += play->starts[k - 1];
    for (unsigned r = 0; r < play->field.rows; r++)
        for (uint32_t run = openings->row_runs[r]; run < openings->row_runs[r + 1]; run++) {
            const struct mine_run *from = &openings->runs[run];
            play->spans[play->starts[from->opening + 1]++] = (struct span){(uint16_t)r, from->start, from->end};
        }
}

enum outcome mine_play_new(const struct mine_field *field, struct arena *arena, struct work *work,
                           struct mine_play **ret_play) {
    ASSERT(mine_field_is_valid(field) && field->face_up != NULL);
    struct mine_play *play = arena_alloc(arena, sizeof *play);
    if (play == NULL)
        return OUTCOME_NO_MEMORY;
    play->field = (struct mine_field){.rows = field->rows, .cols = field->cols, .mines = field->mines};
    play->face_up = field->face_up;
    enum outcome outcome = mine_find_openings(&play->field, arena, work, &play->openings);
    if (outcome != OUTCOME_DONE)
        return outcome;
    uint32_t runs = play->openings.row_runs[field->rows];
    if (!work_charge(work, 2 + 2 * (uint64_t)runs))
        return work_failure(work);
    play->spans = arena_array(arena, runs, sizeof *play->spans);
    play->starts = arena_calloc(arena, (size_t)play->openings.graph.vertices + 2, sizeof *play->starts);
    if (play->spans == NULL || play->starts == NULL)
        return OUTCOME_NO_MEMORY;
    sort_runs(play);
    *ret_play = play;
    return OUTCOME_DONE;
}

/* Find a blank's opening: that of the last run in its row that starts at or before it. */
static uint32_t opening_at(const struct mine_openings *openings, unsigned row, unsigned col) {
    uint32_t from = openings->row_runs[row], to = openings->row_runs[row + 1];
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (openings->runs[middle].start <= col)
            from = middle;
        else
            to = middle;
    }
    ASSERT(to > from && openings->runs[from].start <= col && col < openings->runs[from].end);
    return openings->runs[from].opening;
}

/* Reveal columns `from` to `to` - 1 of a row. */
static void turn_columns(struct mine_play *play, unsigned row, unsigned from, unsigned to) {
    uint64_t *words = play->face_up + (size_t)row * play->openings.words;
    for (unsigned w = from / 64; w <= (to - 1) / 64; w++) {
        uint64_t columns = w == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
        if (w == to / 64)
            columns &= ((uint64_t)1 << to % 64) - 1;
        words[w] |= columns;
    }
}

/* Reveal an opening: its blanks and all cells next to them, none of which is a mine. */
static void turn_opening(struct mine_play *play, uint32_t opening) {
    unsigned rows = play->field.rows, cols = play->field.cols;
    for (uint32_t k = play->starts[opening]; k < play->starts[opening + 1]; k++) {
        struct span at = play->spans[k];
        unsigned from = at.start > 0 ? at.start - 1u : 0, to = at.end < cols ? at.end + 1u : cols;
        for (unsigned r = at.row > 0 ? at.row - 1u : 0; r <= at.row + 1u && r < rows; r++)
            turn_columns(play, r, from, to);
    }
}

enum mine_click mine_play_click(struct mine_play *play, unsigned row, unsigned col) {
    ASSERT(row < play->field.rows && col < play->field.cols);
    size_t at = (size_t)row * play->openings.words + col / 64;
    uint64_t bit = (uint64_t)1 << col % 64;
    if (play->field.mines[at] & bit)
        return MINE_CLICK_ON_MINE;
    if (play->face_up[at] & bit)
        return MINE_CLICK_FACE_UP;
    if (play->openings.near[at] & bit)
        play->face_up[at] |= bit;
    else
        turn_opening(play, opening_at(&play->openings, row, col));
    return MINE_CLICK_LEGAL;
}
