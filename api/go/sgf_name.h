/* Names in records that programs spell differently: those of character sets and of rules. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SGF_NAME_BYTES = 24 };

/* Write the ASCII letters and digits of a name, in lower case, terminated. False when they are more than any known name
 * has, or the name has other letters. */
bool sgf_fold_name(const char *text, size_t length, char ret_name[SGF_NAME_BYTES]);
