/* cJSON, kept on a short leash: it builds the tree of a text that json_check found good, in an arena, and is never
 * asked to free, print or change anything. */
#pragma once

#include "base/arena.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

/* Tell cJSON where to allocate. Once in a process, before any parse and before there are threads. */
void json_tree_prepare(void);

/* The tree of `length` bytes with `values` values; it dies with the arena's reset. NULL when memory is exhausted. */
const cJSON *json_tree_parse(const char *json, size_t length, uint64_t values, struct arena *arena);
