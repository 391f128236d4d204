/* Admission: what the head of a request decides, before there is a body. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/game/record_parameters.h"
#include "api/request/head.h"
#include "api/request/routes.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stdint.h>

struct game;

/* The most bytes of a small body. The account is not charged for it, and a loop begins to solve it. */
enum { ADMIT_SMALL_BODY = 4096 };

enum admit_action {
    ADMIT_ANSWER,    /* the response is written */
    ADMIT_READ_BODY, /* the body is wanted, for a job */
    ADMIT_HAS_BODY,  /* the head holds the case itself: the body is written, for a job */
    ADMIT_PROBE,     /* the server answers: see `probe` in the admission */
};

enum admit_known { ADMIT_CHANGED, ADMIT_UNCHANGED_PLAIN, ADMIT_UNCHANGED_PACKED };

/* What the head decided. Plain data, copied freely; pointers live as long as the service. */
struct admission {
    const struct game *game; /* of a solving route */
    struct response_cors cors;
    struct record_parameters parameters; /* of the query of a POST, of a record */
    enum format body, answer;
    enum format undrawn;        /* the answer where there can be no picture; FORMAT_NONE: none is acceptable */
    enum format answer_to_json; /* the answer to a body of text that is found to be JSON; FORMAT_NONE: text stays
                                   text. Of lines both are FORMAT_LINES, or neither is */
    bool gzip;                  /* the client accepts gzip */
    bool link;                  /* asked by a GET */
    bool fixed_format;          /* by the query, not by Accept */
    enum admit_known unchanged[FORMATS]; /* does the client have the answer to this link in that format? */
    const char *lines_type;              /* FORMAT_LINES: the media type that was asked for */
    const char *route;                   /* the path in the table of routes; NULL: there is none */
    struct head_noted noted;             /* as long as the head */
    enum route_probe probe;
    bool chunked;            /* the body's length is not announced */
    uint64_t content_length; /* 0 when chunked or absent */

    /* Not decided by the head, which leaves it 0: of lines that come in parts, the line of the whole that the body
     * begins with, from 1. Then no byte order mark is looked for. */
    size_t first_line;
};

/* Decide on a head: all that needs no body, in the order that the contract gives. The response is written with
 * ADMIT_ANSWER only, the body with ADMIT_HAS_BODY only (the caller clears it), the admission always. Any thread. */
enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body);

/* Answer that a body is over its limit. */
void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response);
