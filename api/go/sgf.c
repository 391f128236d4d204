/* SGF, the format that nearly every Go record is kept in, is a tree of nodes:
 *
 *     (;FF[4]CA[UTF-8]SZ[19]AB[dd][pp]C[a comment]     the root node: properties of the game, stones set up
 *      ;W[qd];B[dc]                                    nodes with moves
 *      (;W[ce];B[])                                    the tree branches: the main line goes on in the first ...
 *      (;W[fc]))                                       ... and this is a variation
 *
 *     game     = "(" node {node} {game} ")"            where a game stands inside another it is a variation
 *     node     = ";" {property}
 *     property = name value {value}
 *     value    = "[" anything, with "\" before "]" and "\" "]"
 *
 * with white space wherever it does not split a name or a value. A point is two letters, column and row, "aa" at the
 * top left. Lists of points may name a rectangle by its corners: AB[aa:cc]. A pass is an empty value and, up to 19x19,
 * "tt" too. In older records names may contain lower-case letters, which do not count: Black[aa], SiZe[19].
 *
 * The reading has two passes over the same scan, which finds one piece after the other (a parenthesis, a node, a name,
 * a value) and knows what may follow what. The depth of the tree is counted; nothing is kept of it, so no record can
 * nest too deep. It need not be kept either: the main line is what stands before the first closing parenthesis.
 *
 *  1. survey(): is the first game well-formed, up to its last parenthesis? Where is the board's size, and how many
 *     moves has the main line? After it every fault left is one of meaning, the size is known wherever in the root
 *     node it stood, and the moves have an array of the right length.
 *  2. play(): the main line again, and each of its properties that matters is carried out in order.
 *
 * What stands before the first "(" that is followed by ";" is skipped (a byte order mark, the head of a mail), and so
 * is what stands after the game. Only the scan knows about character sets, so both passes see the same values.
 *
 * Where the contract leaves a choice, nothing is guessed:
 *  - a rectangle's first corner is the upper left one, as FF[4] has it; both may be the same point;
 *  - a size may stand several times as long as it is the same; it stands in the root node, and one in a later node of
 *    the main line is refused if it differs from the board;
 *  - points and sizes are read as they stand: no blanks, no escapes; a list has no empty value. */
#include "api/go/sgf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { STANDARD_SIZE = 19, SETUP_UNITS = 5 };

/* Which bytes begin a character of two bytes whose second may be ']' or '\'. */
struct charset {
    unsigned char lead[2][2]; /* two ranges of first bytes */
    unsigned char high[2];    /* second bytes are 0x40 to 0x7e and these */
};

/* GB18030 has characters of four bytes too: twice a lead byte and a digit. Digits are nothing special in a value, so
 * these need no care. */
static const struct charset gb18030 = {{{0x81, 0xfe}, {0x81, 0xfe}}, {0x80, 0xfe}};
static const struct charset big5 = {{{0x81, 0xfe}, {0x81, 0xfe}}, {0xa1, 0xfe}};
static const struct charset shift_jis = {{{0x81, 0x9f}, {0xe0, 0xfc}}, {0x80, 0xfc}};

/* Names as fold_name leaves them. */
static const struct {
    const char *name;
    const struct charset *charset;
} charset_names[] = {
    {"gb18030", &gb18030},
    {"gbk", &gb18030},
    {"gb2312", &gb18030},
    {"gb231280", &gb18030},
    {"xgbk", &gb18030},
    {"euccn", &gb18030},
    {"cp936", &gb18030},
    {"ms936", &gb18030},
    {"windows936", &gb18030},
    {"big5", &big5},
    {"big5hkscs", &big5},
    {"big5eten", &big5},
    {"xxbig5", &big5},
    {"csbig5", &big5},
    {"cnbig5", &big5},
    {"cp950", &big5},
    {"ms950", &big5},
    {"windows950", &big5},
    {"shiftjis", &shift_jis},
    {"xsjis", &shift_jis},
    {"sjis", &shift_jis},
    {"mskanji", &shift_jis},
    {"csshiftjis", &shift_jis},
    {"cp932", &shift_jis},
    {"ms932", &shift_jis},
    {"windows31j", &shift_jis},
    {"cswindows31j", &shift_jis},
    {"windows932", &shift_jis},
    {"xmscp932", &shift_jis},
};

enum property { OTHER, SIZE, CHARSET, ADD_BLACK, ADD_WHITE, ADD_EMPTY, MOVE_BLACK, MOVE_WHITE };

/* What the scan has just passed, and with it what may come next. */
enum state { AT_GAME, AT_OPEN, AT_NODE, AT_NAME, AT_VALUE, AT_CLOSE };

/* What a byte may begin. */
enum { NOTHING = 0, OPEN = 1, CLOSE = 2, NODE = 4, VALUE = 8, NAME = 16 };

static const unsigned char may_follow[] = {
    [AT_GAME] = OPEN,
    [AT_OPEN] = NODE,
    [AT_NODE] = NODE | OPEN | CLOSE | NAME,
    [AT_NAME] = VALUE,
    [AT_VALUE] = VALUE | NODE | OPEN | CLOSE | NAME,
    [AT_CLOSE] = OPEN | CLOSE,
};

enum piece { PIECE_FAULT, PIECE_OPEN, PIECE_CLOSE, PIECE_NODE, PIECE_NAME, PIECE_VALUE };

/* Some bytes of the record. */
struct stretch {
    size_t at, length;
};

struct scan {
    const char *text;
    size_t length, at;
    enum sgf_bytes bytes;
    enum state state;
    size_t depth;                  /* parentheses that are open */
    size_t nodes;                  /* so far: the first is the root */
    const struct charset *charset; /* NULL: every byte for itself */
    enum property property;        /* whose name was the last */
    struct stretch name, value;    /* the last ones */
    size_t values;                 /* of this property so far */
    struct sgf_fault *fault;
};

/* Note a fault. Always PIECE_FAULT, which is also false. */
static enum piece note(struct sgf_fault *fault, size_t at, bool malformed, enum fault_code code, const char *format,
                       va_list arguments) {
    fault->offset = at;
    fault->malformed = malformed;
    fault->code = code;
    vsnprintf(fault->detail, sizeof fault->detail, format, arguments);
    return PIECE_FAULT;
}

/* The record cannot be read as SGF. */
__attribute__((format(printf, 3, 4))) static enum piece broken(struct scan *scan, size_t at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(scan->fault, at, true, FAULT_SYNTAX, format, arguments);
    va_end(arguments);
    return PIECE_FAULT;
}

/* The record can be read, and is not allowed. */
__attribute__((format(printf, 4, 5))) static bool refuse(struct scan *scan, size_t at, enum fault_code code,
                                                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(scan->fault, at, false, code, format, arguments);
    va_end(arguments);
    return false;
}

static struct fault_quote quote_stretch(const struct scan *scan, struct stretch span) {
    return fault_quote(scan->text + span.at, span.length);
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(struct scan *scan) {
    while (scan->at < scan->length && is_blank(scan->text[scan->at]))
        scan->at++;
}

static bool is_between(unsigned char c, const unsigned char range[2]) { return c >= range[0] && c <= range[1]; }

/* How many bytes the character at `at` has, as far as that matters: 1 or 2. At the end it is 1. */
static size_t character_length(const struct scan *scan, size_t at) {
    static const unsigned char low[2] = {0x40, 0x7e};
    const struct charset *charset = scan->charset;
    if (charset == NULL || scan->length - at < 2)
        return 1;
    unsigned char first = (unsigned char)scan->text[at], second = (unsigned char)scan->text[at + 1];
    bool leads = is_between(first, charset->lead[0]) || is_between(first, charset->lead[1]);
    return leads && (is_between(second, low) || is_between(second, charset->high)) ? 2 : 1;
}

/* A character set's name in small letters and digits only; false when it is longer than any that is known. */
static bool fold_name(const char *text, size_t length, char name[16]) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '-' || text[i] == '_' || is_blank(text[i]))
            continue;
        if (used == 15)
            return false;
        name[used++] = is_capital(text[i]) ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    name[used] = 0;
    return true;
}

static const struct charset *find_charset(const char *text, size_t length) {
    char name[16];
    if (!fold_name(text, length, name))
        return NULL;
    for (size_t i = 0; i < sizeof charset_names / sizeof *charset_names; i++)
        if (*charset_names[i].name == *name && strcmp(charset_names[i].name, name) == 0)
            return charset_names[i].charset;
    return NULL;
}

/* Find the first "(" that is followed by ";". */
static bool find_game(struct scan *scan) {
    while (scan->at < scan->length) {
        const char *open = memchr(scan->text + scan->at, '(', scan->length - scan->at);
        if (open == NULL)
            break;
        size_t at = (size_t)(open - scan->text);
        scan->at = at + 1;
        skip_blanks(scan);
        if (scan->at < scan->length && scan->text[scan->at] == ';') {
            scan->at = at;
            return true;
        }
    }
    return broken(scan, 0, "there is no game: nothing begins with \"(;\"");
}

/* What comes next may not come here. */
static enum piece misplaced(struct scan *scan) {
    if (scan->state == AT_NAME)
        return broken(scan, scan->name.at, "the property '%s' has no value", quote_stretch(scan, scan->name).text);
    if (scan->at == scan->length)
        return broken(scan, scan->at, "the record ends inside the game: ')' is missing");
    struct fault_quote quoted = fault_quote_character(scan->text + scan->at, scan->length - scan->at);
    if (scan->state == AT_OPEN)
        return broken(scan, scan->at, "'%s' after '('; a variation begins with ';'", quoted.text);
    if (scan->state == AT_CLOSE)
        return broken(scan, scan->at, "'%s' after a variation; only '(' or ')' may follow one", quoted.text);
    if (scan->text[scan->at] == '[')
        return broken(scan, scan->at, "a value without a property");
    return broken(scan, scan->at, "'%s' where a property, a node or a variation is needed", quoted.text);
}

/* The first two capitals of a name, or one and a zero. */
static enum property find_property(const char capitals[2]) {
    switch (capitals[0] << 8 | capitals[1]) {
    case 'S' << 8 | 'Z':
        return SIZE;
    case 'C' << 8 | 'A':
        return CHARSET;
    case 'A' << 8 | 'B':
        return ADD_BLACK;
    case 'A' << 8 | 'W':
        return ADD_WHITE;
    case 'A' << 8 | 'E':
        return ADD_EMPTY;
    case 'B' << 8:
        return MOVE_BLACK;
    case 'W' << 8:
        return MOVE_WHITE;
    default:
        return OTHER;
    }
}

static enum piece scan_name(struct scan *scan) {
    char capitals[2] = {0};
    size_t start = scan->at, count = 0;
    for (; scan->at < scan->length; scan->at++) {
        char c = scan->text[scan->at];
        if (!is_letter(c) && !is_digit(c))
            break;
        if (!is_capital(c) && !is_digit(c))
            continue;
        if (count < 2)
            capitals[count] = c;
        count++;
    }
    scan->name = (struct stretch){start, scan->at - start};
    scan->values = 0;
    scan->property = count <= 2 ? find_property(capitals) : OTHER;
    if (count == 0)
        return broken(scan, start, "'%s' is no property: no capital letter", quote_stretch(scan, scan->name).text);
    scan->state = AT_NAME;
    return PIECE_NAME;
}

static enum piece scan_value(struct scan *scan) {
    size_t open = scan->at, at = open + 1;
    while (at < scan->length && scan->text[at] != ']') {
        at += scan->text[at] == '\\';
        at += character_length(scan, at);
    }
    if (at >= scan->length)
        return broken(scan, open, "the value that begins here has no ']'");
    scan->value = (struct stretch){open + 1, at - open - 1};
    scan->values++;
    scan->at = at + 1;
    scan->state = AT_VALUE;
    if (scan->property == CHARSET && scan->nodes == 1 && scan->bytes == SGF_AS_WRITTEN)
        scan->charset = find_charset(scan->text + scan->value.at, scan->value.length);
    return PIECE_VALUE;
}

/* What does the next byte begin? */
static unsigned kind(const struct scan *scan) {
    if (scan->at == scan->length)
        return NOTHING;
    switch (scan->text[scan->at]) {
    case '(':
        return OPEN;
    case ')':
        return CLOSE;
    case ';':
        return NODE;
    case '[':
        return VALUE;
    default:
        return is_letter(scan->text[scan->at]) ? NAME : NOTHING;
    }
}

/* Step over one mark that is a piece by itself. */
static enum piece step_over(struct scan *scan, enum state state, enum piece piece) {
    scan->at++;
    scan->state = state;
    return piece;
}

/* The next piece. Not to be called again after a fault, nor when the game is over. */
static enum piece next(struct scan *scan) {
    skip_blanks(scan);
    switch (kind(scan) & may_follow[scan->state]) {
    case OPEN:
        scan->depth++;
        return step_over(scan, AT_OPEN, PIECE_OPEN);
    case CLOSE:
        scan->depth--;
        return step_over(scan, AT_CLOSE, PIECE_CLOSE);
    case NODE:
        scan->nodes++;
        return step_over(scan, AT_NODE, PIECE_NODE);
    case VALUE:
        return scan_value(scan);
    case NAME:
        return scan_name(scan);
    default:
        return misplaced(scan);
    }
}

/* What the first pass finds. */
struct survey {
    struct stretch size; /* the first value of the first SZ in the root node; at 0: there is none */
    size_t moves;        /* properties B and W of the main line */
};

static bool survey(struct scan *scan, struct survey *ret_survey) {
    bool main_line = true;
    *ret_survey = (struct survey){0};
    do {
        enum piece piece = next(scan);
        if (piece == PIECE_FAULT)
            return false;
        if (piece == PIECE_CLOSE)
            main_line = false;
        if (piece == PIECE_NAME && main_line && scan->property >= MOVE_BLACK)
            ret_survey->moves++;
        if (piece == PIECE_VALUE && scan->property == SIZE && scan->nodes == 1 && ret_survey->size.at == 0)
            ret_survey->size = scan->value;
    } while (scan->depth != 0);
    return true;
}

/* The digits of a number with an optional plus; what is over 1000 is as good as 1000. False: it is no number. */
static bool read_digits(const char *text, size_t length, unsigned *ret_number) {
    size_t i = length != 0 && text[0] == '+';
    unsigned number = 0;
    if (i == length)
        return false;
    for (; i < length; i++) {
        if (!is_digit(text[i]))
            return false;
        number = 10 * number + (unsigned)(text[i] - '0');
        if (number > 1000)
            number = 1000;
    }
    *ret_number = number;
    return true;
}

/* "19", or "19:19" for columns and rows. */
static bool read_size(struct scan *scan, struct stretch value, unsigned *ret_size) {
    const char *text = scan->text + value.at, *colon = memchr(text, ':', value.length);
    size_t first = colon != NULL ? (size_t)(colon - text) : value.length;
    unsigned rows;
    if (!read_digits(text, first, ret_size) ||
        (colon != NULL && !read_digits(colon + 1, value.length - first - 1, &rows)))
        return refuse(scan, value.at, FAULT_VALUE, "'%s' is no size of a board", quote_stretch(scan, value).text);
    if (colon != NULL && rows != *ret_size)
        return refuse(scan, value.at, FAULT_RANGE, "a board of '%s' is not square", quote_stretch(scan, value).text);
    if (*ret_size < 1 || *ret_size > GO_MAX_SIZE)
        return refuse(scan, value.at, FAULT_RANGE, "size '%s' is not from 1 to %d", quote_stretch(scan, value).text,
                      GO_MAX_SIZE);
    return true;
}

/* The second pass. */
struct play {
    struct scan *scan;
    struct arena *arena;
    struct work *work;
    enum work_outcome outcome; /* WORK_DONE until memory or work gives out */
    unsigned size;
    uint8_t *setup;
    struct go_move *moves;
    size_t move_count, most_moves;
    bool moved; /* this node has a move */
};

struct point {
    unsigned row, col;
};

/* 'a' to 'z', then 'A' to 'Z', as FF[4] counts on very large boards; -1: no letter. */
static int letter_index(char c) { return !is_letter(c) ? -1 : is_capital(c) ? c - 'A' + 26 : c - 'a'; }

/* The two bytes at `at`, which is in the value. */
static bool read_point(struct play *play, size_t at, struct point *ret_point) {
    struct scan *scan = play->scan;
    int col = letter_index(scan->text[at]), row = letter_index(scan->text[at + 1]);
    if (col < 0 || row < 0)
        return refuse(scan, scan->value.at, FAULT_VALUE, "'%s' is no point of two letters",
                      quote_stretch(scan, scan->value).text);
    *ret_point = (struct point){(unsigned)row, (unsigned)col};
    if (ret_point->row >= play->size || ret_point->col >= play->size)
        return refuse(scan, at, FAULT_RANGE, "'%s' is not on a board of size %u", fault_quote(scan->text + at, 2).text,
                      play->size);
    return true;
}

/* Two corners, or twice the same point. */
static bool read_rectangle(struct play *play, struct point *ret_first, struct point *ret_last) {
    struct scan *scan = play->scan;
    struct stretch value = scan->value;
    bool rectangle = value.length == 5 && scan->text[value.at + 2] == ':';
    if (!rectangle && value.length != 2)
        return refuse(scan, value.at, FAULT_VALUE, "'%s' is no point of two letters", quote_stretch(scan, value).text);
    if (!read_point(play, value.at, ret_first) || !read_point(play, value.at + (rectangle ? 3 : 0), ret_last))
        return false;
    if (ret_first->row > ret_last->row || ret_first->col > ret_last->col)
        return refuse(scan, value.at, FAULT_VALUE, "'%s': the upper left corner comes first, then the lower right one",
                      quote_stretch(scan, value).text);
    return true;
}

/* The set-up's board, which is there from its first stone on. */
static bool need_setup(struct play *play) {
    if (play->setup != NULL)
        return true;
    play->setup = arena_calloc(play->arena, play->size * play->size, sizeof *play->setup);
    if (play->setup == NULL)
        play->outcome = WORK_NO_MEMORY;
    return play->setup != NULL;
}

static bool set_up(struct play *play) {
    static const uint8_t colors[] = {[ADD_BLACK] = GO_BLACK, [ADD_WHITE] = GO_WHITE, [ADD_EMPTY] = GO_EMPTY};
    uint8_t color = colors[play->scan->property];
    struct point first, last;
    if (!read_rectangle(play, &first, &last))
        return false;
    if (color == GO_EMPTY && play->setup == NULL)
        return true;
    /* A few bytes may name the whole board, again and again. */
    if (!work_charge(play->work, last.row - first.row + 1)) {
        play->outcome = WORK_EXHAUSTED;
        return false;
    }
    if (!need_setup(play))
        return false;
    for (unsigned row = first.row; row <= last.row; row++)
        memset(play->setup + row * play->size + first.col, color, last.col - first.col + 1);
    return true;
}

static bool is_pass(const struct play *play) {
    const struct stretch *value = &play->scan->value;
    return value->length == 0 ||
           (value->length == 2 && play->size <= STANDARD_SIZE && memcmp(play->scan->text + value->at, "tt", 2) == 0);
}

static bool add_move(struct play *play) {
    struct scan *scan = play->scan;
    struct stretch value = scan->value;
    struct go_move *to = &play->moves[play->move_count];
    struct point point = {GO_PASS, 0};
    if (scan->values > 1)
        return refuse(scan, value.at, FAULT_CONFLICT, "a second move in the same node");
    if (!is_pass(play)) {
        if (value.length != 2)
            return refuse(scan, value.at, FAULT_VALUE, "'%s' is no point of two letters",
                          quote_stretch(scan, value).text);
        if (!read_point(play, value.at, &point))
            return false;
    }
    *to = (struct go_move){scan->property == MOVE_BLACK ? GO_BLACK : GO_WHITE, (uint8_t)point.row, (uint8_t)point.col};
    play->move_count++;
    return true;
}

/* May a property stand where it does? */
static bool check_name(struct play *play) {
    struct scan *scan = play->scan;
    size_t at = scan->name.at;
    switch (scan->property) {
    case ADD_BLACK:
    case ADD_WHITE:
    case ADD_EMPTY:
        return play->move_count == 0 || refuse(scan, at, FAULT_CONFLICT, "set-up after the first move");
    case MOVE_BLACK:
    case MOVE_WHITE:
        if (play->moved)
            return refuse(scan, at, FAULT_CONFLICT, "a second move in the same node");
        play->moved = true;
        return play->move_count < play->most_moves ||
               refuse(scan, at, FAULT_LENGTH, "more than %zu moves (max_moves)", play->most_moves);
    default:
        return true;
    }
}

static bool do_value(struct play *play) {
    struct scan *scan = play->scan;
    unsigned size;
    switch (scan->property) {
    case SIZE:
        if (!read_size(scan, scan->value, &size))
            return false;
        return size == play->size || refuse(scan, scan->value.at, FAULT_CONFLICT,
                                            "size %u, where the game's board has size %u", size, play->size);
    case ADD_BLACK:
    case ADD_WHITE:
    case ADD_EMPTY:
        return set_up(play);
    case MOVE_BLACK:
    case MOVE_WHITE:
        return add_move(play);
    default:
        return true;
    }
}

/* The main line from its beginning; false with the fault, or with an outcome other than WORK_DONE. */
static bool play_main_line(struct play *play) {
    for (;;) {
        bool good = true;
        switch (next(play->scan)) {
        case PIECE_FAULT: /* the survey has passed here without one */
            return false;
        case PIECE_CLOSE:
            return true;
        case PIECE_OPEN:
            break;
        case PIECE_NODE:
            play->moved = false;
            break;
        case PIECE_NAME:
            good = check_name(play);
            break;
        case PIECE_VALUE:
            good = do_value(play);
            break;
        }
        if (!good)
            return false;
    }
}

/* Room for the moves, as many as there are and are allowed. */
static enum work_outcome make_room(struct play *play, size_t moves) {
    size_t room = moves < play->most_moves ? moves : play->most_moves;
    if (!work_charge(play->work, SETUP_UNITS + room / 2))
        return WORK_EXHAUSTED;
    if (room == 0)
        return WORK_DONE;
    play->moves = arena_array(play->arena, room, sizeof *play->moves);
    return play->moves != NULL ? WORK_DONE : WORK_NO_MEMORY;
}

enum work_outcome sgf_read(const char *sgf, size_t length, enum sgf_bytes bytes, uint64_t most_moves,
                           struct arena *arena, struct work *work, struct go_case *ret_case, bool *ret_good,
                           struct sgf_fault *ret_fault) {
    struct sgf_fault fault = {0};
    struct scan scan = {.text = sgf, .length = length, .bytes = bytes, .fault = &fault};
    struct play second = {.scan = &scan, .arena = arena, .work = work, .size = STANDARD_SIZE};
    struct survey found;
    second.most_moves = most_moves < UINT32_MAX ? (size_t)most_moves : UINT32_MAX;
    if (!work_charge(work, 2 + length / 2))
        return WORK_EXHAUSTED;
    bool good = find_game(&scan);
    struct scan start = scan;
    good = good && survey(&scan, &found) && (found.size.at == 0 || read_size(&scan, found.size, &second.size));
    if (good) {
        enum work_outcome outcome = make_room(&second, found.moves);
        if (outcome != WORK_DONE)
            return outcome;
        scan = start;
        good = play_main_line(&second);
        if (second.outcome != WORK_DONE)
            return second.outcome;
    }
    *ret_good = good;
    if (!good) {
        *ret_fault = fault;
        return WORK_DONE;
    }
    ret_case->size = second.size;
    ret_case->setup = second.setup;
    ret_case->moves = second.moves;
    ret_case->move_count = (uint32_t)second.move_count;
    return WORK_DONE;
}
