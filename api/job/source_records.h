/* Cases in records (SGF): a body that is one record, and the games of a collection. */
#pragma once

#include "api/job/source.h"

/* The format of a body that is a record, which is one case. */
extern const struct source_format source_records;

/* Make a source of the games of a collection. It replaces the source `whole`, whose one case is the collection. The
 * collection must outlive it. The source is open. NULL when memory is exhausted. */
struct source *source_games_new(const struct source *whole, const void *collection);
