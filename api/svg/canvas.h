/* What all pictures begin and end with, as SVG that can stand in an article.
 *
 * What holds for all of them: one well-formed <svg> element in ASCII, with a title and a description in words, colours
 * for light and dark pages, and shapes that tell things apart without colour. Nothing is fetched, nothing runs, and no
 * byte of the caller's text gets in; there are no ids, and every class begins with "arbiter-", so that pictures can
 * stand inside one page. The same arguments give the same bytes. All numbers are whole: no locale has a say.
 *
 * A drawing is written to a buffer and has no failure of its own: look at the buffer's state. */
#pragma once

#include "base/buffer.h"

#include <stddef.h>

/* How a class is painted: CSS declarations for a light page, and those that differ on a dark one (or NULL). */
struct svg_rule {
    const char *name; /* behind "arbiter-" */
    const char *light, *dark;
};

/* Begin a picture of `width` x `height` user units. On screen a unit is a pixel, or less where the picture would be
 * over 800 pixels wide; but never so little that `detail` units have fewer than `detail_pixels` pixels. */
void svg_begin(struct buffer *out, unsigned width, unsigned height, unsigned detail, unsigned detail_pixels);

/* The style, and the page as a background. To be written after title and description, before anything is drawn. Common
 * classes: page, verdict, note (smaller text). */
void svg_style(struct buffer *out, const struct svg_rule *rules, size_t count);

/* A line of text, centered at x. `class` is one of the rules' names. The text is ours: it is not escaped. */
void svg_text(struct buffer *out, const char *class, unsigned x, unsigned y, const char *text);

/* End the picture. */
void svg_end(struct buffer *out);

/* How wide `characters` of running text at `size` may become, in any of the usual fonts. */
unsigned svg_text_width(size_t characters, unsigned size);

/* "s", but for one. */
const char *svg_plural(size_t count);

enum { SVG_VERDICT_SIZE = 20, SVG_NOTE_SIZE = 14 };
