/* The names of the formats of bodies and answers. format_rows.h describes each format, and formats.h declares what can
 * be done with them. */
#pragma once

#include <stdint.h>

#define FORMAT_BODY(id, name, source, ...) id,
#define FORMAT_ANSWER(id, name, ...) id,
enum format {
#include "api/game/format_rows.h"
    FORMATS,
    FORMAT_NONE = FORMATS, /* none of the available formats is acceptable, or the format is unknown */
};

enum { FORMAT_PARAMETERS = 10, FORMAT_SETS = 2, FORMAT_SET_WORDS = 10 };

/* The query parameters of a POST, as numbers. Plain data that may be copied. */
struct format_parameters {
    uint32_t named;                    /* bit p: the query has parameter p of the game */
    uint64_t value[FORMAT_PARAMETERS]; /* for the parameters in `named`, ... */
    uint64_t set[FORMAT_SETS]
                [FORMAT_SET_WORDS]; /* ... or, as bits, for those that are sets: what read_parameter wrote */
};
