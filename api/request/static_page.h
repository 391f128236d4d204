/* A page that never changes: its bytes and, if they are long enough, the same in gzip; each form with a tag. */
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

/* Always true: the plain form exists; the packed one exists if the plain one has PACK_MIN bytes or more. */
struct static_page {
    const char *content_type;
    struct static_page_form plain, packed;
    struct buffer plain_bytes, packed_bytes; /* the bytes that the page owns */
};

/* Make a page of a text, and pack it if it is long enough. Takes the text. The tags depend on the bytes and on `seed`.
 * False when memory is exhausted, now or while the text was written; the page must be cleared in any case. */
bool static_page_write(struct static_page *ret_page, const char *content_type, uint64_t seed, struct buffer *text);

/* Make the page of a built-in file. The tags depend on the bytes and on `seed`. */
struct static_page static_page_of_file(const struct embedded *file, uint64_t seed);

/* Free what the page owns. Accepts a zeroed struct. */
void static_page_clear(struct static_page *page);

/* Answer with the form that suits the client (`gzip`: it accepts gzip), or with 304 if it has either form. A page with
 * a `policy` (Content-Security-Policy; NULL: none) is for browsers: they must revalidate it each time, and send no
 * referrer from it. */
void static_page_respond(const struct static_page *page, const char *policy, const struct request_head *head, bool gzip,
                         const struct response_cors *cors, struct response *ret_response);
