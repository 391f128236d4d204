/* What was seen of all that the service can be asked and can answer, so that a list of requests can be held against it.
 * What there is comes from the program itself: its tables, and what its problems tell of members and parts. */
#pragma once

#include "api/api.h"

#include <stdbool.h>

enum { COVERAGE_GAMES = 8 };

struct coverage {
    bool problem[PROBLEM_COUNT], fault[FAULT_CODES];
    bool form[COVERAGE_GAMES][FORMATS][FORMATS]; /* bodies that were answered well, by their formats */
    bool link[COVERAGE_GAMES][FORMATS];
    bool packed, unchanged;
    struct buffer routes;                 /* the paths of the table, in lines */
    struct buffer bodies[COVERAGE_GAMES]; /* that were answered well, and their targets */
};

void coverage_init(struct coverage *ret_coverage);
void coverage_clear(struct coverage *coverage);

/* A request with a body, or none, had this answer. */
void coverage_note(struct coverage *coverage, const struct service *service, const struct request_head *head,
                   const char *body, const struct response *response);

/* Put what was never seen, a line each. */
void coverage_put_gaps(const struct coverage *coverage, const struct service *service, struct buffer *out);
