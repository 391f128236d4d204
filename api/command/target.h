/* --output FILE: a file that appears only when it is complete.
 *
 * The answers go to a new file beside it, FILE.1a2b3c4d.part with eight random digits, which is renamed at the end. So
 * a file that exists is complete, an interrupted run can simply be repeated, and runs with the same FILE don't disturb
 * each other: the last one to finish wins. If FILE is a symbolic link, the file it points to is replaced. A file that
 * exists gives its permissions to the new one. Anything else, such as a device or a pipe, is written directly.
 *
 * Owned by the caller. Used by one thread. */
#pragma once

#include <stdbool.h>

enum { TARGET_PATH = 4096 /* bytes */ };

struct target {
    char path[TARGET_PATH];
    char part[TARGET_PATH]; /* "": `path` is written directly */
};

/* Redirect standard output to the file. Prints a message and returns false on failure. */
bool target_open(struct target *target, const char *path);

/* Give the file its name, once standard output has been closed; or, if it isn't `complete`, remove it. Prints a message
 * and returns false on failure. */
bool target_finish(const struct target *target, bool complete);
