/* The registry of errors. Every answer that is neither 2xx nor 304 goes through it, so that its status and its title
 * cannot be wrong (RFC 9457). */
#pragma once

#include "api/answer/response.h"
#include "api/fault/fault.h"

enum problem {
    PROBLEM_MALFORMED,
    PROBLEM_NOT_FOUND,
    PROBLEM_METHOD_NOT_ALLOWED,
    PROBLEM_NOT_ACCEPTABLE,
    PROBLEM_TOO_LARGE,
    PROBLEM_URI_TOO_LONG,
    PROBLEM_UNSUPPORTED_MEDIA_TYPE,
    PROBLEM_INVALID_CASE,
    PROBLEM_ANSWER_TOO_LARGE,
    PROBLEM_INTERNAL,
    PROBLEM_OVERLOADED,
    PROBLEM_COUNT,
};

struct problem_row {
    const char *slug; /* /problems/SLUG */
    unsigned status;
    const char *title;
    const char *page; /* what it means and what to do, in HTML paragraphs */
};

extern const struct problem_row problem_table[PROBLEM_COUNT];

/* Each function here writes a whole answer. Without memory for it the answer is a fixed one, 503. */

/* Answer with a problem that has no place. The format gives its detail. */
void problem_respond(enum problem problem, const struct response_cors *cors, struct response *ret_response,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Answer 406 with what can be had: media types separated by commas and blanks. */
void problem_respond_not_acceptable(const char *available, const struct response_cors *cors,
                                    struct response *ret_response);

/* Answer with a problem that has faults: those of `count` lists, in this order, at least one fault in all. */
void problem_respond_faults(enum problem problem, struct faults *const *lists, size_t count,
                            const struct response_cors *cors, struct response *ret_response);
