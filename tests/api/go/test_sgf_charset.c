/* SGF records: the character sets of text values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_charset.h"
#include "api/go/sgf_names.h"
#include "api/go/sgf_reading.h"
#include "base/utf8.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Can these bytes be read as the value of one comment when CA has this name? */
static bool reads_comment(const char *name, const unsigned char *bytes, size_t length) {
    char sgf[128];
    size_t used = (size_t)snprintf(sgf, sizeof sgf, "(;CA[%s]C[", name);
    memcpy(sgf + used, bytes, length);
    used += length;
    memcpy(sgf + used, "];B[aa])", 8);
    struct reading r = read_bytes(sgf, used + 8);
    return r.good && r.the_case.move_count == 1;
}

/* Do these bytes form exactly one character, according to iconv? */
static bool is_one_character(iconv_t descriptor, const unsigned char *bytes, size_t length) {
    char in[4], out[16];
    for (size_t part = 1; part <= length; part++) {
        char *from = in, *to = out;
        size_t left = part, free_bytes = sizeof out;
        memcpy(in, bytes, part);
        iconv(descriptor, NULL, NULL, NULL, NULL);
        size_t result = iconv(descriptor, &from, &left, &to, &free_bytes);
        /* In Big5-HKSCS, iconv holds a letter back until it has read the next one. */
        bool whole = result != (size_t)-1 && left == 0;
        if (whole != (part == length))
            return false;
    }
    return true;
}

static void no_character_ends_or_escapes_a_value(void **state) {
    static const struct {
        const char *name, *iconv;
        unsigned special; /* characters whose second byte is ']' or '\' */
    } sets[] = {
        {"GB18030", "GB18030", 200},       {"GBK", "GBK", 150},        {"GB2312", "GBK", 150},
        {"CP936", "CP936", 150},           {"Big5", "BIG5", 100},      {"BIG5", "CP950", 100},
        {"big5-hkscs", "BIG5-HKSCS", 150}, {"Shift_JIS", "CP932", 80}, {"SJIS", "SHIFT_JIS", 70},
    };
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        iconv_t descriptor = iconv_open("UTF-8", sets[s].iconv);
        if (descriptor == (iconv_t)-1) {
            print_message("no %s here\n", sets[s].iconv);
            continue;
        }
        unsigned special = 0, all = 0;
        for (unsigned lead = 0x80; lead <= 0xff; lead++) {
            unsigned char one[1] = {(unsigned char)lead};
            if (is_one_character(descriptor, one, 1))
                assert_true(reads_comment(sets[s].name, one, 1));
            for (unsigned trail = 0x30; trail <= 0xff; trail++) {
                unsigned char two[2] = {(unsigned char)lead, (unsigned char)trail};
                if (!is_one_character(descriptor, two, 2))
                    continue;
                all++;
                special += trail == '\\' || trail == ']';
                if (!reads_comment(sets[s].name, two, 2))
                    print_error("%s %02x %02x\n", sets[s].name, lead, trail);
                assert_true(reads_comment(sets[s].name, two, 2));
                if (trail == ']' || trail == '\\')
                    assert_false(reads_comment("ISO-8859-1", two, 2));
            }
        }
        iconv_close(descriptor);
        assert_true(all > 6000);
        assert_true(special >= sets[s].special);
    }
}

static void gb18030_has_characters_of_four_bytes(void **state) {
    iconv_t descriptor = iconv_open("UTF-8", "GB18030");
    unsigned all = 0;
    (void)state;
    if (descriptor == (iconv_t)-1)
        skip();
    for (unsigned first = 0x81; first <= 0xfe; first++)
        for (unsigned second = '0'; second <= '9'; second++)
            for (unsigned third = 0x81; third <= 0xfe; third += 25)
                for (unsigned fourth = '0'; fourth <= '9'; fourth++) {
                    unsigned char four[4] = {(unsigned char)first, (unsigned char)second, (unsigned char)third,
                                             (unsigned char)fourth};
                    if (!is_one_character(descriptor, four, 4))
                        continue;
                    all++;
                    assert_true(reads_comment("GB18030", four, 4));
                }
    iconv_close(descriptor);
    assert_true(all > 1000);
}

static void sets_that_are_read_byte_by_byte_are_known(void **state) {
    static const char *const names[] = {"ISO-8859-1", "iso8859_15", "Latin1",   "latin-2",  "windows-1252",   "CP1251",
                                        "KOI8-R",     "EUC-JP",     "x-euc-jp", "EUC-KR",   "ks_c_5601-1987", "EUC-TW",
                                        "CP949",      "UHC",        "TIS-620",  "Macintosh"};
    static const char *const unknown[] = {
        "",      "Big",   "BIG5X",  "GB",          "Shift",          "]JIS", " ", "gb 18030 of no known kind",
        "Johab", "ASCII", "UTF-16", "ISO-2022-JP", "x-mac-japanese", "\xe7"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        assert_int_equal(sgf_find_charset(names[n], strlen(names[n])), SGF_BYTES);
        for (unsigned lead = 0; lead <= 0xff; lead++) {
            unsigned char ends[2] = {(unsigned char)lead, ']'}, escapes[3] = {(unsigned char)lead, '\\', ']'};
            if (lead == '\\' || lead == ']')
                continue;
            assert_false(reads_comment(names[n], ends, 2));
            assert_true(reads_comment(names[n], ends, 1));
            assert_true(reads_comment(names[n], escapes, 3));
        }
    }
    for (size_t n = 0; n < sizeof unknown / sizeof *unknown; n++)
        assert_int_equal(sgf_find_charset(unknown[n], strlen(unknown[n])), SGF_UNKNOWN);
    assert_int_equal(sgf_find_charset("utf_8", 5), SGF_UTF8);
}

static void names_of_sets_are_known_by_many_spellings(void **state) {
    static const char *const names[] = {
        "GB18030",    "gb18030",   "GB-18030",   "gb_18030",  "GBK",         "gb2312",    "GB_2312",     "GB-2312",
        "GB_2312-80", "x-gbk",     "EUC-CN",     "cp936",     "CP-936",      "MS936",     "Windows-936", "Big5",
        "BIG-5",      "big5",      "Big_5",      "x-x-big5",  "csBig5",      "CN-Big5",   "CP950",       "windows-950",
        "Big5-HKSCS", "Big5-ETEN", "Shift_JIS",  "SHIFT-JIS", "ShiftJIS",    "shift_jis", "SJIS",        "S-JIS",
        "x-sjis",     "MS_Kanji",  "csShiftJIS", "CP932",     "Windows-31J", "MS932",     " Big5 ",      "shift jis\n"};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95\x5d", 2));
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95\x5c", 2));
        /* A backslash escapes a whole character; bytes that do not form a character are treated as single bytes. */
        assert_true(reads_comment(names[n], (const unsigned char *)"\\\x95\x5d", 3));
        assert_false(reads_comment(names[n], (const unsigned char *)"\x95\x20\x5d", 3));
        assert_false(reads_comment(names[n], (const unsigned char *)"\xff\x5d", 2));
        assert_true(reads_comment(names[n], (const unsigned char *)"\x95", 1) == false);
    }
    /* 0x85 can be a second byte in GBK only; in Big5, it is the first byte of the next character. */
    assert_false(reads_comment("GBK", (const unsigned char *)"\x95\x85\x5d", 3));
    assert_true(reads_comment("Big5", (const unsigned char *)"\x95\x85\x5d", 3));
    /* Halfwidth katakana are single-byte characters. */
    assert_true(reads_comment("Shift_JIS", (const unsigned char *)"\xb1", 1));
    assert_false(reads_comment("Shift_JIS", (const unsigned char *)"\xb1\x5d", 2));
}

static void a_long_comment_is_passed(void **state) {
    enum { LONG = 5000000 };
    static const char *const names[] = {"UTF-8", "GB18030", "Big5", "Shift_JIS"};
    char *sgf = malloc(LONG + 64);
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        uint64_t seed = 5;
        size_t used = (size_t)snprintf(sgf, 64, "(;CA[%s]C[", names[n]);
        for (int i = 0; i < LONG; i++) {
            char c = (char)draw(&seed, 256);
            sgf[used++] = c == ']' || c == '\\' ? 'x' : c;
        }
        memcpy(sgf + used, "xx];B[aa])", 11);
        assert_string_equal(read_bytes(sgf, used + 10).text, "19 Ba0");
        assert_true(read_bytes(sgf, used).fault.code == FAULT_SYNTAX);
    }
    free(sgf);
}

/* Check that the program converts a text in UTF-16 to this UTF-8, in both byte orders. */
static void assert_from_utf16(const char *units, size_t length, const char *expected) {
    struct arena arena;
    struct work work = {.left = PLENTY};
    arena_init(&arena, ARENA_NO_CAP);
    for (int swap = 0; swap < 2; swap++) {
        char copy[64];
        const char *text;
        size_t got;
        memcpy(copy, units, length);
        for (size_t i = 0; swap != 0 && i + 1 < length; i += 2) {
            char c = copy[i];
            copy[i] = copy[i + 1];
            copy[i + 1] = c;
        }
        assert_int_equal(utf16_look(copy, length), UTF16_MARKED);
        assert_int_equal(sgf_from_utf16(copy, length, &arena, &work, &text, &got), OUTCOME_DONE);
        assert_int_equal(got, strlen(expected));
        assert_memory_equal(text, expected, got);
    }
    work.left = 0;
    assert_int_equal(sgf_from_utf16("\xff\xfe(\0", 4, &arena, &work, &(const char *){NULL}, &(size_t){0}),
                     OUTCOME_MORE_WORK);
    arena_clear(&arena);
    work.left = PLENTY;
    arena.cap = 0;
    assert_int_equal(sgf_from_utf16("\xff\xfe(\0", 4, &arena, &work, &(const char *){NULL}, &(size_t){0}),
                     OUTCOME_NO_MEMORY);
    arena_clear(&arena);
}

#define FROM_UTF16(units, expected) assert_from_utf16("\xff\xfe" units, sizeof("\xff\xfe" units) - 1, expected)

static void utf16_becomes_utf8(void **state) {
    (void)state;
    FROM_UTF16("", "");
    FROM_UTF16("(\0;\0)\0", "(;)");
    FROM_UTF16("\x7f\x00\x80\x00\xff\x07\x00\x08\xff\xff", "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    FROM_UTF16("\xff\xd7\x00\xe0\x42\x30", "\xed\x9f\xbf\xee\x80\x80\xe3\x81\x82");
    FROM_UTF16("\x00\xd8\x00\xdc\x3d\xd8\x00\xde\xff\xdb\xff\xdf", "\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    /* A lone surrogate anywhere, and half a code unit at the end. */
    FROM_UTF16("\x00\xd8(\0", "\xef\xbf\xbd(");
    FROM_UTF16("\x00\xdc(\0", "\xef\xbf\xbd(");
    FROM_UTF16("\x00\xd8\x00\xd8\x00\xdc", "\xef\xbf\xbd\xf0\x90\x80\x80");
    FROM_UTF16("(\0\x00\xd8", "(\xef\xbf\xbd");
    FROM_UTF16("(\0)", "(\xef\xbf\xbd");
    FROM_UTF16("\x00\xd8)", "\xef\xbf\xbd\xef\xbf\xbd");
    assert_int_equal(utf16_look("(;)", 3), UTF16_NONE);
    assert_int_equal(utf16_look("\xff", 1), UTF16_NONE);
    assert_int_equal(utf16_look("", 0), UTF16_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_character_ends_or_escapes_a_value),
        cmocka_unit_test(gb18030_has_characters_of_four_bytes),
        cmocka_unit_test(sets_that_are_read_byte_by_byte_are_known),
        cmocka_unit_test(names_of_sets_are_known_by_many_spellings),
        cmocka_unit_test(a_long_comment_is_passed),
        cmocka_unit_test(utf16_becomes_utf8),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
