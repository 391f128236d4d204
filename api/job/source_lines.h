/* Cases in lines: a JSON case on each line. Blank lines are skipped. */
#pragma once

#include "api/job/source.h"

extern const struct source_format source_lines;
