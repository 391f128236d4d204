#include "api/go/sgf_names.h"

#include "base/ascii.h"

#include <stdbool.h>
#include <string.h>

enum { NAME_BYTES = 24 };

/* Write the ASCII letters and digits of a name, in lower case and terminated: the form of the names below. Returns
 * false if the name is longer than any of them, or contains other letters. */
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

/* Is a name in this blank-separated list? */
static bool is_listed(const char *names, const char *name) {
    for (size_t length; *names != 0; names += length + (names[length] != 0)) {
        length = strcspn(names, " ");
        if (ascii_equals(names, length, name))
            return true;
    }
    return false;
}

/* ---- character sets ---- */

static const struct {
    enum sgf_charset charset;
    const char *names;
} charset_names[] = {
    {SGF_UTF8, "utf8 cp65001"},
    {SGF_GB18030, "gb18030 gb180302000 gb180302005 gbk xgbk gb2312 gb231280 gb23121980 csgb2312 euccn cp936 ms936 "
                  "windows936 936"},
    {SGF_BIG5, "big5 big5hkscs big5eten big5uao xxbig5 xbig5 csbig5 cnbig5 cp950 ms950 windows950 950"},
    {SGF_SHIFT_JIS, "shiftjis shiftjisx0213 shiftjis2004 sjis xsjis xshiftjis mskanji csshiftjis cp932 ms932 "
                    "windows31j cswindows31j windows932 xmscp932 932"},
};

/* Prefixes of the names of sets that are read byte by byte. */
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
        if (is_listed(charset_names[i].names, folded))
            return charset_names[i].charset;
    for (size_t i = 0; i < sizeof byte_names / sizeof *byte_names; i++)
        if (strncmp(byte_names[i], folded, strlen(byte_names[i])) == 0)
            return SGF_BYTES;
    return SGF_UNKNOWN;
}

/* ---- rules ---- */

const char *const sgf_preset_words[] = {"japanese", "korean",       "chinese", "aga", "new zealand",
                                        "nz",       "tromp taylor", "ing",     "goe", NULL};

static const struct {
    struct go_preset preset;
    const char *words, *others; /* names in requests, and other names in RU */
} presets[] = {
    {{GO_KO_SIMPLE, false, GO_SCORING_TERRITORY}, "japanese korean", "japan jap jp korea kr"},
    {{GO_KO_POSITIONAL, false, GO_SCORING_AREA}, "chinese", "china cn"},
    {{GO_KO_SITUATIONAL, false, GO_SCORING_AREA}, "aga", ""},
    {{GO_KO_SITUATIONAL, true, GO_SCORING_AREA}, "newzealand nz", "newzealandnz"},
    {{GO_KO_POSITIONAL, true, GO_SCORING_AREA}, "tromptaylor ing goe", "tt inggoe goeing"},
};

/* Find a folded name. Returns NULL if there is none. */
static const struct go_preset *find_preset(const char *name, bool in_record) {
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (is_listed(presets[i].words, name) || (in_record && is_listed(presets[i].others, name)))
            return &presets[i].preset;
    return NULL;
}

bool sgf_find_preset(const char *name, size_t length, struct go_preset *ret_preset) {
    char folded[NAME_BYTES];
    const struct go_preset *found = NULL;
    for (size_t i = 0; i < length; i++)
        if ((name[i] < 'A' || name[i] > 'z' || (name[i] > 'Z' && name[i] < 'a' && name[i] != '_')) && name[i] != ' ' &&
            name[i] != '-')
            return false;
    if (fold(name, length, folded) && (found = find_preset(folded, false)) != NULL)
        *ret_preset = *found;
    return found != NULL;
}

static bool contains(const char *name, size_t length, const char *word) {
    return memmem(name, length, word, strlen(word)) != NULL;
}

/* Read the parts of KataGo's notation. Contradictory parts are ignored. */
static void read_notation(const char *name, size_t length, struct sgf_rules *rules) {
    static const char *const words[] = {
        [GO_KO_POSITIONAL] = "koPOSITIONAL", [GO_KO_SITUATIONAL] = "koSITUATIONAL", [GO_KO_SIMPLE] = "koSIMPLE"};
    bool allowed = contains(name, length, "sui1");
    unsigned found = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (contains(name, length, words[k])) {
            rules->ko = (enum go_ko)k;
            found++;
        }
    rules->has_ko = found == 1;
    if (!rules->has_ko)
        rules->ko = GO_KO_POSITIONAL;
    rules->has_suicide = allowed != contains(name, length, "sui0");
    rules->suicide = rules->has_suicide && allowed;
}

struct sgf_rules sgf_find_rules(const char *name, size_t length) {
    char folded[NAME_BYTES];
    const struct go_preset *found = NULL;
    struct sgf_rules rules = {.ko = GO_KO_POSITIONAL};
    if (fold(name, length, folded)) {
        size_t used = strlen(folded);
        found = find_preset(folded, true);
        if (found == NULL && used > 5 && strcmp(folded + used - 5, "rules") == 0) {
            folded[used - 5] = 0;
            found = find_preset(folded, true);
        }
    }
    if (found != NULL)
        return (struct sgf_rules){found->ko, found->suicide, true, true};
    read_notation(name, length, &rules);
    return rules;
}
