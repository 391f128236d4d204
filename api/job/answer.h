/* From the result of a job to the response: the problem or the bytes, the headers, the packing. */
#pragma once

#include "api/answer/problem.h"
#include "api/answer/response.h"
#include "api/request/admit.h"
#include "api/request/service.h"
#include "base/outcome.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The failures of a request, or of a case of a stream. If there are several, the response reports the first of these:
 * no memory, an internal error, too many values, faults, an answer that is too large. */
struct answer_failure {
    enum outcome outcome;            /* of reading and solving */
    enum problem problem;            /* malformed, too large (too many values) or invalid; else PROBLEM_NONE */
    const struct fault_list *faults; /* there may be none */
};

/* Is anything wrong? */
bool answer_is_failure(const struct answer_failure *failure);

/* How large an answer may be. */
struct answer_limit {
    const char *name; /* of the limit that says so */
    uint64_t bytes;
};

/* The limit on the answer to this request: one to a link may have a lower one. */
struct answer_limit answer_limit(const struct service *service, const struct admission *admission);

/* Append the problem document; returns which problem it is. */
enum problem answer_put_problem(struct buffer *out, const struct service *service, const struct admission *admission,
                                const struct answer_failure *failure);

/* Answer with the problem. */
void answer_refuse(const struct service *service, const struct admission *admission,
                   const struct answer_failure *failure, struct response *ret_response);

/* Answer that there can be no picture, and that nothing else is acceptable. */
void answer_not_acceptable(const struct admission *admission, struct response *ret_response);

/* Does the client have the answer to its link in this format? */
bool answer_is_unchanged(const struct admission *admission, enum format format);

/* Answer that it does. */
void answer_unchanged(const struct service *service, const struct admission *admission, enum format format,
                      struct response *ret_response);

/* Is an answer of `length` bytes packed, and does packing take so long that a worker must do it? */
bool answer_is_heavy(const struct admission *admission, size_t length);

/* Answer with bytes in a format, packed where that is worth it. The buffer is empty afterwards. If writing to it has
 * failed, the response is that problem. */
void answer_with(const struct service *service, const struct admission *admission, enum format format,
                 struct buffer *bytes, struct response *ret_response);

/* Write the head of an answer in lines. */
void answer_with_lines(const struct admission *admission, struct response *ret_response);
