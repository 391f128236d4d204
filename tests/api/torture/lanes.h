/* Runs a request in both lanes, as the queue does: with budgets that run out, a workspace that can be too small, and
 * lines that are read in small pieces. */
#pragma once

#include "api/api.h"

/* The maximum size of an answer in lines. */
enum { LANES_MAX_BYTES = 1 << 20 };

/* Answer the request. The lines are valid until the next call. Returns whether a stream was cut off after the lines in
 * the response. */
bool lanes_handle(const struct service *service, const struct request_head *head, char *body, size_t length,
                  struct response *ret_response);
