/* What the command solve reads: a file, as bodies for jobs.
 *
 *     a regular file     it is mapped: one body
 *     lines in a pipe    a body for the complete lines that have come, again and again, without end if need be
 *     a first line       a body; then lines
 *     anything else      gathered up to its end: one body
 *
 * What is gathered is charged to an account; what is mapped is not, for the system can drop it and read it again.
 *
 * The caller holds the struct (input_open / input_close). One thread. */
#pragma once

#include "api/game/format.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A body. Numbers in it may be overwritten: the file stays as it is. */
struct input_body {
    char *bytes;
    size_t length;
    size_t first_line;      /* of lines that come in parts, as an admission has it; else 0 */
    struct buffer gathered; /* what holds the bytes: this, ... */
    void *map;              /* ... or this */
    size_t map_length;
};

/* Free the bytes. Accepts a zeroed struct. */
void input_body_clear(struct input_body *body);

struct input {
    const char *name; /* as it was typed; "-" is standard input */
    int descriptor;
    bool in_parts; /* set by the caller once it is known, before input_next: lines, each answered by itself */
    bool leads;    /* set by the caller: the first line is a body of its own, and then come lines */
    bool ended;    /* nothing more will come */
    bool over;     /* and all was handed out */
    uint64_t size; /* bytes that have come, or that a regular file has */
    struct account *account;

    /* input.c's own. */
    struct input_body mapped;
    struct buffer come;
    size_t cut;   /* bytes of `come` up to and with the last line end */
    size_t blank; /* bytes at the beginning that say nothing of the format */
    size_t first; /* bytes in which the first line does not end; once its end is found, its length with that */
    bool begun;   /* it is known whether there is a byte order mark */
    bool handed;  /* a part was handed out */
    size_t line;  /* that `come` begins with */
};

/* Open a file by its name, or standard input by "-". False, with errno, when that fails. */
bool input_open(struct input *input, const char *name, struct account *account);

/* Close it, and free what was not handed out. */
void input_close(struct input *input);

/* Find the format by the first byte that is no blank: `{` JSON, `(` SGF, anything else text; FORMAT_NONE: the file has
 * no such byte. False: more must be read. */
bool input_find_format(struct input *input, enum format *ret_format);

/* Bytes of the file, in which numbers may be overwritten. */
struct input_line {
    char *bytes;
    size_t length;
};

/* After input_find_format: find the first line that is not blank, together with the blank lines before it. Found empty
 * if only blanks follow it: then the file has one line. False: more must be read. */
bool input_find_line(struct input *input, struct input_line *ret_line);

/* Can input_read be called: has it not ended, and is there room for what may come? */
bool input_has_room(const struct input *input);

/* Read what has come, and wait if nothing has. False, with errno, when that fails; ENOBUFS: what is gathered does not
 * fit the account. */
bool input_read(struct input *input);

/* Hand out the next body, which the caller clears; false while there is none, and when all is over. ENOBUFS in errno
 * tells that there was no memory to do so, and is 0 otherwise. */
bool input_next(struct input *input, struct input_body *ret_body);
