/* A case of POST /go in any format, and the words of the game. */
#pragma once

#include "api/game/case.h"
#include "go/game.h"

/* The words of `include`. */
enum go_include { GO_INCLUDE_CAPTURED, GO_INCLUDE_BOARDS, GO_INCLUDE_SCORE };

#define GO_ALL_GAMES UINT64_MAX

/* The options of a case, without its game. */
struct go_asked {
    uint32_t include; /* a bit for each enum go_include */
    struct {
        unsigned ko; /* enum go_ko */
        bool suicide;
        bool ko_named, suicide_named; /* the caller named it; else the record does */
    } rules;
    uint64_t game; /* the number of a game of a record, from 1; 0: not named, so the first; or GO_ALL_GAMES */
};

/* An edit in the middle of a game: all points of a rectangle become `color`, which may be GO_EMPTY. */
struct go_edit {
    uint8_t color, first_row, first_col, last_row, last_col;
};

/* A change of the board between two moves, or after the last. */
struct go_change {
    uint32_t after;    /* the number of the move before it, at least 1 */
    size_t first_edit; /* its edits end at the first edit of the next change */
    size_t offset;     /* its position in the record */
};

struct go_collection; /* record.h */

/* How far a record is read. Faults that would only follow from other faults are not searched for. */
enum go_record_depth {
    GO_RECORD_SYNTAX, /* it is not known which game is meant */
    GO_RECORD_MOVES,  /* the rules are not known */
    GO_RECORD_WHOLE,
};

struct go_case {
    struct case_echo echo;
    struct go_asked asked;
    int64_t size;               /* 0 while it is not known, because the member that gives it is faulty */
    bool has_sgf;               /* the game is given as a record, ... */
    enum go_record_depth depth; /* ... which is read this far */
    uint8_t *setup;             /* [size * size] enum go_color, row-major; NULL: an empty board */
    struct go_move *moves;
    uint32_t move_count, change_count;
    struct go_change *changes; /* in order; several may be after one move */
    struct go_edit *edits;     /* [edit_count] */
    size_t edit_count;
    struct {
        uint64_t game, games, variations; /* of a record: the number of the game, the number of games, and the
                                           * variations of the game; `games` is 0 without a record */
    } record;
    const struct go_collection *collection; /* each game of this record is to be answered, and the case has no game; or
                                             * NULL */
};

struct go_limits {
    uint64_t max_moves, max_moves_total;
};

/* The words of requests and answers, by enum go_ko and enum go_include (both with a NULL after the last) and by enum
 * go_miss. */
extern const char *const go_ko_words[];
extern const char *const go_include_words[];
extern const char *const go_miss_words[];

/* The characters of boards in all formats, by enum go_color. */
extern const char go_letters[];

/* Put the stones of the case's set-up, if it has one, on the empty board of a new game of the same size. */
void go_case_set_up(const struct go_case *the_case, struct go_game *game);

/* Make change `index` of the case in its game. The last move must be the one before the change. See go_game_change. */
enum outcome go_case_change(const struct go_case *the_case, uint32_t index, struct go_game *game, struct work *work);
