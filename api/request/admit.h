/* Admission: decides everything about a request that depends on its head alone. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/request/head.h"
#include "api/request/routes.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stdint.h>

struct game;

/* Bytes: bodies up to this size are not charged to the account, and a loop begins to solve them itself. */
enum { ADMIT_SMALL_BODY = 4096 };

enum admit_action {
    ADMIT_ANSWER,    /* the response is written */
    ADMIT_READ_BODY, /* a body must be read, for a job */
    ADMIT_HAS_BODY,  /* the case is in the head: the body has been written, for a job */
    ADMIT_PROBE,     /* the server answers a probe; see `probe` in the admission */
};

enum admit_known { ADMIT_CHANGED, ADMIT_UNCHANGED_PLAIN, ADMIT_UNCHANGED_PACKED };

/* Everything decided from the head of a request. Plain data that may be copied; pointers live as long as the service.
 */
struct admission {
    const struct game *game; /* the game of a solving route; otherwise NULL */
    struct response_cors cors;
    struct format_parameters parameters; /* from the query of a POST */
    enum format body, answer;
    enum format answer_without_picture; /* the format of the answer if a picture is not possible; FORMAT_NONE if
                                         * none is acceptable then */
    enum format answer_if_detected;     /* the format of the answer if a body of a vague type turns out to be in
                                         * another format; FORMAT_NONE if it is not examined. For lines, both
                                         * formats are FORMAT_LINES, or neither is */
    bool other_charset;                 /* the head names a charset other than UTF-8 */
    bool gzip;                          /* the client accepts gzip */
    bool link;                          /* a GET with its case in the query */
    bool fixed_format;                  /* the format was chosen by the query, not by Accept */
    uint64_t link_hash;                 /* for a link: covers its route and its case */
    unsigned char unchanged[FORMATS];   /* for each format: does the client already have the answer to this link, as
                                         * an enum admit_known? */
    const char *lines_type;             /* FORMAT_LINES: the media type of the answer */
    const char *route;                  /* the path in the table of routes; NULL if no route matches */
    enum route_probe probe;
    bool chunked;            /* the body is chunked: its length is not known in advance */
    uint64_t content_length; /* 0 if chunked or absent */

    /* Not decided by admit, which sets it to 0. For lines that arrive in slices: the number of this body's first line
     * within the whole, counted from 1. The body then has no byte order mark. */
    size_t first_line;
};

/* Decide everything that depends on the head alone, in the order of the contract. Writes the response only if it
 * returns ADMIT_ANSWER, the body only with ADMIT_HAS_BODY (the caller must clear it), and the admission always. Can be
 * called from any thread. */
enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body);

/* Write the entity tag of the answer to a link in a format, plain or compressed with gzip. It depends on the link, too.
 * So a client that has the tag really has received that answer, and a refused link has no tag. */
void admit_write_tag(const struct service *service, const struct admission *admission, enum format format, bool packed,
                     char ret_tag[RESPONSE_TAG_BYTES]);

/* Answer that a body exceeds its limit. */
void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response);
