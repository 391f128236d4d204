#include "api/go/sgf_charset.h"

#include <stdint.h>
#include <string.h>

/* A character set with two-byte characters. */
struct pairs {
    unsigned char lead[2][2];  /* two ranges of first bytes */
    unsigned char trail[2][2]; /* two ranges of second bytes */
};

/* GB18030 also has four-byte characters: a lead byte and a digit, twice. Digits have no meaning in a value, so these
 * need no special care. */
static const struct pairs pairs[SGF_CHARSETS] = {
    [SGF_GB18030] = {{{0x81, 0xfe}, {0x81, 0xfe}}, {{0x40, 0x7e}, {0x80, 0xfe}}},
    [SGF_BIG5] = {{{0x81, 0xfe}, {0x81, 0xfe}}, {{0x40, 0x7e}, {0xa1, 0xfe}}},
    [SGF_SHIFT_JIS] = {{{0x81, 0x9f}, {0xe0, 0xfc}}, {{0x40, 0x7e}, {0x80, 0xfc}}},
    [SGF_JOHAB] = {{{0x84, 0xd3}, {0xd8, 0xf9}}, {{0x31, 0x7e}, {0x91, 0xfe}}},
};

const char *const sgf_charset_names[SGF_CHARSETS] = {
    [SGF_GB18030] = "GB18030",        [SGF_BIG5] = "Big5", [SGF_SHIFT_JIS] = "Shift_JIS", [SGF_JOHAB] = "Johab",
    [SGF_SHIFTED] = "ISO-2022 or HZ",
};

static bool is_between(unsigned char c, const unsigned char ranges[2][2]) {
    return (c >= ranges[0][0] && c <= ranges[0][1]) || (c >= ranges[1][0] && c <= ranges[1][1]);
}

/* Get the length up to and including the first `mark`, or all of it if there is none. */
static size_t length_to(const char *text, size_t length, const char *mark) {
    const char *found = memmem(text, length, mark, strlen(mark));
    return found != NULL ? (size_t)(found - text) + strlen(mark) : length;
}

/* Is there an escape sequence that returns to ASCII, or to the similar JIS-Roman? */
static bool returns_to_ascii(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\x1b(", 2) == 0 && (text[2] == 'B' || text[2] == 'J' || text[2] == 'H');
}

/*
 * Get the length of an escape sequence and the text that it applies to. Sources: RFC 1468 (ISO-2022-JP), 1557 (KR),
 * 1922 (CN).
 */
static size_t escape_length(const char *text, size_t length) {
    size_t at = 2;
    if (length < 3 || returns_to_ascii(text, length) || (text[1] != '$' && text[1] != '(' && text[1] != 'N'))
        return 1;
    /* A single shift, or the designation of a set to which a later byte shifts. */
    if (text[1] == 'N' || (text[1] == '$' && strchr(")*+", text[2]) != NULL && text[2] != 0))
        return length < 4 ? length : 4;
    while (at < length && !returns_to_ascii(text + at, length - at)) {
        const char *next = memchr(text + at + 1, 0x1b, length - at - 1);
        at = next != NULL ? (size_t)(next - text) : length;
    }
    return at;
}

/* Get the length of the characters up to the return to ASCII. For '~' see RFC 1843 (HZ). */
static size_t shifted_length(const char *text, size_t length) {
    if (*text == 0x1b)
        return escape_length(text, length);
    if (*text == 0x0e)
        return length_to(text, length, "\x0f");
    if (*text == '~' && length >= 2 && text[1] == '{')
        return length_to(text, length, "~}");
    return *text == '~' && length >= 2 && text[1] == '~' ? 2 : 1;
}

size_t sgf_character_length(enum sgf_charset charset, const char *text, size_t length) {
    if (charset == SGF_SHIFTED)
        return shifted_length(text, length);
    return length >= 2 && is_between((unsigned char)text[0], pairs[charset].lead) &&
                   is_between((unsigned char)text[1], pairs[charset].trail)
               ? 2
               : 1;
}

bool sgf_has_shift(const char *text, size_t length) {
    if (memchr(text, 0x1b, length) != NULL || memchr(text, 0x0e, length) != NULL)
        return true;
    const char *end = text + length, *tilde = memchr(text, '~', length);
    while (tilde != NULL && tilde + 1 < end && tilde[1] != '{')
        tilde = memchr(tilde + 1, '~', (size_t)(end - tilde - 1));
    return tilde != NULL && tilde + 1 < end;
}

/* The state of reading UTF-16. */
struct units {
    const unsigned char *text;
    size_t at, length;
    bool big; /* big-endian */
};

/* Read the unit at an offset. An incomplete unit at the end is invalid. */
static uint32_t unit_at(const struct units *units, size_t at) {
    if (units->length - at < 2)
        return 0xfffd;
    unsigned high = units->text[at + !units->big], low = units->text[at + units->big];
    return high << 8 | low;
}

/* Read the next character (Unicode standard, table 3-5). */
static uint32_t next_character(struct units *units) {
    uint32_t first = unit_at(units, units->at);
    units->at += 2;
    if (first < 0xd800 || first > 0xdfff)
        return first;
    uint32_t second = units->at < units->length ? unit_at(units, units->at) : 0;
    if (first > 0xdbff || second < 0xdc00 || second > 0xdfff)
        return 0xfffd;
    units->at += 2;
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

/* Write a character as UTF-8 (Unicode standard, table 3-6). Returns where it ends. */
static char *write_character(char *to, uint32_t character) {
    if (character < 0x80) {
        *to++ = (char)character;
        return to;
    }
    unsigned more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    *to++ = (char)(0xff00u >> (more + 1) | character >> 6 * more);
    while (more-- > 0)
        *to++ = (char)(0x80 | (character >> 6 * more & 0x3f));
    return to;
}

enum outcome sgf_from_utf16(const char *text, size_t length, struct arena *arena, struct work *work,
                            const char **ret_text, size_t *ret_length) {
    struct units units = {(const unsigned char *)text, 2, length, text[0] == '\xfe'};
    /* At most three bytes per unit: a four-byte character takes two units. */
    size_t max = length / 2 + length % 2;
    if (!work_charge(work, max))
        return work_failure(work);
    char *start = arena_array(arena, max, 3), *to = start;
    if (start == NULL)
        return OUTCOME_NO_MEMORY;
    while (units.at < length) {
        size_t left = length - units.at, end = units.at + (left < WORK_CHUNK ? left : WORK_CHUNK);
        if (work_is_stopped(work))
            return OUTCOME_CANCELLED;
        while (units.at < end)
            to = write_character(to, next_character(&units));
    }
    *ret_text = start;
    *ret_length = (size_t)(to - start);
    return OUTCOME_DONE;
}
