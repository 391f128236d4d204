/* Short text files that the kernel writes, in /proc and /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Read a file into a string of at most `size` - 1 characters; the rest of the file is not read. False, with an empty
 * string, when the file cannot be read. */
bool kernel_file_read(const char *path, char *ret_text, size_t size);
