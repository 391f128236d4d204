/* cJSON, kept on a short leash: it builds the tree of a text that json_check found good, in an arena, which bounds it,
 * and is never asked to free, print or change anything.
 *
 * A node takes 64 bytes, a pair of numbers in a list 192 for its 9 or so. So long arrays can be left out of a tree:
 * they stand in it without elements, and the tree knows where their text is. These are read one by one (elements.h). */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Tell cJSON where to allocate. Once in a process, before any parse and before there are threads. */
void json_tree_prepare(void);

/* A shorter array is worth no second reading: the tree of one of this length takes some 2 MB, which an arena keeps
 * warm, and is built in one call. */
enum { JSON_LEFT_OUT = 4, JSON_LONG_ARRAY = 64 << 10 /* bytes */ };

/* An array that was left out. */
struct json_left_out {
    const cJSON *array; /* in the tree, where it is empty */
    const char *text;   /* from its bracket to its bracket; in the text that was parsed, which outlives the tree */
    size_t length, elements;
};

struct json_tree {
    const cJSON *root;
    struct json_left_out left_out[JSON_LEFT_OUT];
    unsigned left_out_count;
};

/* Make *json, *length bytes that json_check has found good, a copy in `arena` with each integer of more than
 * JSON_NUMBER_BYTES bytes in a shorter form: of the same value, or of the same sign and beyond any range. cJSON up to
 * 1.7.18 does not read longer ones. OUTCOME_DONE; otherwise nothing is written: memory is exhausted, or the stop flag
 * of `work` was set. */
enum outcome json_shorten_numbers(const char **json, size_t *length, struct arena *arena, const struct work *work);

/* Build the tree of `length` bytes, which json_check has found good, and in which no integer is longer than
 * JSON_NUMBER_BYTES. It lives in `arena`, and is written only when it
 * is good. Any thread.
 *
 * `names`, which ends with a NULL and may be NULL, are those of at most JSON_LEFT_OUT members: when the text is an
 * object, the first array of each of these names among its members is left out, if it has at least `min` bytes. A
 * name that is written with an escape is not recognised, and its array not left out. */
enum outcome json_tree_parse(const char *json, size_t length, const char *const *names, size_t min, struct arena *arena,
                             const struct work *work, struct json_tree *ret_tree);

/* Build the tree of the one value that begins at *at, before `end`, and move *at behind it. */
enum outcome json_tree_parse_next(const char **at, const char *end, struct arena *arena, const struct work *work,
                                  const cJSON **ret_root);

/* What was left out of this array; NULL: nothing was. */
const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array);

/* Where the next byte is that is no blank. The text is one that json_check has found good, with such a byte at or
 * behind `at`, or an end in '\0'. */
static inline const char *json_skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* A walk over the members of an object that json_check has found good, without a tree: it takes no memory but for a
 * name at a time. */
struct json_members {
    const char *at, *end; /* where it is, and the end of the object's text */
    const struct work *work;
};

/* Begin with the first member of the object that `length` bytes are, blanks around it. */
struct json_members json_members_begin(const char *json, size_t length, const struct work *work);

/* Find the next member: its name, without escapes, in `arena`; NULL behind the last. members->at is where its value
 * begins then, and has to be moved behind it before the next call, by json_members_skip if the caller does not know
 * better. */
enum outcome json_members_next(struct json_members *members, struct arena *arena, const char **ret_name);

/* Pass over the value that begins at members->at. False: the stop flag was set. */
bool json_members_skip(struct json_members *members);
