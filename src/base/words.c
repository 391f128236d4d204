#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 /* bytes; longer words are near to none */ };

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c; }

/* Compute the distance of two words of at most LONGEST bytes: far[i][j] is that of their first i and j bytes. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    uint8_t far[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++)
        for (size_t j = 0; j <= b_length; j++) {
            size_t least = i + j;
            if (i != 0 && j != 0) {
                char x = fold(a[i - 1]), y = fold(b[j - 1]);
                least = min(far[i - 1][j - 1] + (size_t)(x != y), 1 + min(far[i][j - 1], far[i - 1][j]));
                if (i > 1 && j > 1 && x == fold(b[j - 2]) && y == fold(a[i - 2]))
                    least = min(least, far[i - 2][j - 2] + 1u);
            }
            far[i][j] = (uint8_t)least;
        }
    return far[a_length][b_length];
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
    {"include", "parts fields i"},
    {"id", "name"},
    {"cases", "boards board games requests"},
    {"sgf", "record"},
    {"moves", "winning_moves wins"},
    {"wins", "moves"},
    {"from", "input"},
    {"to", "format output svg"},
    {"output", "o"},
    {"port", "p"},
    {"version", "v"},
    {"case", "board"},
    {"serve", "start run"},
    {"solve", "pawn go mine"},
    {"/mine", "/minesweeper"},
    {"/go", "/baduk /weiqi"},
    {"/livez", "/healthz"},
    {"/readyz", "/health"},
    {"/docs", "/help /swagger /api"},
    {"/openapi.yaml", "/openapi"},
    {"/", "/index.html"},
};

static bool is_synonym(const char *word, const char *text, size_t length) {
    for (size_t t = 0; t < sizeof table / sizeof *table; t++)
        for (const char *at = table[t].synonyms; strcmp(table[t].word, word) == 0 && *at != 0; at += strspn(at, " ")) {
            size_t synonym = strcspn(at, " ");
            if (synonym == length && distance(at, length, text, length) == 0)
                return true;
            at += synonym;
        }
    return false;
}

int words_find(const char *const *words, const char *text, size_t length) {
    for (int w = 0; words[w] != NULL; w++)
        if (strlen(words[w]) == length && memcmp(words[w], text, length) == 0)
            return w;
    return -1;
}

const char *words_nearest(const char *const *words, const char *text, size_t length) {
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (const char *const *word = words; *word != NULL; word++) {
        size_t word_length = strlen(*word), longer = length > word_length ? length : word_length;
        /* A single letter is near to any short word. */
        size_t far = longer <= LONGEST && length > 1 ? distance(text, length, *word, word_length) : longer;
        if (far <= (longer + 2) / 4 && far < best) {
            nearest = *word;
            best = far;
        }
    }
    for (const char *const *word = words; nearest == NULL && *word != NULL; word++)
        if (is_synonym(*word, text, length))
            nearest = *word;
    return nearest;
}

struct words words_list(const char *const *words, const char *quote, const char *conjunction) {
    struct words list = {""};
    size_t used = 0;
    for (size_t w = 0; words[w] != NULL && used < sizeof list.text; w++)
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s%s%s",
                                 w == 0                 ? ""
                                 : words[w + 1] != NULL ? ", "
                                                        : conjunction,
                                 quote, words[w], quote);
    return list;
}
