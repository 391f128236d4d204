/* A case of POST /go, whatever the format it came in, and the words of the game. */
#pragma once

#include "api/game/case.h"
#include "go/game.h"

/* The parts that `include` may name. */
enum go_include { GO_INCLUDE_CAPTURED, GO_INCLUDE_BOARDS, GO_INCLUDE_SCORE };

#define GO_ALL_GAMES UINT64_MAX

/* What is asked of a game, beside the game. */
struct go_asked {
    uint32_t include; /* a bit for each enum go_include */
    struct {
        unsigned ko; /* enum go_ko */
        bool suicide;
        bool ko_named, suicide_named; /* by the caller; else a record says it */
    } rules;
    uint64_t game; /* of a record: its number, from 1; 0: none was named, and it is the first; or GO_ALL_GAMES */
};

/* In the middle of a game: all points of a rectangle become `color`, which may be GO_EMPTY. */
struct go_edit {
    uint8_t color, first_row, first_col, last_row, last_col;
};

/* A change of the board between two moves, or behind the last. */
struct go_change {
    uint32_t after;    /* the number of the move before it, at least 1 */
    size_t first_edit; /* it has those up to the first of the next change */
    size_t offset;     /* where it stands in the record */
};

struct go_collection; /* record.h */

/* How far a record is read: faults that would only follow from others are not to be found. */
enum go_record_depth {
    GO_RECORD_SYNTAX, /* which game it is about is not known */
    GO_RECORD_MOVES,  /* the rules are not known */
    GO_RECORD_WHOLE,
};

struct go_case {
    struct case_echo echo;
    struct go_asked asked;
    int64_t size;               /* 0 while it is not known, because what gives it is faulty */
    bool has_sgf;               /* the game is given as a record, ... */
    enum go_record_depth depth; /* ... which is read so far */
    uint8_t *setup;             /* [size * size] enum go_color, row-major; NULL: an empty board */
    struct go_move *moves;
    uint32_t move_count, change_count;
    struct go_change *changes; /* in order; several may be after one move */
    struct go_edit *edits;     /* [edit_count] */
    size_t edit_count;
    struct {
        uint64_t game, games, variations; /* games is 0: there is no record */
    } record;
    const struct go_collection *collection; /* each game of a record is to be answered, and no game is here; or NULL */
};

struct go_limits {
    uint64_t max_moves, max_moves_total;
};

/* The words of requests and answers, by enum go_ko and by enum go_include (both up to a NULL) and by enum go_miss. */
extern const char *const go_ko_words[];
extern const char *const go_include_words[];
extern const char *const go_miss_words[];

/* What stands for a colour in boards of every format, by enum go_color. */
extern const char go_letters[];

/* Put the stones of the case's set-up, if it has one, on the empty board of a new game of its size. */
void go_case_set_up(const struct go_case *the_case, struct go_game *game);

/* Make change `index` of the case in its game, whose last move is the one before it. See go_game_change. */
enum outcome go_case_change(const struct go_case *the_case, uint32_t index, struct go_game *game, struct work *work);
