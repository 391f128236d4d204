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

/* Words of other programs and formats, and what they are called here. A word can have several rows. */
static const struct {
    const char *synonym, *word;
} synonyms[] = {
    {"columns", "cols"},   {"width", "cols"},       {"width", "size"},          {"height", "rows"},
    {"height", "size"},    {"rows", "board"},       {"grid", "board"},          {"field", "board"},
    {"position", "board"}, {"map", "board"},        {"position", "setup"},      {"stones", "setup"},
    {"board", "setup"},    {"player", "turn"},      {"side", "turn"},           {"colour", "turn"},
    {"color", "turn"},     {"next", "turn"},        {"to_play", "turn"},        {"bombs", "mines"},
    {"reveals", "clicks"}, {"ruleset", "rules"},    {"parts", "include"},       {"fields", "include"},
    {"name", "id"},        {"boards", "cases"},     {"board", "cases"},         {"games", "cases"},
    {"requests", "cases"}, {"record", "sgf"},       {"winning_moves", "moves"}, {"wins", "moves"},
    {"moves", "wins"},     {"input", "from"},       {"format", "from"},         {"format", "to"},
    {"output", "to"},      {"minesweeper", "mine"}, {"mines", "mine"},          {"baduk", "go"},
    {"weiqi", "go"},
};

static bool is_same(const char *word, const char *text, size_t length) {
    size_t at = 0;
    while (at < length && word[at] != 0 && lower(word[at]) == lower(text[at]))
        at++;
    return at == length && word[at] == 0;
}

static const char *find(const char *const *words, const char *word) {
    while (*words != NULL && strcmp(*words, word) != 0)
        words++;
    return *words;
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
    for (size_t s = 0; nearest == NULL && s < sizeof synonyms / sizeof *synonyms; s++)
        if (is_same(synonyms[s].synonym, text, length))
            nearest = find(words, synonyms[s].word);
    return nearest;
}
