/* Records which requests and answers have been seen, to check that a list of requests is complete. The program itself
 * says what there is to see: in its tables, and in problems that list all members and parts. */
#pragma once

#include "api/api.h"

#include <stdbool.h>

enum { COVERAGE_GAMES = 8 };

struct coverage {
    bool problem[PROBLEM_COUNT], fault[FAULT_CODES];
    bool form[COVERAGE_GAMES][FORMATS][FORMATS]; /* valid bodies and their answers, by format */
    bool link[COVERAGE_GAMES][FORMATS];
    bool packed, unchanged;
    struct buffer routes;                 /* paths in the route table that were requested, one per line */
    struct buffer bodies[COVERAGE_GAMES]; /* bodies that were answered with 200, and their targets */
};

void coverage_init(struct coverage *ret_coverage);
void coverage_clear(struct coverage *coverage);

/* Record a request, its body (or NULL), and its answer. */
void coverage_note(struct coverage *coverage, const struct service *service, const struct request_head *head,
                   const char *body, const struct response *response);

/* Append everything that was not seen, one line each. */
void coverage_put_gaps(const struct coverage *coverage, const struct service *service, struct buffer *out);
