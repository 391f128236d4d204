/* The beginning and the end of all pictures: SVG that can be part of an HTML page.
 *
 * A picture is one well-formed <svg> element in ASCII, with a title and a description in words, and colours for light
 * and dark pages. Shapes, not only colours, show what things are. A picture loads nothing, runs nothing, and contains
 * no text of the caller. It has no ids, and every class begins with "arbiter-", so that a page may have several
 * pictures. The same arguments give the same bytes. All numbers are integers, so the locale does not matter.
 *
 * Pictures are written to a buffer; errors are in the buffer's outcome. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* The style of a class: CSS declarations for a light page, and those that differ on a dark one (or NULL). */
struct svg_rule {
    const char *name; /* without "arbiter-" */
    const char *light, *dark;
};

/* Begin a picture of `width` x `height` user units. On screen a unit is a pixel, or less if the picture would be more
 * than 800 pixels wide; but `detail` units always have at least `detail_pixels` pixels. */
void svg_begin(struct buffer *out, unsigned width, unsigned height, unsigned detail, unsigned detail_pixels);

/* The style, and the background. To be called after the title and the description, before anything is drawn. Common
 * classes: page, verdict, note (smaller text). */
void svg_style(struct buffer *out, const struct svg_rule *rules, size_t count);

/* A line of text, centered at x. `class` is one of the rules' names. The text is not escaped, so it must not come from
 * the caller of the service. */
void svg_text(struct buffer *out, const char *class, unsigned x, unsigned y, const char *text);

/* End the picture. */
void svg_end(struct buffer *out);

/* Get the largest width of `characters` of running text at `font_size`, in any common font. */
unsigned svg_text_width(size_t characters, unsigned font_size);

/* Get "s", or "" for a count of 1. */
const char *svg_plural(size_t count);

enum { SVG_VERDICT_SIZE = 20, SVG_NOTE_SIZE = 14 };
