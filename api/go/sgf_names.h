/* Names in records that programs spell differently: those of character sets (property CA) and of rules (RU). */
#pragma once

#include "api/go/sgf_charset.h"
#include "go/rules.h"

#include <stddef.h>

/* Find a set by its name in CA, in any common spelling: one before SGF_JOHAB. */
enum sgf_charset sgf_find_charset(const char *name, size_t length);

/* Get the rules of a name in RU, ignoring case, blanks and punctuation, and a "rules" after it: Japanese, Korean,
 * Chinese, AGA, New Zealand, Tromp-Taylor, Ing (GOE), and their common short forms. Or those of KataGo's notation, such
 * as koSIMPLEscoreAREAtaxNONEsui0: one of koSIMPLE, koPOSITIONAL and koSITUATIONAL, and one of sui0 and sui1, in any
 * order and with anything in between. The default, positional superko without suicide, applies to each part that is
 * absent, and to any other name. */
struct go_rules sgf_find_rules(const char *name, size_t length);
