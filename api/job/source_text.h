/* Cases in the judges' text: their number, then the cases one after the other. A case must be read to find its end, so
 * `next` reads it. */
#pragma once

#include "api/job/source.h"

extern const struct source_format source_text;
