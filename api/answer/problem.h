/* The registry of errors. Every answer that is neither 2xx nor 304 goes through it, so that its status and its title
 * cannot be wrong (RFC 9457). */
#pragma once

#include "api/answer/response.h"
#include "api/fault/fault.h"

enum problem {
    PROBLEM_MALFORMED,
    PROBLEM_CROSS_SITE,
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
    PROBLEM_NONE = PROBLEM_COUNT,
};

struct problem_row {
    const char *slug; /* /problems/SLUG */
    unsigned status;
    const char *title;
    const char *page;    /* what it means and what to do, in HTML paragraphs */
    const char *command; /* what one types to see it; NULL: nothing shows it. It stands in HTML as it is */
};

extern const struct problem_row problem_table[PROBLEM_COUNT];

/* Append a problem document without a place, an object without a line end. The format gives its detail. What goes wrong
 * is the buffer's state. */
void problem_put(struct buffer *out, enum problem problem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append a problem document with the faults of a list, at least one. */
void problem_put_faults(struct buffer *out, enum problem problem, const struct fault_list *faults);

/* Append a problem document, or another JSON object with members, and add a string member of ours as its first. The
 * document may be incomplete, as long as its beginning is there. A line end after it is kept. */
void problem_put_with(struct buffer *out, const char *name, const char *value, const char *document, size_t length);

/* The last line of a stream that has no memory for a line. It is a constant, so that it needs no memory. */
extern const char problem_last_line[];

/* Start an empty buffer for a document that is an answer of its own. It is not charged: who is told that the account is
 * empty must not need it. */
void problem_init_document(struct buffer *ret_document);

/* Each function from here on writes a whole answer. Without memory for it the answer is a fixed one, 503. */

/* Answer with the document of a problem, to which a line end is added; the buffer is empty afterwards. */
void problem_respond_document(enum problem problem, struct buffer *document, const struct response_cors *cors,
                              struct response *ret_response);

/* Answer with a problem that has no place. The format gives its detail. */
void problem_respond(enum problem problem, const struct response_cors *cors, struct response *ret_response,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Answer 406 with what can be had: media types separated by commas and blanks. */
void problem_respond_not_acceptable(const char *available, const struct response_cors *cors,
                                    struct response *ret_response);

/* Answer with a problem that has the faults of a list, at least one. */
void problem_respond_faults(enum problem problem, const struct fault_list *faults, const struct response_cors *cors,
                            struct response *ret_response);
