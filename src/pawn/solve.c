/* Gets from a position to an answer: decides which states to value, and orders the moves.
 *
 * First the states that Red wins are found, then those that Black wins; all others are ties. The two are independent of
 * each other, and the first alone answers most questions. */
#include "pawn/solve.h"

#include "base/assert.h"
#include "pawn/layers.h"

/* Add `position` to the states whose values are wanted. If the game is over there, its value is known immediately. */
static void add_state(struct pawn_question *question, const struct pawn_position *position) {
    struct pawn_result result = pawn_position_result(position);
    ASSERT(question->count < sizeof question->states / sizeof *question->states);
    question->states[question->count++] = (struct pawn_state){
        .red = {position->red[0], position->red[1]},
        .pawn = position->pawn,
        .turn = position->turn,
        .known = result.end != PAWN_NOT_OVER,
        .verdict = {result.winner, 0},
    };
}

/* Return a number for how much the mover prefers a verdict: greater is better. */
static int64_t preference(struct pawn_verdict verdict, enum pawn_side mover) {
    if (verdict.winner == PAWN_TIE)
        return 0;
    return verdict.winner == pawn_winner_of(mover) ? INT64_MAX - verdict.steps : INT64_MIN + verdict.steps;
}

/* Write the moves to `ret_moves` in `mover`'s order of preference, by the values of the states that they lead to: those
 * of the question from the second on. Insertion sort keeps equal moves in their original order. */
static void rank(const struct pawn_question *question, const struct pawn_move *moves, unsigned count,
                 enum pawn_side mover, struct pawn_ranked_move *ret_moves) {
    for (unsigned m = 0; m < count; m++) {
        struct pawn_ranked_move ranked = {moves[m], question->states[1 + m].verdict};
        ranked.verdict.steps += ranked.verdict.winner != PAWN_TIE;
        unsigned at = m;
        for (; at > 0 && preference(ret_moves[at - 1].verdict, mover) < preference(ranked.verdict, mover); at--)
            ret_moves[at] = ret_moves[at - 1];
        ret_moves[at] = ranked;
    }
}

/* Return whether all states of the question are known. */
static bool is_answered(const struct pawn_question *question) {
    bool all = true;
    for (unsigned s = 0; s < question->count; s++)
        all &= question->states[s].known;
    return all;
}

/* Return the analysis with the smallest sets that are large enough for the board. */
static pawn_layers_analyse *analysis_for(const struct pawn_position *root) {
    unsigned cells = root->rows * root->cols;
    return cells <= 64                       ? pawn_layers_analyse_64
           : cells <= 128 && root->cols < 64 ? pawn_layers_analyse_128
                                             : pawn_layers_analyse_256;
}

enum outcome pawn_solve(const struct pawn_position *position, unsigned wants, struct arena *arena, struct work *work,
                        struct pawn_answer *ret_answer) {
    struct pawn_question question = {.root = position, .wants_line = (wants & PAWN_LINE) != 0};
    struct pawn_move moves[PAWN_MAX_MOVES];
    unsigned count = 0;
    ASSERT(pawn_position_is_valid(position));
    add_state(&question, position);
    if (wants & PAWN_MOVES && !question.states[0].known) {
        count = pawn_position_moves(position, moves);
        for (unsigned m = 0; m < count; m++) {
            struct pawn_position next = *position;
            pawn_position_play(&next, moves[m]);
            add_state(&question, &next);
        }
    }
    for (int side = 0; side < 2 && !is_answered(&question); side++) {
        struct arena_mark mark = arena_mark(arena);
        enum outcome outcome = analysis_for(position)(&question, (enum pawn_side)side, arena, work);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (question.line == NULL)
            arena_rewind(arena, mark);
    }
    *ret_answer =
        (struct pawn_answer){.verdict = question.states[0].verdict, .move_count = count, .line = question.line};
    rank(&question, moves, count, position->turn, ret_answer->moves);
    return OUTCOME_DONE;
}
