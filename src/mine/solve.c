#include "mine/solve.h"

#include "base/bits.h"
#include "mine/openings.h"

#include <string.h>

/* Build the verdict from the results. */
static struct mine_verdict verdict_of(const struct mine_openings *openings, const struct mine_nimber *nimber) {
    struct mine_verdict verdict = {
        .known = nimber->known,
        .won = nimber->won,
        .nimber = nimber->nimber,
        .openings = openings->graph.vertices,
        .three_bv = openings->graph.vertices + openings->isolated_numbers,
        .shared_numbers = openings->shared_numbers,
    };
    if (!nimber->known && !nimber->won) {
        uint32_t blank = openings->first_blank[nimber->first];
        verdict.unsolved.row = blank / openings->field->cols;
        verdict.unsolved.col = blank % openings->field->cols;
        verdict.unsolved.openings = nimber->cluster_vertices;
        verdict.unsolved.numbers = nimber->cluster_numbers;
    }
    return verdict;
}

enum outcome mine_solve(const struct mine_field *field, enum mine_aim aim, uint64_t max_states, struct arena *arena,
                        struct work *work, struct mine_verdict *ret_verdict) {
    struct mine_openings openings;
    struct mine_nimber nimber;
    enum outcome outcome = mine_find_openings(field, arena, work, &openings);
    if (outcome == OUTCOME_DONE)
        outcome = mine_graph_value(&openings.graph, aim, MINE_ALL_SHORTCUTS, max_states, arena, work, &nimber);
    if (outcome == OUTCOME_DONE)
        *ret_verdict = verdict_of(&openings, &nimber);
    return outcome;
}

/* Add a row's winning clicks (numbers, and the first blanks of openings) to the list, by column. *next is the first
 * opening whose first blank is not in an earlier row; clicks[words] is scratch memory. */
static void list_row(struct mine_openings *openings, bool isolated, const struct mine_wins *wins, unsigned r,
                     uint32_t *next, uint64_t *clicks, uint32_t max, struct mine_clicks *list) {
    uint32_t start = r * openings->field->cols, end = start + openings->field->cols;
    mine_mark_numbers(openings, r, isolated, wins, clicks);
    for (; *next < openings->graph.vertices && openings->first_blank[*next] < end; ++*next)
        if (wins->vertex[*next])
            clicks[(openings->first_blank[*next] - start) / 64] |= (uint64_t)1
                                                                   << (openings->first_blank[*next] - start) % 64;
    for (unsigned w = 0; w < openings->words; w++) {
        list->total += bits_count(clicks[w]);
        for (uint64_t left = clicks[w]; left != 0 && list->count < max; left &= left - 1)
            list->cells[list->count++] = start + w * 64 + (unsigned)__builtin_ctzll(left);
    }
}

/* List the winning clicks. If `wins` is not known, the list is empty. */
static enum outcome list_clicks(struct mine_openings *openings, uint32_t nimber, const struct mine_wins *wins,
                                uint32_t max, struct arena *arena, struct work *work, struct mine_clicks *ret_clicks) {
    const struct mine_field *field = openings->field;
    if (!work_charge(work, (uint64_t)field->rows * (2 + field->cols / 4)))
        return work_failure(work);
    struct mine_clicks list = {.known = wins->known, .cells = arena_array(arena, max, sizeof *list.cells)};
    uint64_t *clicks = arena_array(arena, openings->words, sizeof *clicks);
    if (list.cells == NULL || clicks == NULL)
        return OUTCOME_NO_MEMORY;
    uint32_t next = 0;
    for (unsigned r = 0; wins->known && nimber != 0 && r < field->rows; r++)
        list_row(openings, nimber == 1, wins, r, &next, clicks, max, &list);
    *ret_clicks = list;
    return OUTCOME_DONE;
}

enum outcome mine_solve_with_lists(const struct mine_field *field, uint64_t max_states, uint32_t max,
                                   struct arena *arena, struct work *work, struct mine_verdict *ret_verdict,
                                   struct mine_clicks *ret_clicks, struct mine_clusters *ret_clusters) {
    struct mine_openings openings;
    struct mine_nimber nimber;
    struct mine_wins wins;
    struct mine_clusters clusters;
    enum outcome outcome = mine_find_openings(field, arena, work, &openings);
    if (outcome == OUTCOME_DONE)
        outcome =
            mine_graph_value_with_lists(&openings.graph, max_states, max, arena, work, &nimber,
                                        ret_clicks != NULL ? &wins : NULL, ret_clusters != NULL ? &clusters : NULL);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (ret_clicks != NULL)
        outcome = list_clicks(&openings, nimber.nimber, &wins, max, arena, work, ret_clicks);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (ret_clusters != NULL) {
        for (uint32_t k = 0; k < clusters.count; k++)
            clusters.items[k].first = openings.first_blank[clusters.items[k].first];
        *ret_clusters = clusters;
    }
    *ret_verdict = verdict_of(&openings, &nimber);
    return OUTCOME_DONE;
}

enum outcome mine_name_blanks(const struct mine_field *field, struct arena *arena, struct work *work,
                              uint32_t *ret_openings) {
    const struct mine_field whole = {.rows = field->rows, .cols = field->cols, .mines = field->mines};
    struct mine_openings openings;
    enum outcome outcome = mine_find_openings(&whole, arena, work, &openings);
    if (outcome != OUTCOME_DONE)
        return outcome;
    memset(ret_openings, 0xff, (size_t)field->rows * field->cols * sizeof *ret_openings);
    for (unsigned r = 0; r < field->rows; r++)
        for (uint32_t run = openings.row_runs[r]; run < openings.row_runs[r + 1]; run++)
            for (unsigned c = openings.runs[run].start; c < openings.runs[run].end; c++)
                ret_openings[(size_t)r * field->cols + c] = openings.runs[run].opening;
    return OUTCOME_DONE;
}
