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
        struct go_rules rules;
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
            struct go_rules rules = sgf_find_rules(known[k].names[n], strlen(known[k].names[n]));
            if (rules.ko != known[k].rules.ko || rules.suicide != known[k].rules.suicide)
                fail_msg("%s: %d %d", known[k].names[n], (int)rules.ko, rules.suicide);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_known_by_their_names),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
