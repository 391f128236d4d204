/* What the files of this room share and nobody else sees. */
#pragma once

#include "api/answer/problem.h"
#include "api/api.h"

struct api {
    struct api_limits limits;
    struct account *account, *trees;
    char *cors_origins; /* NULL-separated origins, an empty one at the end; "*" alone: any */
    bool any_origin;
    struct buffer limits_json, version_json;
    char etag[API_FORMS][24]; /* of an answer by link, by its form */
};

/* A response with the headers that every answer has. */
void response_init(const struct api *api, const struct api_admission *admission, unsigned status,
                   const char *content_type, struct api_response *ret_response);
void response_header(struct api_response *response, const char *name, const char *value);

/* An answer by link: how long it may be kept, and its tag. */
void response_cacheable(const struct api *api, const struct api_admission *admission, enum api_form form,
                        struct api_response *response);

/* Let the response own `body` and send it. */
void response_take(struct api_response *response, struct buffer *body);
