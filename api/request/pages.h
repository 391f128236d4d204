/* The pages: those that the service itself writes, once, when it starts (limits, version, problems), and behind them
 * the files that are built in. */
#pragma once

#include "api/answer/problem.h"
#include "api/game/limit.h"
#include "api/request/static_page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of a page. That of the built-in file i is PAGES + i. */
enum page {
    PAGE_LIMITS,
    PAGE_VERSION,
    PAGE_PROBLEMS,
    PAGE_PROBLEM, /* one for each enum problem */
    PAGES = PAGE_PROBLEM + PROBLEM_COUNT,
};

/* What stands on them. */
struct pages_facts {
    const struct limits *limits;
    const char *version, *commit, *profile;
    uint64_t seed; /* of their tags: another program has others */
};

/* How many pages there are. */
size_t pages_count(void);

/* Write all pages, one for each of pages_count(). False when memory is exhausted; they are to be cleared all the
 * same. */
bool pages_write(const struct pages_facts *facts, struct static_page *ret_pages);

/* Find the page of a problem, or of a built-in file, by its path of `length` bytes. False when there is no such page.
 */
bool pages_find_problem(const char *path, size_t length, size_t *ret_page);
bool pages_find_file(const char *path, size_t length, size_t *ret_page);

/* Answer a probe that is well. */
void pages_respond_well(const struct response_cors *cors, struct response *ret_response);
