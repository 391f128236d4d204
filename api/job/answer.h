/* Builds the response to a job: problem or result, headers, compression. */
#pragma once

#include "api/answer/problem.h"
#include "api/answer/response.h"
#include "api/request/admit.h"
#include "api/request/service.h"
#include "base/outcome.h"

#include <stdbool.h>
#include <stdint.h>

/* The failures of a request, or of one case in a stream. If there are several, the response reports the first of: out
 * of memory, internal error, too many values, faults, answer too large. */
struct answer_failure {
    enum outcome outcome;            /* the outcome of reading and solving the cases */
    enum problem problem;            /* malformed, too large (too many values) or invalid; otherwise PROBLEM_NONE */
    const struct fault_list *faults; /* may be empty */
};

/* Is anything wrong? */
bool answer_is_failure(const struct answer_failure *failure);

/* The limit on the size of an answer. */
struct answer_limit {
    const char *name; /* the limit's name in GET /limits */
    uint64_t bytes;
};

/* Get the limit on the answer to this request. Answers to links can have a lower one. */
struct answer_limit answer_limit(const struct service *service, const struct admission *admission);

/* Append the problem document. Returns the problem. */
enum problem answer_put_problem(struct buffer *out, const struct service *service, const struct admission *admission,
                                const struct answer_failure *failure);

/* Append the failures as findings: a line for each fault, with its line and column in the body. */
void answer_put_findings(struct buffer *out, const struct service *service, const struct admission *admission,
                         const struct answer_failure *failure);

/* Does the client already have the answer to its link in this format? */
bool answer_is_unchanged(const struct admission *admission, enum format format);

/* Write the response: the problem of a failure; otherwise 406 if no picture is possible and no other format is
 * acceptable (FORMAT_NONE), 304 if the client already has this answer, or else 200 with the bytes, compressed if that
 * is worthwhile. Leaves the buffer empty. Its outcome counts as part of the failure. */
void answer_write(const struct service *service, const struct admission *admission, enum format format,
                  const struct answer_failure *failure, struct buffer *bytes, struct response *ret_response);

/* Write the head of a stream. */
void answer_with_lines(const struct admission *admission, struct response *ret_response);
