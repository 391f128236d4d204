/* Admission: decides from the head of a request all that needs no body. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/request/head.h"
#include "api/request/routes.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stdint.h>

struct game;

/* Bytes: a body of this size or less is not charged to the account, and a loop begins to solve it. */
enum { ADMIT_SMALL_BODY = 4096 };

enum admit_action {
    ADMIT_ANSWER,    /* the response is written */
    ADMIT_READ_BODY, /* a body is to be read, for a job */
    ADMIT_HAS_BODY,  /* the case is in the head: the body is written, for a job */
    ADMIT_PROBE,     /* the server answers a probe: `probe` of the admission says which */
};

enum admit_known { ADMIT_CHANGED, ADMIT_UNCHANGED_PLAIN, ADMIT_UNCHANGED_PACKED };

/* The decisions of the head. Plain data that may be copied; pointers live as long as the service. */
struct admission {
    const struct game *game; /* of a solving route; else NULL */
    struct response_cors cors;
    struct format_parameters parameters; /* from the query of a POST */
    enum format body, answer;
    enum format answer_without_picture;  /* the format of the answer if a picture is not possible; FORMAT_NONE: none is
                                          * acceptable */
    enum format answer_if_detected;      /* the format of the answer if a body of a vague type is found to be in another
                                          * format; FORMAT_NONE: it is not looked at. For lines both formats are
                                          * FORMAT_LINES, or neither is */
    bool gzip;                           /* the client accepts gzip */
    bool link;                           /* a GET with the case in its query */
    bool fixed_format;                   /* the query, not Accept, chose the format */
    uint64_t link_hash;                  /* of a link: its route and its case */
    enum admit_known unchanged[FORMATS]; /* for each format: does the client already have that answer to this link? */
    const char *lines_type;              /* FORMAT_LINES: the media type of the answer */
    const char *route;                   /* the path in the table of routes; NULL: no route matches */
    struct head_noted noted;             /* valid as long as the head */
    enum route_probe probe;
    bool chunked;            /* the body is chunked: its length is not announced */
    uint64_t content_length; /* 0 when chunked or absent */

    /* Not decided by the head, which leaves it 0. For lines that come in slices: the number of the body's first line in
     * the whole, from 1. Then the body has no byte order mark. */
    size_t first_line;
};

/* Decide on a head all that needs no body, in the order of the contract. The response is written with ADMIT_ANSWER
 * only, the body with ADMIT_HAS_BODY only (the caller clears it), the admission always. Any thread. */
enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body);

/* Write the tag of the answer to a link in a format, plain or in gzip. It depends on the link, too: so a client that
 * has the tag got that answer, and a link that is refused has none. */
void admit_write_tag(const struct service *service, const struct admission *admission, enum format format, bool packed,
                     char ret_tag[RESPONSE_TAG_BYTES]);

/* Answer that a body is over its limit. */
void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response);
