/* The formats of bodies, by their source. */
#pragma once

#include "api/job/source.h"

/* The formats; NULL: there is no body of this format. */
extern const struct source_format *const cases_formats[FORMATS];
