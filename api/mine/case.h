/* A case of POST /mine, whatever the format it came in, and the words of the game. */
#pragma once

#include "api/game/case.h"
#include "mine/solve.h"

#include <stddef.h>

/* The longest side of a field in a request; the solver takes longer ones. */
enum { MINE_CASE_SIDE = 1000 };

/* The parts that `include` may name. */
enum mine_include { MINE_INCLUDE_WINS, MINE_INCLUDE_BOARD, MINE_INCLUDE_FACE };

struct mine_case {
    struct case_echo echo;
    uint32_t include;   /* a bit for each enum mine_include */
    int64_t rows, cols; /* 0 while they are not known */
    int64_t states;     /* visit at most so many positions; 0: as many as the service allows */
    bool has_board;     /* the field is given as rows, and not as a list of mines */
    bool has_mines;     /* all that is said of the field is good, and `mines` has it */
    uint64_t *mines;    /* bits as in struct mine_field; NULL while the sides are not known or too large */
    uint64_t *face_up;  /* the same after the clicks; NULL: none were given */
    size_t click_count;
    uint32_t last_click; /* row * cols + col, when there are clicks */
};

struct mine_limits {
    uint64_t max_mine_cells, max_mine_cells_total, max_search_states;
};

/* Who clicks next, after so many clicks: "Xiemao" or "Fanglaoshi". */
const char *mine_turn_word(size_t clicks);

/* Who wins a field with this verdict, after so many clicks: "Xiemao", "Fanglaoshi" or "Unknown". */
const char *mine_winner_word(const struct mine_verdict *verdict, size_t clicks);

/* Put a mine on a cell of the case's field, whose sides are known. */
void mine_case_add(struct mine_case *the_case, size_t row, size_t col);
