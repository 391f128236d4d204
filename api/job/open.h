/* Opens the source of a body: detects its format if its type is vague, and checks what depends on the format. */
#pragma once

#include "api/job/source.h"

/* Open a source; see `open` in struct source_format. If the type of the body is vague, its format is detected first,
 * and *source is replaced if it is a different one. */
enum outcome source_open(struct source **source, struct workspace *workspace, struct work *work);
