#include "api/mine/wing.h"

#include "api/mine/json.h"
#include "api/mine/svg.h"
#include "api/mine/text.h"

/* In the order of struct mine_limits. */
static const struct limit limits[] = {
    {"max_mine_cells", "cells of a Minesweeper field, whose sides are at most 1000", 1000000, LIMIT_MOST, true},
    {"max_mine_cells_total", "cells of all fields of a request", 64000000, LIMIT_MOST, true},
    {"max_search_states", "positions a Minesweeper case may visit by search", 1000000, LIMIT_MOST, true},
};
LIMITS_MATCH(limits, struct mine_limits);

/* The positions that all cases of a batch may visit together. */
static const uint64_t batch_states = 4000000;

/* How many winning clicks are listed. */
enum { MOST_WINS = 1000 };

/* Larger pictures than this would be of no use to anybody. */
enum { MOST_DRAWN_CELLS = 10000 };

static uint64_t weigh(const void *the_case) {
    const struct mine_case *mine_case = the_case;
    return mine_case->mines != NULL ? (uint64_t)(mine_case->rows * mine_case->cols) : 0;
}

static bool can_draw(const void *the_case) {
    const struct mine_case *mine_case = the_case;
    return mine_case->rows * mine_case->cols <= MOST_DRAWN_CELLS;
}

static uint64_t search_states(const struct game_question *question) {
    uint64_t most = ((const struct mine_limits *)question->limits)->max_search_states;
    return question->cases != 0 && batch_states / question->cases < most ? batch_states / question->cases : most;
}

static enum work_outcome draw(const struct mine_field *field, const struct mine_verdict *verdict,
                              const struct mine_clicks *clicks, const struct game_question *question,
                              struct buffer *out) {
    size_t cells = (size_t)field->rows * field->cols;
    if (!work_charge(question->work, 100 + 10 * cells))
        return WORK_EXHAUSTED;
    char *shown = arena_alloc(question->arena, cells);
    uint32_t *openings = arena_array(question->arena, cells, sizeof *openings);
    if (shown == NULL || openings == NULL)
        return WORK_NO_MEMORY;
    mine_show(field, shown);
    enum work_outcome outcome = mine_name_blanks(field, question->arena, question->work, openings);
    if (outcome != WORK_DONE)
        return outcome;
    mine_svg_draw(out, &(struct mine_svg_picture){
                           .rows = field->rows,
                           .cols = field->cols,
                           .cells = shown,
                           .opening = openings,
                           .wins = clicks->cells,
                           .win_count = clicks->count,
                           .verdict = verdict,
                           .wins_known = clicks->known,
                       });
    return WORK_DONE;
}

static enum work_outcome answer(const void *the_case, const struct game_question *question, struct buffer *out) {
    const struct mine_case *mine_case = the_case;
    struct mine_field field = {(unsigned)mine_case->rows, (unsigned)mine_case->cols, mine_case->mines};
    struct arena *arena = question->arena;
    struct work *work = question->work;
    struct mine_verdict verdict;
    struct mine_clicks clicks = {.known = false};
    bool picture = question->format == FORMAT_SVG;
    bool lists = question->format == FORMAT_JSON && mine_case->include >> MINE_INCLUDE_WINS & 1;
    uint64_t states = search_states(question);
    enum work_outcome outcome = picture || lists
                                    ? mine_solve_with_clicks(&field, states, picture ? MOST_DRAWN_CELLS : MOST_WINS,
                                                             arena, work, NULL, &verdict, &clicks)
                                    : mine_solve(&field, states, arena, work, NULL, &verdict);
    if (outcome != WORK_DONE)
        return outcome;
    if (picture)
        return draw(&field, &verdict, &clicks, question, out);
    if (question->format == FORMAT_JSON)
        return mine_json_encode(mine_case, &field, &verdict, &clicks, arena, work, out);
    mine_text_print(out, question->number, &verdict);
    return WORK_DONE;
}

const struct game mine_wing = {
    .name = "mine",
    .about = "Minesweeper for two players: who wins",
    .case_size = sizeof(struct mine_case),
    .limits = {limits, sizeof limits / sizeof *limits},
    .total_limit = offsetof(struct mine_limits, max_mine_cells_total) / sizeof(uint64_t),
    .decode = mine_json_decode,
    .weigh = weigh,
    .read_head = text_read_case_count,
    .read_case = mine_text_read_case,
    .can_draw = can_draw,
    .answer = answer,
};
