/* The pages that the service itself writes: the first page, the contract, limits, version, problems. They are written
 * once, when the service starts. */
#pragma once

#include "api/answer/problem.h"
#include "api/game/limit.h"
#include "api/request/sheet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum page {
    PAGE_HOME,
    PAGE_OPENAPI_YAML,
    PAGE_OPENAPI_JSON,
    PAGE_LIMITS,
    PAGE_VERSION,
    PAGE_PROBLEMS,
    PAGE_PROBLEM, /* one for each enum problem */
    PAGES = PAGE_PROBLEM + PROBLEM_COUNT,
};

/* What stands on them. */
struct pages_facts {
    const struct limits *limits;
    const char *version, *commit;
    uint64_t seed; /* of their tags: another program has others */
};

/* Write all pages, a sheet for each enum page. False when memory is exhausted; they are to be cleared all the same. */
bool pages_write(const struct pages_facts *facts, struct sheet *ret_pages);

/* Find the page of a problem by its name, of `length` bytes. False when there is no such problem. */
bool pages_find_problem(const char *name, size_t length, enum page *ret_page);

/* Answer a probe that is well. */
void pages_respond_well(const struct response_cors *cors, struct response *ret_response);
