/* The formats of bodies and answers. */
#pragma once

/* An answer is never SGF, a body never a picture. */
enum format {
    FORMAT_JSON,
    FORMAT_TEXT,
    FORMAT_SVG,
    FORMAT_SGF,
    FORMATS,
    FORMAT_NONE = FORMATS, /* none that could be had is acceptable */
};
