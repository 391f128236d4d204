/* The beginning and the end of all pictures: SVG that can be embedded in an HTML page.
 *
 * A picture is one well-formed <svg> element in ASCII, with a title, a description in words, and colours for light and
 * dark pages. Things can be told apart by shape, not only by colour. A picture loads nothing, runs nothing, and
 * contains no text from the request. It has no ids, and every class begins with "arbiter-", so that a page can have
 * several pictures. The same arguments give the same bytes. All numbers are integers, so the locale does not matter.
 *
 * Pictures are written to a buffer; errors are recorded in the buffer's outcome. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* The style of a class: CSS declarations for a light page, and those that differ on a dark one (or NULL). */
struct svg_rule {
    const char *name; /* without "arbiter-" */
    const char *light, *dark;
};

/* Begin a picture of `width` x `height` user units. On screen, a unit is one pixel, or less if the picture would
 * otherwise be wider than 800 pixels; but `detail` units are always at least `detail_pixels` pixels wide. */
void svg_begin(struct buffer *out, unsigned width, unsigned height, unsigned detail, unsigned detail_pixels);

/* Write the style and the background. Call it after the title and the description, before anything is drawn. Classes
 * common to all pictures: page, verdict, note (smaller text). */
void svg_style(struct buffer *out, const struct svg_rule *rules, size_t count);

/* Write a line of text, centred at x. `class` is the name of one of the rules. The text is not escaped, so it must not
 * come from a request. */
void svg_text(struct buffer *out, const char *class, unsigned x, unsigned y, const char *text);

/* End the picture. */
void svg_end(struct buffer *out);

/* Get the largest width that `characters` of running text can have at `font_size` in any common font. */
unsigned svg_text_width(size_t characters, unsigned font_size);

enum { SVG_VERDICT_SIZE = 20, SVG_NOTE_SIZE = 14 };
