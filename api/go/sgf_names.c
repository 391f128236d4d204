#include "api/go/sgf_names.h"

#include <stdbool.h>
#include <string.h>

enum { NAME_BYTES = 24 };

/* Write the ASCII letters and digits of a name, in lower case, terminated. The names below have this form. False when
 * they are more than any of these has, or the name has other letters. */
static bool fold(const char *text, size_t length, char ret_name[NAME_BYTES]) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0 || (unsigned char)text[i] > 0x7f)
            return false;
        bool capital = text[i] >= 'A' && text[i] <= 'Z';
        if (!capital && (text[i] < 'a' || text[i] > 'z') && (text[i] < '0' || text[i] > '9'))
            continue;
        if (used == NAME_BYTES - 1)
            return false;
        ret_name[used++] = capital ? (char)(text[i] - 'A' + 'a') : text[i];
    }
    ret_name[used] = 0;
    return true;
}

/* ---- character sets ---- */

static const struct {
    const char *name;
    enum sgf_charset charset;
} charset_names[] = {
    {"utf8", SGF_UTF8},
    {"cp65001", SGF_UTF8},
    {"gb18030", SGF_GB18030},
    {"gb180302000", SGF_GB18030},
    {"gb180302005", SGF_GB18030},
    {"gbk", SGF_GB18030},
    {"gb2312", SGF_GB18030},
    {"gb231280", SGF_GB18030},
    {"gb23121980", SGF_GB18030},
    {"csgb2312", SGF_GB18030},
    {"xgbk", SGF_GB18030},
    {"euccn", SGF_GB18030},
    {"cp936", SGF_GB18030},
    {"ms936", SGF_GB18030},
    {"windows936", SGF_GB18030},
    {"936", SGF_GB18030},
    {"big5", SGF_BIG5},
    {"big5hkscs", SGF_BIG5},
    {"big5eten", SGF_BIG5},
    {"big5uao", SGF_BIG5},
    {"xxbig5", SGF_BIG5},
    {"xbig5", SGF_BIG5},
    {"csbig5", SGF_BIG5},
    {"cnbig5", SGF_BIG5},
    {"cp950", SGF_BIG5},
    {"ms950", SGF_BIG5},
    {"windows950", SGF_BIG5},
    {"950", SGF_BIG5},
    {"shiftjis", SGF_SHIFT_JIS},
    {"shiftjisx0213", SGF_SHIFT_JIS},
    {"shiftjis2004", SGF_SHIFT_JIS},
    {"xsjis", SGF_SHIFT_JIS},
    {"xshiftjis", SGF_SHIFT_JIS},
    {"sjis", SGF_SHIFT_JIS},
    {"mskanji", SGF_SHIFT_JIS},
    {"csshiftjis", SGF_SHIFT_JIS},
    {"cp932", SGF_SHIFT_JIS},
    {"ms932", SGF_SHIFT_JIS},
    {"windows31j", SGF_SHIFT_JIS},
    {"cswindows31j", SGF_SHIFT_JIS},
    {"windows932", SGF_SHIFT_JIS},
    {"xmscp932", SGF_SHIFT_JIS},
    {"932", SGF_SHIFT_JIS},
};

/* The beginnings of the names of sets that are read byte by byte. */
static const char *const byte_names[] = {
    "iso8859",   "latin",    "windows125", "cp125",  "win125",  "windows874", "cp874",      "tis620", "koi8",
    "macintosh", "macroman", "cp437",      "ibm437", "cp85",    "ibm85",      "cp866",      "eucj",   "euck",
    "euct",      "xeucj",    "xeuck",      "xeuct",  "ksc5601", "uhc",        "windows949", "cp949",  "ms949",
};

enum sgf_charset sgf_find_charset(const char *name, size_t length) {
    char folded[NAME_BYTES];
    if (!fold(name, length, folded))
        return SGF_UNKNOWN;
    for (size_t i = 0; i < sizeof charset_names / sizeof *charset_names; i++)
        if (strcmp(charset_names[i].name, folded) == 0)
            return charset_names[i].charset;
    for (size_t i = 0; i < sizeof byte_names / sizeof *byte_names; i++)
        if (strncmp(byte_names[i], folded, strlen(byte_names[i])) == 0)
            return SGF_BYTES;
    return SGF_UNKNOWN;
}

/* ---- rules ---- */

static const struct {
    const char *name;
    struct go_rules rules;
} rules_names[] = {
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

static bool find_rules(const char *name, struct go_rules *ret_rules) {
    for (size_t i = 0; i < sizeof rules_names / sizeof *rules_names; i++)
        if (strcmp(rules_names[i].name, name) == 0) {
            *ret_rules = rules_names[i].rules;
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
    char folded[NAME_BYTES];
    struct go_rules rules = {GO_KO_POSITIONAL, false};
    if (fold(name, length, folded)) {
        if (find_rules(folded, &rules))
            return rules;
        size_t used = strlen(folded), behind = sizeof suffix - 1;
        if (used > behind && strcmp(folded + used - behind, suffix) == 0) {
            folded[used - behind] = 0;
            if (find_rules(folded, &rules))
                return rules;
        }
    }
    read_notation(name, length, &rules);
    return rules;
}
