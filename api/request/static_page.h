/* A page that is always the same: its bytes as they are and, where that is worth it, packed, each with a tag. */
#pragma once

#include "api/answer/response.h"
#include "api/request/embedded.h"
#include "api/request/head.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATIC_PAGE_TAG_BYTES = 24 };

/* One form of a page. */
struct static_page_form {
    const char *bytes; /* NULL: the page has no such form */
    size_t length;
    char tag[STATIC_PAGE_TAG_BYTES]; /* a strong entity tag with its quotes */
};

/* Always true: the plain form is there, and the packed one if the plain one has PACK_MIN bytes or more. */
struct static_page {
    const char *content_type;
    struct static_page_form plain, packed;
    struct buffer plain_bytes, packed_bytes; /* what the forms own of that */
};

/* Make a page of a text, which it takes, and pack it if it is long enough. Its tags depend on its bytes and on `seed`.
 * False when memory is exhausted, or was when the text was written; the page is to be cleared all the same. */
bool static_page_write(struct static_page *ret_page, const char *content_type, uint64_t seed, struct buffer *text);

/* The page of a file that was packed when the program was built. Its tags depend on its bytes and on `seed`. */
struct static_page static_page_of_file(const struct embedded *file, uint64_t seed);

/* Free what the page owns. Accepts a zeroed struct. */
void static_page_clear(struct static_page *page);

/* Answer with the form that the client likes best (`gzip`: it takes that), or that it has this one, or the other. A
 * page with a `policy` (of content security; NULL: none) is one for browsers: they are to ask each time whether it is
 * still the same, and to tell nobody that they were there. */
void static_page_respond(const struct static_page *page, const char *policy, const struct request_head *head, bool gzip,
                         const struct response_cors *cors, struct response *ret_response);
