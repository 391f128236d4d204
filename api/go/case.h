/* A case of POST /go in any format, and the words used in requests and answers. */
#pragma once

#include "api/game/case.h"
#include "go/game.h"

/* The words in `include`. */
enum go_include { GO_INCLUDE_CAPTURED, GO_INCLUDE_BOARDS, GO_INCLUDE_SCORE };

#define GO_ALL_GAMES UINT64_MAX

/* The options of a case, without its game. */
struct go_asked {
    uint32_t include; /* one bit for each enum go_include */
    struct {
        unsigned ko; /* enum go_ko */
        bool suicide;
        bool ko_named, suicide_named; /* named by the caller; otherwise taken from the record */
    } rules;
    uint64_t game; /* the number of a game in a record, counted from 1; 0: not given, which means the first; or
                    * GO_ALL_GAMES */
};

/* An edit in the middle of a game: all points of a rectangle become `color`, which may be GO_EMPTY. */
struct go_edit {
    uint8_t color, first_row, first_col, last_row, last_col;
};

/* A change of the board between two moves, or after the last. */
struct go_change {
    uint32_t after;    /* the number of the preceding move, at least 1 */
    size_t first_edit; /* its edits end where those of the next change begin */
    size_t offset;     /* its position in the record */
};

struct go_collection; /* record.h */

/* How far a record is read. Faults that would only follow from other faults are not looked for. */
enum go_record_depth {
    GO_RECORD_SYNTAX, /* only the syntax, because it is not known which game is meant */
    GO_RECORD_MOVES,  /* not the legality, because the rules are not known */
    GO_RECORD_WHOLE,
};

struct go_case {
    struct case_echo echo;
    struct go_asked asked;
    int64_t size;               /* 0 if unknown, because the member that gives it is faulty */
    bool has_sgf;               /* the game is given as a record */
    enum go_record_depth depth; /* how far the record is read */
    uint8_t *setup;             /* [size * size] enum go_color, row-major; NULL: an empty board */
    struct go_move *moves;
    uint32_t move_count, change_count;
    struct go_change *changes; /* in order; several can follow one move */
    struct go_edit *edits;     /* [edit_count] */
    size_t edit_count;
    struct {
        uint64_t game, games, variations; /* for a record: which game this is, how many games there are, and how many
                                           * variations the game has; `games` is 0 without a record */
    } record;
    const struct go_collection *collection; /* if not NULL, each game in this record is to be answered, and the case
                                             * has no game of its own */
};

struct go_limits {
    uint64_t max_moves, max_moves_total;
};

/* The words used in requests and answers, indexed by enum go_ko, go_include (both lists end with NULL) and go_miss. */
extern const char *const go_ko_words[];
extern const char *const go_include_words[];
extern const char *const go_miss_words[];

/* The characters used for boards in all formats, indexed by enum go_color. */
extern const char go_letters[];

/* Put the stones of the case's set-up, if any, on the empty board of a new game of the same size. */
void go_case_set_up(const struct go_case *the_case, struct go_game *game);

/* Apply change `index` of the case to its game. The last move played must be the one before the change. See
 * go_game_change. */
enum outcome go_case_change(const struct go_case *the_case, uint32_t index, struct go_game *game, struct work *work);
