/* The beginning and the end of all pictures. */
#include "api/svg/canvas.h"

/* pixels: the largest width on screen, unless the details need more */
enum { MAX_PIXELS = 800 };

/* value * to / from, rounded up. */
static unsigned scale(unsigned value, unsigned to, unsigned from) {
    return (unsigned)(((uint64_t)value * to + from - 1) / from);
}

void svg_begin(struct buffer *out, unsigned width, unsigned height, unsigned detail, unsigned detail_pixels) {
    unsigned shown = width;
    if (shown > MAX_PIXELS) {
        unsigned min = scale(width, detail_pixels, detail);
        shown = min > MAX_PIXELS ? min : MAX_PIXELS;
    }
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" "
                  "role=\"img\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
                  "sans-serif\">\n",
                  width, height, shown, scale(height, shown, width));
}

static void put_rules(struct buffer *out, const struct svg_rule *rules, size_t count, bool dark) {
    for (size_t r = 0; r < count; r++) {
        const char *declarations = dark ? rules[r].dark : rules[r].light;
        if (declarations != NULL)
            buffer_printf(out, ".arbiter-%s{%s}\n", rules[r].name, declarations);
    }
}

static const struct svg_rule common[] = {
    {"page", "fill:#ffffff", "fill:#15181d"},
    {"verdict", "font-size:20px;font-weight:600;text-anchor:middle;fill:#1b1f24", "fill:#eceff3"},
    {"note", "font-size:14px;text-anchor:middle;fill:#59636e", "fill:#a3adb8"},
};

void svg_style(struct buffer *out, const struct svg_rule *rules, size_t count) {
    const size_t commons = sizeof common / sizeof *common;
    buffer_put_literal(out, "<style>\n");
    put_rules(out, common, commons, false);
    put_rules(out, rules, count, false);
    buffer_put_literal(out, "@media (prefers-color-scheme:dark){\n");
    put_rules(out, common, commons, true);
    put_rules(out, rules, count, true);
    buffer_put_literal(out, "}\n</style>\n<rect class=\"arbiter-page\" width=\"100%\" height=\"100%\"/>\n");
}

void svg_text(struct buffer *out, const char *class, unsigned x, unsigned y, const char *text) {
    buffer_printf(out, "<text class=\"arbiter-%s\" x=\"%u\" y=\"%u\">", class, x, y);
    buffer_put_string(out, text);
    buffer_put_literal(out, "</text>\n");
}

void svg_end(struct buffer *out) { buffer_put_literal(out, "</svg>\n"); }

unsigned svg_text_width(size_t characters, unsigned font_size) { return (unsigned)characters * font_size * 62 / 100; }
