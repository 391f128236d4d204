#include "reference/pawn.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The red pieces are interchangeable, so red < other_red in every state. */
struct state {
    unsigned char red, other_red, pawn;
    bool black_to_move;
};

struct steps {
    unsigned to[4];
    unsigned without_down, with_down; /* the number of steps for a piece that cannot go down, and for one that can */
};

struct reference_pawn {
    unsigned rows, cols;
    bool *obstacle;
    struct steps *steps;                 /* by cell */
    struct reference_pawn_value *values; /* by place_of; the winner is 'T' while undecided, too */
};

enum { MAX_MOVES = 8 };

static void *checked(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static size_t place_of(const struct reference_pawn *model, struct state state) {
    size_t cells = (size_t)model->rows * model->cols;
    return ((state.red * cells + state.other_red) * cells + state.pawn) * 2 + state.black_to_move;
}

static struct state make_state(unsigned red, unsigned other_red, unsigned pawn, bool black_to_move) {
    unsigned low = red < other_red ? red : other_red;
    unsigned high = red < other_red ? other_red : red;
    return (struct state){(unsigned char)low, (unsigned char)high, (unsigned char)pawn, black_to_move};
}

/* List the free cells that a piece on `cell` can step to: up, left, right, and down last. */
static struct steps list_steps(const struct reference_pawn *model, unsigned cell) {
    unsigned row = cell / model->cols, col = cell % model->cols, to[4], count = 0;
    struct steps steps = {0};
    if (row > 0)
        to[count++] = cell - model->cols;
    if (col > 0)
        to[count++] = cell - 1;
    if (col + 1 < model->cols)
        to[count++] = cell + 1;
    if (row + 1 < model->rows)
        to[count++] = cell + model->cols;
    for (unsigned i = 0; i < count; i++) {
        if (model->obstacle[to[i]])
            continue;
        steps.to[steps.with_down++] = to[i];
        steps.without_down += to[i] != cell + model->cols;
    }
    return steps;
}

/* Get all states that the side to move can reach with a legal move. Returns their number. */
static unsigned moves_from(const struct reference_pawn *model, struct state state, struct state after[MAX_MOVES]) {
    unsigned count = 0;
    if (state.black_to_move) {
        const struct steps *steps = &model->steps[state.pawn];
        for (unsigned i = 0; i < steps->without_down; i++)
            after[count++] = make_state(state.red, state.other_red, steps->to[i], false);
        return count;
    }
    const struct steps *steps = &model->steps[state.red];
    for (unsigned i = 0; i < steps->with_down; i++) {
        if (steps->to[i] != state.other_red)
            after[count++] = make_state(steps->to[i], state.other_red, state.pawn, true);
    }
    steps = &model->steps[state.other_red];
    for (unsigned i = 0; i < steps->with_down; i++) {
        if (steps->to[i] != state.red)
            after[count++] = make_state(state.red, steps->to[i], state.pawn, true);
    }
    return count;
}

/* Get the winner before the turn begins, by the three rules in order, or 'T' if none of them applies. */
static char winner_before_turn(const struct reference_pawn *model, struct state state) {
    char mover = state.black_to_move ? 'B' : 'R';
    char moved_last = state.black_to_move ? 'R' : 'B';
    if (state.pawn < model->cols)
        return 'B';
    if (state.pawn == state.red || state.pawn == state.other_red)
        return moved_last;
    struct state after[MAX_MOVES];
    if (moves_from(model, state, after) == 0)
        return mover == 'R' ? 'B' : 'R';
    return 'T';
}

/* Get the winner according to the values from rounds before `round`: the mover if a move leads to a state that the
 * mover wins; the other side if all moves lead to states that the other side wins; 'T' while undecided. */
static char winner_by_moves(const struct reference_pawn *model, struct state state, unsigned round) {
    char mover = state.black_to_move ? 'B' : 'R';
    char other = state.black_to_move ? 'R' : 'B';
    struct state after[MAX_MOVES];
    unsigned count = moves_from(model, state, after);
    bool all_lose = true;
    for (unsigned i = 0; i < count; i++) {
        struct reference_pawn_value value = model->values[place_of(model, after[i])];
        bool decided = value.winner != 'T' && value.steps < round;
        if (decided && value.winner == mover)
            return mover;
        if (!decided)
            all_lose = false;
    }
    return all_lose ? other : 'T';
}

/* List every state on the map. The pawn may be in the first row or on a red piece, where the game is over. */
static struct state *list_states(const struct reference_pawn *model, size_t *ret_count) {
    unsigned cells = model->rows * model->cols;
    size_t free_cells = 0;
    for (unsigned cell = 0; cell < cells; cell++)
        free_cells += !model->obstacle[cell];
    struct state *states = checked(malloc((free_cells * free_cells * free_cells * 2 + 1) * sizeof(*states)));
    size_t count = 0;
    for (unsigned red = 0; red < cells; red++) {
        for (unsigned other_red = red + 1; other_red < cells; other_red++) {
            for (unsigned pawn = 0; pawn < cells; pawn++) {
                if (model->obstacle[red] || model->obstacle[other_red] || model->obstacle[pawn])
                    continue;
                states[count++] = make_state(red, other_red, pawn, false);
                states[count++] = make_state(red, other_red, pawn, true);
            }
        }
    }
    *ret_count = count;
    return states;
}

static void value_all_states(struct reference_pawn *model) {
    size_t undecided;
    struct state *states = list_states(model, &undecided);
    for (size_t i = 0; i < undecided; i++)
        model->values[place_of(model, states[i])].winner = 'T';
    bool changed = true;
    for (unsigned round = 0; changed; round++) {
        changed = false;
        size_t kept = 0;
        for (size_t i = 0; i < undecided; i++) {
            struct state state = states[i];
            char winner = round == 0 ? winner_before_turn(model, state) : winner_by_moves(model, state, round);
            if (winner == 'T') {
                states[kept++] = state;
                continue;
            }
            model->values[place_of(model, state)] = (struct reference_pawn_value){winner, (unsigned short)round};
            changed = true;
        }
        undecided = kept;
    }
    free(states);
}

struct reference_pawn *reference_pawn_new(unsigned rows, unsigned cols, const bool *obstacle) {
    size_t cells = (size_t)rows * cols;
    struct reference_pawn *model = checked(malloc(sizeof(*model)));
    model->rows = rows;
    model->cols = cols;
    model->obstacle = checked(malloc(cells * sizeof(*model->obstacle)));
    memcpy(model->obstacle, obstacle, cells * sizeof(*model->obstacle));
    model->steps = checked(malloc(cells * sizeof(*model->steps)));
    for (unsigned cell = 0; cell < cells; cell++)
        model->steps[cell] = list_steps(model, cell);
    model->values = checked(calloc(cells * cells * cells * 2, sizeof(*model->values)));
    value_all_states(model);
    return model;
}

void reference_pawn_free(struct reference_pawn *model) {
    if (model == NULL)
        return;
    free(model->obstacle);
    free(model->steps);
    free(model->values);
    free(model);
}

struct reference_pawn_value reference_pawn_value(const struct reference_pawn *model, unsigned red, unsigned other_red,
                                                 unsigned pawn, bool black_to_move) {
    return model->values[place_of(model, make_state(red, other_red, pawn, black_to_move))];
}

char reference_pawn_end(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                        bool black_to_move) {
    struct state after[MAX_MOVES];
    if (pawn < model->cols)
        return 'F';
    if (pawn == red || pawn == other_red)
        return 'C';
    return moves_from(model, make_state(red, other_red, pawn, black_to_move), after) == 0 ? 'N' : '.';
}

/* Is `to` next to `from`, in a direction in which the piece can move? Ignores pieces on the cells. */
static bool is_step(const struct reference_pawn *model, unsigned from, unsigned to, bool may_go_down) {
    unsigned from_row = from / model->cols, from_col = from % model->cols;
    unsigned to_row = to / model->cols, to_col = to % model->cols;
    bool up = to_row + 1 == from_row && to_col == from_col;
    bool down = from_row + 1 == to_row && to_col == from_col;
    bool aside = to_row == from_row && (to_col + 1 == from_col || from_col + 1 == to_col);
    return !model->obstacle[to] && (up || aside || (down && may_go_down));
}

/* Rank a result from the mover's point of view: 0 for a win, 1 for a tie, 2 for a loss. */
static int kind_for(char winner, bool black_to_move) {
    if (winner == 'T')
        return 1;
    return winner == (black_to_move ? 'B' : 'R') ? 0 : 2;
}

static bool comes_before(struct reference_pawn_move move, struct reference_pawn_move other, bool black_to_move) {
    int kind = kind_for(move.value.winner, black_to_move), other_kind = kind_for(other.value.winner, black_to_move);
    if (kind != other_kind)
        return kind < other_kind;
    if (move.value.steps != other.value.steps)
        return kind == 0 ? move.value.steps < other.value.steps : move.value.steps > other.value.steps;
    return move.from != other.from ? move.from < other.from : move.to < other.to;
}

static struct reference_pawn_move valued_move(const struct reference_pawn *model, struct state state, unsigned from,
                                              unsigned to) {
    struct state next = make_state(state.red, state.other_red, to, false);
    if (!state.black_to_move)
        next = make_state(to, from == state.red ? state.other_red : state.red, state.pawn, true);
    struct reference_pawn_value value = model->values[place_of(model, next)];
    if (value.winner != 'T')
        value.steps++;
    return (struct reference_pawn_move){from, to, value};
}

/* Tries every pair of cells, then sorts the moves by repeatedly selecting the best of those that remain. */
unsigned reference_pawn_ranking(const struct reference_pawn *model, unsigned red, unsigned other_red, unsigned pawn,
                                bool black_to_move, struct reference_pawn_move ret_moves[REFERENCE_PAWN_MAX_MOVES]) {
    unsigned cells = model->rows * model->cols, count = 0;
    struct state state = make_state(red, other_red, pawn, black_to_move);
    if (reference_pawn_end(model, red, other_red, pawn, black_to_move) != '.')
        return 0;
    for (unsigned from = 0; from < cells; from++) {
        if (black_to_move ? from != pawn : from != red && from != other_red)
            continue;
        for (unsigned to = 0; to < cells; to++) {
            if (is_step(model, from, to, !black_to_move) && (black_to_move || (to != red && to != other_red)))
                ret_moves[count++] = valued_move(model, state, from, to);
        }
    }
    for (unsigned place = 0; place < count; place++) {
        for (unsigned later = place + 1; later < count; later++) {
            if (!comes_before(ret_moves[later], ret_moves[place], black_to_move))
                continue;
            struct reference_pawn_move kept = ret_moves[place];
            ret_moves[place] = ret_moves[later];
            ret_moves[later] = kept;
        }
    }
    return count;
}
