/* The formats given in a head: the body's (Content-Type) and the answer's (Accept, Accept-Encoding). */
#pragma once

#include "api/answer/response.h"
#include "api/game/formats.h"

/* Sets of available answer formats, with one bit per format. */
enum {
    NEGOTIATE_LINK_WITHOUT_PICTURE = 1 << FORMAT_JSON | 1 << FORMAT_TEXT,
    NEGOTIATE_LINK = NEGOTIATE_LINK_WITHOUT_PICTURE | 1 << FORMAT_SVG,
    NEGOTIATE_BATCH = NEGOTIATE_LINK_WITHOUT_PICTURE | 1 << FORMAT_LINES,
    NEGOTIATE_CASE = NEGOTIATE_BATCH | 1 << FORMAT_SVG,
};

/* The maximum numbers of elements (including empty ones) and bytes read from a list in the head, which can span several
 * lines with the same name. The rest is ignored, and so is a truncated element. So no head takes longer than 3 us;
 * without a limit, 28 KB of Accept would take 250 us. */
enum { NEGOTIATE_MAX_ELEMENTS = 64, NEGOTIATE_MAX_BYTES = 4096 };

/* Does Accept give text/html more weight than JSON and problem documents, as that of a browser does? */
bool negotiate_prefers_html(const struct header *headers, size_t count);

/* Find the format of a body for a game by its Content-Type; NULL and an empty value mean JSON. Returns false if the
 * game does not have the format, or if the value is longer than NEGOTIATE_MAX_BYTES. *ret_other_charset: the value
 * names a charset other than UTF-8. */
bool negotiate_body(const char *content_type, const struct game *game, enum format *ret_format,
                    bool *ret_other_charset);

/* The weight that Accept gives to each media type of an answer, by the most precise range that matches. */
struct negotiate_accept {
    struct negotiate_weight {
        int weight, exactness; /* weight in thousandths; exactness of the range */
    } types[FORMATS][FORMAT_TYPES];
    bool any; /* the list has an element; otherwise everything is acceptable */
};

/* Read Accept (RFC 9110, 12.5.1) from `count` headers, whose values may be NULL. */
struct negotiate_accept negotiate_read_accept(const struct header *headers, size_t count);

/* Find the best answer format among those offered: the one with the media type of the largest weight. Ties go to
 * `preferred`, which is one of the formats, and then follow the order of enum format. Returns false if no format is
 * acceptable. */
bool negotiate_answer(const struct negotiate_accept *accept, enum format preferred, unsigned offered,
                      enum format *ret_format);

/* Choose among the media types of a format according to Accept. If the client has no preference, the type is the
 * body's, or else the first one. The string lives as long as the program. */
const char *negotiate_answer_type(const struct negotiate_accept *accept, enum format format, const char *content_type);

/* Should the answer be compressed with gzip, according to Accept-Encoding (RFC 9110, 12.5.3) in `count` headers, whose
 * values may be NULL? True if the weight of gzip (or its synonym x-gzip), or else of `*`, is not 0, and that of
 * identity, or else of `*`, is not greater. False without such a header. */
bool negotiate_gzip(const struct header *headers, size_t count);
