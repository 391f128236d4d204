/* Admission: what the head of a request decides, before there is a body. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/request/head.h"
#include "api/request/routes.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stdint.h>

struct game;

enum admit_action {
    ADMIT_ANSWER,    /* the response is written */
    ADMIT_READ_BODY, /* the body is wanted, for a job */
    ADMIT_HAS_BODY,  /* the head holds the case itself: the body is written, for a job */
    ADMIT_PROBE,     /* the server answers: see `probe` in the admission */
};

/* What the head decided. Plain data, copied freely; pointers live as long as the service. */
struct admission {
    const struct game *game; /* of a solving route */
    struct response_cors cors;
    enum format body, answer;
    enum format undrawn;     /* the answer where there can be no picture; FORMAT_NONE: none is acceptable */
    bool link;               /* asked by a GET */
    bool fixed_format;       /* by the query, not by Accept */
    bool unchanged[FORMATS]; /* the client has the answer to this link in that format */
    enum route_probe probe;
    bool chunked;            /* the body's length is not announced */
    uint64_t content_length; /* 0 when chunked or absent */
};

/* Decide on a head: all that needs no body, in the order that the contract gives. The response is written with
 * ADMIT_ANSWER only, the body with ADMIT_HAS_BODY only (the caller clears it), the admission always. Any thread. */
enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body);

/* Answer that a body is over its limit. */
void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response);
