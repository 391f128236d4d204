/* SGF records: which character set a game is read in, and when it is refused. No record may be silently misread. To
 * check this, iconv writes records with a known correct reading in every set, with and without a correct CA. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_reading.h"
#include "base/utf8.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_utf8(const char *text, size_t length) {
    for (size_t at = 0, step; at < length; at += step)
        if ((step = utf8_length(text + at, length - at)) == 0)
            return false;
    return true;
}

/* Write a character as a UTF-8 string. */
static void write_utf8(unsigned code, char ret_text[5]) {
    char *to = ret_text;
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    *to = 0;
}

/* Convert a text from UTF-8. Returns the new length, or 0 if the set lacks a character. */
static size_t convert(iconv_t to_set, const char *utf8, char *ret_text, size_t size) {
    char in[256], *from = in, *to = ret_text;
    size_t left = strlen(utf8), space = size;
    memcpy(in, utf8, left);
    iconv(to_set, NULL, NULL, NULL, NULL);
    if (iconv(to_set, &from, &left, &to, &space) == (size_t)-1 || iconv(to_set, NULL, NULL, &to, &space) == (size_t)-1)
        return 0;
    return size - space;
}

/* ---- every character of every set ---- */

struct set {
    const char *iconv;
    const char *ca; /* a name for CA; if NULL, records in this set can be refused, but must not be misread */
    unsigned odd;   /* the minimum number of odd characters in this set */
};

/* Does a character contain, after its first byte, a byte that is special in SGF? Escape sequences do not count. */
static bool is_odd(const char *bytes, size_t length) {
    const char *special = *bytes == 0x1b || *bytes == 0x0e ? "]\\" : "]\\()[:;{|}~";
    for (size_t i = 1; i < length; i++)
        if (memchr(special, bytes[i], strlen(special)) != NULL)
            return true;
    return false;
}

/* Records with the character at %s and CA at %c. Each is a 5 x 5 game with one move. */
static const char *const forms[] = {
    "(;%cPB[%s]SZ[5];B[aa])",
    "(;PB[%s]%cSZ[5];B[aa])",
    "(;SZ[5]%cC[%s];B[aa]C[%s])",
    "(;SZ[5]C[%s) (;%s]N[%s%s];B[aa]%c(;C[x]))",
    "(;%cSZ[5]C[a\\%s\\]%s\\\\];B[aa](;C[;W[bb(%s])(;C[x]))",
};

/* Fill the character and CA into a form. */
static void fill(const char *form, const char *character, const char *ca, char *ret_text) {
    for (; *form != 0; form++) {
        const char *part = *form != '%' ? NULL : *++form == 's' ? character : ca;
        if (part == NULL)
            *ret_text++ = *form;
        else
            ret_text = stpcpy(ret_text, part);
    }
    *ret_text = 0;
}

/* Check that the record is read correctly or, if `may_refuse`, refused. Returns whether it was read. */
static bool assert_not_misread(const struct set *set, const char *utf8, const char *text, size_t length,
                               bool may_refuse) {
    struct reading r = read_bytes(text, length);
    assert_int_equal(r.outcome, OUTCOME_DONE);
    if (!r.good && may_refuse)
        return false;
    if (!r.good || strcmp(r.text, "5 Ba0") != 0 || r.games != 1)
        fail_msg("%s: %s: %s", set->iconv, utf8, r.good ? r.text : r.fault.detail);
    return true;
}

static void walk_forms(const struct set *set, iconv_t to_set, const char *character, unsigned *refused) {
    char ca[64], utf8[256], text[256];
    snprintf(ca, sizeof ca, "CA[%s]", set->ca != NULL ? set->ca : set->iconv);
    const char *const names[] = {ca, "", "CA[UTF-8]", "CA[x-user-defined]"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            /* In the fourth form, CA is in a later node, where it has no effect. */
            bool named = n == 0 && f != 3 && set->ca != NULL;
            fill(forms[f], character, names[n], utf8);
            size_t length = convert(to_set, utf8, text, sizeof text);
            if (length != 0 && !(is_utf8(text, length) && memchr(text, 0x1b, length) == NULL && named))
                *refused += !assert_not_misread(set, utf8, text, length, !named);
        }
}

static void no_character_of_any_set_is_misread(void **state) {
    static const struct set sets[] = {
        {"GB18030", "gb18030", 400},
        {"GBK", "GBK", 800},
        {"GBK", "GB2312", 800},
        {"BIG5", "Big5", 600},
        {"CP950", "x-x-big5", 600},
        {"BIG5-HKSCS", "Big5-HKSCS", 600},
        {"SHIFT_JIS", "Shift_JIS", 250},
        {"CP932", "Windows-31J", 250},
        {"EUC-CN", "gb2312", 0},
        {"EUC-JP", "EUC-JP", 0},
        {"EUC-KR", "EUC-KR", 0},
        {"EUC-TW", "EUC-TW", 0},
        {"UHC", "cp949", 0},
        {"JOHAB", NULL, 600},
        {"ISO-2022-JP", NULL, 200},
        {"ISO-2022-JP-3", NULL, 200},
        {"ISO-2022-KR", NULL, 200},
        {"ISO-2022-CN", NULL, 200},
    };
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        iconv_t to_set = iconv_open(sets[s].iconv, "UTF-8");
        unsigned odd = 0, refused = 0;
        char character[5], bytes[64];
        if (to_set == (iconv_t)-1) {
            print_message("no %s here\n", sets[s].iconv);
            continue;
        }
        for (unsigned code = 0x80; code < 0x10400; code++) {
            /* Skip the yen sign: Japanese sets write it as a backslash, which then escapes the next character. */
            if ((code >= 0xd800 && code < 0xe000) || code == 0xa5)
                continue;
            write_utf8(code, character);
            size_t length = convert(to_set, character, bytes, sizeof bytes);
            if (length == 0 || (!is_odd(bytes, length) && code % 97 != 0))
                continue;
            odd += is_odd(bytes, length);
            walk_forms(&sets[s], to_set, character, &refused);
        }
        iconv_close(to_set);
        print_message("%s: %u characters, %u records refused\n", sets[s].iconv, odd, refused);
        assert_true(odd >= sets[s].odd);
        assert_true(refused != 0 || sets[s].odd == 0);
    }
}

/* ---- UTF-8 ---- */

static void utf8_is_read_whatever_ca_says(void **state) {
    static const char *const names[] = {"", "CA[GB2312]", "CA[Big5]", "CA[Shift_JIS]", "CA[ISO-8859-1]", "CA[x]"};
    static const struct set utf8_set = {"UTF-8", NULL, 0};
    char character[5], text[256];
    (void)state;
    for (unsigned code = 0x80; code < 0x110000; code += code < 0x10000 ? 7 : 1021) {
        if (code >= 0xd800 && code < 0xe000)
            continue;
        write_utf8(code, character);
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
                fill(forms[f], character, names[n], text);
                assert_not_misread(&utf8_set, text, text, strlen(text), false);
            }
    }
}

static void utf8_with_a_broken_character_is_read_if_ca_says_utf8(void **state) {
    (void)state;
    ALL_READ({"(;CA[UTF-8]PB[\xe9\xbb\x91]C[\xe9\xbb...]SZ[9];B[aa]C[\xe9\xbb\x91])", "9 Ba0"});
    ALL_REFUSED(
        {"(;CA[UTF-8]PB~[\x83]SZ[9]N[\xe9\xbb\x91];B[aa])", FAULT_VALUE,
         "CA[UTF-8] is not the character set of this text, and the value that begins here ends elsewhere if it is "
         "read as GB18030; declare the character set with CA, or convert the record to UTF-8"});
}

/* ---- CA ---- */

static void ca_counts_in_the_set_that_it_names(void **state) {
    (void)state;
    ALL_READ({"(;CA[ sJIS ]C[\x95]];B[aa])", "19 Ba0"},            /* odd spelling */
             {"(;C[\x95\\]SZ[9]CA[SJIS];B[aa])", "9 Ba0"},         /* after the text, where other sets do not see it */
             {"(;C[\x95]]SZ[9]CA[SJIS];B[aa])", "9 Ba0"},          /* after text that is invalid in other sets */
             {"(;CA[SJIS]CA[Shift_JIS]C[\x95]];B[aa])", "19 Ba0"}, /* two names of one set */
             {"(;CA[]C[\x95]]CA[SJIS];B[aa])", "19 Ba0"},          /* an empty CA is ignored */
             {"(;CA[x]C[\x95 ]SZ[9];B[aa])", "9 Ba0"},             /* no set is needed if all sets agree */
             {"(;CA[SJIS](;C[\x95]])(;C[\x95\\](;C[\x95]])))", "19"}, {"(CA[SJIS]C[\x95]];C[\x95]];B[aa])", "19 Ba0"},
             {"(;CharAcset[SJIS]C[\x95]];B[aa])", "19 Ba0"});
    ALL_REFUSED(
        {"(;C~[\x95\\]SZ[9];CA[SJIS]B[aa])", FAULT_VALUE, NULL}, /* CA in a later node is ignored */
        {"(;CA[SJIS]CA[GBK]C~[\x95\\]SZ[9];B[aa])", FAULT_VALUE, NULL},
        {"(;CA[UTF-16]C~[\x95\\]SZ[9];B[aa])", FAULT_VALUE,
         "CA[UTF-16] is not a supported character set, and the value that begins here ends elsewhere if it is "
         "read as GB18030; declare the character set with CA, or convert the record to UTF-8"},
        {"(;C~[\x95\\]SZ[9];B[aa])", FAULT_VALUE,
         "no CA declares the character set, and the value that begins here ends elsewhere if it is read as GB18030; "
         "declare the character set with CA, or convert the record to UTF-8"});
}

static void each_game_has_its_own_ca(void **state) {
    (void)state;
    struct arena arena;
    struct work work = {.left = PLENTY};
    arena_init(&arena, ARENA_NO_CAP);
    static const char sgf[] = "(;SZ[2];B[aa])(;CA[SJIS]C[\x95]]SZ[3])(;CA[gbk]C[\xe9\xbb\x91]SZ[4])"
                              "(;C[\x95\\]CA[Big5]SZ[5])(;CA[ISO-8859-1]PB[Ren\xe9]SZ[6])(;PB[Ren\xe9 B.]SZ[7])";
    for (unsigned number = 1; number <= 6; number++) {
        struct reading r = {0};
        read_game(&(struct sgf_record){sgf, sizeof sgf - 1, false}, number, MAX_MOVES, &arena, &work, &r);
        assert_true(r.good);
        assert_int_equal(r.games, 6);
        assert_int_equal(r.the_case.size, number + 1);
    }
    arena_clear(&arena);
    ALL_REFUSED({"(;CA[SJIS]C[\x95]]SZ[3])(;C~[\x95]SZ[9];B[aa])", FAULT_VALUE, NULL});
}

/* ---- without CA ---- */

static void a_harmless_name_needs_no_ca(void **state) {
    (void)state;
    ALL_READ({"(;PB[Ren\xe9]PW[x]SZ[9];B[aa])", "9 Ba0"}, {"(;PB[Ren\xe9]SZ[19];B[aa])", "19 Ba0"},
             {"(;PB[Ren\xe9]GM[1]SZ[9];B[aa])", "9 Ba0"}, {"(;PB[Ren\xe9]RU[Chinese]SZ[9];B[aa])", "9 Ba0"},
             {"(;PB[Bj\xf6rn \xd6.]SZ[9];B[aa])", "9 Ba0"}, {"(;SZ[9];B[aa]C[voil\xe0])", "9 Ba0"},
             {"(;SZ[9];B[aa](;C[\xe0];C[x])(;C[\xe0]))", "9 Ba0"});
    ALL_REFUSED({"(;PB~[Ren\xe9]SZ[9];B[aa])", FAULT_VALUE, NULL}, {"(;PB~[Ren\xe9]RU[NZ])", FAULT_VALUE, NULL},
                {"(;PB~[Ren\xe9]GM[2]C[x])", FAULT_VALUE, NULL}, {"(;PB~[Ren\xe9]AB[aa])", FAULT_VALUE, NULL},
                {"(;PB~[Ren\xe9];B[aa])", FAULT_VALUE, NULL},
                /* another reading would change the number of variations or games */
                {"(;SZ[9](;C~[\xe0])(;C[x]))", FAULT_VALUE, NULL}, {"(;SZ[9](;C~[\xe0]);N[x])", FAULT_VALUE, NULL},
                {"(;SZ[9]C~[\xe0])(;C[x])", FAULT_VALUE, NULL},
                /* another reading would turn two changes of the board into one */
                {"(;B[aa];AB[bb]C~[\xe0];C[x]AB[cc])", FAULT_VALUE, NULL},
                /* a difference in Johab only, whose second bytes start at 0x31 */
                {"(;C~[\x95"
                 "5\x95]SZ[9])",
                 FAULT_VALUE, NULL});
}

static void a_record_that_is_readable_in_another_set_only_says_so(void **state) {
    (void)state;
    ALL_REFUSED({"(;C[\x95]~];B[aa])", FAULT_SYNTAX,
                 "unexpected ']'; expected a property, a node or a variation (inside text, write ']' as '\\]'); the "
                 "record can be read as GB18030: declare the character set with CA, or convert the record to UTF-8"},
                {"(;C~[\x95\\])", FAULT_SYNTAX,
                 "the value that begins here has no closing ']'; the record can be read as GB18030: declare the "
                 "character set with CA, or convert the record to UTF-8"},
                {"(;C[\xe9]~])]", FAULT_SYNTAX, NULL});
}

static void sets_of_seven_bits_are_not_misread(void **state) {
    (void)state;
    ALL_READ({"(;PB[\x1b$B9u\x1b(B]SZ[9];B[aa])", "9 Ba0"}, {"(;PB[\x1b[0m]SZ[9];B[aa])", "9 Ba0"},
             {"(;PB[\x1b$B!\\\x1b(B]SZ[9];B[aa])", "9 Ba0"}, /* the backslash escapes the escape character */
             {"(;PB[~{]SZ[9];B[aa])", "9 Ba0"},
             {"(;PB[~~{]AB[aa]N[~}]SZ[9])",
              "9 /B........,.........,.........,.........,.........,.........,.........,.........,........."},
             {"(;C[\xe9\xbb\x91\x1b$B!]SZ[9]N[\x1b(B];B[aa])", "9 Ba0"});
    ALL_REFUSED(
        {"(;C~[\x1b$B!]AB[aa][\x1b(B];B[bb])", FAULT_VALUE,
         "no CA declares the character set, and the value that begins here ends elsewhere if it is read as ISO-2022 or "
         "HZ; "
         "convert the record to UTF-8"},
        {"(;CA[ISO-2022-JP]C~[\x1b$B!]SZ[9]N[\x1b(B];B[bb])", FAULT_VALUE,
         "CA[ISO-2022-JP] is not a supported character set, and the value that begins here ends elsewhere if it is "
         "read as ISO-2022 or HZ; convert the record to UTF-8"},
        {"(;C~[\x1b(I]SZ[9]N[\x1b(B];B[bb])", FAULT_VALUE, NULL},
        {"(;C~[\x1b$)C\x0e!]SZ[9]N[\x0f];B[bb])", FAULT_VALUE, NULL},
        {"(;CA[HZ-GB-2312]C~[~{!]SZ[9]N[~}];B[bb])", FAULT_VALUE, NULL},
        {"(;CA[latin1]C~[\x1b$B!]SZ[9]N[\x1b(B];B[bb])", FAULT_VALUE, NULL},
        {"(;PB[\x1b$B!]~\x1b(B]SZ[9];B[aa])", FAULT_SYNTAX, NULL});
}

/* ---- random records ---- */

/* A record in an unknown set is read only if it means the same in every set. To check this, the same record is read
 * again with each set declared by CA. */
static void what_is_read_without_ca_is_the_same_with_any(void **state) {
    static const char *const pieces[] = {";B[aa]", "SZ[5]",   "C[", "]", "]",      "\x83", "\xe9",
                                         "\\",     "(;W[bb]", ")",  "x", "AB[cc]", ";"};
    static const char *const names[] = {"GB18030", "Big5", "Shift_JIS", "ISO-8859-1"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    unsigned read = 0, refused = 0;
    uint64_t seed = 9;
    (void)state;
    for (unsigned round = 0; round < 200000; round++) {
        char rest[256] = "", plain[300], named[300];
        for (unsigned count = 4 + draw(&seed, 16); count > 0; count--)
            strcat(rest, pieces[draw(&seed, PIECES)]);
        snprintf(plain, sizeof plain, "(;%s)", rest);
        struct reading r = read_bytes(plain, strlen(plain));
        bool unclear = !r.good && r.fault.code == FAULT_VALUE && strstr(r.fault.detail, "CA") != NULL;
        refused += unclear;
        read += r.good && !is_utf8(plain, strlen(plain));
        if (!r.good || is_utf8(plain, strlen(plain)))
            continue;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            snprintf(named, sizeof named, "(;CA[%s]%s)", names[n], rest);
            struct reading other = read_bytes(named, strlen(named));
            if (other.good &&
                (strcmp(r.text, other.text) != 0 || r.games != other.games || r.variations != other.variations))
                fail_msg("%s: %s\n%s: %s", plain, r.text, names[n], other.text);
        }
    }
    print_message("%u read, %u refused\n", read, refused);
    assert_true(read > 1000 && refused > 100);
}

/* ---- limits ---- */

/* The readings of these games overlap: a value that is not closed in one set extends to the end of the record. */
static void the_time_is_in_proportion_to_the_record(void **state) {
    static const struct {
        const char *game;
        bool good; /* if false, refusing it is fine, because nobody writes such records */
    } games[] = {
        {"(;CA[SJIS]C[\x83\\])", true}, {"(;CA[GBK]C[\xe9\xbb\x91])", true},
        {"(;PB[Ren\xe9 ]C[x])", true},  {"(;CA[Big5]C[\x83x\x83]])", true},
        {"(;C[\xe9])", false},          {"(;CA[SJIS]C[\xe3\x81\x83\\])", false},
        {"(;C[\x1b$B])", false},
    };
    enum { COPIES = 20000 };
    (void)state;
    for (size_t g = 0; g < sizeof games / sizeof *games; g++)
        for (int end = 0; end < 2; end++) {
            size_t each = strlen(games[g].game), length = each * COPIES;
            char *sgf = malloc(length + 1);
            for (size_t copy = 0; copy < COPIES; copy++)
                memcpy(sgf + copy * each, games[g].game, each);
            sgf[length] = (char)0xff; /* makes the record invalid UTF-8 */
            struct reading r = read_bytes(sgf, length + (size_t)end);
            free(sgf);
            assert_int_equal(r.outcome, OUTCOME_DONE);
            assert_in_range(r.units, length / 4,
                            12 * length); /* 2 + length / 4 for the survey, and the rest for readings */
            assert_true(r.good || !games[g].good);
        }
}

static void a_choice_can_be_stopped_at_any_point(void **state) {
    static const char sgf[] = "(;SZ[9]C[\x1b$B!!])(;CA[SJIS]C[\x95]];B[aa])(;C[\xe9]PB[x];B[aa])(;C[\x95\\]SZ[9])";
    uint64_t all = read_with(sgf, sizeof sgf - 1, MAX_MOVES, ARENA_NO_CAP, PLENTY).units;
    unsigned short_of_work = 0;
    (void)state;
    for (uint64_t units = 0; units < all; units++)
        short_of_work += read_with(sgf, sizeof sgf - 1, MAX_MOVES, ARENA_NO_CAP, units).outcome == OUTCOME_MORE_WORK;
    assert_int_equal(short_of_work, all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_character_of_any_set_is_misread),
        cmocka_unit_test(utf8_is_read_whatever_ca_says),
        cmocka_unit_test(utf8_with_a_broken_character_is_read_if_ca_says_utf8),
        cmocka_unit_test(ca_counts_in_the_set_that_it_names),
        cmocka_unit_test(each_game_has_its_own_ca),
        cmocka_unit_test(a_harmless_name_needs_no_ca),
        cmocka_unit_test(a_record_that_is_readable_in_another_set_only_says_so),
        cmocka_unit_test(sets_of_seven_bits_are_not_misread),
        cmocka_unit_test(what_is_read_without_ca_is_the_same_with_any),
        cmocka_unit_test(the_time_is_in_proportion_to_the_record),
        cmocka_unit_test(a_choice_can_be_stopped_at_any_point),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
