/* The table of formats: each row is complete, and no two rows conflict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/game/formats.h"
#include "api/job/source.h"
#include "api/request/games.h"
#include "api/request/negotiate.h"

#include <string.h>

static bool is_body(enum format format) { return format_table[format].reader != 0; }

static void a_body_has_a_source_a_game_and_an_answer(void **state) {
    (void)state;
    for (enum format format = 0; format < FORMATS; format++) {
        const struct format_row *row = &format_table[format];
        const struct source_format *source = source_table[format];
        assert_int_equal(is_body(format), source != NULL);
        if (format == FORMAT_LINT) { /* only `arbiter solve` writes it */
            assert_null(format_type(format));
            continue;
        }
        assert_true(is_body(format) || NEGOTIATE_CASE >> format & 1);
        assert_non_null(format_type(format));
        if (source == NULL)
            continue;
        assert_non_null(row->what);
        assert_true(NEGOTIATE_BATCH >> row->answer & 1);
        assert_true(source->size >= sizeof(struct source));
        assert_true(source->look != NULL && source->open != NULL && source->next != NULL && source->read != NULL);
        unsigned games_that_have_it = 0;
        for (size_t g = 0; g < game_count; g++)
            games_that_have_it += format_is_of(format, games[g]);
        assert_true(games_that_have_it != 0);
        if (source->is_case != NULL)
            assert_true(format_table[source->lines].is_in_lines);
    }
}

static void a_name_a_media_type_and_an_ending_are_those_of_one_format(void **state) {
    (void)state;
    for (enum format format = 0; format < FORMATS; format++) {
        const struct format_row *row = &format_table[format];
        assert_int_equal(format_named(row->name, strlen(row->name)), format);
        for (int e = 0; e < FORMAT_ENDINGS && row->endings[e] != NULL; e++) {
            char name[64] = "folder.json/file";
            assert_int_equal(format_of_name(strcat(name, row->endings[e])), format);
        }
        for (size_t g = 0; g < game_count && row->types[0] != NULL; g++) {
            enum format found = FORMAT_NONE;
            bool other_charset = false;
            assert_int_equal(negotiate_body(row->types[0], games[g], &found, &other_charset),
                             format_is_of(format, games[g]));
            assert_false(other_charset);
            assert_true(found == FORMAT_NONE || found == format);
        }
    }
    assert_int_equal(format_of_name("folder.json/file"), FORMAT_NONE);
    assert_int_equal(format_of_name("file.JSONL"), FORMAT_LINES);
    assert_int_equal(format_named("jso", 3), FORMAT_NONE);
}

static void the_surest_of_the_formats_of_a_game_is_guessed(void **state) {
    (void)state;
    for (size_t g = 0; g < game_count; g++) {
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "{", 1), FORMAT_JSON);
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "[", 1), FORMAT_JSON);
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "\"", 1), FORMAT_JSON);
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "7", 1), FORMAT_NONE);
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "7.", 2),
                         games[g]->bare_member != NULL ? FORMAT_DRAWING : FORMAT_NONE);
        assert_int_equal(source_guess(games[g], SOURCE_LIKE, "7", 1), FORMAT_TEXT);
        assert_int_equal(source_guess(games[g], SOURCE_SURE, "(", 1),
                         games[g]->records != NULL ? FORMAT_SGF : FORMAT_NONE);
        assert_int_equal(source_guess(games[g], SOURCE_LIKE, "?", 1), FORMAT_NONE);
        assert_int_equal(source_guess(games[g], SOURCE_LIKE, "", 0), FORMAT_NONE);
    }
    assert_int_equal(source_guess(NULL, SOURCE_SURE, "(", 1), FORMAT_SGF);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_has_a_source_a_game_and_an_answer),
        cmocka_unit_test(a_name_a_media_type_and_an_ending_are_those_of_one_format),
        cmocka_unit_test(the_surest_of_the_formats_of_a_game_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
