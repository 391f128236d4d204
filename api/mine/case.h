/* A case of POST /mine, whatever the format it came in, and the words of the game. */
#pragma once

#include "api/game/case.h"
#include "mine/solve.h"

/* The longest side of a field in a request; the solver takes longer ones. */
enum { MINE_CASE_SIDE = 1000 };

/* The parts that `include` may name. */
enum mine_include { MINE_INCLUDE_WINS, MINE_INCLUDE_BOARD };

struct mine_case {
    struct case_id id;
    uint32_t include;   /* a bit for each enum mine_include */
    int64_t rows, cols; /* 0 while they are not known */
    bool has_board;     /* the field is given as rows, and not as a list of mines */
    uint64_t *mines;    /* bits as in struct mine_field; NULL while the sides are not known or too large */
};

struct mine_limits {
    uint64_t max_mine_cells, max_mine_cells_total, max_search_states;
};

/* Who wins: "Xiemao", "Fanglaoshi" or "Unknown". */
const char *mine_winner_word(const struct mine_verdict *verdict);

/* Put a mine on a cell of the case's field, whose sides are known. */
void mine_case_add(struct mine_case *the_case, size_t row, size_t col);
