/* Retrograde analysis of the crossing-pawn game, a whole row of the game graph at a time.
 *
 * A state is (unordered pair of red cells, pawn cell, side to move). For each pair and side the pawn cells are kept as
 * a bit set, so that the states of a pair are settled together, a hundred at once, and no edge is ever stored:
 *
 *                            Red to move                        Black to move
 *     won by Red         red.at_red[pair]    <-- any piece --  red.at_black[pair]        each a set of pawn cells,
 *                                            -- all steps -->                            one bit a cell, row-major
 *     won by Black       black.at_red[pair]  -- any step --->  black.at_black[pair]
 *                                            <- all pieces --
 *
 * The sets grow in layers: a state enters in layer k when the game lasts exactly k more moves under best play. Layer 0
 * holds the ends of the game, by the three rules in their order. From there each winner has a chain of its own, which
 * swings between the two sides to move:
 *
 *   any piece   Red to move wins when some neighbouring pair (one piece moved one cell) holds the pawn in its newest
 *               layer: an OR over at most eight pairs;
 *   all steps   Black to move loses when its pawn has no step that leads outside red.at_red of the same pair;
 *   any step    Black to move wins when one of its steps leads into the newest layer: three shifts of that layer,
 *               masked where a row ends;
 *   all pieces  Red to move loses when all neighbouring pairs hold the pawn in black.at_black: an AND.
 *
 * When moves and lines are asked for, every addition to a set is kept with its layer: the value of a state is the layer
 * of the one addition that holds it. One pass serves the whole answer.
 *
 * A pair is looked at only when a set that it depends on has grown. What never enters is a tie. The layers give the
 * rule of best play by themselves: a winner's state enters with its earliest successor, a loser's with its last.
 *
 * Only what the root can reach is built: the pawn never goes down, and a red piece never leaves its component of free
 * cells. The analysis stops with the layer that decides the root.
 *
 * Source: retrograde analysis as in K. Thompson, 'Retrograde Analysis of Certain Endgames', ICCA Journal 9(3), 1986;
 * the layers as bit sets are our own. */
#include "pawn/solve.h"

#include <string.h>

enum { SET_WORDS = (PAWN_MAX_CELLS + 63) / 64, NO_INDEX = 0xffff };

/* A set of cells. */
struct cells {
    uint64_t word[SET_WORDS];
};

static inline struct cells both(struct cells a, struct cells b) {
    for (int i = 0; i < SET_WORDS; i++)
        a.word[i] &= b.word[i];
    return a;
}

static inline struct cells either(struct cells a, struct cells b) {
    for (int i = 0; i < SET_WORDS; i++)
        a.word[i] |= b.word[i];
    return a;
}

static inline struct cells without(struct cells a, struct cells b) {
    for (int i = 0; i < SET_WORDS; i++)
        a.word[i] &= ~b.word[i];
    return a;
}

static inline bool is_empty(struct cells a) {
    uint64_t any = 0;
    for (int i = 0; i < SET_WORDS; i++)
        any |= a.word[i];
    return any == 0;
}

static inline void add_cell(struct cells *a, unsigned cell) { a->word[cell / 64] |= (uint64_t)1 << cell % 64; }

static inline bool has_cell(const struct cells *a, unsigned cell) { return a->word[cell / 64] >> cell % 64 & 1; }

/* Every member's number grows by `by`; 0 < by < 64 * SET_WORDS. Those pushed off the end are gone. */
static inline struct cells shift_up(struct cells a, unsigned by) {
    struct cells out;
    unsigned words = by / 64, bits = by % 64;
    for (unsigned i = 0; i < SET_WORDS; i++) {
        uint64_t low = i >= words ? a.word[i - words] : 0, lower = i > words ? a.word[i - words - 1] : 0;
        out.word[i] = bits != 0 ? low << bits | lower >> (64 - bits) : low;
    }
    return out;
}

static inline struct cells shift_down(struct cells a, unsigned by) {
    struct cells out;
    unsigned words = by / 64, bits = by % 64;
    for (unsigned i = 0; i < SET_WORDS; i++) {
        uint64_t high = i + words < SET_WORDS ? a.word[i + words] : 0;
        uint64_t higher = i + words + 1 < SET_WORDS ? a.word[i + words + 1] : 0;
        out.word[i] = bits != 0 ? high >> bits | higher << (64 - bits) : high;
    }
    return out;
}

/* The free cells that red pieces can reach, each with an index of its own. */
struct red_cells {
    unsigned count;
    bool apart;                         /* the two pieces live in different components */
    uint16_t cell[PAWN_MAX_CELLS];      /* by index */
    uint8_t component[PAWN_MAX_CELLS];  /* by index: which piece (0, 1) reaches it */
    uint8_t neighbours[PAWN_MAX_CELLS]; /* by index */
    uint16_t neighbour[PAWN_MAX_CELLS][4];
    uint16_t index[PAWN_MAX_CELLS]; /* by cell; NO_INDEX where no red piece gets */
};

/* Two red pieces by the indices of their cells; i > j. */
struct red_pair {
    uint8_t i, j;
};

/* A set that was added to what is known, kept when more than the root's value is asked for. */
struct growth {
    uint32_t earlier; /* number of the growth before it of the same pair and chain, + 1; 0: none */
    uint32_t layer;   /* even or odd tells the side to move */
    struct cells cells;
};

/* What one player is known to win. */
struct chain {
    struct cells *at_red, *at_black; /* [pairs] with Red, with Black to move */
    struct cells *fresh;             /* [pairs] the newest layer; empty outside `grown` */
    uint32_t *grown;                 /* the pairs with something fresh */
    size_t grown_count;
    uint32_t *newest; /* [pairs] number of the newest growth + 1; NULL when none are kept */
};

struct pawn_analysis {
    unsigned rows, cols;
    struct pawn_verdict root;
    struct cells free, first_row, left_column, right_column;
    struct cells pawn_cells; /* those that the pawn can reach */
    struct red_cells reds;
    size_t pairs;
    struct red_pair *pair_cells; /* [pairs] */
    struct chain red, black;
    struct growth *growths; /* of both chains */
    size_t growth_count, growth_capacity;
    struct cells *reached; /* [pairs] where the fresh sets of neighbouring pairs are gathered; empty between layers */
    uint32_t *touched;     /* the pairs with something in `reached` */
};

/* Pairs are numbered i * (i - 1) / 2 + j for the indices i > j of their cells. */
static inline uint32_t pair_of(unsigned i, unsigned j) { return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i; }

/* The pairs that come about when one piece of `pair` moves; their count. */
static unsigned pair_neighbours(const struct pawn_analysis *a, size_t pair, uint32_t ret_pairs[8]) {
    unsigned i = a->pair_cells[pair].i, j = a->pair_cells[pair].j, count = 0;
    for (unsigned k = 0; k < a->reds.neighbours[i]; k++)
        if (a->reds.neighbour[i][k] != j)
            ret_pairs[count++] = pair_of(a->reds.neighbour[i][k], j);
    for (unsigned k = 0; k < a->reds.neighbours[j]; k++)
        if (a->reds.neighbour[j][k] != i)
            ret_pairs[count++] = pair_of(i, a->reds.neighbour[j][k]);
    return count;
}

/* The cells beside `cell` on the board, free or not; their count. */
static unsigned cells_beside(const struct pawn_analysis *a, unsigned cell, unsigned ret_cells[4]) {
    unsigned count = 0, row = cell / a->cols, col = cell % a->cols;
    if (row > 0)
        ret_cells[count++] = cell - a->cols;
    if (col > 0)
        ret_cells[count++] = cell - 1;
    if (col + 1 < a->cols)
        ret_cells[count++] = cell + 1;
    if (row + 1 < a->rows)
        ret_cells[count++] = cell + a->cols;
    return count;
}

static void add_red_cell(struct red_cells *reds, unsigned cell, uint8_t component) {
    reds->index[cell] = (uint16_t)reds->count;
    reds->component[reds->count] = component;
    reds->cell[reds->count++] = (uint16_t)cell;
}

/* Breadth first from both pieces at once; where the two meet they share one component. */
static void find_red_cells(struct pawn_analysis *a, const struct pawn_position *position) {
    struct red_cells *reds = &a->reds;
    memset(reds->index, 0xff, sizeof reds->index);
    add_red_cell(reds, position->red[0], 0);
    add_red_cell(reds, position->red[1], 1);
    reds->apart = true;
    for (unsigned i = 0; i < reds->count; i++) {
        unsigned beside[4], count = cells_beside(a, reds->cell[i], beside);
        for (unsigned k = 0; k < count; k++) {
            if (!has_cell(&a->free, beside[k]))
                continue;
            if (reds->index[beside[k]] == NO_INDEX)
                add_red_cell(reds, beside[k], reds->component[i]);
            uint16_t neighbour = reds->index[beside[k]];
            if (reds->component[neighbour] != reds->component[i])
                reds->apart = false;
            reds->neighbour[i][reds->neighbours[i]++] = neighbour;
        }
    }
}

/* Where pawns on `from` get in one move up, left or right. */
static inline struct cells steps(const struct pawn_analysis *a, struct cells from) {
    struct cells up = shift_down(from, a->cols);
    struct cells left = shift_down(without(from, a->left_column), 1);
    struct cells right = shift_up(without(from, a->right_column), 1);
    return both(either(up, either(left, right)), a->free);
}

/* From where a pawn gets into `to` in one move. */
static inline struct cells steps_back(const struct pawn_analysis *a, struct cells to) {
    struct cells down = shift_up(to, a->cols);
    struct cells left = shift_down(without(to, a->left_column), 1);
    struct cells right = shift_up(without(to, a->right_column), 1);
    return both(either(down, either(left, right)), a->pawn_cells);
}

static void find_pawn_cells(struct pawn_analysis *a, unsigned pawn) {
    add_cell(&a->pawn_cells, pawn);
    for (struct cells more = a->pawn_cells; !is_empty(more);) {
        more = without(steps(a, more), a->pawn_cells);
        a->pawn_cells = either(a->pawn_cells, more);
    }
}

static void read_board(struct pawn_analysis *a, const struct pawn_position *position) {
    *a = (struct pawn_analysis){.rows = position->rows, .cols = position->cols};
    for (unsigned cell = 0; cell < a->rows * a->cols; cell++) {
        if (!position->obstacle[cell])
            add_cell(&a->free, cell);
        if (cell < a->cols)
            add_cell(&a->first_row, cell);
        if (cell % a->cols == 0)
            add_cell(&a->left_column, cell);
        if (cell % a->cols == a->cols - 1)
            add_cell(&a->right_column, cell);
    }
    find_pawn_cells(a, position->pawn);
    find_red_cells(a, position);
    a->pairs = (size_t)a->reds.count * (a->reds.count - 1) / 2;
}

static bool chain_init(struct chain *chain, size_t pairs, bool keep, struct arena *arena) {
    chain->at_red = arena_calloc(arena, pairs, sizeof *chain->at_red);
    chain->at_black = arena_calloc(arena, pairs, sizeof *chain->at_black);
    chain->fresh = arena_calloc(arena, pairs, sizeof *chain->fresh);
    chain->grown = arena_array(arena, pairs, sizeof *chain->grown);
    chain->newest = keep ? arena_calloc(arena, pairs, sizeof *chain->newest) : NULL;
    return chain->at_red != NULL && chain->at_black != NULL && chain->fresh != NULL && chain->grown != NULL &&
           (chain->newest != NULL || !keep);
}

static bool allocate(struct pawn_analysis *a, bool keep, struct arena *arena) {
    a->pair_cells = arena_array(arena, a->pairs, sizeof *a->pair_cells);
    a->reached = arena_calloc(arena, a->pairs, sizeof *a->reached);
    a->touched = arena_array(arena, a->pairs, sizeof *a->touched);
    return a->pair_cells != NULL && a->reached != NULL && a->touched != NULL &&
           chain_init(&a->red, a->pairs, keep, arena) && chain_init(&a->black, a->pairs, keep, arena);
}

/* Add a layer to one set of `pair`. `known` is chain->at_red or chain->at_black. */
static inline void grow(struct chain *chain, struct cells *known, uint32_t pair, struct cells layer) {
    known[pair] = either(known[pair], layer);
    chain->fresh[pair] = layer;
    if (!is_empty(layer))
        chain->grown[chain->grown_count++] = pair;
}

/* Layer 0: the ends of the game, in the order of the rules. */
static void settle_ends(struct pawn_analysis *a) {
    struct cells stuck = without(a->pawn_cells, steps_back(a, a->free));
    size_t pair = 0;
    for (unsigned i = 0; i < a->reds.count; i++)
        for (unsigned j = 0; j < i; j++, pair++) {
            a->pair_cells[pair] = (struct red_pair){(uint8_t)i, (uint8_t)j};
            if (a->reds.apart && a->reds.component[i] == a->reds.component[j])
                continue; /* out of reach */
            struct cells pieces = {0};
            add_cell(&pieces, a->reds.cell[i]);
            add_cell(&pieces, a->reds.cell[j]);
            uint32_t neighbours[8];
            bool red_can_move = pair_neighbours(a, pair, neighbours) != 0;
            struct cells black_won = red_can_move ? either(a->first_row, pieces) : a->pawn_cells;
            grow(&a->black, a->black.at_red, (uint32_t)pair, both(a->pawn_cells, black_won));
            /* With Black to move the pawn is never in the first row: the game would have ended a move ago. */
            struct cells red_won = without(either(pieces, stuck), a->first_row);
            grow(&a->red, a->red.at_black, (uint32_t)pair, both(a->pawn_cells, red_won));
        }
}

/* Gather, for each pair, what is fresh in the pairs beside it, and take it from there. Returns how many pairs are
 * touched. */
static size_t spread(struct pawn_analysis *a, struct chain *chain) {
    size_t touched = 0;
    for (size_t g = 0; g < chain->grown_count; g++) {
        uint32_t pair = chain->grown[g], neighbours[8];
        unsigned count = pair_neighbours(a, pair, neighbours);
        for (unsigned k = 0; k < count; k++) {
            struct cells *reached = &a->reached[neighbours[k]];
            if (is_empty(*reached))
                a->touched[touched++] = neighbours[k];
            *reached = either(*reached, chain->fresh[pair]);
        }
    }
    for (size_t g = 0; g < chain->grown_count; g++)
        chain->fresh[chain->grown[g]] = (struct cells){0};
    chain->grown_count = 0;
    return touched;
}

/* What `spread` gathered for `pair`, less what is settled already. */
static inline struct cells take_reached(struct pawn_analysis *a, uint32_t pair) {
    struct cells settled = either(a->red.at_red[pair], a->black.at_red[pair]);
    struct cells reached = without(a->reached[pair], settled);
    a->reached[pair] = (struct cells){0};
    return reached;
}

static void any_piece(struct pawn_analysis *a) {
    size_t touched = spread(a, &a->red);
    for (size_t t = 0; t < touched; t++)
        grow(&a->red, a->red.at_red, a->touched[t], take_reached(a, a->touched[t]));
}

static void all_pieces(struct pawn_analysis *a) {
    size_t touched = spread(a, &a->black);
    for (size_t t = 0; t < touched; t++) {
        struct cells lost = take_reached(a, a->touched[t]);
        if (is_empty(lost))
            continue;
        uint32_t neighbours[8];
        unsigned count = pair_neighbours(a, a->touched[t], neighbours);
        for (unsigned k = 0; k < count; k++)
            lost = both(lost, a->black.at_black[neighbours[k]]);
        grow(&a->black, a->black.at_red, a->touched[t], lost);
    }
}

/* Replace, in place, the grown pairs of `chain` by those of them that grow again with Black to move. */
static void swing_to_black(struct pawn_analysis *a, struct chain *chain) {
    size_t count = chain->grown_count;
    chain->grown_count = 0;
    for (size_t g = 0; g < count; g++) {
        uint32_t pair = chain->grown[g];
        struct cells layer;
        if (chain == &a->black) {
            layer = steps_back(a, chain->fresh[pair]);
        } else {
            /* Every step leads into Red's wins: there is a fresh one, and none leads elsewhere. */
            struct cells elsewhere = without(a->free, a->red.at_red[pair]);
            layer = without(steps_back(a, chain->fresh[pair]), steps_back(a, elsewhere));
        }
        struct cells settled = either(a->red.at_black[pair], a->black.at_black[pair]);
        grow(chain, chain->at_black, pair, without(without(layer, settled), a->first_row));
    }
}

/* Keep the newest layer of a chain. */
static bool keep_layer(struct pawn_analysis *a, struct chain *chain, uint32_t layer, struct arena *arena) {
    if (a->growth_capacity - a->growth_count < chain->grown_count) {
        size_t capacity = 2 * a->growth_capacity + chain->grown_count;
        struct growth *growths = arena_array(arena, capacity, sizeof *growths);
        if (growths == NULL)
            return false;
        if (a->growth_count != 0)
            memcpy(growths, a->growths, a->growth_count * sizeof *growths);
        a->growths = growths;
        a->growth_capacity = capacity;
    }
    for (size_t g = 0; g < chain->grown_count; g++) {
        uint32_t pair = chain->grown[g];
        a->growths[a->growth_count++] = (struct growth){chain->newest[pair], layer, chain->fresh[pair]};
        chain->newest[pair] = (uint32_t)a->growth_count;
    }
    return true;
}

static uint32_t pair_at(const struct pawn_analysis *a, const struct pawn_position *position) {
    return pair_of(a->reds.index[position->red[0]], a->reds.index[position->red[1]]);
}

/* Is the position in the set that `chain` has for the side to move? */
static bool is_won(const struct pawn_analysis *a, const struct chain *chain, const struct pawn_position *position) {
    uint32_t pair = pair_at(a, position);
    return has_cell(position->turn == PAWN_RED ? &chain->at_red[pair] : &chain->at_black[pair], position->pawn);
}

static bool is_settled(const struct pawn_analysis *a, const struct pawn_position *position) {
    return is_won(a, &a->red, position) || is_won(a, &a->black, position);
}

/* Is everything known that the scope asks for? */
static bool is_complete(const struct pawn_analysis *a, const struct pawn_position *root, enum pawn_scope scope) {
    struct pawn_move moves[PAWN_MOST_MOVES];
    if (!is_settled(a, root))
        return false;
    if (scope != PAWN_MOVES)
        return true;
    unsigned count = pawn_position_moves(root, moves);
    for (unsigned m = 0; m < count; m++) {
        struct pawn_position next = *root;
        pawn_position_play(&next, moves[m]);
        if (!is_settled(a, &next))
            return false;
    }
    return true;
}

static void note_root(struct pawn_analysis *a, const struct pawn_position *root, uint32_t layer) {
    if (a->root.winner != PAWN_TIE)
        return;
    if (is_won(a, &a->red, root))
        a->root = (struct pawn_verdict){PAWN_RED_WINS, layer};
    else if (is_won(a, &a->black, root))
        a->root = (struct pawn_verdict){PAWN_BLACK_WINS, layer};
}

/* Grow layer by layer until all that is asked for is known, or nothing grows. */
static enum outcome grow_layers(struct pawn_analysis *a, const struct pawn_position *root, enum pawn_scope scope,
                                struct arena *arena, struct work *work) {
    for (uint32_t layer = 0;; layer++) {
        size_t grown = a->red.grown_count + a->black.grown_count;
        if (scope != PAWN_VERDICT && !(keep_layer(a, &a->red, layer, arena) && keep_layer(a, &a->black, layer, arena)))
            return NO_MEMORY;
        note_root(a, root, layer);
        if (grown == 0 || is_complete(a, root, scope))
            return DONE;
        /* A pair costs some 100 ns whenever it grows. */
        if (!work_charge(work, 10 * grown))
            return OUT_OF_WORK;
        if (layer % 2 == 0) {
            any_piece(a);
            swing_to_black(a, &a->black);
        } else {
            swing_to_black(a, &a->red);
            all_pieces(a);
        }
    }
}

enum outcome pawn_analyse(const struct pawn_position *root, enum pawn_scope scope, struct arena *arena,
                          struct work *work, struct pawn_analysis **ret_analysis) {
    if (!work_charge(work, 100))
        return OUT_OF_WORK;
    struct pawn_analysis *a = arena_alloc(arena, sizeof *a);
    if (a == NULL)
        return NO_MEMORY;
    read_board(a, root);
    /* A pair costs some 40 ns to set up. */
    if (!work_charge(work, a->pairs * 4))
        return OUT_OF_WORK;
    if (!allocate(a, scope != PAWN_VERDICT, arena))
        return NO_MEMORY;
    a->root.winner = PAWN_TIE;
    settle_ends(a);
    enum outcome outcome = grow_layers(a, root, scope, arena, work);
    if (outcome == DONE)
        *ret_analysis = a;
    return outcome;
}

struct pawn_verdict pawn_root_verdict(const struct pawn_analysis *analysis) {
    return analysis->root;
}

enum outcome pawn_solve(const struct pawn_position *position, struct arena *arena, struct work *work,
                        struct pawn_verdict *ret_verdict) {
    struct pawn_analysis *analysis;
    enum outcome outcome = pawn_analyse(position, PAWN_VERDICT, arena, work, &analysis);
    if (outcome == DONE)
        *ret_verdict = pawn_root_verdict(analysis);
    return outcome;
}

/* The layer in which a won position entered its chain. */
static uint32_t layer_of(const struct pawn_analysis *a, const struct chain *chain,
                         const struct pawn_position *position) {
    /* The red chain settles Black's turns in even layers, the black chain Red's. */
    uint32_t parity = (chain == &a->red) == (position->turn == PAWN_RED);
    uint32_t number = chain->newest[pair_at(a, position)];
    while (a->growths[number - 1].layer % 2 != parity || !has_cell(&a->growths[number - 1].cells, position->pawn))
        number = a->growths[number - 1].earlier;
    return a->growths[number - 1].layer;
}

/* How much the mover likes a verdict: more is better. */
static int64_t preference(struct pawn_verdict verdict, enum pawn_side mover) {
    if (verdict.winner == PAWN_TIE)
        return 0;
    bool win = (verdict.winner == PAWN_RED_WINS) == (mover == PAWN_RED);
    return win ? INT64_MAX - verdict.steps : INT64_MIN + verdict.steps;
}

unsigned pawn_rank_moves(const struct pawn_analysis *analysis, const struct pawn_position *position,
                         struct pawn_ranked_move ret_moves[PAWN_MOST_MOVES]) {
    struct pawn_move moves[PAWN_MOST_MOVES];
    if (pawn_position_end(position) != PAWN_NOT_OVER)
        return 0;
    unsigned count = pawn_position_moves(position, moves);
    for (unsigned m = 0; m < count; m++) {
        struct pawn_ranked_move ranked = {moves[m], {PAWN_TIE, 0}};
        struct pawn_position next = *position;
        pawn_position_play(&next, moves[m]);
        if (is_won(analysis, &analysis->red, &next))
            ranked.verdict = (struct pawn_verdict){PAWN_RED_WINS, layer_of(analysis, &analysis->red, &next) + 1};
        else if (is_won(analysis, &analysis->black, &next))
            ranked.verdict = (struct pawn_verdict){PAWN_BLACK_WINS, layer_of(analysis, &analysis->black, &next) + 1};
        /* Insertion keeps equal ones in the order of the moves. */
        unsigned at = m;
        for (; at > 0 &&
               preference(ret_moves[at - 1].verdict, position->turn) < preference(ranked.verdict, position->turn);
             at--)
            ret_moves[at] = ret_moves[at - 1];
        ret_moves[at] = ranked;
    }
    return count;
}
