/* A case of POST /go, whatever the format it came in, and the words of the game. */
#pragma once

#include "api/game/case.h"
#include "go/game.h"

/* The parts that `include` may name. */
enum go_include { GO_INCLUDE_CAPTURED, GO_INCLUDE_BOARDS, GO_INCLUDE_SCORE };

struct go_case {
    struct case_id id;
    uint32_t include; /* a bit for each enum go_include */
    int64_t size;     /* 0 while it is not known, because what gives it is faulty */
    struct {
        unsigned ko; /* enum go_ko */
        bool suicide;
    } rules;
    bool has_sgf;   /* the game is given as a record */
    uint8_t *setup; /* [size * size] enum go_color, row-major; NULL: an empty board */
    struct go_move *moves;
    uint32_t move_count;
};

struct go_limits {
    uint64_t max_moves, max_moves_total;
};

/* The words of requests and answers, by enum go_ko (up to a NULL) and by enum go_miss. */
extern const char *const go_ko_words[];
extern const char *const go_miss_words[];

/* What stands for a colour in boards of every format, by enum go_color. */
extern const char go_letters[];

/* Put the stones of the case's set-up, if it has one, on the empty board of a new game of its size. */
void go_case_set_up(const struct go_case *the_case, struct go_game *game);
