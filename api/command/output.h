/* The output of `arbiter solve`: answers on standard output, problems and messages on standard error. The progress line
 * is wiped first. Characters from files cannot control the terminal.
 *
 * Owned by the caller. Used by one thread. */
#pragma once

#include "api/command/message.h"
#include "api/command/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct output {
    struct progress *progress;
    bool on_terminal;     /* standard output is a terminal: escape characters that could control it */
    struct escape escape; /* state of the text that is written to the terminal */
    bool with_file;       /* each line of an answer begins with a member "file" */
    bool is_lint;         /* each line of an answer begins with the name of the file and a colon */
    bool has_written;     /* something was written to standard output */
    bool in_line;         /* with `with_file`: the last line has no end yet */
    int error; /* errno of the write that failed, or 0; after a failure nothing more is written to standard output */
};

/* If `with_file` is set, answers must be JSON objects, one per line. */
void output_init(struct output *output, struct progress *progress, bool with_file, bool is_lint);

/* Write bytes from the answer to a file. Waits until they have been written. */
void output_write(struct output *output, const char *file, const char *bytes, size_t length);

/* Write a problem document as a line, with the name of its file. */
void output_problem(struct output *output, const char *file, const char *document, size_t length);

/* Print a message about a file. */
void output_message(struct output *output, const char *file, const char *what);
