#include "api/go/sgf_rules.h"

#include "api/go/sgf_name.h"

#include <string.h>

/* Names in the form of sgf_fold_name. */
static const struct {
    const char *name;
    struct go_rules rules;
} known[] = {
    {"japanese", {GO_KO_SIMPLE, false}},
    {"japan", {GO_KO_SIMPLE, false}},
    {"jap", {GO_KO_SIMPLE, false}},
    {"jp", {GO_KO_SIMPLE, false}},
    {"korean", {GO_KO_SIMPLE, false}},
    {"korea", {GO_KO_SIMPLE, false}},
    {"kr", {GO_KO_SIMPLE, false}},
    {"chinese", {GO_KO_POSITIONAL, false}},
    {"china", {GO_KO_POSITIONAL, false}},
    {"cn", {GO_KO_POSITIONAL, false}},
    {"aga", {GO_KO_SITUATIONAL, false}},
    {"newzealand", {GO_KO_SITUATIONAL, true}},
    {"newzealandnz", {GO_KO_SITUATIONAL, true}},
    {"nz", {GO_KO_SITUATIONAL, true}},
    {"tromptaylor", {GO_KO_POSITIONAL, true}},
    {"tt", {GO_KO_POSITIONAL, true}},
    {"ing", {GO_KO_POSITIONAL, true}},
    {"goe", {GO_KO_POSITIONAL, true}},
    {"inggoe", {GO_KO_POSITIONAL, true}},
    {"goeing", {GO_KO_POSITIONAL, true}},
};

static bool find(const char *name, struct go_rules *ret_rules) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *ret_rules = known[i].rules;
            return true;
        }
    return false;
}

static bool contains(const char *name, size_t length, const char *word) {
    return memmem(name, length, word, strlen(word)) != NULL;
}

/* Read the parts of KataGo's notation. Parts that contradict each other say nothing. */
static void read_notation(const char *name, size_t length, struct go_rules *rules) {
    static const char *const words[] = {
        [GO_KO_POSITIONAL] = "koPOSITIONAL", [GO_KO_SITUATIONAL] = "koSITUATIONAL", [GO_KO_SIMPLE] = "koSIMPLE"};
    bool allowed = contains(name, length, "sui1"), forbidden = contains(name, length, "sui0");
    unsigned found = 0;
    enum go_ko ko = rules->ko;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (contains(name, length, words[k])) {
            ko = (enum go_ko)k;
            found++;
        }
    if (found == 1)
        rules->ko = ko;
    if (allowed != forbidden)
        rules->suicide = allowed;
}

struct go_rules sgf_find_rules(const char *name, size_t length) {
    static const char suffix[] = "rules";
    char folded[SGF_NAME_BYTES];
    struct go_rules rules = {GO_KO_POSITIONAL, false};
    if (sgf_fold_name(name, length, folded)) {
        if (find(folded, &rules))
            return rules;
        size_t used = strlen(folded), behind = sizeof suffix - 1;
        if (used > behind && strcmp(folded + used - behind, suffix) == 0) {
            folded[used - behind] = 0;
            if (find(folded, &rules))
                return rules;
        }
    }
    read_notation(name, length, &rules);
    return rules;
}
