#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 64 /* bytes; longer words are near to none */ };

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Compute the distance of two words of at most LONGEST bytes. Rows of the table are kept for two steps back. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = min(last[j - 1] + (x != y), 1 + min(row[j - 1], last[j]));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                row[j] = min(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

/* Our words, and what they are called in other programs and formats. */
static const struct {
    const char *word, *synonyms;
} table[] = {
    {"cols", "columns width"},
    {"rows", "height"},
    {"size", "width height boardsize board_size"},
    {"board", "rows grid field position map"},
    {"setup", "position stones board"},
    {"turn", "player side colour color next to_play"},
    {"mines", "bombs"},
    {"clicks", "reveals"},
    {"rules", "ruleset"},
    {"include", "parts fields"},
    {"id", "name"},
    {"cases", "boards board games requests"},
    {"sgf", "record"},
    {"moves", "winning_moves wins"},
    {"wins", "moves"},
    {"from", "input"},
    {"to", "format output"},
    {"output", "o"},
    {"port", "p"},
    {"version", "v"},
    {"case", "board"},
    {"serve", "start run"},
    {"/mine", "/minesweeper"},
    {"/go", "/baduk /weiqi"},
    {"/livez", "/healthz"},
    {"/readyz", "/health"},
    {"/docs", "/help /swagger /api"},
    {"/openapi.yaml", "/openapi"},
    {"/", "/index.html"},
};

/* Are they the same, in any case? */
static bool is_same(const char *a, const char *b, size_t length) {
    size_t at = 0;
    while (at < length && lower(a[at]) == lower(b[at]))
        at++;
    return at == length;
}

bool nearest_is_synonym(const char *word, const char *text, size_t length) {
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (const char *at = table[t].synonyms; strcmp(table[t].word, word) == 0 && *at != 0; at += strspn(at, " ")) {
            size_t synonym = strcspn(at, " ");
            if (synonym == length && is_same(at, text, length))
                return true;
            at += synonym;
        }
    return false;
}

bool nearest_so_far(const char *word, const char *text, size_t length, size_t *best) {
    size_t word_length = strlen(word), longer = length > word_length ? length : word_length;
    if (longer > LONGEST)
        return false;
    size_t far = distance(text, length, word, word_length);
    bool is_nearer = far <= (longer + 2) / 4 && far < *best;
    if (is_nearer)
        *best = far;
    return is_nearer;
}

const char *nearest_word(const char *const *words, const char *text, size_t length) {
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (const char *const *word = words; *word != NULL; word++)
        if (nearest_so_far(*word, text, length, &best))
            nearest = *word;
    for (const char *const *word = words; nearest == NULL && *word != NULL; word++)
        if (nearest_is_synonym(*word, text, length))
            nearest = *word;
    return nearest;
}
