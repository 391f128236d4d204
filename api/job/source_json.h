/* Cases in a JSON body, or in the query of a link: one value, which is a case, or an object whose array `cases` has
 * them. The whole body is checked before the first case is read. */
#pragma once

#include "api/job/source.h"

extern const struct source_format source_json;

/* Are these bytes one JSON object that is a case, and not a batch? They may begin with a byte order mark. Numbers in
 * them may be overwritten. No budget limits this call. */
bool source_json_is_case(char *bytes, size_t length);
