#include "api/go/sgf_scan.h"

#include "base/ascii.h"
#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The kind of token that a byte can begin. */
enum { NOTHING = 0, OPEN = 1, CLOSE = 2, NODE = 4, VALUE = 8, NAME = 16 };

static const unsigned char may_follow[] = {
    [SGF_AT_GAME] = OPEN,
    [SGF_AT_OPEN] = NODE | NAME,
    [SGF_AT_NODE] = NODE | OPEN | CLOSE | NAME,
    [SGF_AT_NAME] = VALUE,
    [SGF_AT_VALUE] = VALUE | NODE | OPEN | CLOSE | NAME,
    [SGF_AT_CLOSE] = NODE | OPEN | CLOSE,
};

enum { LEVELS = 64 /* per word of bits */ };

bool sgf_note(struct sgf_fault *fault, size_t offset, enum fault_code code, const char *format, ...) {
    va_list arguments;
    fault->offset = offset;
    fault->code = code;
    va_start(arguments, format);
    vsnprintf(fault->detail, sizeof fault->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* Report that the record cannot be parsed as SGF. */
#define BROKEN(scan, at, ...) (sgf_note((scan)->fault, (at), FAULT_SYNTAX, __VA_ARGS__), SGF_PIECE_FAULT)

struct sgf_span sgf_trim(const char *text, struct sgf_span span) {
    while (span.length != 0 && sgf_is_blank(text[span.at])) {
        span.at++;
        span.length--;
    }
    while (span.length != 0 && sgf_is_blank(text[span.at + span.length - 1]))
        span.length--;
    return span;
}

struct fault_quote sgf_quote(const struct sgf_scan *scan, struct sgf_span span) {
    return fault_quote(scan->text + span.at, span.length);
}

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }

/* Check the stop flag, and determine where to check it next. Returns false if it is set. */
static bool may_go_on(struct sgf_scan *scan, size_t at) {
    if (work_is_stopped(scan->work))
        scan->outcome = OUTCOME_CANCELLED;
    scan->next_check = at + WORK_CHUNK;
    return scan->outcome == OUTCOME_DONE;
}

/* Get the position at which a loop that starts now must pause to check the stop flag. */
static size_t span_end(const struct sgf_scan *scan) {
    return scan->next_check < scan->length ? scan->next_check : scan->length;
}

/* Called before every piece. Returns false if the stop flag is set. */
static bool skip_blanks(struct sgf_scan *scan) {
    for (;;) {
        size_t end = span_end(scan);
        while (scan->at < end && sgf_is_blank(scan->text[scan->at]))
            scan->at++;
        if (scan->at < end || scan->at == scan->length)
            return true;
        if (!may_go_on(scan, scan->at))
            return false;
    }
}

/* Find a property by the first two characters of its name: two capitals, or a capital and a zero. Moves are tested
 * first, because they are the most frequent. */
static enum sgf_property find_property(const char capitals[2]) {
    static const char names[][2] = {
        [SGF_RULES] = {'R', 'U'},     [SGF_KOMI] = {'K', 'M'},      [SGF_HANDICAP] = {'H', 'A'},
        [SGF_PLAYER] = {'P', 'L'},    [SGF_SIZE] = {'S', 'Z'},      [SGF_GAME] = {'G', 'M'},
        [SGF_CHARSET] = {'C', 'A'},   [SGF_ADD_BLACK] = {'A', 'B'}, [SGF_ADD_WHITE] = {'A', 'W'},
        [SGF_ADD_EMPTY] = {'A', 'E'}, [SGF_MOVE_BLACK] = {'B'},     [SGF_MOVE_WHITE] = {'W'},
    };
    enum sgf_property property = SGF_MOVE_WHITE;
    while (property != SGF_OTHER && memcmp(names[property], capitals, 2) != 0)
        property--;
    return property;
}

/* Is there a property here with which a game can begin, that is, its name directly followed by a bracket? Other words
 * with a bracket are text: (see [1], PB[x]). */
static bool begins_game(const struct sgf_scan *scan) {
    char name[2] = {0};
    size_t at = scan->at, used = 0;
    for (; at < scan->length && is_letter(scan->text[at]); at++) {
        if (!is_capital(scan->text[at]))
            continue;
        if (used == 2)
            return false;
        name[used++] = scan->text[at];
    }
    enum sgf_property property = find_property(name);
    bool begins = property >= SGF_SIZE || memcmp(name, "FF", 2) == 0;
    return begins && at < scan->length && scan->text[at] == '[';
}

bool sgf_find_game(struct sgf_scan *scan) {
    const char *open;
    while (scan->at < scan->length && (open = memchr(scan->text + scan->at, '(', scan->length - scan->at)) != NULL) {
        size_t at = (size_t)(open - scan->text);
        scan->at = at + 1;
        if (!skip_blanks(scan))
            return false;
        if (scan->at < scan->length && (scan->text[scan->at] == ';' || begins_game(scan))) {
            scan->at = at;
            scan->state = SGF_AT_GAME;
            scan->depth = scan->nodes = scan->variations = 0;
            scan->charset = SGF_UNKNOWN;
            return true;
        }
    }
    return false;
}

/* The most common cause of a syntax fault. */
static const char escape[] = " (inside text, write ']' as '\\]')";

/* Report that the next token is not allowed here. */
static enum sgf_piece misplaced(struct sgf_scan *scan) {
    if (scan->state == SGF_AT_NAME)
        return BROKEN(scan, scan->name.at, "the property '%s' has no value; values are in brackets, as in B[pd]",
                      sgf_quote(scan, scan->name).text);
    struct fault_quote quoted = fault_quote_character(scan->text + scan->at, scan->length - scan->at);
    if (scan->state == SGF_AT_OPEN)
        return BROKEN(scan, scan->at, "unexpected '%s' after '('; a variation begins with ';'", quoted.text);
    if (scan->state == SGF_AT_CLOSE)
        return BROKEN(scan, scan->at, "unexpected '%s' after a variation; expected '(', ')' or ';'", quoted.text);
    if (scan->text[scan->at] == '[')
        return BROKEN(scan, scan->at, "this value has no property; its name is missing before '['");
    return BROKEN(scan, scan->at, "unexpected '%s'; expected a property, a node or a variation%s", quoted.text, escape);
}

static enum sgf_piece scan_name(struct sgf_scan *scan) {
    char capitals[2] = {0};
    size_t start = scan->at, count = 0;
    for (; scan->at < scan->length; scan->at++) {
        char c = scan->text[scan->at];
        if (!is_letter(c) && !ascii_is_digit(c))
            break;
        if (!is_capital(c) && !ascii_is_digit(c))
            continue;
        if (count < 2)
            capitals[count] = c;
        count++;
    }
    scan->name = (struct sgf_span){start, scan->at - start};
    scan->property = count <= 2 ? find_property(capitals) : SGF_OTHER;
    if (count == 0)
        return BROKEN(scan, start, "'%s' is not a property; a property name needs a capital letter%s",
                      sgf_quote(scan, scan->name).text, escape);
    scan->state = SGF_AT_NAME;
    return SGF_PIECE_NAME;
}

static enum sgf_piece scan_value(struct sgf_scan *scan) {
    size_t open = scan->at, at = open + 1;
    for (;;) {
        size_t end = span_end(scan);
        while (at < end && scan->text[at] != ']') {
            at += scan->text[at] == '\\';
            at += scan->charset < SGF_GB18030 || at >= scan->length
                      ? 1
                      : sgf_character_length(scan->charset, scan->text + at, scan->length - at);
        }
        if (at < end || at >= scan->length)
            break;
        if (!may_go_on(scan, at))
            return SGF_PIECE_FAULT;
    }
    if (at >= scan->length) {
        scan->at = scan->length;
        return BROKEN(scan, open, "the value that begins here has no closing ']'");
    }
    scan->value = (struct sgf_span){open + 1, at - open - 1};
    scan->at = at + 1;
    scan->state = SGF_AT_VALUE;
    return SGF_PIECE_VALUE;
}

/* Get the kind of the next token. */
static unsigned kind(const struct sgf_scan *scan) {
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

/* Count a child of the current node at the open level: its first child or, after a variation, another one. A node
 * counts as one with variations when it gets its second child. */
static void add_child(struct sgf_scan *scan) {
    if (scan->arena == NULL || scan->depth == 0)
        return;
    size_t word = scan->depth / LEVELS, capacity = scan->level_words;
    uint64_t bit = (uint64_t)1 << scan->depth % LEVELS;
    if (word >= scan->level_words) {
        uint64_t *words = arena_extend(scan->arena, scan->branched, capacity, word + 1, &capacity, sizeof *words);
        if (words == NULL) {
            scan->outcome = OUTCOME_NO_MEMORY;
            return;
        }
        scan->branched = words;
        scan->level_words = capacity;
    }
    if (scan->state != SGF_AT_CLOSE) {
        scan->branched[word] &= ~bit;
    } else if ((scan->branched[word] & bit) == 0) {
        scan->branched[word] |= bit;
        scan->variations++;
    }
}

/* Open a game or a variation. An empty variation is skipped. */
static enum sgf_piece open_variation(struct sgf_scan *scan, bool *ret_empty) {
    size_t at = scan->at++;
    *ret_empty = false;
    if (!skip_blanks(scan))
        return SGF_PIECE_FAULT;
    *ret_empty = scan->depth != 0 && (scan->at == scan->length || scan->text[scan->at] == ')');
    if (*ret_empty) {
        scan->at += scan->at != scan->length;
        scan->state = scan->state == SGF_AT_VALUE ? SGF_AT_NODE : scan->state;
        return SGF_PIECE_OPEN;
    }
    scan->at = at + 1;
    add_child(scan);
    scan->depth++;
    scan->state = SGF_AT_OPEN;
    return scan->outcome != OUTCOME_DONE ? SGF_PIECE_FAULT : SGF_PIECE_OPEN;
}

/* Begin a node. `mark` is the length of its mark: 1 for ";", or 0 if that is missing. */
static enum sgf_piece begin_node(struct sgf_scan *scan, size_t mark) {
    if (scan->state == SGF_AT_CLOSE)
        add_child(scan);
    scan->at += mark;
    scan->nodes++;
    scan->state = SGF_AT_NODE;
    return scan->outcome != OUTCOME_DONE ? SGF_PIECE_FAULT : SGF_PIECE_NODE;
}

static enum sgf_piece close_variation(struct sgf_scan *scan, size_t mark) {
    ASSERT(scan->depth != 0);
    scan->at += mark;
    scan->depth--;
    scan->state = SGF_AT_CLOSE;
    return SGF_PIECE_CLOSE;
}

enum sgf_piece sgf_next(struct sgf_scan *scan) {
    for (;;) {
        bool empty;
        if (!skip_blanks(scan))
            return SGF_PIECE_FAULT;
        if (scan->at == scan->length)
            return scan->state == SGF_AT_NAME ? misplaced(scan) : close_variation(scan, 0);
        enum sgf_piece piece;
        switch (kind(scan) & may_follow[scan->state]) {
        case OPEN:
            piece = open_variation(scan, &empty);
            if (empty)
                continue;
            return piece;
        case CLOSE:
            return close_variation(scan, 1);
        case NODE:
            return begin_node(scan, 1);
        case VALUE:
            return scan_value(scan);
        case NAME:
            return scan->state == SGF_AT_OPEN ? begin_node(scan, 0) : scan_name(scan);
        default:
            return misplaced(scan);
        }
    }
}
