/* What the head says about formats: of the body (Content-Type) and of the answer (Accept, Accept-Encoding). */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"

/* The formats' media types, as they stand in Content-Type. */
extern const char *const negotiate_types[FORMATS];

/* How a head says what a body is, a phrase: "is sent with Content-Type: text/plain". NULL where no body is. */
extern const char *const negotiate_body_names[FORMATS];

/* Formats of answers that can be had, a bit each. */
enum {
    NEGOTIATE_LINK_UNDRAWN = 1 << FORMAT_JSON | 1 << FORMAT_TEXT,
    NEGOTIATE_LINK = NEGOTIATE_LINK_UNDRAWN | 1 << FORMAT_SVG,
    NEGOTIATE_BATCH = NEGOTIATE_LINK_UNDRAWN | 1 << FORMAT_LINES,
    NEGOTIATE_CASE = NEGOTIATE_BATCH | 1 << FORMAT_SVG,
};

/* What a route reads and what it can answer, as lists for Accept-Post and for a 406. */
const char *negotiate_body_list(bool with_sgf);
const char *negotiate_answer_list(unsigned offered);

/* Of a list in the head, which may stand in several lines of one name, so much is looked at: elements, empty ones among
 * them, and bytes. What stands behind is as if it were not there, an element that is cut off too. So a head of any
 * length costs no more than 3 us (without a bound 28 KB of Accept take a quarter of a millisecond). */
enum { NEGOTIATE_MAX_ELEMENTS = 64, NEGOTIATE_MAX_BYTES = 4096 };

/* Find the format of a body by its Content-Type; NULL and an empty value are JSON. False when it is not supported,
 * or longer than NEGOTIATE_MAX_BYTES. */
bool negotiate_body(const char *content_type, bool with_sgf, enum format *ret_format);

/* What Accept says of each format, as its most exact range has it. */
struct negotiate_accept {
    int weight[FORMATS];         /* in thousandths; lines have two names, this is that of the better one */
    int first_name, second_name; /* of lines */
    bool any;                    /* there is an element at all; otherwise everything is accepted */
};

/* Read Accept (RFC 9110, 12.5.1) from `count` headers; a value may be NULL. */
struct negotiate_accept negotiate_read_accept(const struct header *headers, size_t count);

/* Find the best format of an answer among those offered: `preferred`, which is one of them, goes before equals, then
 * the order of enum format. False when nothing acceptable is left. */
bool negotiate_answer(const struct negotiate_accept *accept, enum format preferred, unsigned offered,
                      enum format *ret_format);

/* Of the two media types for lines, the one that is preferred; without a preference that of the body, or the first.
 * Lives as long as the program. */
const char *negotiate_lines_type(const struct negotiate_accept *accept, const char *content_type);

/* May, and should, the answer be compressed with gzip, by Accept-Encoding (RFC 9110, 12.5.3) in `count` headers; a
 * value may be NULL? Yes when gzip (or x-gzip, which is the same) or else `*` has a weight that is not 0, and identity,
 * or else `*`, no greater one. Without such a header: no. */
bool negotiate_gzip(const struct header *headers, size_t count);
