/* Reads games from SGF records. These properties of the root node and the main line are used:
 *
 *     (;FF[4]GM[1]CA[UTF-8]RU[Japanese]SZ[19]         the root node: the game's properties
 *      AB[dd][pp]C[a comment]                         set-up: the start
 *      ;W[qd];B[dc]                                   nodes with moves
 *      (;AE[dd]AW[dd:ee]W[ce];B[])                    the main line continues here; the board changes before W[ce]
 *      (;W[fc]))                                      a variation
 *
 * A point is two letters, column and row; "aa" is at the top left. A list of points can name a rectangle by its
 * corners: AB[aa:cc]. A pass is an empty value or, up to 19x19, "tt".
 *
 * A record is read in two passes over the same scan. The survey reads the whole collection. It checks the syntax and
 * finds where games begin, what their root nodes say, and how many moves each main line has. (The main line is the part
 * before the first closing parenthesis.) After that, only semantic faults are left, the size is known wherever it is in
 * the root node, and all arrays have the right length. The second pass reads the main line of one game and applies its
 * properties in order. Only the scan knows about character sets. The survey chooses one for each game (sgf_encoding.h),
 * and the second pass uses the same one.
 *
 * Where the contract leaves a choice, the strict reading is used:
 *
 * - the first corner of a rectangle is the upper left one, as in FF[4]; both corners can be the same point;
 * - a size can be given repeatedly in the root node if it is the same each time; in a later node that is read it is
 *   refused if the root node has none and it is not the standard size;
 * - points have no blanks and no escapes; a list has no empty value.
 *
 * Some programs write 1 and 2 for the colours in PL, because of an error in FF[3]. A PL, HA or KM that cannot be read
 * is skipped: it does not decide which moves are legal. */
#include "api/go/sgf.h"

#include "base/ascii.h"

#include <string.h>
#include <strings.h>

enum { STANDARD_SIZE = 19, SETUP_UNITS = 5 };

static bool is_setup(enum sgf_property property) { return property >= SGF_ADD_BLACK && property <= SGF_ADD_EMPTY; }
static bool is_move(enum sgf_property property) { return property >= SGF_MOVE_BLACK; }

/* ---- the survey ---- */

/* Count a value in the main line. `changing`: the previous value belongs to the same change. */
static void survey_value(const struct sgf_scan *scan, struct sgf_game *game, bool *changing) {
    if (is_move(scan->property)) {
        game->moves++;
        *changing = false;
    } else if (is_setup(scan->property) && game->moves != 0) {
        game->changes += !*changing;
        game->edits++;
        *changing = true;
    }
}

/* Survey the game just found. */
static bool survey_game(struct sgf_scan *scan, struct sgf_game *ret_game) {
    bool main_line = true, changing = false;
    *ret_game = (struct sgf_game){.begin = scan->at, .charset = scan->charset};
    do {
        switch (sgf_next(scan)) {
        case SGF_PIECE_FAULT:
            return false;
        case SGF_PIECE_NODE:
            changing = false;
            break;
        case SGF_PIECE_CLOSE:
            main_line = false;
            break;
        case SGF_PIECE_VALUE:
            if (scan->nodes == 1 && scan->property >= SGF_RULES && scan->property <= SGF_GAME &&
                ret_game->first[scan->property - SGF_RULES].at == 0 && sgf_trim(scan->text, scan->value).length != 0)
                ret_game->first[scan->property - SGF_RULES] = scan->value;
            if (main_line)
                survey_value(scan, ret_game, &changing);
            break;
        default:
            break;
        }
    } while (scan->depth != 0);
    ret_game->end = scan->at;
    ret_game->variations = scan->variations;
    return true;
}

/* Append a game to those that are kept, in a growing array. Its position is counted from that of the previous one. */
static bool keep_game(struct sgf_survey *survey, struct arena *arena, size_t *capacity, const char *text,
                      const struct sgf_game *game) {
    size_t count = survey->kept_count;
    struct sgf_game *kept = arena_extend(arena, survey->kept, count, count + 1, capacity, sizeof *kept);
    if (kept == NULL)
        return false;
    size_t from = count != 0 ? kept[count - 1].begin : 0;
    struct fault_line line = count != 0 ? kept[count - 1].line : (struct fault_line){1, 1};
    kept[count] = *game;
    kept[count].line = fault_find_line(text + from, game->begin - from, line);
    survey->kept = kept;
    survey->kept_count++;
    return true;
}

/* Survey all games to the end of the record. Returns OUTCOME_DONE even if there is a fault, whose code is then not
 * FAULT_CODES. */
static enum outcome survey_all(struct sgf_scan *scan, struct sgf_encoding *encoding, uint64_t game, uint64_t max_games,
                               struct sgf_survey *survey) {
    size_t capacity = 0;
    struct sgf_game found;
    struct sgf_fault too_many = {.code = FAULT_CODES};
    while (sgf_find_game(scan)) {
        if (!sgf_encoding_choose(encoding, scan) || !survey_game(scan, &found))
            return scan->outcome;
        survey->games++;
        if (game == 0 && survey->games == max_games + 1)
            sgf_note(&too_many, found.begin, FAULT_LENGTH, "the record has too many games; max_cases is %llu",
                     (unsigned long long)max_games);
        if (game == 0 ? survey->games > max_games : survey->games != game)
            continue;
        if (!keep_game(survey, scan->arena, &capacity, scan->text, &found))
            return OUTCOME_NO_MEMORY;
    }
    if (scan->outcome != OUTCOME_DONE)
        return scan->outcome;
    if (survey->games == 0)
        sgf_note(scan->fault, 0, FAULT_SYNTAX, "no game found; an SGF record looks like \"(;SZ[19];B[pd];W[dp])\"");
    else
        *scan->fault = too_many;
    return OUTCOME_DONE;
}

enum outcome sgf_survey(const struct sgf_record *record, uint64_t game, uint64_t max_games, struct arena *arena,
                        struct work *work, struct sgf_survey *ret_survey, bool *ret_good, struct sgf_fault *ret_fault) {
    struct sgf_survey survey = {0};
    struct sgf_scan scan = {
        .text = record->text,
        .length = record->length,
        .arena = arena,
        .fault = ret_fault,
        .work = work,
    };
    *ret_fault = (struct sgf_fault){.code = FAULT_CODES};
    if (!work_charge(work, 2 + record->length / 4))
        return work_failure(work);
    struct sgf_encoding encoding = {.is_unicode = record->is_unicode, .work = work};
    enum outcome outcome = survey_all(&scan, &encoding, game, max_games, &survey);
    if (outcome != OUTCOME_DONE)
        return outcome;
    *ret_good = ret_fault->code == FAULT_CODES;
    if (*ret_good)
        *ret_survey = survey;
    return OUTCOME_DONE;
}

/* ---- values ---- */

/* Report that the record can be parsed but is not allowed. */
#define REFUSE(v, at, ...) sgf_note((v)->scan.fault, (at), __VA_ARGS__)

/* Read a number with an optional plus sign. All numbers above 1000 are treated alike. Returns false if it is not a
 * number. */
static bool read_digits(const char *text, struct sgf_span span, unsigned *ret_number) {
    unsigned number = 0;
    span = sgf_trim(text, span);
    const char *c = text + span.at, *end = c + span.length;
    c += c != end && *c == '+';
    if (c == end)
        return false;
    for (; c != end; c++) {
        if (!ascii_is_digit(*c))
            return false;
        number = 10 * number + (unsigned)(*c - '0');
        if (number > 1000)
            number = 1000;
    }
    *ret_number = number;
    return true;
}

/* Read a size: "19", or "19:19" for columns and rows. */
static bool read_size(struct sgf_values *v, struct sgf_span value, unsigned *ret_size) {
    const char *text = v->scan.text, *colon = memchr(text + value.at, ':', value.length);
    size_t first = colon != NULL ? (size_t)(colon - (text + value.at)) : value.length;
    unsigned rows;
    if (!read_digits(text, (struct sgf_span){value.at, first}, ret_size) ||
        (colon != NULL && !read_digits(text, (struct sgf_span){value.at + first + 1, value.length - first - 1}, &rows)))
        return REFUSE(v, value.at, FAULT_VALUE, "SZ[%s] is not a board size; it must be between 1 and %d",
                      sgf_quote(&v->scan, value).text, GO_MAX_SIZE);
    if (colon != NULL && rows != *ret_size)
        return REFUSE(v, value.at, FAULT_RANGE, "SZ[%s] is not a square board; it must have as many rows as columns",
                      sgf_quote(&v->scan, value).text);
    if (*ret_size < 1 || *ret_size > GO_MAX_SIZE)
        return REFUSE(v, value.at, FAULT_RANGE, "SZ[%s] is out of range; the size must be between 1 and %d",
                      sgf_quote(&v->scan, value).text, GO_MAX_SIZE);
    return true;
}

/* Read the game-wide properties in the root node. */
static bool read_root(struct sgf_values *v, const struct sgf_game *game) {
    struct sgf_span kind = game->first[SGF_GAME - SGF_RULES], size = game->first[SGF_SIZE - SGF_RULES];
    unsigned number;
    if (kind.at != 0 && (!read_digits(v->scan.text, kind, &number) || number != 1))
        return REFUSE(v, kind.at, FAULT_VALUE, "GM[%s] is not Go; Go is GM[1]", sgf_quote(&v->scan, kind).text);
    return size.at == 0 || read_size(v, size, &v->size);
}

struct point {
    unsigned row, col;
};

/* Get the index of a letter: 'a' to 'z', then 'A' to 'Z', which FF[4] uses for very large boards; -1 if it is not a
 * letter. */
static int letter_index(char c) { return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1; }

static bool refuse_point(struct sgf_values *v) {
    struct sgf_span value = v->scan.value;
    return REFUSE(v, value.at, FAULT_VALUE, "'%s' is not a point; a point has two letters, such as 'pd'",
                  sgf_quote(&v->scan, value).text);
}

/* Read the point in the two bytes at `at`, which lie within the value. */
static bool read_point(struct sgf_values *v, size_t at, struct point *ret_point) {
    const char *text = v->scan.text;
    int col = letter_index(text[at]), row = letter_index(text[at + 1]);
    if (col < 0 || row < 0)
        return refuse_point(v);
    *ret_point = (struct point){(unsigned)row, (unsigned)col};
    if (ret_point->row >= v->size || ret_point->col >= v->size)
        return REFUSE(v, at, FAULT_RANGE, "'%s' is not on the %u x %u board", fault_quote(text + at, 2).text, v->size,
                      v->size);
    return true;
}

/* Read two corners, or one point that is both. */
static bool read_rectangle(struct sgf_values *v, struct point *ret_first, struct point *ret_last) {
    struct sgf_span value = v->scan.value;
    bool rectangle = value.length == 5 && v->scan.text[value.at + 2] == ':';
    if (!rectangle && value.length != 2)
        return refuse_point(v);
    if (!read_point(v, value.at, ret_first) || !read_point(v, value.at + (rectangle ? 3 : 0), ret_last))
        return false;
    if (ret_first->row > ret_last->row || ret_first->col > ret_last->col)
        return REFUSE(v, value.at, FAULT_VALUE,
                      "'%s' has its corners in the wrong order; the upper left one comes first",
                      sgf_quote(&v->scan, value).text);
    return true;
}

static bool is_pass(const struct sgf_values *v) {
    const struct sgf_span *value = &v->scan.value;
    return value->length == 0 ||
           (value->length == 2 && v->size <= STANDARD_SIZE && memcmp(v->scan.text + value->at, "tt", 2) == 0);
}

/* In a later node, SZ is skipped, unless it is the only one and differs from the size of the board: then it was meant
 * for the whole game. */
static bool check_size(struct sgf_values *v) {
    struct sgf_span value = v->scan.value;
    bool root = v->scan.nodes == 1;
    unsigned size;
    if ((!root && v->root_has_size) || sgf_trim(v->scan.text, value).length == 0)
        return true;
    if (!read_size(v, value, &size))
        return false;
    if (size == v->size)
        return true;
    if (root)
        return REFUSE(v, value.at, FAULT_CONFLICT, "the game has both SZ[%u] and SZ[%u]; it can have only one size",
                      v->size, size);
    return REFUSE(v, value.at, FAULT_CONFLICT, "SZ[%u] must be in the first node of the game, which has no SZ", size);
}

static bool read_edit(struct sgf_values *v, struct go_edit *ret_edit) {
    static const uint8_t colors[] = {
        [SGF_ADD_BLACK] = GO_BLACK, [SGF_ADD_WHITE] = GO_WHITE, [SGF_ADD_EMPTY] = GO_EMPTY};
    struct point first, last;
    if (!read_rectangle(v, &first, &last))
        return false;
    *ret_edit = (struct go_edit){colors[v->scan.property], (uint8_t)first.row, (uint8_t)first.col, (uint8_t)last.row,
                                 (uint8_t)last.col};
    return true;
}

static bool read_move(struct sgf_values *v, struct go_move *ret_move) {
    const struct sgf_scan *scan = &v->scan;
    struct point point = {GO_PASS, 0};
    if (!is_pass(v)) {
        if (scan->value.length != 2)
            return refuse_point(v);
        if (!read_point(v, scan->value.at, &point))
            return false;
    }
    *ret_move = (struct go_move){scan->property == SGF_MOVE_BLACK ? GO_BLACK : GO_WHITE, (uint8_t)point.row,
                                 (uint8_t)point.col};
    return true;
}

/* Read the value just scanned, into one of the last two arguments if it is a move or set-up. Returns false after a
 * fault. */
static bool read_value(struct sgf_values *v, struct go_move *ret_move, struct go_edit *ret_edit) {
    enum sgf_property property = v->scan.property;
    return is_move(property)    ? read_move(v, ret_move)
           : is_setup(property) ? read_edit(v, ret_edit)
                                : property != SGF_SIZE || check_size(v);
}

/* Begin to read a game from its start. */
static struct sgf_values begin_game(const char *text, const struct sgf_game *game, unsigned size,
                                    struct sgf_fault *fault, struct work *work) {
    return (struct sgf_values){
        .scan = {text, game->end, NULL, fault, work, game->begin, .charset = game->charset},
        .size = size,
        .root_has_size = game->first[SGF_SIZE - SGF_RULES].at != 0,
    };
}

/* ---- the main line ---- */

/* The state of the second pass. */
struct play {
    struct arena *arena;
    struct work *work;
    enum outcome outcome; /* OUTCOME_DONE until memory or work runs out */
    struct sgf_values values;
    struct go_case to; /* receives the game */
    uint64_t max_moves;
    bool changing; /* the last value used belongs to a change in this node */
};

/* Make sure that the board of the set-up exists. It is allocated for the first stone. */
static bool need_setup(struct play *play) {
    if (play->to.setup != NULL)
        return true;
    play->to.setup = arena_calloc(play->arena, (size_t)play->values.size * play->values.size, sizeof *play->to.setup);
    if (play->to.setup == NULL)
        play->outcome = OUTCOME_NO_MEMORY;
    return play->to.setup != NULL;
}

/* Set up points before the first move. */
static bool set_up(struct play *play, const struct go_edit *edit) {
    if (edit->color == GO_EMPTY && play->to.setup == NULL)
        return true;
    if (!need_setup(play))
        return false;
    for (unsigned row = edit->first_row; row <= edit->last_row; row++)
        memset(play->to.setup + (size_t)row * play->values.size + edit->first_col, edit->color,
               (size_t)edit->last_col - edit->first_col + 1);
    return true;
}

/* Does the limit allow another move or change of the board? */
static bool may_add_move(struct play *play) {
    return play->to.move_count + play->to.change_count < play->max_moves ||
           sgf_note(play->values.scan.fault, play->values.scan.name.at, FAULT_LENGTH,
                    "the game has too many moves; max_moves is %llu", (unsigned long long)play->max_moves);
}

/* Set up points after the first move. */
static bool add_edit(struct play *play, const struct go_edit *edit) {
    if (!play->changing) {
        if (!may_add_move(play))
            return false;
        play->to.changes[play->to.change_count++] = (struct go_change){
            .after = play->to.move_count, .first_edit = play->to.edit_count, .offset = play->values.scan.name.at};
        play->changing = true;
    }
    play->to.edits[play->to.edit_count++] = *edit;
    return true;
}

static bool do_edit(struct play *play, const struct go_edit *edit) {
    /* A few bytes can name the whole board, so rectangles are charged. */
    if (!work_charge(play->work, (uint64_t)edit->last_row - edit->first_row + 1)) {
        play->outcome = work_failure(play->work);
        return false;
    }
    return play->to.move_count == 0 ? set_up(play, edit) : add_edit(play, edit);
}

static bool add_move(struct play *play, struct go_move move) {
    if (!may_add_move(play))
        return false;
    play->to.moves[play->to.move_count++] = move;
    play->to.record.player_stands = false;
    play->changing = false;
    return true;
}

static void do_player(struct play *play) {
    static const char *const words[] = {"B", "W", "Black", "White", "1", "2"};
    struct sgf_span value = sgf_trim(play->values.scan.text, play->values.scan.value);
    for (unsigned w = 0; w < sizeof words / sizeof *words; w++)
        if (value.length == strlen(words[w]) &&
            strncasecmp(play->values.scan.text + value.at, words[w], value.length) == 0) {
            play->to.record.player = w % 2 == 0 ? GO_BLACK : GO_WHITE;
            play->to.record.player_stands = true;
        }
}

static bool do_value(struct play *play) {
    enum sgf_property property = play->values.scan.property;
    struct go_move move;
    struct go_edit edit;
    if (property == SGF_PLAYER)
        do_player(play);
    return read_value(&play->values, &move, &edit) && (is_move(property)    ? add_move(play, move)
                                                       : is_setup(property) ? do_edit(play, &edit)
                                                                            : true);
}

/* Read the main line from its start. Returns false after a fault, or if the outcome is not OUTCOME_DONE. */
static bool play_main_line(struct play *play) {
    for (;;)
        switch (sgf_next(&play->values.scan)) {
        case SGF_PIECE_FAULT: /* the survey found no syntax fault here */
            play->outcome = play->values.scan.outcome;
            return false;
        case SGF_PIECE_CLOSE:
            return true;
        case SGF_PIECE_NODE:
            play->changing = false;
            break;
        case SGF_PIECE_VALUE:
            if (!do_value(play))
                return false;
            break;
        default:
            break;
        }
}

/* Allocate an array, or return NULL for a count of 0. */
static void *make_array(struct play *play, size_t count, size_t item_size) {
    void *array = count != 0 ? arena_array(play->arena, count, item_size) : NULL;
    if (array == NULL && count != 0)
        play->outcome = OUTCOME_NO_MEMORY;
    return array;
}

/* Allocate as much as the survey has counted, up to the limits. */
static enum outcome allocate(struct play *play, const struct sgf_game *game) {
    uint64_t max = play->max_moves;
    size_t moves = game->moves < max ? game->moves : (size_t)max;
    size_t changes = game->changes < max ? game->changes : (size_t)max;
    if (!work_charge(play->work, SETUP_UNITS + (game->end - game->begin) / 4 + moves / 2 + game->edits))
        return work_failure(play->work);
    play->to.moves = make_array(play, moves, sizeof *play->to.moves);
    play->to.changes = make_array(play, changes, sizeof *play->to.changes);
    play->to.edits = make_array(play, game->edits, sizeof *play->to.edits);
    return play->outcome;
}

enum outcome sgf_read_game(const struct sgf_record *record, const struct sgf_game *game, uint64_t max_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault) {
    struct play play = {
        .arena = arena,
        .work = work,
        .values = begin_game(record->text, game, STANDARD_SIZE, ret_fault, work),
        .to = *ret_case,
        .max_moves = max_moves < UINT32_MAX ? max_moves : UINT32_MAX,
    };
    enum outcome outcome = allocate(&play, game);
    if (outcome != OUTCOME_DONE)
        return outcome;
    *ret_good = read_root(&play.values, game) && play_main_line(&play);
    if (play.outcome != OUTCOME_DONE || !*ret_good)
        return play.outcome;
    unsigned handicap;
    play.to.record.has_handicap =
        read_digits(record->text, game->first[SGF_HANDICAP - SGF_RULES], &handicap) && handicap >= 2;
    struct sgf_span komi = sgf_trim(record->text, game->first[SGF_KOMI - SGF_RULES]);
    if (!go_komi_parse(record->text + komi.at, komi.length, &play.to.record.komi))
        play.to.record.komi = 0;
    *ret_case = play.to;
    ret_case->size = play.values.size;
    return OUTCOME_DONE;
}

/* ---- all lines ---- */

/* The lines go on if this outcome is OUTCOME_DONE. */
static bool go_on(struct sgf_lines *l, enum outcome outcome) {
    l->outcome = outcome;
    return outcome == OUTCOME_DONE;
}

/* Does the limit allow another step? */
static bool may_add_step(struct sgf_lines *l) {
    return l->steps++ < l->max_steps || sgf_note(&l->fault, l->values.scan.name.at, FAULT_LENGTH,
                                                 "the game and its variations have too many moves; max_moves is %llu",
                                                 (unsigned long long)l->max_steps);
}

/* Check that every chain has a liberty. */
static bool check_chains(struct sgf_lines *l, size_t offset) {
    uint16_t first[GO_POINTS];
    if (!work_charge(l->work, l->values.size * l->values.size / 4))
        return go_on(l, work_failure(l->work));
    return go_game_find_without_liberty(l->board, first) == 0 ||
           sgf_note(&l->fault, offset, FAULT_LIBERTY, "chains have no liberties");
}

/* The start of a line is checked before its first move, or at its end. */
static bool check_start(struct sgf_lines *l, size_t offset) {
    return go_game_moves(l->board) != 0 || check_chains(l, offset);
}

/* Add to the change of the board. */
static bool edit_line(struct sgf_lines *l, const struct go_edit *edit) {
    unsigned size = l->values.size, rows = edit->last_row - edit->first_row + 1u;
    bool begins = !l->changing;
    /* The game's initial set-up does not count as a step. */
    if (begins && (!l->in_main || go_game_moves(l->board) != 0) && !may_add_step(l))
        return false;
    if (!work_charge(l->work, rows + (begins ? size * size / 4 : 0)))
        return go_on(l, work_failure(l->work));
    if (begins)
        l->changed_at = l->values.scan.name.at;
    for (unsigned at = 0; begins && at < size * size; at++)
        l->points[at] = (uint8_t)go_game_at(l->board, at / size, at % size);
    for (unsigned row = edit->first_row; row <= edit->last_row; row++)
        memset(l->points + (size_t)row * size + edit->first_col, edit->color,
               (size_t)edit->last_col - edit->first_col + 1);
    l->changing = true;
    return true;
}

/* The change that was read is complete: make it. */
static bool finish_change(struct sgf_lines *l) {
    bool starts = go_game_moves(l->board) == 0;
    if (!l->changing)
        return true;
    l->changing = false;
    return go_on(l, go_game_change(l->board, l->points, go_game_mover(l->board), l->work)) &&
           (starts || check_chains(l, l->changed_at));
}

static bool play_in_line(struct sgf_lines *l) {
    if (!finish_change(l) || !may_add_step(l) || !check_start(l, l->values.scan.name.at))
        return false;
    l->moves += !l->in_main;
    l->offset = l->values.scan.value.at;
    return go_on(l, go_game_play(l->board, l->move, l->work, &l->reply));
}

/* A variation, or the game, has been closed. `is_leaf`: its last node has no children. */
static bool end_line(struct sgf_lines *l, bool is_leaf) {
    l->leaves += is_leaf;
    l->in_main = false;
    return (!is_leaf || check_start(l, l->values.scan.at - 1)) &&
           (l->values.scan.depth == 0 || go_on(l, go_game_return(l->board, l->work)));
}

bool sgf_lines_next(struct sgf_lines *l) {
    struct go_edit edit = {0};
    bool good = true, played = false;
    while (good && !played && l->values.scan.depth != 0 && (l->in_main || !l->main_only)) {
        bool is_leaf = l->values.scan.state != SGF_AT_CLOSE;
        enum sgf_piece piece = sgf_next(&l->values.scan);
        if (piece == SGF_PIECE_FAULT) /* the survey found no syntax fault here */
            return go_on(l, l->values.scan.outcome);
        /* The start of a line can be set up in several nodes. */
        if (piece == SGF_PIECE_OPEN || piece == SGF_PIECE_CLOSE ||
            (piece == SGF_PIECE_NODE && go_game_moves(l->board) != 0))
            good = finish_change(l);
        if (good && piece == SGF_PIECE_OPEN)
            good = go_on(l, go_game_branch(l->board));
        else if (good && piece == SGF_PIECE_CLOSE)
            good = end_line(l, is_leaf);
        else if (good && piece == SGF_PIECE_VALUE && (good = read_value(&l->values, &l->move, &edit))) {
            played = is_move(l->values.scan.property);
            if (played)
                good = play_in_line(l);
            else if (is_setup(l->values.scan.property))
                good = edit_line(l, &edit);
        }
    }
    return good && played;
}

enum outcome sgf_lines_begin(struct sgf_lines *l, const struct go_case *the_case, uint64_t max_steps,
                             uint64_t hash_seed, struct arena *arena, struct work *work) {
    const struct sgf_game *game = the_case->tree.game;
    *l = (struct sgf_lines){
        .max_steps = max_steps,
        .work = work,
        .in_main = true,
        .fault.code = FAULT_CODES,
        .values = begin_game(the_case->tree.text, game, (unsigned)the_case->size, &l->fault, work),
    };
    if (!work_charge(work, SETUP_UNITS + (game->end - game->begin) / 4))
        return work_failure(work);
    if (sgf_next(&l->values.scan) == SGF_PIECE_FAULT) /* the parenthesis of the game is not a branch */
        return l->values.scan.outcome;
    return go_game_new((unsigned)the_case->size, go_case_rules(the_case), the_case->move_count, hash_seed, arena, work,
                       &l->board);
}
