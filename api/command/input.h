/* The input of the command solve: a file, as bodies for jobs.
 *
 *     a regular file     it is mapped: one body
 *     lines in a pipe    a body for the complete lines that have come, repeatedly, possibly without end
 *     a first line       a body; then lines
 *     anything else      read up to its end: one body
 *
 * Bytes that are read are charged to an account. Mapped ones are not, because the system can drop and reread them.
 *
 * The caller holds the struct (input_open / input_close). One thread. */
#pragma once

#include "api/game/format.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A body. Numbers in it may be overwritten; the file does not change. */
struct input_body {
    char *bytes;
    size_t length;
    size_t first_line;      /* the number of its first line if a file of lines comes in slices; else 0 */
    struct buffer gathered; /* the memory of the bytes is either this ... */
    void *map;              /* ... or this */
    size_t map_length;
};

/* Free the bytes. Accepts a zeroed struct. */
void input_body_clear(struct input_body *body);

struct input {
    const char *name; /* as it was typed; "-" is standard input */
    int descriptor;
    bool in_slices; /* set by the caller before input_next, once the format is known: the file has lines, each with an
                     * answer */
    bool leads;     /* set by the caller: the first line is a body of its own, and lines follow */
    bool ended;     /* the end of the file was read */
    bool over;      /* and all of it was given out in bodies */
    uint64_t size;  /* bytes that were read, or the size of a regular file */
    struct account *account;

    /* Used by input.c only. */
    struct input_body mapped;
    struct buffer come;
    size_t cut;   /* the length of `come` up to its last line end, inclusive */
    size_t blank; /* bytes at the beginning that do not show the format */
    size_t first; /* bytes searched for the end of the first line; once it is found, the length of the line */
    bool begun;   /* a byte order mark was looked for */
    bool handed;  /* a body was given out */
    size_t line;  /* the number of the line at the beginning of `come` */
};

/* Open a file by its name, or standard input by "-". False, with errno, when that fails. */
bool input_open(struct input *input, const char *name, struct account *account);

/* Close it, and free the rest of the bytes. */
void input_close(struct input *input);

/* Find the format by what the file begins with; it is text if nothing tells. FORMAT_NONE: the file has only blanks.
 * False: more must be read first. */
bool input_find_format(struct input *input, enum format *ret_format);

/* Bytes of the file, in which numbers may be overwritten. */
struct input_line {
    char *bytes;
    size_t length;
};

/* After input_find_format: find the first line that is not blank, together with the blank lines before it. If only
 * blanks follow it, the file has one line, and the result is empty. False: more must be read first. */
bool input_find_line(struct input *input, struct input_line *ret_line);

/* May input_read be called: has the file not ended, and is there space for more? */
bool input_has_space(const struct input *input);

/* Read what has come; wait if nothing has. False, with errno, on failure; ENOBUFS: the account has no memory for it. */
bool input_read(struct input *input);

/* Get the next body, which the caller clears. False when none is ready, and at the end. ENOBUFS in errno: there was no
 * memory for the body; otherwise errno is 0. */
bool input_next(struct input *input, struct input_body *ret_body);
