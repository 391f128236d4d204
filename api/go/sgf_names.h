/* Names whose spelling in records varies between programs: of character sets (property CA) and of rules (RU). */
#pragma once

#include "api/go/sgf_charset.h"
#include "go/rules.h"

#include <stddef.h>

/* Find a set by its name in CA, in any common spelling. Returns a set before SGF_JOHAB. */
enum sgf_charset sgf_find_charset(const char *name, size_t length);

/* Get the rules named in RU. Ignores case, blanks and punctuation, and a trailing "rules". Recognises Japanese, Korean,
 * Chinese, AGA, New Zealand, Tromp-Taylor, Ing (GOE), their common short forms, and KataGo's notation, such as
 * koSIMPLEscoreAREAtaxNONEsui0: one of koSIMPLE, koPOSITIONAL and koSITUATIONAL, and one of sui0 and sui1, in any order
 * and with anything in between. The default, positional superko without suicide, applies to each part that is missing,
 * and to any other name. */
struct go_rules sgf_find_rules(const char *name, size_t length);
