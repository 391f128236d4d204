/* A request on its way through both lanes, as the queue has it go: with work that gives out, a workspace that is not
 * the last, and lines that are read in small pieces. */
#pragma once

#include "api/api.h"

/* The most bytes that the lines of an answer may have. */
enum { LANES_MAX_BYTES = 1 << 20 };

/* Answer it. Lines live until the next call. Returns whether a stream had to be broken off, behind the lines that are
 * in the response. */
bool lanes_handle(const struct service *service, const struct request_head *head, char *body, size_t length,
                  struct response *ret_response);
