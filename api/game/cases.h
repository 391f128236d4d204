/* The cases of the three routes as plain structs: what JSON and text are decoded into, and what is solved. */
#pragma once

#include "api/json/decode.h"
#include "go/game.h"
#include "mine/solve.h"
#include "pawn/position.h"

struct pawn_case {
    struct case_id id;
    uint32_t include;
    unsigned turn;                 /* enum pawn_side */
    struct pawn_position position; /* its turn is set last, from `turn` */
};

struct go_case {
    struct case_id id;
    uint32_t include;
    int64_t size; /* 0 while it is not known, because what gives it is faulty */
    struct {
        unsigned ko; /* enum go_ko */
        bool suicide;
    } rules;
    bool has_sgf;   /* this form was used */
    uint8_t *setup; /* [size * size] enum go_color, row-major; NULL: an empty board */
    struct go_move *moves;
    uint32_t move_count;
};

/* The longest side of a field in a request; the solver takes longer ones. */
enum { MINE_CASE_SIDE = 1000 };

struct mine_case {
    struct case_id id;
    uint32_t include;
    int64_t rows, cols; /* 0 while they are not known */
    bool has_board;     /* this form was used, not the list of mines */
    uint64_t *mines;    /* bits as in struct mine_field */
};
