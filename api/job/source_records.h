/* Cases in records (SGF): a body that is one record, and the games of a record that is a collection. */
#pragma once

#include "api/job/source.h"

/* A body that is a record, which is one case. */
extern const struct source_format source_records;

/* Start a source for the games of a collection, in the place of the source whose one case the collection is. The
 * collection outlives it. It is open. NULL when memory is exhausted. */
struct source *source_games_new(const struct source *whole, const void *collection);
