/* Names in a record that programs spell as they like: of character sets, of rules. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SGF_NAME_BYTES = 24 };

/* Write the ASCII letters and digits of a name, in small letters, terminated; false when there are more than any name
 * has that is known, or other letters among them. */
bool sgf_fold_name(const char *text, size_t length, char ret_name[SGF_NAME_BYTES]);
