/* The pages that the service itself writes: the first page, the contract, limits, version, problems. */
#pragma once

#include "api/request/service.h"

#include <stdbool.h>
#include <stddef.h>

/* Write a page of a family: the one called `name`, of `length` bytes, which the family knows; for a page that stands
 * alone `length` is 0. */
typedef void page_writer(const struct service *service, const struct response_cors *cors, const char *name,
                         size_t length, struct response *ret_response);

page_writer page_home, page_openapi, page_limits, page_version, page_problem;

/* Is there a problem of this name? */
bool page_knows_problem(const char *name, size_t length);

/* Answer a probe that is well. */
void page_well(const struct response_cors *cors, struct response *ret_response);
