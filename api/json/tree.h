/* A wrapper around cJSON that builds a tree from a text that json_check has accepted, in an arena that limits its
 * memory. cJSON is not used to free, print or change trees.
 *
 * A node takes 64 bytes, and a pair of numbers in a list 192, for some 9 bytes of text. Long arrays can therefore be
 * left out: the tree then contains an empty array and records where the text of the array is. The elements are read one
 * by one (json_elements_next in decode.h). */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* Set cJSON's allocation hooks. Call it once per process, before any parse and before other threads start. */
void json_tree_prepare(void);

/* Shorter arrays stay in the tree. An array of this length takes about 2 MB, which an arena keeps for reuse, and is
 * built in one call. */
enum { JSON_LEFT_OUT = 4, JSON_LONG_ARRAY = 64 << 10 /* bytes */ };

/* A left-out array. */
struct json_left_out {
    const cJSON *array; /* the empty array in the tree */
    const char *text;   /* from bracket to bracket, in the parsed text, which must outlive the tree */
    size_t length, elements;
};

struct json_tree {
    const cJSON *root;
    struct json_left_out left_out[JSON_LEFT_OUT];
    unsigned left_out_count;
};

/* Build the tree of `length` bytes, which json_check must have accepted. The tree is allocated in `arena`, and written
 * only on success. Integers longer than JSON_NUMBER_BYTES must have been shortened. Can be called from any thread.
 *
 * `names` lists at most JSON_LEFT_OUT member names, with a NULL at the end; `names` itself may be NULL. If the text is
 * an object, the first array with each of these names is left out if it has at least `min` bytes. */
enum outcome json_tree_parse(const char *json, size_t length, const char *const *names, size_t min, struct arena *arena,
                             const struct work *work, struct json_tree *ret_tree);

/* Build the tree of the value that begins at *at and ends before `end`, and move *at past it. */
enum outcome json_tree_parse_next(const char **at, const char *end, struct arena *arena, const struct work *work,
                                  const cJSON **ret_root);

/* Get the left-out text of this array, or NULL if it is in the tree. */
const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array);

/* Find the next byte that is not a blank. json_check must have accepted the text. There must be such a byte, or a '\0',
 * at or after `at`. */
static inline const char *json_skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* An iteration over the members of an object, without a tree. json_check must have accepted the object. Needs memory
 * for only one name at a time. */
struct json_members {
    const char *at, *end; /* the current position, and the end of the object's text */
    const struct work *work;
};

/* Start with the first member of the object in `length` bytes, which may be surrounded by blanks. */
struct json_members json_members_begin(const char *json, size_t length, const struct work *work);

/* Find the next member. Its name, with escapes decoded, is allocated in `arena`; NULL after the last. members->at is at
 * the start of its value, and must be moved past it before the next call, for example by json_skip_value (check.h). */
enum outcome json_members_next(struct json_members *members, struct arena *arena, const char **ret_name);
