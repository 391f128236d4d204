/* Decodes a JSON tree into a plain struct, driven by tables.
 *
 * A table describes each kind of object in a request: the names of its members, how to read them, their ranges or
 * words, whether they are required, and where to store their values. json_decode_object reads the members in the order
 * of the document, so that faults come in that order, and reports missing, unknown and duplicate members.
 *
 * These functions fail only by adding a fault or by ending the decoding; until then, `outcome` is OUTCOME_DONE. */
#pragma once

#include "api/fault/fault.h"
#include "api/json/tree.h"
#include "base/arena.h"
#include "base/work.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct case_context; /* api/game/case.h */

/* The state of decoding. */
struct json_decode {
    struct fault_list *faults;
    struct arena *arena; /* for what the struct points to, and for left-out elements, one at a time */
    struct work *work;
    enum outcome outcome;               /* if not OUTCOME_DONE, decoding has ended early */
    const struct json_tree *tree;       /* the tree being decoded; NULL if no array was left out of it */
    const struct case_context *context; /* for a game's readers; not used by the decoder */
    bool is_bare;                       /* the text is not the object to be decoded, but the value of its only member */
};

struct json_field;

/* Reads one member into `target`, the struct of the whole object. `place` is the member's place. */
typedef void json_field_reader(struct json_decode *d, const struct json_field *field, const cJSON *json,
                               const struct place *place, void *target);

/* Describes a member of an object. */
struct json_field {
    const char *name;
    json_field_reader *read; /* NULL: the member is ignored */
    size_t offset;           /* the offset of the value in the target */
    bool required;
    int64_t min, max;                 /* range of an integer */
    const char *const *words;         /* for json_read_word and json_read_parts: the words, with a NULL at the end */
    const struct json_object *object; /* for json_read_object: the object, whose target is at `offset` */
    bool is_default;                  /* beside the cases of a batch, it is a default for all of them */
};

struct json_object {
    const char *what; /* its name in details: "a /pawn case" */
    const struct json_field *fields;
    size_t count; /* at most 64 */
};

/* Readers for any object, with the type of value that each stores. */
json_field_reader json_read_word;    /* unsigned: the index in `words` */
json_field_reader json_read_side;    /* the same, in any case; the first letter is enough */
json_field_reader json_read_boolean; /* bool */
json_field_reader json_read_object;
json_field_reader json_read_parts; /* uint32_t: an array of words, or a string with commas between them, one bit each */

/* Read all members of an object. Adds a fault if the value is not an object. */
void json_decode_object(struct json_decode *d, const struct json_object *object, const cJSON *json,
                        const struct place *place, void *target);

/* Find the description of a member by its name. Returns NULL if there is none. */
const struct json_field *json_find_field(const struct json_object *object, const char *name);

/* Get the index of a side in `sides` (NULL after the last), in any case, or by its first letter. Returns -1 if it is
 * not there. */
int json_find_side(const char *const *sides, const char *string, size_t length);

/* If the value is an integer from `min` to `max`, write it and return true. Otherwise, add a fault that calls the value
 * `what` or, if that is NULL, names the member at `place`. */
bool json_decode_integer(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                         int64_t min, int64_t max, int64_t *ret_value);

/* Add a fault: `what` (NULL: the member at `place`) does not have the type `needed`, such as "an array of strings". */
void json_fault_type(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                     const char *needed);

/* Charge `units` of work. If the budget is too small, ends decoding and returns false. */
bool json_decode_charge(struct json_decode *d, uint64_t units);

/* Find the first member with this name. Returns NULL if there is none, or if `object` is not an object. Adds no
 * fault. */
const cJSON *json_find_member(const cJSON *object, const char *name);

/*
 * Get the integer value of a member without adding faults. Returns `otherwise` unless it is an integer from `min` to
 * `max`.
 */
int64_t json_peek_integer(const cJSON *object, const char *name, int64_t min, int64_t max, int64_t otherwise);

/* ---- the elements of an array, whether they are in the tree or were left out of it ---- */

/* Count the elements of an array. Takes time proportional to their number. */
size_t json_count_elements(const struct json_decode *d, const cJSON *array);

/* An iteration over an array. */
struct json_elements {
    struct json_decode *decode;
    const cJSON *child;     /* in the tree: the next element */
    const char *at, *end;   /* left out: the text from the next element on; otherwise NULL */
    struct arena_mark mark; /* the mark of the arena before the current element */
    size_t used;            /* bytes used in the arena after the current element */
};

/* Start before the first element. Nothing else may be allocated from d->arena until the iteration has ended. */
void json_elements_begin(struct json_elements *elements, struct json_decode *d, const cJSON *array);

/* Get the next element, which is valid until the next call. Returns NULL after the last one, or when decoding has
 * ended. A left-out element is parsed by this call, which is charged as work, and needs memory for one element at a
 * time. */
const cJSON *json_elements_next(struct json_elements *elements);

/* ---- a board: an array of strings of equal length, one character for each cell; or one string, whose lines are the
 * rows. A line feed at its end is ignored, and CR LF counts as LF ---- */

/* The requirements for a board. */
struct json_rows_format {
    const char *characters;    /* the characters that a cell can have ... */
    const char *others;        /* ... and more of them, which are rare; NULL if there are none */
    const char *legend;        /* the same, as worded in messages: "'.' or '*'" */
    const char *unit;          /* what a character stands for: "cells" */
    size_t min_rows, max_side; /* the limits on rows; max_side also applies to columns */
    size_t size;               /* the required number of rows and of columns; 0: any */
    uint64_t max_cells;        /* the limit on rows * cols, ... */
    const char *limit_name;    /* ... and its name */
    bool over_total;           /* this board makes the request exceed the limit on the total size of its cases */
};

struct json_rows {
    const cJSON *array; /* with `rows` children, each a string of `cols` characters; in the tree, or in d->arena */
    size_t rows, cols;
    bool is_text;    /* the board is one string */
    bool has_others; /* it has a character of `others` */
};

/* Check a board's type, sizes and characters. If it returns false, faults were added or decoding has ended. */
bool json_decode_rows(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct json_rows_format *format, struct json_rows *ret_rows);

/* Get the place of a row: an element of the board at `place`, or the board itself if that is one string. */
struct place json_row_place(const struct place *place, const struct json_rows *rows, size_t row);

/* Count the rows of a board without checking it. Returns 0 if it is neither an array nor a string. */
size_t json_count_rows(const cJSON *json);
