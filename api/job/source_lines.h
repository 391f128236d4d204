/* Cases in lines: JSON, a case on a line. Blank lines are skipped. */
#pragma once

#include "api/job/source.h"

extern const struct source_format source_lines;
