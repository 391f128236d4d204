/* The pages: those that the service writes once at its start (limits, version, problems), and after them the built-in
 * files. */
#pragma once

#include "api/answer/problem.h"
#include "api/game/limit.h"
#include "api/request/static_page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a page. The built-in file i has the number PAGES + i. */
enum page {
    PAGE_LIMITS,
    PAGE_VERSION,
    PAGE_PROBLEMS,
    PAGE_PROBLEM, /* one for each enum problem */
    PAGES = PAGE_PROBLEM + PROBLEM_COUNT,
};

/* The content of these pages. */
struct pages_facts {
    const struct limits *limits;
    const char *version, *commit, *profile;
    uint64_t seed; /* for their tags, which differ between programs */
};

/* Get the number of all pages. */
size_t pages_count(void);

/* Write all pages, one for each of pages_count(). False when memory is exhausted; the pages must be cleared in any
 * case. */
bool pages_write(const struct pages_facts *facts, struct static_page *ret_pages);

/* Find the page of a problem, or of a built-in file, by its path of `length` bytes. False when there is no such page.
 */
bool pages_find_problem(const char *path, size_t length, size_t *ret_page);
bool pages_find_file(const char *path, size_t length, size_t *ret_page);

/* Answer a probe with 200. */
void pages_respond_well(const struct response_cors *cors, struct response *ret_response);
