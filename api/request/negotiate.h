/* What the head says about formats: of the body (Content-Type) and of the answer (Accept). */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"

/* The formats' media types, as they stand in Content-Type. */
extern const char *const negotiate_types[FORMATS];

/* What a route reads and what it can answer, as lists for Accept-Post and for a 406. */
const char *negotiate_body_list(bool with_sgf);
const char *negotiate_answer_list(bool with_svg);

/* Find the format of a body by its Content-Type; NULL and an empty value are JSON. False when it is not supported. */
bool negotiate_body(const char *content_type, bool with_sgf, enum format *ret_format);

/* Find the best format by Accept (RFC 9110, 12.5.1) in `count` headers: `standard` goes before equals. Several header
 * lines count as one list. False when nothing acceptable is left. */
bool negotiate_answer(const struct header *headers, size_t count, enum format standard, bool with_svg,
                      enum format *ret_format);
