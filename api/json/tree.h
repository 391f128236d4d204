/* cJSON, kept on a short leash: it builds the tree of a text that json_check found good, in an arena, and is never
 * asked to free, print or change anything. */
#pragma once

#include "base/arena.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>

/* Tell cJSON where to allocate. Once in a process, before any parse and before there are threads. */
void json_tree_prepare(void);

enum json_tree_end {
    JSON_TREE_GOOD,
    JSON_TREE_NO_MEMORY,
    JSON_TREE_REFUSED, /* cJSON does not take what json_check took: a fault of ours */
};

/* Build the tree of `length` bytes with `values` values, which json_check has found good. It lives in `arena`, and is
 * written only when it is good. Any thread. */
enum json_tree_end json_tree_parse(const char *json, size_t length, uint64_t values, struct arena *arena,
                                   const cJSON **ret_tree);
