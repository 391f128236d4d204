/* The formats of bodies and answers. */
#pragma once

/* An answer is never SGF, a body never a picture. Lines are JSON, a case or a result each. */
enum format {
    FORMAT_JSON,
    FORMAT_TEXT,
    FORMAT_SVG,
    FORMAT_LINES,
    FORMAT_SGF,
    FORMATS,
    FORMAT_NONE = FORMATS, /* none that could be had is acceptable */
};
