/* The registry of errors. Every answer that is neither 2xx nor 304 goes through it, so that its status and its title
 * cannot be wrong. And faults: the places in a request where something is wrong, with a code each. */
#pragma once

#include "api/api.h"

#include <stdarg.h>

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

/* What is wrong at a place. */
enum fault_code {
    FAULT_SYNTAX,
    FAULT_TYPE,
    FAULT_MISSING,
    FAULT_UNKNOWN_MEMBER,
    FAULT_DUPLICATE_MEMBER,
    FAULT_RANGE,
    FAULT_VALUE,
    FAULT_LENGTH,
    FAULT_COUNT,
    FAULT_CONFLICT,
    FAULT_LIBERTY,
};

/* A place in a JSON body, from the inside out: a chain of structs on the stack. The body itself has no parent. */
struct place {
    const struct place *parent;
    const char *member; /* NULL: an element of an array, ... */
    size_t index;       /* ... this one */
};

/* The faults of one case, or of what stands around the cases. The first 20 are kept, all are counted. */
struct faults {
    struct buffer json;    /* the kept ones as JSON objects, a line each */
    size_t count;          /* of all */
    const char *parameter; /* of the query, in which all of them are; NULL: in the body */
    size_t detail, after;  /* json.data[detail .. after): the first fault's detail, a JSON string without its quotes */
};

enum { FAULTS_LISTED = 20 };

/* `account` is what the kept ones draw their memory from; it may be NULL. */
void faults_init(struct faults *faults, struct account *account);
void faults_clear(struct faults *faults);

/* Add a fault. The format gives the detail: one sentence without a full stop. */
void fault_at(struct faults *faults, const struct place *place, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fault_in_text(struct faults *faults, const char *text, size_t offset, enum fault_code code, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));
/* A fault inside a text that is a member of a JSON body: the member's place, and the line and column in the text. */
void fault_in_member(struct faults *faults, const struct place *place, const char *text, size_t offset,
                     enum fault_code code, const char *format, ...) __attribute__((format(printf, 6, 7)));
void fault_in_query(struct faults *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Input as it may stand in a detail: at most 40 characters, then dots. */
struct quoted {
    char text[40 * 4 + 4];
};
struct quoted quote(const char *input, size_t length);

/* The first character only. length > 0. */
struct quoted quote_character(const char *input, size_t length);

/* A problem that has no place, with its detail. */
void respond_problem(const struct api *api, const struct api_admission *admission, enum problem problem,
                     struct api_response *ret_response, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A 406 with what can be had: media types separated by commas and blanks. */
void respond_not_acceptable(const struct api *api, const struct api_admission *admission, const char *available,
                            struct api_response *ret_response);

/* A problem with faults: those of `count` lists, in this order. */
void respond_faults(const struct api *api, const struct api_admission *admission, enum problem problem,
                    struct faults *const *lists, size_t count, struct api_response *ret_response);

/* The page that explains a problem; false when memory is exhausted. */
bool write_problem_page(const struct problem_row *row, struct buffer *out);
