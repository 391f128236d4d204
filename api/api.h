/* The contract in code: bytes in, bytes out. No sockets, no threads, no clocks.
 *
 * The life of a request:
 *
 *     api_admit     the head decides all that needs no body: the answer, or that a body is wanted
 *     api_job_new   a job for the body
 *     api_begin     checks the bytes, parses, finds the cases
 *     api_case      decodes, checks, solves and encodes one case; different cases may run on different threads
 *     api_finish    the faults in order, or the parts joined: the response
 *     api_job_clear
 *
 * api_handle does all of these in a row. A `struct api` is immutable: any number of threads may use it. */
#pragma once

#include "api/request/limits.h"
#include "base/account.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>

struct api;

struct api_config {
    struct api_limits limits;
    const char *cors_origins; /* "*", or origins separated by commas */
    const char *version, *commit;
    struct account *account; /* what bodies and answers draw their memory from; outlives the api */
    struct account *trees;   /* what is drawn for a job between its begin and its end; outlives the api */
};

/* NULL when memory is exhausted. Copies what it needs of `config`, but for the accounts. */
struct api *api_new(const struct api_config *config);
void api_free(struct api *api);

/* The most that a job may hold between its begin and its end: a parse tree is many times as large as its text. */
size_t api_most_tree_bytes(const struct api_limits *limits);

const struct api_limits *api_limits_of(const struct api *api);

struct api_header {
    const char *name, *value;
};

/* The head of a request, as it came over the wire; it is not changed and not kept. */
struct api_head {
    const char *method;
    const char *target;  /* with the query, not unescaped */
    const char *version; /* "HTTP/1.1" */
    const struct api_header *headers;
    size_t header_count;
};

enum { API_RESPONSE_HEADERS = 16 };

/* An answer. Header values live as long as the api. */
struct api_response {
    unsigned status;
    struct api_header headers[API_RESPONSE_HEADERS];
    size_t header_count;
    const char *body; /* `length` bytes: those of `owned`, or bytes that live as long as the api */
    size_t length;
    struct buffer owned;
    bool closes; /* the connection must not be used again */
};

/* Free what the response owns. Accepts NULL and a cleared response. */
void api_response_clear(struct api_response *response);

enum api_action {
    API_ANSWER,    /* the response is written */
    API_READ_BODY, /* the body is wanted, for a job */
    API_HAS_BODY,  /* the head holds the case itself: the body is written, for a job */
    API_PROBE,     /* the server answers: see `probe` in the admission */
};

enum api_probe { API_LIVEZ, API_READYZ };

/* The forms of bodies and answers: an answer is never SGF, a body never a picture. */
enum api_form { API_JSON, API_TEXT, API_SVG, API_SGF, API_FORMS };

struct game;
struct route;

/* What the head decided. Plain data, copied freely; pointers live as long as the api. */
struct api_admission {
    const struct route *route; /* NULL when there is none */
    const struct game *game;   /* of a solving route */
    const char *allow_origin;  /* for CORS; NULL when the origin is not allowed */
    enum api_form body, answer;
    enum api_form undrawn;     /* the answer where there can be no picture; API_FORMS: none is acceptable */
    bool link;                 /* asked by a GET */
    bool fixed_form;           /* by the query, not by Accept */
    bool unchanged[API_FORMS]; /* the client has the answer to this link in that form */
    enum api_probe probe;
    bool chunked;            /* the body's length is not announced */
    uint64_t content_length; /* 0 when chunked or absent */
};

/* Decide on a head. The response is written with API_ANSWER only, the body with API_HAS_BODY only (the caller clears
 * it), the admission always. */
enum api_action api_admit(const struct api *api, const struct api_head *head, struct api_admission *ret_admission,
                          struct api_response *ret_response, struct buffer *ret_body);

/* Is this a value of X-Request-Id that is kept? */
bool api_request_id_is_good(const char *id);

/* Answers that the server gives for itself. A body over its limit; too much to do, or leaving; a probe that is well. */
void api_respond_too_large(const struct api *api, const struct api_admission *admission,
                           struct api_response *ret_response);
void api_respond_overloaded(const struct api *api, const struct api_admission *admission, const char *detail,
                            struct api_response *ret_response);
void api_respond_well(const struct api *api, const struct api_admission *admission, struct api_response *ret_response);

struct api_job;

/* A job for a body. It lives in `arena`, which is the job's alone until it is cleared; the body outlives the job, and
 * numbers in it may be overwritten. NULL when memory is exhausted. */
struct api_job *api_job_new(const struct api *api, const struct api_admission *admission, char *body, size_t length,
                            struct arena *arena);

/* Check, parse, find the cases. WORK_EXHAUSTED: call again with more. Otherwise WORK_DONE; a body that cannot be read
 * has no cases, and api_finish says why. */
enum work_outcome api_begin(struct api_job *job, struct work *work);

/* How many cases api_begin found. */
size_t api_case_count(const struct api_job *job);

/* Decode, check, solve and encode case `index`, with `scratch` to work in, which is reset. Different threads may do
 * different cases. WORK_EXHAUSTED: call again with more. Otherwise WORK_DONE; what went wrong is kept for api_finish.
 */
enum work_outcome api_case(struct api_job *job, size_t index, struct arena *scratch, struct work *work);

/* The response, once every case is done. It outlives the job. */
void api_finish(struct api_job *job, struct api_response *ret_response);

/* Free what is not in the arena. Accepts NULL. */
void api_job_clear(struct api_job *job);

/* The whole way of a request on one thread. */
void api_handle(const struct api *api, const struct api_head *head, char *body, size_t length,
                struct api_response *ret_response);
