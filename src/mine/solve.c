#include "mine/solve.h"

#include "mine/field.h"

enum outcome mine_solve(const struct mine_field *field, uint64_t max_states, struct arena *arena, struct work *work,
                        struct mine_tally *tally, struct mine_verdict *ret_verdict) {
    struct mine_openings openings;
    struct mine_nimber nimber;
    enum outcome outcome = mine_find_openings(field, arena, work, &openings);
    if (outcome == DONE)
        outcome = mine_graph_nimber(&openings.graph, MINE_ALL_SHORTCUTS, max_states, arena, work, tally, &nimber);
    if (outcome != DONE)
        return outcome;
    struct mine_verdict verdict = {
        .known = nimber.known,
        /* A lone number is a game of one move. */
        .nimber = nimber.nimber ^ openings.lone_numbers % 2,
        .openings = openings.graph.vertices,
        .three_bv = openings.graph.vertices + openings.lone_numbers,
        .shared_numbers = openings.shared_numbers,
    };
    if (!nimber.known) {
        uint32_t blank = openings.first_blank[nimber.first];
        verdict.unsolved.row = blank / field->cols;
        verdict.unsolved.col = blank % field->cols;
        verdict.unsolved.openings = nimber.cluster_vertices;
        verdict.unsolved.numbers = nimber.cluster_numbers;
    }
    *ret_verdict = verdict;
    return DONE;
}
