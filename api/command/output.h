/* The output of the command solve: answers on standard output, problems and messages on standard error. The line of
 * progress is wiped first. Characters from files cannot control the terminal.
 *
 * The caller holds the struct. One thread. */
#pragma once

#include "api/command/message.h"
#include "api/command/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct output {
    struct progress *progress;
    bool on_terminal;     /* standard output is a terminal: characters that could control it are escaped */
    struct escape escape; /* state of the text that is written to the terminal */
    bool with_file;       /* each line of an answer begins with a member "file" */
    bool in_line;         /* with `with_file`: the last line has no end yet */
    int error; /* errno of the write that failed; 0: none has. After it nothing is written to standard output */
};

/* With `with_file`, answers must be JSON objects, one a line. */
void output_init(struct output *output, struct progress *progress, bool with_file);

/* Write bytes of an answer about a file. Waits until they are written. */
void output_write(struct output *output, const char *file, const char *bytes, size_t length);

/* Write a problem document as a line, with the name of its file. */
void output_problem(struct output *output, const char *file, const char *document, size_t length);

/* Print a message about a file. */
void output_message(struct output *output, const char *file, const char *what);
