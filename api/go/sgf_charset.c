#include "api/go/sgf_charset.h"

#include "api/go/sgf_name.h"

#include <stdint.h>
#include <string.h>

/* A character set with characters of two bytes, of which the second may be ']' or '\'. */
struct sgf_charset {
    unsigned char lead[2][2]; /* two ranges of first bytes */
    unsigned char high[2];    /* second bytes are 0x40 to 0x7e and these */
};

/* GB18030 has characters of four bytes, too: a lead byte and a digit, twice. A digit has no meaning in a value, so
 * these need no care. */
static const struct sgf_charset gb18030 = {{{0x81, 0xfe}, {0x81, 0xfe}}, {0x80, 0xfe}};
static const struct sgf_charset big5 = {{{0x81, 0xfe}, {0x81, 0xfe}}, {0xa1, 0xfe}};
static const struct sgf_charset shift_jis = {{{0x81, 0x9f}, {0xe0, 0xfc}}, {0x80, 0xfc}};

/* Names in the form of sgf_fold_name. */
static const struct {
    const char *name;
    const struct sgf_charset *charset;
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

static bool is_between(unsigned char c, const unsigned char range[2]) { return c >= range[0] && c <= range[1]; }

const struct sgf_charset *sgf_find_charset(const char *name, size_t length) {
    char folded[SGF_NAME_BYTES];
    if (!sgf_fold_name(name, length, folded))
        return NULL;
    for (size_t i = 0; i < sizeof charset_names / sizeof *charset_names; i++)
        if (*charset_names[i].name == *folded && strcmp(charset_names[i].name, folded) == 0)
            return charset_names[i].charset;
    return NULL;
}

size_t sgf_character_length(const struct sgf_charset *charset, const char *text, size_t length) {
    static const unsigned char low[2] = {0x40, 0x7e};
    if (length < 2)
        return 1;
    unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    bool leads = is_between(first, charset->lead[0]) || is_between(first, charset->lead[1]);
    return leads && (is_between(second, low) || is_between(second, charset->high)) ? 2 : 1;
}

bool sgf_is_utf16(const char *text, size_t length) {
    return length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

/* The state of reading UTF-16. */
struct units {
    const unsigned char *text;
    size_t at, length;
    bool big; /* the first byte of a unit is the high one */
};

/* Read the unit at an offset. An incomplete unit at the end is invalid. */
static uint32_t unit_at(const struct units *units, size_t at) {
    if (units->length - at < 2)
        return 0xfffd;
    unsigned high = units->text[at + !units->big], low = units->text[at + units->big];
    return high << 8 | low;
}

/* Read the next character. Source: the Unicode standard, table 3-5. */
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

/* Write a character as UTF-8; returns where it ends. Source: the Unicode standard, table 3-6. */
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
    /* At most three bytes for each unit: a character of four bytes has two units. */
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
