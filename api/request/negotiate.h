/* What the head says about forms: of the body (Content-Type), of the answer (Accept), of the origin (CORS). */
#pragma once

#include "api/api.h"

/* The forms' media types, as they stand in Content-Type. */
extern const char *const form_types[API_FORMS];

/* What a route reads and what it can answer, as lists for Accept-Post and for a 406. */
const char *body_list(bool with_sgf);
const char *answer_list(bool with_svg);

/* The form of a body by its Content-Type; NULL and an empty value are JSON. False when it is not supported. */
bool body_form(const char *content_type, bool with_sgf, enum api_form *ret_form);

/* The best form by Accept (RFC 9110, 12.5.1): `standard` goes before equals. Several header lines count as one list.
 * False when nothing acceptable is left. */
bool answer_form(const struct api_header *headers, size_t count, enum api_form standard, bool with_svg,
                 enum api_form *ret_form);

/* The value of Access-Control-Allow-Origin for a request from `origin`; NULL when there is to be none. */
const char *allowed_origin(const struct api *api, const char *origin);
