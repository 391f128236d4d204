/* What a record calls its rules (its property RU), and what these say of ko and suicide. */
#pragma once

#include "go/rules.h"

#include <stddef.h>

/* The rules of a name, without regard to case, blanks and punctuation, with or without "rules" behind it: Japanese,
 * Korean, Chinese, AGA, New Zealand, Tromp-Taylor, Ing (GOE), and the short forms in use. Any other name, and none: the
 * default, positional superko without suicide. */
struct go_rules sgf_find_rules(const char *name, size_t length);
