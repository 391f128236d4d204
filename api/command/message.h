/* Text for a terminal: messages to the person who started the program, and texts of others, escaped.
 *
 * A character that could control the terminal, or change the direction of text, becomes \u001b and the like: U+0000 to
 * U+001F, U+007F to U+009F, and the controls of bidirectional text. In JSON these characters are found only in strings,
 * so that the escaped text has the same meaning. A byte that is not part of UTF-8 becomes \x9b and the like. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Write "arbiter: ", the formatted text, and a line end to standard error. The text is escaped, so that callers may
 * quote arguments and file names. It must end with a character in ASCII. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum { ESCAPE_BYTES = 1024 };

/* The state of a text that comes in pieces, which may end in the middle of a character. Zeroed at first, except
 * keeps_line_ends. */
struct escape {
    bool keeps_line_ends; /* U+000A stays as it is */

    /* Used by message.c only. */
    char held[4]; /* the first bytes of an incomplete character */
    size_t held_length;
};

/* Escape as much of a piece as fits, and move *piece and *length to the rest. Returns how many bytes were written. The
 * last character of a text must be in ASCII, so that no bytes are held at the end. Nothing is allocated. */
size_t message_escape(struct escape *escape, const char **piece, size_t *length, char ret_text[ESCAPE_BYTES]);
