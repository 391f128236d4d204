/* The registry of errors. Every answer that is neither 2xx nor 304 is created here, so that its status and title always
 * match (RFC 9457). */
#pragma once

#include "api/answer/response.h"
#include "api/fault/fault.h"

enum problem {
    PROBLEM_MALFORMED,
    PROBLEM_CROSS_SITE,
    PROBLEM_NOT_FOUND,
    PROBLEM_METHOD_NOT_ALLOWED,
    PROBLEM_NOT_ACCEPTABLE,
    PROBLEM_BODY_TIMEOUT,
    PROBLEM_TOO_LARGE,
    PROBLEM_URI_TOO_LONG,
    PROBLEM_UNSUPPORTED_MEDIA_TYPE,
    PROBLEM_INVALID_CASE,
    PROBLEM_ANSWER_TOO_LARGE,
    PROBLEM_INTERNAL,
    PROBLEM_OVERLOADED,
    PROBLEM_COUNT,
    PROBLEM_NONE = PROBLEM_COUNT,
};

struct problem_row {
    const char *slug; /* /problems/SLUG */
    unsigned status;
    const char *title;
    const char *page;    /* what it means and what to do about it, as HTML paragraphs */
    const char *command; /* a command that causes it, which is copied into HTML; NULL if there is none */
};

extern const struct problem_row problem_table[PROBLEM_COUNT];

/* Append a problem document without faults: a JSON object without a line end. The format string gives its detail.
 * Errors are recorded in the buffer's outcome. */
void problem_put(struct buffer *out, enum problem problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append a problem document with the faults of a list, which must not be empty. */
void problem_put_faults(struct buffer *out, enum problem problem, const struct fault_list *faults);

/* Append a problem document, or another JSON object with members, with a string member inserted at its beginning. The
 * document may be truncated after its beginning. A line end after it is kept. */
void problem_put_with(struct buffer *out, const char *name, const char *value, const char *document, size_t length);

/* The last line of a stream when there is no memory for a line. Being a constant, it needs no memory. */
extern const char problem_last_line[];

/* Initialise a buffer for a document that is the whole answer. It is not charged, so there is room for it even when the
 * account is exhausted. */
void problem_init_document(struct buffer *ret_document);

/* Each of the following functions writes a complete answer. If there is no memory for it, the answer is a constant
 * 503. */

/* Answer with a problem document. A line end is added. Leaves the buffer empty. */
void problem_respond_document(enum problem problem, struct buffer *document, const struct response_cors *cors,
                              struct response *ret_response);

/* Answer with a problem without faults. The format string gives its detail. */
void problem_respond(enum problem problem, const struct response_cors *cors, struct response *ret_response,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Answer 406. `available` lists the available media types, separated by ", ". `no_picture`: a picture was asked for,
 * but there is none of this body. For `reads_files` see struct service_config. */
void problem_respond_not_acceptable(const char *available, bool no_picture, bool reads_files,
                                    const struct response_cors *cors, struct response *ret_response);

/* Answer with a problem that has the faults of a list, which must not be empty. */
void problem_respond_faults(enum problem problem, const struct fault_list *faults, const struct response_cors *cors,
                            struct response *ret_response);
