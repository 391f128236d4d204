/* Names whose spelling varies: in records, of character sets (property CA) and of rules (RU); in requests, of rules. */
#pragma once

#include "api/go/sgf_charset.h"
#include "go/rules.h"
#include "go/score.h"

#include <stddef.h>

/* Find a set by its name in CA, in any common spelling. Returns a set before SGF_JOHAB. */
enum sgf_charset sgf_find_charset(const char *name, size_t length);

/* Rules that have a name. */
struct go_preset {
    enum go_ko ko;
    bool suicide;
    enum go_scoring scoring;
};

/* The names of presets in requests, in their usual spelling, with a NULL at the end. */
extern const char *const sgf_preset_words[];

/* Find a preset by one of these names. Ignores case, blanks, '-' and '_'. */
bool sgf_find_preset(const char *name, size_t length, struct go_preset *ret_preset);

/* The rules named in RU; those that it does not name have their defaults. */
struct sgf_rules {
    enum go_ko ko;
    bool suicide;
    bool has_ko, has_suicide; /* RU names them */
};

/* Get the rules named in RU. Ignores case, blanks and punctuation, and a trailing "rules". Recognises Japanese, Korean,
 * Chinese, AGA, New Zealand, Tromp-Taylor, Ing (GOE), their common short forms, and KataGo's notation, such as
 * koSIMPLEscoreAREAtaxNONEsui0: one of koSIMPLE, koPOSITIONAL and koSITUATIONAL, and one of sui0 and sui1, in any order
 * and with anything in between. The default, positional superko without suicide, applies to each part that is missing,
 * and to any other name. */
struct sgf_rules sgf_find_rules(const char *name, size_t length);
