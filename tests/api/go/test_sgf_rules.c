/* SGF records: the names of rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_names.h"

#include <string.h>

static void rules_are_known_by_their_names(void **state) {
    static const struct {
        struct {
            enum go_ko ko;
            bool suicide;
        } rules;
        const char *names[16];
    } known[] = {
        {{GO_KO_SIMPLE, false},
         {"Japanese", "japanese", "JAPANESE", " Japanese\n", "Japanese rules", "JP", "jp", "Japan", "Korean", "korean",
          "kr", "Korea", "Korean Rules"}},
        {{GO_KO_POSITIONAL, false},
         {"Chinese", "cn", "China", "chinese", "", " ", "French", "Old Chinese", "stone_scoring", "Lasker-Maas",
          "Rules", "x", "no rules that anybody knows of", "\xe6\x97\xa5"}},
        {{GO_KO_SITUATIONAL, false}, {"AGA", "aga", "AGA rules"}},
        {{GO_KO_SITUATIONAL, true},
         {"New Zealand", "new zealand", "NewZealand", "New_Zealand", "NZ", "nz", "NZ Rules"}},
        {{GO_KO_POSITIONAL, true},
         {"Tromp-Taylor", "tromp taylor", "TrompTaylor", "TT", "Ing", "ING", "Ing rules", "GOE", "goe", "Ing Goe",
          "Goe (Ing)", "Ing (GOE)"}},
        {{GO_KO_SIMPLE, false},
         {"koSIMPLEscoreAREAtaxNONEsui0whbN", "koSIMPLE", "sui0 koSIMPLE", "scoreTERRITORY,koSIMPLE;friendlyPassOk1",
          "\xe6\x97\xa5koSIMPLEsui0"}},
        {{GO_KO_SIMPLE, true}, {"koSIMPLEsui1", "sui1koSIMPLE", "taxALLsui1-koSIMPLE-hb"}},
        {{GO_KO_SITUATIONAL, false}, {"koSITUATIONALscoreAREAtaxNONEsui0whbN", "koSITUATIONAL"}},
        {{GO_KO_SITUATIONAL, true}, {"koSITUATIONALscoreAREAtaxSEKIsui1whbN"}},
        {{GO_KO_POSITIONAL, true}, {"koPOSITIONALscoreAREAtaxNONEsui1", "sui1", "koSIMPLEkoSITUATIONALsui1"}},
        {{GO_KO_POSITIONAL, false},
         {"koPOSITIONALsui0", "kosimple", "KOSIMPLE", "ko SIMPLE", "koSIMPL", "SUI1", "sui", "sui2", "sui0sui1",
          "koSIMPLEkoPOSITIONAL"}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (size_t n = 0; n < 16 && known[k].names[n] != NULL; n++) {
            struct sgf_rules rules = sgf_find_rules(known[k].names[n], strlen(known[k].names[n]));
            if (rules.ko != known[k].rules.ko || rules.suicide != known[k].rules.suicide)
                fail_msg("%s: %d %d", known[k].names[n], (int)rules.ko, rules.suicide);
        }
}

static void it_is_told_which_rules_a_name_does_not_name(void **state) {
    static const struct {
        const char *name;
        bool ko, suicide;
    } known[] = {
        {"", false, false},
        {"French", false, false},
        {"Chinese", true, true},
        {"NZ rules", true, true},
        {"koPOSITIONAL", true, false},
        {"sui0", false, true},
        {"koSIMPLEkoPOSITIONALsui1", false, true},
        {"koSIMPLEsui0sui1", true, false},
        {"koSITUATIONALscoreAREAsui1", true, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct sgf_rules rules = sgf_find_rules(known[k].name, strlen(known[k].name));
        if (rules.has_ko != known[k].ko || rules.has_suicide != known[k].suicide)
            fail_msg("%s: %d %d", known[k].name, rules.has_ko, rules.has_suicide);
    }
}

static void presets_have_few_names_in_any_spelling(void **state) {
    static const struct {
        const char *name;
        struct go_preset preset;
    } known[] = {
        {"japanese", {GO_KO_SIMPLE, false, GO_SCORING_TERRITORY}},
        {"Korean", {GO_KO_SIMPLE, false, GO_SCORING_TERRITORY}},
        {"CHINESE", {GO_KO_POSITIONAL, false, GO_SCORING_AREA}},
        {"a-g_a", {GO_KO_SITUATIONAL, false, GO_SCORING_AREA}},
        {"new zealand", {GO_KO_SITUATIONAL, true, GO_SCORING_AREA}},
        {"New-Zealand", {GO_KO_SITUATIONAL, true, GO_SCORING_AREA}},
        {"NZ", {GO_KO_SITUATIONAL, true, GO_SCORING_AREA}},
        {"Tromp-Taylor", {GO_KO_POSITIONAL, true, GO_SCORING_AREA}},
        {"tromp_taylor", {GO_KO_POSITIONAL, true, GO_SCORING_AREA}},
        {" ing ", {GO_KO_POSITIONAL, true, GO_SCORING_AREA}},
        {"GOE", {GO_KO_POSITIONAL, true, GO_SCORING_AREA}},
    };
    static const char *const unknown[] = {"", " ", "jp", "tt", "japanese rules", "japanese.", "chinese1", "koSIMPLE"};
    struct go_preset preset;
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        assert_true(sgf_find_preset(known[k].name, strlen(known[k].name), &preset));
        if (preset.ko != known[k].preset.ko || preset.suicide != known[k].preset.suicide ||
            preset.scoring != known[k].preset.scoring)
            fail_msg("%s: %d %d %d", known[k].name, (int)preset.ko, preset.suicide, (int)preset.scoring);
    }
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
        assert_false(sgf_find_preset(unknown[k], strlen(unknown[k]), &preset));
    for (size_t k = 0; sgf_preset_words[k] != NULL; k++)
        assert_true(sgf_find_preset(sgf_preset_words[k], strlen(sgf_preset_words[k]), &preset));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_known_by_their_names),
        cmocka_unit_test(it_is_told_which_rules_a_name_does_not_name),
        cmocka_unit_test(presets_have_few_names_in_any_spelling),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
