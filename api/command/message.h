/* Text for a terminal, escaped: messages to the person who started the program, and text from elsewhere.
 *
 * A character that could control the terminal or change the direction of text is written as \u001b and the like: U+0000
 * to U+001F, U+007F to U+009F, and the controls of bidirectional text. In JSON such characters occur only in strings,
 * so the escaped text means the same. A byte that is not part of UTF-8 is written as \x9b and the like. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Write "arbiter: ", the formatted text and a line end to standard error. The text is escaped, so callers can quote
 * arguments and file names. It must end with an ASCII character. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write such a message about something that failed: its name, and what errno says. */
void message_print_error(const char *name);

/* Write out what is left of standard output. If that fails, or a write before it did, prints a message and returns
 * false. */
bool message_flush_output(void);

/* Write a text, escaped, and a line end. The text must not be empty, and end with an ASCII character. */
void message_put_line(FILE *file, const char *text, size_t length);

enum { ESCAPE_BYTES = 1024 };

/* The state of a text that arrives in pieces, which can end in the middle of a character. Must be zeroed before use,
 * except keeps_line_ends. */
struct escape {
    bool keeps_line_ends; /* leave U+000A as it is */

    /* Used only by message.c. */
    char held[4]; /* the first bytes of an incomplete character */
    size_t held_length;
};

/* Escape as much of a piece as fits, and move *piece and *length to the rest. Returns the number of bytes written. The
 * last character of a text must be ASCII, so that no bytes are held at the end. Allocates nothing. */
size_t message_escape(struct escape *escape, const char **piece, size_t *length, char ret_text[ESCAPE_BYTES]);
