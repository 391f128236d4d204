/* A page that is always the same: its bytes as they are and, where that is worth it, packed, each with a tag. */
#pragma once

#include "api/answer/response.h"
#include "api/request/embedded.h"
#include "api/request/head.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHEET_TAG_BYTES = 24 };

/* One form of a page. */
struct sheet_form {
    const char *bytes; /* NULL: the page has no such form */
    size_t length;
    char tag[SHEET_TAG_BYTES]; /* a strong entity tag with its quotes */
};

/* Always true: the plain form is there, and the packed one if the plain one has PACK_LEAST bytes or more. */
struct sheet {
    const char *content_type;
    struct sheet_form plain, packed;
    struct buffer plain_bytes, packed_bytes; /* what the forms own of that */
};

/* Make a sheet of a text, which it takes, and pack it if it is long enough. Its tags depend on its bytes and on `seed`.
 * False when memory is exhausted, or was when the text was written; the sheet is to be cleared all the same. */
bool sheet_write(struct sheet *ret_sheet, const char *content_type, uint64_t seed, struct buffer *text);

/* The sheet of a file that was packed when the program was built. Its tags depend on its bytes and on `seed`. */
struct sheet sheet_of_file(const struct embedded *file, uint64_t seed);

/* Free what the sheet owns. Accepts a zeroed struct. */
void sheet_clear(struct sheet *sheet);

/* Answer with the form that the client likes best (`gzip`: it takes that), or that it has this one, or the other. A
 * page with a `policy` (of content security; NULL: none) is one for browsers: they are to ask each time whether it is
 * still the same, and to tell nobody that they were there. */
void sheet_respond(const struct sheet *sheet, const char *policy, const struct request_head *head, bool gzip,
                   const struct response_cors *cors, struct response *ret_response);
