/* A wrapper of cJSON. It builds the tree of a text that json_check has accepted, in an arena, which limits its memory.
 * cJSON is not used to free, print or change trees.
 *
 * A node takes 64 bytes; a pair of numbers in a list takes 192, for some 9 bytes of text. So long arrays can be left
 * out of a tree: they are empty in it, and the tree has the position of their text. Their elements are read one by one
 * (json_elements_next in decode.h). */
#pragma once

#include "base/arena.h"
#include "base/work.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* Set cJSON's allocation hooks. Called once in a process, before any parse and before there are threads. */
void json_tree_prepare(void);

/* Shorter arrays stay in the tree: it takes some 2 MB for one of this length, which an arena keeps for reuse, and is
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

/* Build the tree of `length` bytes, which json_check must have accepted. The tree is in `arena`, and is written on
 * success only. Integers longer than JSON_NUMBER_BYTES must have been shortened. Any thread.
 *
 * `names` are the names of at most JSON_LEFT_OUT members, NULL after the last; `names` may be NULL. If the text is an
 * object, the first array of each of these names is left out, if it has at least `min` bytes. */
enum outcome json_tree_parse(const char *json, size_t length, const char *const *names, size_t min, struct arena *arena,
                             const struct work *work, struct json_tree *ret_tree);

/* Build the tree of the value that begins at *at, before `end`, and move *at after it. */
enum outcome json_tree_parse_next(const char **at, const char *end, struct arena *arena, const struct work *work,
                                  const cJSON **ret_root);

/* Get the left-out text of this array; NULL: it is in the tree. */
const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array);

/* Find the next byte that is not blank. json_check must have accepted the text. There must be such a byte at or after
 * `at`, or a '\0'. */
static inline const char *json_skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* An iteration over the members of an object without a tree. json_check must have accepted the object. It needs memory
 * only for one name at a time. */
struct json_members {
    const char *at, *end; /* the current position, and the end of the object's text */
    const struct work *work;
};

/* Begin with the first member of the object in `length` bytes, which may have blanks around it. */
struct json_members json_members_begin(const char *json, size_t length, const struct work *work);

/* Find the next member. Its name, without escapes, is in `arena`; NULL after the last. members->at is at the beginning
 * of its value, and must be moved after it before the next call, for instance by json_skip_value (check.h). */
enum outcome json_members_next(struct json_members *members, struct arena *arena, const char **ret_name);
