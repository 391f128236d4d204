/* Records which requests and answers have been seen, to check that a list of requests is complete. What counts as
 * complete is taken from the program: its tables, and its problems, which name members and parts. */
#pragma once

#include "api/api.h"

#include <stdbool.h>

enum { COVERAGE_GAMES = 8 };

struct coverage {
    bool problem[PROBLEM_COUNT], fault[FAULT_CODES];
    bool form[COVERAGE_GAMES][FORMATS][FORMATS]; /* valid bodies and their answers, by format */
    bool link[COVERAGE_GAMES][FORMATS];
    bool packed, unchanged;
    struct buffer routes;                 /* the paths of the table, one a line */
    struct buffer bodies[COVERAGE_GAMES]; /* those that were answered with 200, and their targets */
};

void coverage_init(struct coverage *ret_coverage);
void coverage_clear(struct coverage *coverage);

/* Note a request, with its body or NULL, and its answer. */
void coverage_note(struct coverage *coverage, const struct service *service, const struct request_head *head,
                   const char *body, const struct response *response);

/* Append what was not seen, one line each. */
void coverage_put_gaps(const struct coverage *coverage, const struct service *service, struct buffer *out);
