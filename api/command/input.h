/* The input of `arbiter solve`: turns a file into bodies for jobs.
 *
 *     a regular file     is mapped: one body
 *     lines in a pipe    one body after the other, each with the complete lines that have arrived, possibly without end
 *     a first line       a body of its own; then lines
 *     anything else      is read to its end: one body
 *
 * Bytes that are read are charged to an account. Mapped bytes are not, because the system can drop and reread them.
 *
 * Owned by the caller (input_open / input_close). Used by one thread. */
#pragma once

#include "api/game/format.h"
#include "api/game/game.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A body. Numbers in it may be overwritten, which does not change the file. */
struct input_body {
    char *bytes;
    size_t length;
    size_t first_line;      /* the number of its first line if a file of lines arrives in slices; otherwise 0 */
    struct buffer gathered; /* either this owns the bytes ... */
    void *map;              /* ... or this does */
    size_t map_length;
};

/* Free the bytes. Accepts a zeroed struct. */
void input_body_clear(struct input_body *body);

struct input {
    const char *name; /* as typed; "-" is standard input */
    int descriptor;
    bool in_slices; /* set by the caller before input_next, once the format is known: the file consists of lines, each
                     * with its own answer */
    bool leads;     /* set by the caller: the first line is a body of its own, and is followed by lines */
    bool ended;     /* the end of the file has been reached */
    bool over;      /* ... and all of it has been handed out in bodies */
    uint64_t size;  /* bytes read so far, or the size of a regular file */
    struct account *account;

    /* Used only by input.c. */
    struct input_body mapped; /* the bytes of a regular file, or of a text; NULL: there is neither */
    struct buffer come;
    size_t cut;   /* the length of `come` up to and including its last line end */
    size_t blank; /* leading bytes that say nothing about the format */
    size_t first; /* bytes searched for the end of the first line; once that is found, the length of the line */
    bool begun;   /* a byte order mark has been looked for */
    bool handed;  /* a body has been handed out */
    size_t line;  /* the number of the first line in `come` */
};

/* Open a file by name, or standard input as "-". Returns false and sets errno if that fails. */
bool input_open(struct input *input, const char *name, struct account *account);

/* Open a text as if it were a file. The text must outlive the input; numbers in it may be overwritten. */
void input_open_text(struct input *input, const char *name, char *text, struct account *account);

/* Close the file and free the remaining bytes. */
void input_close(struct input *input);

/* Detect the format from the beginning of the file, among those of the game; contest format if nothing else fits, or
 * FORMAT_NONE if the file has only blanks. Returns false if more must be read first. */
bool input_find_format(struct input *input, const struct game *game, enum format *ret_format);

/* Bytes from the file, in which numbers may be overwritten. */
struct input_line {
    char *bytes;
    size_t length;
};

/* To be called after input_find_format: find the first line that is not blank, including any blank lines before it. If
 * only blanks follow it, the file has a single line, and the result is empty. Returns false if more must be read
 * first. */
bool input_find_line(struct input *input, struct input_line *ret_line);

/* Can input_read be called: has the file not ended, and is there room for more? */
bool input_has_space(const struct input *input);

/* Read what has arrived, waiting if there is nothing. Returns false and sets errno on failure; ENOBUFS means that the
 * account has no memory for it. */
bool input_read(struct input *input);

/* Get the next body, which the caller must clear. Returns false if none is ready, or at the end. errno is then ENOBUFS
 * if there was no memory for the body, and otherwise 0. */
bool input_next(struct input *input, struct input_body *ret_body);
