/* The formats of bodies and answers. */
#pragma once

/* SGF is for bodies only, SVG for answers only. Lines have JSON: a case or a result each. */
enum format {
    FORMAT_JSON,
    FORMAT_TEXT,
    FORMAT_SVG,
    FORMAT_LINES,
    FORMAT_SGF,
    FORMATS,
    FORMAT_NONE = FORMATS, /* none of the available formats is acceptable */
};
