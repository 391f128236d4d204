/* The formats in a head: that of the body (Content-Type) and those of the answer (Accept, Accept-Encoding). */
#pragma once

#include "api/answer/response.h"
#include "api/game/formats.h"

/* Sets of answer formats that are available, a bit for each format. */
enum {
    NEGOTIATE_LINK_WITHOUT_PICTURE = 1 << FORMAT_JSON | 1 << FORMAT_TEXT,
    NEGOTIATE_LINK = NEGOTIATE_LINK_WITHOUT_PICTURE | 1 << FORMAT_SVG,
    NEGOTIATE_BATCH = NEGOTIATE_LINK_WITHOUT_PICTURE | 1 << FORMAT_LINES,
    NEGOTIATE_CASE = NEGOTIATE_BATCH | 1 << FORMAT_SVG,
};

/* How much of a list in the head, which may have several lines of one name, is read: elements, including empty ones,
 * and bytes. The rest is ignored, and so is an element that is cut off. So no head takes more than 3 us (without a
 * limit 28 KB of Accept take 250 us). */
enum { NEGOTIATE_MAX_ELEMENTS = 64, NEGOTIATE_MAX_BYTES = 4096 };

/* Find the format of a body for a game by its Content-Type; NULL and an empty value are JSON. False when the game does
 * not have the format, or the value is longer than NEGOTIATE_MAX_BYTES. */
bool negotiate_body(const char *content_type, const struct game *game, enum format *ret_format);

/* The weight of each media type of an answer in Accept, by the most precise range that matches. */
struct negotiate_accept {
    struct negotiate_weight {
        int weight, exactness; /* in thousandths; of the range */
    } types[FORMATS][FORMAT_TYPES];
    bool any; /* the list has an element; otherwise everything is accepted */
};

/* Read Accept (RFC 9110, 12.5.1) from `count` headers; a value may be NULL. */
struct negotiate_accept negotiate_read_accept(const struct header *headers, size_t count);

/* Find the best format of an answer among those offered; the largest weight of its media types counts. Among equals
 * `preferred`, one of these formats, comes first, then the order of enum format. False when none is acceptable. */
bool negotiate_answer(const struct negotiate_accept *accept, enum format preferred, unsigned offered,
                      enum format *ret_format);

/* Choose among the media types of a format by Accept. Without a preference it is that of the body, or the first. The
 * string lives as long as the program. */
const char *negotiate_answer_type(const struct negotiate_accept *accept, enum format format, const char *content_type);

/* Should the answer be compressed with gzip, by Accept-Encoding (RFC 9110, 12.5.3) in `count` headers, of which a value
 * may be NULL? True when the weight of gzip (or x-gzip, a synonym), or else of `*`, is not 0, and that of identity, or
 * else of `*`, is not greater. False without such a header. */
bool negotiate_gzip(const struct header *headers, size_t count);
