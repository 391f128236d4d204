/* The names of the files that `arbiter solve` reads: those on the command line and, in place of a directory, its
 * records (.sgf), recursively and sorted by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct files {
    char **names; /* [count] */
    size_t count;
};

/* Find them. `has_records`: the game has records, so directories are searched; one without any stands for itself.
 * *files must be zeroed. Returns false if memory is exhausted, or a directory cannot be read to its end. */
bool files_find(struct files *files, char *const *operands, size_t count, bool has_records);

void files_clear(struct files *files);
