/* A case of POST /mine in any format, and the words used in requests and answers. */
#pragma once

#include "api/game/case.h"
#include "base/assert.h"
#include "mine/solve.h"

#include <stddef.h>

/* The longest side of a field in a request. The solver accepts longer ones. */
enum { MINE_CASE_SIDE = 1000 };

/* The words in `include`. */
enum mine_include { MINE_INCLUDE_WINS, MINE_INCLUDE_BOARD, MINE_INCLUDE_FACE, MINE_INCLUDE_CLUSTERS };

struct mine_case {
    struct case_echo echo;
    uint32_t include;   /* one bit per enum mine_include */
    int64_t rows, cols; /* 0 while unknown */
    int64_t states;     /* the maximum number of positions to visit; 0: the service's limit */
    bool has_board;     /* the field is given as rows, not as a list of mines */
    bool has_mines;     /* the field has no faults, and `mines` is complete */
    uint64_t *mines;    /* bits as in struct mine_field; NULL while the sides are unknown or too large */
    uint64_t *face_up;  /* the cells that are face up after the clicks, in the same form; NULL if no clicks were
                         * given */
    size_t click_count;
    uint32_t last_click; /* row * cols + col of the last click, if there are any */
};

struct mine_limits {
    uint64_t max_mine_cells, max_mine_cells_total, max_search_states;
};

/* Get whose turn it is after this number of clicks: "Xiemao" or "Fanglaoshi". */
static inline const char *mine_turn_word(size_t clicks) { return clicks % 2 == 0 ? "Xiemao" : "Fanglaoshi"; }

/* Get the winner of a field with this verdict after this number of clicks: "Xiemao", "Fanglaoshi" or "Unknown". */
static inline const char *mine_winner_word(const struct mine_verdict *verdict, size_t clicks) {
    bool won = verdict->known ? verdict->nimber != 0 : verdict->won;
    return won ? mine_turn_word(clicks) : verdict->known ? mine_turn_word(clicks + 1) : "Unknown";
}

/* Put a mine on a cell of the case's field, whose sides are known. */
static inline void mine_case_add(struct mine_case *the_case, size_t row, size_t col) {
    ASSERT(row < (size_t)the_case->rows && col < (size_t)the_case->cols);
    the_case->mines[row * mine_words((unsigned)the_case->cols) + col / 64] |= (uint64_t)1 << col % 64;
}
