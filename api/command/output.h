/* What the command solve writes: answers to standard output, problems and what else is to be said to standard error. A
 * line of progress stands in the way of neither. Nothing that a file holds controls the terminal.
 *
 * The caller holds the struct. One thread. */
#pragma once

#include "api/command/escape.h"
#include "api/command/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct output {
    struct progress *progress;
    bool on_terminal;     /* standard output is a terminal: characters that could control it are escaped */
    struct escape escape; /* of the text that is written to the terminal */
    bool with_file;       /* each of its lines begins with the "file" */
    bool in_line;         /* of these: the last one has no end yet */
    int error; /* errno of the write that failed; 0: none has. Nothing is written to standard output any more */
};

/* With `with_file` answers are JSON objects, a line each. */
void output_init(struct output *output, struct progress *progress, bool with_file);

/* Write bytes of an answer about a file; waits until they are taken. */
void output_write(struct output *output, const char *file, const char *bytes, size_t length);

/* Write a problem document as a line, with the file that it is about. */
void output_problem(struct output *output, const char *file, const char *document, size_t length);

/* Say that something is wrong with a file. */
void output_message(struct output *output, const char *file, const char *what);
