/* A case of POST /go in any format, and the words used in requests and answers. */
#pragma once

#include "api/game/case.h"
#include "api/go/sgf_names.h"
#include "base/buffer.h"
#include "go/game.h"
#include "go/score.h"

/* The words in `include`. */
enum go_include {
    GO_INCLUDE_CAPTURED,
    GO_INCLUDE_BOARDS,
    GO_INCLUDE_SCORE,
    GO_INCLUDE_LEGAL,
    GO_INCLUDE_CHAINS,
    GO_INCLUDE_TERRITORY,
    GO_INCLUDE_ALIVE,
    GO_INCLUDE_VARIATIONS,
};

/* Where a rule comes from, the weakest source first. */
enum go_source { GO_SOURCE_DEFAULT, GO_SOURCE_RECORD, GO_SOURCE_REQUEST };

/* The lists of points in a case. */
enum go_list { GO_LIST_DEAD, GO_LIST_SEKI, GO_LISTS };

/* The rules of a case. Those that are named are the caller's; others can come from the record. */
struct go_asked_rules {
    unsigned ko; /* enum go_ko */
    bool suicide;
    unsigned scoring;    /* enum go_scoring */
    unsigned repetition; /* index of go_repetition_words: 1 if repetitions are only reported */
    bool has_preset;     /* `preset` names rules for what is not named otherwise */
    struct go_preset preset;
    bool ko_named, suicide_named;
    enum go_source source; /* the weaker of the sources of `ko` and `suicide` */
};

#define GO_ALL_GAMES UINT64_MAX

/* The options of a case, without its game. */
struct go_asked {
    uint32_t include; /* one bit for each enum go_include */
    struct go_asked_rules rules;
    uint64_t game; /* the number of a game in a record, counted from 1; 0: not given, which means the first; or
                    * GO_ALL_GAMES */
    unsigned next; /* who moves next: enum go_color; GO_EMPTY: not given */
    bool has_komi;
    int komi; /* in half points; 0 if not given */
    /* The lists of points, as they were given; NULL: not given. */
    const cJSON *json_lists[GO_LISTS];
    const uint64_t *query_lists[GO_LISTS]; /* see struct format_parameters */
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
struct sgf_game;      /* sgf.h */

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
        unsigned player;                  /* the last PL: enum go_color; GO_EMPTY: none */
        bool player_stands;               /* no move follows that PL */
        bool has_handicap;                /* HA is at least 2 */
        int komi;                         /* KM in half points; 0 if it is not a multiple of 0.5 */
    } record;
    struct {
        const char *text; /* the record, in which the lines are found again; NULL: there is none, or it has a fault */
        const struct sgf_game *game;
        uint64_t lines, moves, steps; /* counted if `variations` is asked for: lines, moves that are not in the main
                                       * line, and moves and changes of all lines */
    } tree;
    /* Determined by go_settle once the game has been read. */
    struct go_agreement agreement;
    int komi; /* in half points */
    unsigned
        next; /* who moves next: enum go_color; GO_EMPTY: the opponent of whoever moved last or, if nobody has, ... */
    unsigned first;                         /* ... this colour; GO_EMPTY: Black */
    const struct go_collection *collection; /* if not NULL, each game in this record is to be answered, and the case
                                             * has no game of its own */
};

struct go_limits {
    uint64_t max_moves, max_moves_total;
};

/* The words used in requests and answers, indexed by enum go_ko, go_scoring, go_source, go_include (these lists end
 * with NULL) and go_miss. */
extern const char *const go_ko_words[];
extern const char *const go_scoring_words[];
extern const char *const go_source_words[];
extern const char *const go_repetition_words[]; /* "forbid", "report" */
extern const char *const go_include_words[];
extern const char *const go_miss_words[];

/* The names of the colours in full, GO_BLACK first, with a NULL at the end. */
extern const char *const go_sides[];

/* The characters used for boards in all formats, indexed by enum go_color. */
extern const char go_letters[];

/* The letter of a column in GTP: I is left out. */
static inline char go_column_letter(unsigned col) { return (char)('A' + col + (col >= 'I' - 'A')); }

/* Does a JSON or SVG answer have this part? */
static inline bool go_case_includes(const struct go_case *the_case, enum go_include part) {
    return the_case->asked.include >> part & 1;
}

/* Get the rules of the game. */
static inline struct go_rules go_case_rules(const struct go_case *the_case) {
    const struct go_asked_rules *rules = &the_case->asked.rules;
    return (struct go_rules){(enum go_ko)rules->ko, rules->suicide, rules->repetition != 0};
}

/* Put the stones of the case's set-up, if any, on the empty board of a new game of the same size. */
void go_case_set_up(const struct go_case *the_case, struct go_game *game);

/* Apply change `index` of the case to its game. The last move must be the one before the change. See
 * go_game_change. */
enum outcome go_case_change(const struct go_case *the_case, uint32_t index, struct go_game *game, struct work *work);

/* Play the whole game. Used to check what depends on its end before it is answered. */
enum outcome go_case_play(const struct go_case *the_case, struct go_game *game, struct work *work);

/* Add a fault for a member of the case at `of_case` or, if that is an array, for the element at `index` (-1: all of
 * it). `of_case` is NULL if the member is a query parameter. */
void go_case_fault(struct fault_list *faults, const struct place *of_case, const char *member, int64_t index,
                   enum fault_code code, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Komi, and other results that are multiples of 0.5, are in half points. Read a decimal number such as "6.5", "+7" or
 * "-0.50". Returns false if it is not a multiple of 0.5. Numbers far beyond any komi are all read as GO_KOMI_HUGE or
 * its negative. */
enum { GO_KOMI_HUGE = 1000000 };
bool go_komi_parse(const char *text, size_t length, int *ret_halves);

/* Append half points as a number in JSON: 6.5, 7, -0.5. */
void go_komi_put(struct buffer *out, int halves);
