/* Retrograde analysis of the crossing-pawn game, for many states at a time.
 *
 * A state is (unordered pair of red cells, pawn cell, side to move). For each pair and side, the pawn cells are a bit
 * set, so that a pair's states are valued together, a hundred at once, and no edges are stored. The states that one
 * player wins are found independently of the other's:
 *
 *                      Red to move                    Black to move
 *     won by Red       at_red[i][j]  <-- any piece --  at_black[i][j]      i, j: the cells of the two red pieces
 *                                    -- all steps -->                      each entry: a set of pawn cells, row-major
 *     won by Black     at_red[i][j]  -- any step --->  at_black[i][j]
 *                                    <- all pieces --
 *
 *   any piece   Red to move wins if some neighbouring pair (one piece moved one cell) has the pawn cell: an OR over at
 *               most eight entries;
 *   all steps   Black to move loses if all steps of its pawn lead into at_red of the same pair;
 *   any step    Black to move wins if one of its steps leads into at_red of the same pair: three shifts of a set,
 *               masked where a row ends;
 *   all pieces  Red to move loses if all neighbouring pairs have the pawn cell: an AND over at most eight entries.
 *
 * The sets grow in layers: a state enters in layer k when the game lasts exactly k more moves under best play. Layer 0
 * has the ends of the game, by the three rules in order. A sweep visits the neighbours of the pairs whose at_black grew
 * in the previous sweep. Each visit adds the pair's new states with Red to move and derives the new ones with Black to
 * move from them; those stay in a list until the end of the sweep. So a sweep covers two layers. A state that never
 * enters is won by the other player or is a tie. The layers follow the rule of best play: a winner's state enters right
 * after its earliest successor, a loser's after its last.
 *
 * at_black is stored for (i, j), i > j, and also for (j, i) if they are less than a row apart. So the eight neighbours
 * are found without comparing cells: four in the rows of the cells next to i, four in the row of i. (Comparing cells
 * takes 1.4 times as long on the benchmark's ten hard boards, and 1.5 times as many instructions.) A cell that a piece
 * cannot enter (an obstacle, a cell outside the board, the other piece's cell) is treated as wall. A wall entry changes
 * nothing: it is empty for OR, and full for AND.
 *
 *     at_black     0 ... j ... cells        row and column `cells` are wall, and so is the diagonal
 *         i        . . . * . . W
 *       cells      W W W W W W W
 *
 * A small board takes few sweeps, the last of which would find a single bit. So the question's states alone are
 * computed for the next sweep, and for the one after it (see mark_next_sweep).
 *
 * Only states that the root can reach are computed: the pawn never moves down, and a red piece never leaves its
 * component of free cells. If a line is wanted, the layers are kept. The best move is the first one, in the order of
 * the rules, that leads into the next lower layer: the winner cannot win faster, and the loser cannot last longer.
 *
 * Source: retrograde analysis as in K. Thompson, 'Retrograde Analysis of Certain Endgames', ICCA Journal 9(3), 1986;
 * representing the layers as bit sets is new here.
 *
 * Compiled once for each size of set, SET_BITS, by layers_64.c, layers_128.c and layers_256.c. */
#include "base/arena.h"
#include "base/assert.h"
#include "base/work.h"
#include "pawn/cells_template.h"
#include "pawn/layers.h"

#include <string.h>

/* In bytes: up to this total size, layers are kept as sets; later ones are kept state by state, at 4 bytes each. Each
 * state enters once, and there are fewer than 256^3 with either side to move, so a line of any length takes less than
 * 24 + 64 MiB. (States are found as fast as in sets, but storing them takes two to four times as long.) */
enum { MAX_KEPT_AS_SETS = 24 << 20 };

/* Additions to the sets for one side to move: pairs in ascending order, each with its new pawn cells. */
struct layer {
    const struct layer *prev; /* in a kept layer: the one before it, for the other side to move; NULL: none */
    unsigned number;
    uint32_t count;
    uint32_t *pair;      /* i << 16 | j, with i > j; in a layer kept state by state: i << 24 | j << 16 | pawn cell */
    struct cells *cells; /* NULL: the layer is kept state by state */
};

/* The free cells above, left of, right of and below a cell. A missing one is the wall, which has the number `cells`. */
struct neighbours {
    uint16_t cell[4];
};

/* An analysis for one side. The arrays are in the arena. */
struct analysis {
    const struct pawn_position *root;
    enum pawn_side side;
    unsigned cells, cols, stride;
    struct cells free, first_row, left_column, right_column;
    struct cells pawn_cells;         /* the cells that the pawn can reach */
    struct cells stuck;              /* those from which it has no step */
    struct cells reach[2];           /* the cells that each red piece can reach */
    struct cells *at_red, *at_black; /* [stride][stride] */
    struct cells *single;            /* [stride] the set of this cell alone; empty for the wall */
    struct cells *below;             /* [stride] the lower-numbered cells where the other piece can be */
    struct cells *new_pairs;         /* [stride] by cell: the cells that form a pair with it whose at_black grew */
    struct neighbours *neighbours;   /* [stride] */
    struct layer reds, blacks;       /* the newest two layers, reds only if layers are kept; space for every pair */
    bool keeps;                      /* a line is wanted, and the root's winner is not known yet */
    const struct layer *kept;        /* if so: the newest kept layer */
    size_t kept_bytes;               /* total size of the layers that are kept as sets */
};

/* Return the cells left and right of those in `from`. */
static inline struct cells beside(const struct analysis *a, struct cells from) {
    return either(shift_down(without(from, a->left_column), 1), shift_up(without(from, a->right_column), 1));
}

/* Return the cells that pawns on `from` reach in one move up, left or right. */
static inline struct cells steps(const struct analysis *a, struct cells from) {
    return both(either(shift_rows_down(from, a->cols), beside(a, from)), a->free);
}

/* Return the cells that the pawn can reach and from which it gets to `to` in one move. */
static inline struct cells steps_back(const struct analysis *a, struct cells to) {
    return both(either(shift_rows_up(to, a->cols), beside(a, to)), a->pawn_cells);
}

/* Return the cells that red pieces on `from` reach in one move. */
static inline struct cells walks(const struct analysis *a, struct cells from) {
    return either(steps(a, from), both(shift_rows_up(from, a->cols), a->free));
}

/* Return the cells that the pawn or a red piece on `from` can reach, including `from`. The loop ends when it finds
 * nothing new. */
static struct cells find_reach(const struct analysis *a, unsigned from, bool is_pawn) {
    struct cells found = {0};
    add_cell(&found, from);
    for (struct cells more = found; !is_empty(more); found = either(found, more))
        more = without(is_pawn ? steps(a, more) : walks(a, more), found);
    return found;
}

/* Set the members that depend only on the board and the root, and need no allocation. */
static void read_board(struct analysis *a, const struct pawn_position *root, enum pawn_side side) {
    *a = (struct analysis){.root = root, .side = side, .cells = root->rows * root->cols, .cols = root->cols};
    a->stride = a->cells + 1;
    for (unsigned cell = 0; cell < a->cells; cell++) {
        if (!root->obstacle[cell])
            add_cell(&a->free, cell);
        if (cell < a->cols)
            add_cell(&a->first_row, cell);
        if (cell % a->cols == 0)
            add_cell(&a->left_column, cell);
        if (cell % a->cols == a->cols - 1)
            add_cell(&a->right_column, cell);
    }
    a->pawn_cells = find_reach(a, root->pawn, true);
    a->stuck = without(a->pawn_cells, steps_back(a, a->free));
    for (int piece = 0; piece < 2; piece++)
        a->reach[piece] = find_reach(a, root->red[piece], false);
}

/* Write the neighbours of each cell, and where the other piece can be: the two pieces are in the same component of free
 * cells, or in different ones. */
static void describe_cells(struct analysis *a) {
    struct cells before = {0};
    bool apart = !has_cell(&a->reach[0], a->root->red[1]);
    memset(a->single, 0, a->stride * sizeof *a->single);
    memset(a->below, 0, a->stride * sizeof *a->below);
    for (unsigned cell = 0; cell < a->cells; cell++) {
        unsigned row = cell / a->cols, col = cell % a->cols, wall = a->cells, last_row = a->root->rows - 1;
        unsigned around[4] = {row > 0 ? cell - a->cols : wall, col > 0 ? cell - 1 : wall,
                              col + 1 < a->cols ? cell + 1 : wall, row < last_row ? cell + a->cols : wall};
        for (int k = 0; k < 4; k++)
            a->neighbours[cell].cell[k] =
                (uint16_t)(around[k] != wall && has_cell(&a->free, around[k]) ? around[k] : wall);
        add_cell(&a->single[cell], cell);
        for (int piece = 0; piece < 2; piece++)
            if (has_cell(&a->reach[piece], cell))
                a->below[cell] = both(before, a->reach[apart ? 1 - piece : piece]);
        add_cell(&before, cell);
    }
}

/* Allocate the arrays; false when memory is exhausted. */
static bool allocate(struct analysis *a, struct arena *arena) {
    size_t entries = (size_t)a->stride * a->stride, pairs = (size_t)a->cells * (a->cells - 1) / 2;
    a->at_red = arena_array(arena, entries, sizeof *a->at_red);
    a->at_black = arena_array(arena, entries + 1, sizeof *a->at_black);
    a->single = arena_array(arena, a->stride, sizeof *a->single);
    a->below = arena_array(arena, a->stride, sizeof *a->below);
    a->new_pairs = arena_array(arena, a->stride, sizeof *a->new_pairs);
    a->neighbours = arena_array(arena, a->stride, sizeof *a->neighbours);
    a->reds.pair = arena_array(arena, a->keeps ? pairs : 0, sizeof *a->reds.pair);
    a->reds.cells = arena_array(arena, a->keeps ? pairs : 0, sizeof *a->reds.cells);
    a->blacks.pair = arena_array(arena, pairs, sizeof *a->blacks.pair);
    a->blacks.cells = arena_array(arena, pairs, sizeof *a->blacks.cells);
    return a->at_red && a->at_black && a->single && a->below && a->new_pairs && a->neighbours && a->reds.pair &&
           a->reds.cells && a->blacks.pair && a->blacks.cells;
}

/* Return the pair of two different cells, the greater one in the upper half. */
static inline uint32_t pair_of(unsigned a, unsigned b) { return a > b ? a << 16 | b : b << 16 | a; }

/* Add the pair (i, j), i > j, to a layer. Pairs arrive in ascending order, so each arrives once, and there is always
 * space. */
static inline void append(struct layer *layer, unsigned i, unsigned j, struct cells cells) {
    ASSERT(i > j && (layer->count == 0 || layer->pair[layer->count - 1] < (i << 16 | j)));
    layer->pair[layer->count] = i << 16 | j;
    layer->cells[layer->count++] = cells;
}

/* Return whether Red can move with its pieces on i and j. */
static bool red_can_move(const struct analysis *a, unsigned i, unsigned j) {
    struct cells pieces = either(a->single[i], a->single[j]);
    return !is_empty(without(walks(a, pieces), pieces));
}

/* Return the second place to write the entry of (i, j), i > j: [j][i] if they are less than a row apart, because only
 * then can a piece step past the other in cell order; otherwise an entry that is never read. */
static inline struct cells *mirror_of(const struct analysis *a, unsigned i, unsigned j) {
    unsigned mirror = j * a->stride + i, nowhere = a->stride * a->stride;
    return &a->at_black[i - j < a->cols ? mirror : nowhere];
}

/* Write wall entries, filled with the byte `wall`, wherever a neighbour may be read. Those of pairs that can be reached
 * are overwritten later. */
static void build_walls(struct analysis *a, int wall) {
    for (unsigned i = 0; i < a->cells; i++) {
        struct cells *row = a->at_black + (size_t)i * a->stride;
        unsigned far = i + a->cols < a->cells ? i + a->cols : a->cells; /* [i][j] is read for j < i + cols */
        memset(row, wall, far * sizeof *row);
        memset(row + a->cells, wall, sizeof *row);
    }
    memset(a->at_black + (size_t)a->cells * a->stride, wall, a->stride * sizeof *a->at_black);
}

/* Return the pawn cells at which the game is over with Red to move and its pieces on i and j; Black has won all of
 * them. Includes only cells that the pawn can reach, because the first row may have obstacles. */
static inline struct cells ends_with_red(const struct analysis *a, unsigned i, unsigned j) {
    struct cells pieces = either(a->single[i], a->single[j]);
    return red_can_move(a, i, j) ? both(either(a->first_row, pieces), a->pawn_cells) : a->pawn_cells;
}

/* Return the pawn cells at which the game is over with Black to move; Red has won all of them. The first row has none:
 * a pawn gets there by Black's move, so it is Red's turn. */
static inline struct cells ends_with_black(const struct analysis *a, unsigned i, unsigned j) {
    struct cells over = either(either(a->single[i], a->single[j]), a->stuck);
    return without(both(over, a->pawn_cells), a->first_row);
}

/* Fill the sets with layer 0, the ends of the game, and with the states that are won with Black to move: in layer 0 if
 * Red wins, in layer 1 (one move before an end with Red to move) if Black does. The states with Black to move are
 * listed if layers are kept. */
static void enter_ends(struct analysis *a) {
    const struct analysis board = *a; /* see visit_row */
    bool red_wins = board.side == PAWN_RED;
    build_walls(a, red_wins ? 0 : 0xff);
    memset(board.new_pairs, 0, board.stride * sizeof *board.new_pairs);
    for (unsigned i = 0; i < board.cells; i++) {
        struct cells *row = board.at_black + (size_t)i * board.stride;
        FOR_EACH_CELL(board.below[i], j) {
            struct cells at_red = {0}, won = ends_with_black(&board, i, j);
            if (!red_wins) {
                at_red = ends_with_red(&board, i, j);
                won = without(without(steps_back(&board, at_red), won), board.first_row);
            }
            board.at_red[(size_t)i * board.stride + j] = at_red;
            row[j] = *mirror_of(&board, i, j) = won;
            if (is_empty(won))
                continue;
            board.new_pairs[i] = either(board.new_pairs[i], board.single[j]);
            board.new_pairs[j] = either(board.new_pairs[j], board.single[i]);
            if (board.keeps)
                append(&a->blacks, i, j, won);
        }
    }
}

/* Add the listed states, which are won with Black to move, to the sets, and record the pairs whose sets grew. */
static void enter_blacks(struct analysis *a) {
    const struct analysis board = *a; /* see visit_row */
    const uint32_t *pair = board.blacks.pair, *end = pair + board.blacks.count;
    const struct cells *cells = board.blacks.cells;
    memset(board.new_pairs, 0, board.stride * sizeof *board.new_pairs);
    while (pair < end) {
        /* The pairs of a row are adjacent in the list. */
        unsigned i = *pair >> 16;
        struct cells *row = board.at_black + (size_t)i * board.stride;
        struct cells self = board.single[i], new_pairs = {0};
        do {
            unsigned j = *pair & 0xffff;
            row[j] = *mirror_of(&board, i, j) = either(row[j], *cells++);
            new_pairs = either(new_pairs, board.single[j]);
            board.new_pairs[j] = either(board.new_pairs[j], self);
        } while (++pair < end && *pair >> 16 == i);
        board.new_pairs[i] = either(board.new_pairs[i], new_pairs);
    }
}

/* The entries around one cell i with Black to move: the rows of its four neighbours, and its own. */
struct around {
    const struct cells *neighbours[4], *own;
};

static inline struct around around_of(const struct analysis *a, unsigned i) {
    struct around around = {.own = a->at_black + (size_t)i * a->stride};
    for (int k = 0; k < 4; k++)
        around.neighbours[k] = a->at_black + (size_t)a->neighbours[i].cell[k] * a->stride;
    return around;
}

/* Return the pawn cells from which the side wins with Red to move, from the entries with Black to move. Undefined for
 * cells where Black has just captured a piece. `across` are the neighbours of j. */
static inline struct cells won_with_red(const struct around *around, const uint16_t *across, unsigned j,
                                        const bool red_wins) {
    struct cells won = around->neighbours[0][j];
    for (int k = 1; k < 4; k++)
        won = red_wins ? either(won, around->neighbours[k][j]) : both(won, around->neighbours[k][j]);
    for (int k = 0; k < 4; k++)
        won = red_wins ? either(won, around->own[across[k]]) : both(won, around->own[across[k]]);
    return won;
}

/* Return the pawn cells from which the side wins with Black to move, given those with Red to move. Undefined for cells
 * where the game is over. If Black wins, `at_red` may contain only the new ones. */
static inline struct cells won_with_black(const struct analysis *a, struct cells at_red, const bool red_wins) {
    if (red_wins)
        return without(a->pawn_cells, steps_back(a, without(a->pawn_cells, at_red)));
    return steps_back(a, at_red);
}

/* Visit the pairs (i, j) with j in `touched`: add their new states with Red to move, and list the new states with Black
 * to move that follow. `red_wins` is a constant where this is inlined, which saves 7 % of the instructions. */
static inline __attribute__((always_inline)) void visit_row(struct analysis *a, unsigned i, struct cells touched,
                                                            const bool red_wins) {
    /* These are copies, so that the compiler sees that writing a set does not change them. That saves 3 % of the
     * instructions. */
    const struct analysis board = *a;
    const struct around around = around_of(a, i);
    const struct cells self = board.single[i], lost_anyway = either(board.stuck, board.first_row);
    struct cells *at_red = a->at_red + (size_t)i * a->stride;
    struct layer blacks = a->blacks;
    FOR_EACH_CELL(touched, j) {
        struct cells pieces = either(self, board.single[j]);
        struct cells reached = won_with_red(&around, board.neighbours[j].cell, j, red_wins);
        struct cells added = without(without(reached, at_red[j]), pieces);
        if (is_empty(added))
            continue;
        at_red[j] = either(at_red[j], added);
        if (board.keeps)
            append(&a->reds, i, j, added);
        struct cells won = won_with_black(&board, red_wins ? at_red[j] : added, red_wins);
        won = without(without(won, either(pieces, lost_anyway)), around.own[j]);
        if (!is_empty(won))
            append(&blacks, i, j, won);
    }
    a->blacks = blacks;
}

/* Find two more layers (see the beginning of this file), and leave the second in the list. False when the budget is too
 * small. */
static bool sweep(struct analysis *a, struct work *work) {
    a->reds.count = a->blacks.count = 0;
    a->reds.number = a->blacks.number + 1;
    a->blacks.number += 2;
    for (unsigned i = 1; i < a->cells; i++) {
        const uint16_t *neighbours = a->neighbours[i].cell;
        struct cells touched = walks(a, a->new_pairs[i]);
        for (int k = 0; k < 4; k++)
            touched = either(touched, a->new_pairs[neighbours[k]]);
        touched = both(touched, a->below[i]);
        if (is_empty(touched))
            continue;
        /* A pair costs about 7 ns. */
        if (!work_charge(work, 1 + 3 * count_cells(&touched) / 4))
            return false;
        if (a->side == PAWN_RED)
            visit_row(a, i, touched, true);
        else
            visit_row(a, i, touched, false);
    }
    return true;
}

/* Return a number for the state with this pair and pawn cell. Numbers are ordered by pair, then by pawn cell. */
static inline uint32_t state_of(uint32_t pair, unsigned pawn) {
    return (pair >> 16) << 24 | (pair & 0xff) << 16 | pawn;
}

/* Called by keep: copy the states of a layer. */
static bool copy_states(struct layer *kept, const struct layer *layer, struct arena *arena) {
    kept->count = 0;
    for (uint32_t n = 0; n < layer->count; n++)
        kept->count += count_cells(&layer->cells[n]);
    uint32_t *state = kept->pair = arena_array(arena, kept->count, sizeof *kept->pair);
    if (state == NULL)
        return false;
    for (uint32_t n = 0; n < layer->count; n++)
        FOR_EACH_CELL(layer->cells[n], cell)
            *state++ = state_of(layer->pair[n], cell);
    return true;
}

/* Called by keep: copy a layer as it is. */
static bool copy_sets(struct layer *kept, const struct layer *layer, struct arena *arena) {
    kept->pair = arena_array(arena, layer->count, sizeof *kept->pair);
    kept->cells = arena_array(arena, layer->count, sizeof *kept->cells);
    if (kept->pair == NULL || kept->cells == NULL)
        return false;
    memcpy(kept->pair, layer->pair, layer->count * sizeof *kept->pair);
    memcpy(kept->cells, layer->cells, layer->count * sizeof *kept->cells);
    return true;
}

/* Keep a copy of a layer, linked to the layers kept so far. False when memory is exhausted. */
static bool keep(struct analysis *a, const struct layer *layer, struct arena *arena) {
    struct layer *kept = arena_alloc(arena, sizeof *kept);
    size_t bytes = layer->count * (sizeof *layer->pair + sizeof *layer->cells);
    if (kept == NULL)
        return false;
    *kept = (struct layer){.prev = a->kept, .number = layer->number, .count = layer->count};
    a->kept_bytes += bytes;
    if (!(a->kept_bytes <= MAX_KEPT_AS_SETS ? copy_sets : copy_states)(kept, layer, arena))
        return false;
    a->kept = kept;
    return true;
}

/* Mark a state as won in `steps` moves by the side that the analysis is for. */
static void mark_won(const struct analysis *a, struct pawn_state *state, unsigned steps) {
    state->known = true;
    state->verdict = (struct pawn_verdict){pawn_winner_of(a->side), steps};
}

/* Return the pawn cells from which the side wins with Red to move, or with Black to move, after the next sweep, for the
 * pair (i, j), i > j. Nothing is written. */

static inline struct cells next_with_red(const struct analysis *a, unsigned i, unsigned j) {
    struct around around = around_of(a, i);
    struct cells won = won_with_red(&around, a->neighbours[j].cell, j, a->side == PAWN_RED);
    return either(a->at_red[(size_t)i * a->stride + j], without(won, either(a->single[i], a->single[j])));
}

static struct cells next_with_black(const struct analysis *a, unsigned i, unsigned j) {
    struct cells lost = either(either(a->single[i], a->single[j]), either(a->stuck, a->first_row));
    struct cells won = won_with_black(a, next_with_red(a, i, j), a->side == PAWN_RED);
    return either(a->at_black[(size_t)i * a->stride + j], without(won, lost));
}

/* The same with Red to move, one sweep later. */
static struct cells second_with_red(const struct analysis *a, unsigned i, unsigned j) {
    bool red_wins = a->side == PAWN_RED;
    struct cells pieces = either(a->single[i], a->single[j]), won = {0};
    if (!red_wins)
        won = a->pawn_cells;
    for (int k = 0; k < 8; k++) {
        unsigned moved = a->neighbours[k < 4 ? i : j].cell[k % 4], other = k < 4 ? j : i;
        if (moved == a->cells || moved == other)
            continue;
        uint32_t pair = pair_of(moved, other);
        struct cells next = next_with_black(a, pair >> 16, pair & 0xffff);
        won = red_wins ? either(won, next) : both(won, next);
    }
    return either(a->at_red[(size_t)i * a->stride + j], without(won, pieces));
}

/* Mark a state as known if it is in `won`, the pawn cells of its pair from which the side wins with Red to move in
 * layer `number`; or if it is Black's turn, and its steps lead there. */
static void mark_if_won(const struct analysis *a, struct pawn_state *state, struct cells won, unsigned number) {
    struct cells pawn = a->single[state->pawn];
    if (state->turn == PAWN_BLACK) {
        struct cells next = steps(a, pawn);
        pawn = a->side == PAWN_RED ? next : both(next, won);
        number++;
    }
    if (!is_empty(pawn) && is_empty(without(pawn, won)))
        mark_won(a, state, number);
}

/* Mark as known the question's states that are in the first list, one move before the end of the game. Return whether
 * all are known then. */
static bool mark_first(const struct analysis *a, struct pawn_question *question) {
    bool all = true;
    for (unsigned s = 0; s < question->count; s++) {
        struct pawn_state *state = &question->states[s];
        uint32_t pair = pair_of(state->red[0], state->red[1]);
        if (state->turn == PAWN_BLACK &&
            has_cell(&a->at_black[(size_t)(pair >> 16) * a->stride + (pair & 0xffff)], state->pawn))
            mark_won(a, state, a->blacks.number);
        all &= state->known;
    }
    return all;
}

/* Mark as known the question's states that enter the sets in the next sweep and, if the root is the only state, in the
 * sweep after it. Return whether all are known then. This saves the last two sweeps, which take half the time on a 4 x
 * 4 board. (A whole request with such a board takes 129,700 instructions with both sweeps, 121,800 without the last,
 * and 113,600 without either.) */
static bool mark_next_sweep(const struct analysis *a, struct pawn_question *question) {
    bool all = true;
    for (unsigned s = 0; s < question->count; s++) {
        struct pawn_state *state = &question->states[s];
        uint32_t pair = pair_of(state->red[0], state->red[1]);
        unsigned i = pair >> 16, j = pair & 0xffff;
        if (!state->known)
            mark_if_won(a, state, next_with_red(a, i, j), a->blacks.number + 1);
        if (!state->known && question->count == 1 && !a->keeps)
            mark_if_won(a, state, second_with_red(a, i, j), a->blacks.number + 3);
        all &= state->known;
    }
    return all;
}

/* Return whether the position entered in this layer, which has the same side to move. */
static bool is_in(const struct layer *layer, const struct pawn_position *position) {
    uint32_t pair = pair_of(position->red[0], position->red[1]), from = 0, to = layer->count;
    uint32_t wanted = layer->cells != NULL ? pair : state_of(pair, position->pawn);
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (layer->pair[middle] < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from < layer->count && layer->pair[from] == wanted &&
           (layer->cells == NULL || has_cell(&layer->cells[from], position->pawn));
}

/* Find the first move of `position`, in the order of the rules, that leads into the layer `lower` or, if that is NULL,
 * that wins immediately for `winner`. False when there is none. */
static bool find_best_move(const struct pawn_position *position, const struct layer *lower, enum pawn_winner winner,
                           struct pawn_move *ret_move) {
    struct pawn_move moves[PAWN_MAX_MOVES];
    unsigned count = pawn_position_moves(position, moves);
    for (unsigned m = 0; m < count; m++) {
        struct pawn_position next = *position;
        pawn_position_play(&next, moves[m]);
        if (lower != NULL ? is_in(lower, &next) : pawn_position_result(&next).winner == winner) {
            *ret_move = moves[m];
            return true;
        }
    }
    return false;
}

/* Follow the line from the root, which is won and whose layers were kept, down to layer 0, and write its moves to the
 * question. From each state of layer k a move leads into layer k - 1; if none is found, the outcome is
 * OUTCOME_INTERNAL, because a wrong line must not be returned. */
static enum outcome find_line(const struct analysis *a, struct pawn_question *question, struct arena *arena) {
    unsigned steps = question->states[0].verdict.steps;
    enum pawn_winner winner = question->states[0].verdict.winner;
    struct pawn_position position = *a->root;
    const struct layer *lower = a->kept;
    struct pawn_move *line = arena_array(arena, steps, sizeof *line);
    if (line == NULL)
        return OUTCOME_NO_MEMORY;
    for (unsigned left = steps; left > 0; left--) {
        while (lower != NULL && lower->number >= left)
            lower = lower->prev;
        ASSERT(left == 1 || (lower != NULL && lower->number == left - 1));
        struct pawn_move *move = &line[steps - left];
        if ((left > 1 && lower == NULL) || !find_best_move(&position, left > 1 ? lower : NULL, winner, move))
            return OUTCOME_INTERNAL;
        pawn_position_play(&position, *move);
    }
    ASSERT(pawn_position_result(&position).winner == winner);
    question->line = line;
    return OUTCOME_DONE;
}

/* See layers.h. */
enum outcome ANALYSE(struct pawn_question *question, enum pawn_side side, struct arena *arena, struct work *work) {
    struct analysis a;
    /* An entry takes about 5 ns to set up, including its pair's data. */
    unsigned cells = question->root->rows * question->root->cols;
    ASSERT(cells <= SET_BITS && (SET_LANES > 1 || question->root->cols < 64));
    ASSERT(pawn_position_result(question->root).end == PAWN_NOT_OVER);
    if (!work_charge(work, 50 + (uint64_t)cells * cells / 2))
        return work_failure(work);
    read_board(&a, question->root, side);
    a.keeps = question->wants_line && !question->states[0].known;
    if (!allocate(&a, arena))
        return OUTCOME_NO_MEMORY;
    a.blacks.number = side == PAWN_RED ? 0 : 1;
    describe_cells(&a);
    enter_ends(&a);
    if (a.keeps && !keep(&a, &a.blacks, arena))
        return OUTCOME_NO_MEMORY;
    /* The loop ends, because each round except the last adds a state, and there are finitely many. */
    for (bool all_known = mark_first(&a, question); !all_known;) {
        all_known = mark_next_sweep(&a, question);
        if (all_known && !a.keeps)
            break;
        if (!sweep(&a, work))
            return work_failure(work);
        enter_blacks(&a);
        if (a.keeps && !(keep(&a, &a.reds, arena) && keep(&a, &a.blacks, arena)))
            return OUTCOME_NO_MEMORY;
        if (a.blacks.count == 0)
            break;
    }
    bool has_line = a.keeps && question->states[0].known; /* this side has just won the root */
    return has_line ? find_line(&a, question, arena) : OUTCOME_DONE;
}
