#include "api/mine/backend.h"

#include "api/mine/json.h"
#include "api/mine/make.h"
#include "api/mine/svg.h"
#include "api/mine/text.h"

/* In the order of struct mine_limits. */
static const struct limit limits[] = {
    {"max_mine_cells", "cells in a Minesweeper field; each side can have at most 1000", 1000000, 1000000, LIMIT_MAX,
     true},
    {"max_mine_cells_total", "total cells in all Minesweeper fields in a request", 64000000, 64000000, LIMIT_MAX, true},
    {"max_search_states", "positions that the search for one Minesweeper case can visit", 1000000, 100000, LIMIT_MAX,
     true},
};
LIMITS_MATCH(limits, struct mine_limits);

/* The maximum number of positions that all cases in a batch can visit together. */
static const uint64_t batch_states = 4000000;

/* The maximum number of winning clicks, and of clusters, that are listed. */
enum { MAX_LISTED = 1000 };

/* The maximum number of cells of a field in a picture. */
enum { MAX_DRAWN_CELLS = 10000 };

static uint64_t size_of(const void *the_case) {
    const struct mine_case *mine_case = the_case;
    return mine_case->mines != NULL ? (uint64_t)(mine_case->rows * mine_case->cols) : 0;
}

static uint64_t total_limit(const void *of_mine) { return ((const struct mine_limits *)of_mine)->max_mine_cells_total; }

/* The field takes a few bytes per cell. The search keeps the parts that it has encountered in arrays that double as
 * they grow. */
static size_t max_solving_bytes(const void *of_mine) {
    const struct mine_limits *values = of_mine;
    size_t max = GAME_MAX_SOLVING / 256;
    size_t cells = values->max_mine_cells < 1000000 ? (size_t)values->max_mine_cells : 1000000;
    size_t states = values->max_search_states < max ? (size_t)values->max_search_states : max;
    return ((size_t)16 << 20) + 64 * cells + 256 * states;
}

static bool can_draw(const void *the_case) {
    const struct mine_case *mine_case = the_case;
    return mine_case->rows * mine_case->cols <= MAX_DRAWN_CELLS;
}

/* Get the number of positions a case may visit. It is limited by the service, by the case's share of a batch, and by
 * the case's own `states` member. */
static uint64_t search_states(const struct mine_case *mine_case, const struct game_question *question) {
    uint64_t max = ((const struct mine_limits *)question->limits)->max_search_states;
    if (question->cases != 0 && batch_states / question->cases < max)
        max = batch_states / question->cases;
    return mine_case->states != 0 && (uint64_t)mine_case->states < max ? (uint64_t)mine_case->states : max;
}

/* Draw a field: fully revealed or, with clicks, as the players see it. */
static enum outcome draw(const struct mine_case *mine_case, const struct mine_field *field,
                         const struct mine_verdict *verdict, const struct mine_clicks *clicks,
                         const struct game_question *question, struct buffer *out) {
    size_t cells = (size_t)field->rows * field->cols;
    bool is_played = field->face_up != NULL;
    if (!work_charge(question->work, 100 + 10 * cells))
        return work_failure(question->work);
    char *shown = arena_alloc(question->arena, cells);
    uint32_t *openings = arena_array(question->arena, cells, sizeof *openings);
    if (shown == NULL || openings == NULL)
        return OUTCOME_NO_MEMORY;
    (is_played ? mine_show_face : mine_show)(field, shown);
    enum outcome outcome = mine_name_blanks(field, question->arena, question->work, openings);
    if (outcome != OUTCOME_DONE)
        return outcome;
    for (size_t cell = 0; cell < cells; cell++)
        if (shown[cell] == '#')
            openings[cell] = UINT32_MAX;
    mine_svg_draw(out, &(struct mine_svg_picture){
                           .rows = field->rows,
                           .cols = field->cols,
                           .cells = shown,
                           .opening = openings,
                           .wins = *clicks,
                           .verdict = verdict,
                           .is_played = is_played,
                           .clicks = mine_case->click_count,
                           .last = mine_case->last_click,
                       });
    return OUTCOME_DONE;
}

static enum outcome answer(const void *the_case, const struct game_question *question, struct buffer *out) {
    const struct mine_case *mine_case = the_case;
    struct mine_field field = {
        .rows = (unsigned)mine_case->rows,
        .cols = (unsigned)mine_case->cols,
        .mines = mine_case->mines,
        .face_up = mine_case->face_up,
    };
    struct arena *arena = question->arena;
    struct work *work = question->work;
    struct mine_verdict verdict;
    struct mine_clicks clicks = {.known = false};
    struct mine_clusters clusters = {.total = 0};
    bool picture = question->format == FORMAT_SVG, json = question->format == FORMAT_JSON;
    bool wins = picture || (json && mine_case->include >> MINE_INCLUDE_WINS & 1);
    bool parts = json && mine_case->include >> MINE_INCLUDE_CLUSTERS & 1;
    uint64_t states = search_states(mine_case, question);
    enum outcome outcome;
    if (wins || parts)
        outcome = mine_solve_with_lists(&field, states, picture ? MAX_DRAWN_CELLS : MAX_LISTED, arena, work, &verdict,
                                        wins ? &clicks : NULL, parts ? &clusters : NULL);
    else
        outcome = mine_solve(&field, json ? MINE_NIMBER : MINE_WINNER, states, arena, work, &verdict);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (picture)
        outcome = draw(mine_case, &field, &verdict, &clicks, question, out);
    else if (json)
        outcome = mine_json_encode(mine_case, &field, &verdict, &clicks, &clusters, arena, work, out);
    else
        mine_text_print(out, question->number, mine_winner_word(&verdict, mine_case->click_count));
    work->statistics.unknown += outcome == OUTCOME_DONE && !verdict.known && !verdict.won;
    return outcome;
}

static const char *const left_out[] = {"mines", "clicks", NULL};

const struct game mine_backend = {
    .name = "mine",
    .path = "/mine",
    .example = "{\"board\":[\"*..\",\"...\"]}",
    .about = "two-player Minesweeper: who wins",
    .case_size = sizeof(struct mine_case),
    .limits = {limits, sizeof limits / sizeof *limits},
    .total_limit = total_limit,
    .left_out = left_out,
    .max_solving_bytes = max_solving_bytes,
    .members = &mine_json_members,
    .bare_member = "board",
    .decode = mine_json_decode,
    .size_of = size_of,
    .read_head = text_read_case_count,
    .read_case = mine_text_read_case,
    .maker = &mine_maker,
    .can_draw = can_draw,
    .answer = answer,
};
