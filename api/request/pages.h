/* The pages: those that the service generates once at startup (limits, version, problems), followed by the built-in
 * files. A page never changes. If it has at least PACK_MIN bytes, it is also available compressed with gzip; each form
 * has an entity tag. */
#pragma once

#include "api/answer/problem.h"
#include "api/game/limit.h"
#include "api/request/embedded.h"
#include "api/request/head.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a page. Built-in file i has the number PAGES + i. */
enum page {
    PAGE_LIMITS,
    PAGE_VERSION,
    PAGE_PROBLEMS,
    PAGE_NOT_FOUND, /* has no path */
    PAGE_PROBLEM,   /* one for each enum problem */
    PAGES = PAGE_PROBLEM + PROBLEM_COUNT,
};

/* The facts that these pages state. */
struct pages_facts {
    const struct limits *limits;
    const char *version, *commit, *profile;
};

/* The generated pages, and what the tags of all pages depend on, besides the bytes of the page. */
struct pages {
    uint64_t seed;
    struct written_page {
        struct embedded file;        /* without a path */
        struct buffer plain, packed; /* own its bytes */
    } written[PAGES];
};

/* Generate the pages. The tags depend on the bytes and on `seed`. Returns false when out of memory; the pages must be
 * cleared in any case. */
bool pages_write(struct pages *ret_pages, const struct pages_facts *facts, uint64_t seed);

/* Free what the pages own. Accepts a zeroed struct. */
void pages_clear(struct pages *pages);

/* Content security policies: the end of each, and that of pages which may load nothing. */
#define PAGES_NO_OTHERS "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
extern const char pages_bare[];

/* Find a page by its path of `length` bytes. Returns false if there is none. */
bool pages_find(const char *path, size_t length, size_t *ret_page);

/* Answer with the form of a page that suits the client (`gzip`: it accepts gzip), or with 304 if it has either form. A
 * page with a `policy` (Content-Security-Policy, or NULL) is meant for browsers, which must revalidate it each time and
 * send no referrer from it. */
void pages_respond(const struct pages *pages, size_t page, const char *policy, const struct request_head *head,
                   bool gzip, const struct response_cors *cors, struct response *ret_response);

/* Answer 404 with a page for people. */
void pages_respond_not_found(const struct pages *pages, const struct response_cors *cors,
                             struct response *ret_response);

/* Answer a probe with 200. */
void pages_respond_well(const struct response_cors *cors, struct response *ret_response);
