/* From a JSON tree to a plain struct, led by tables.
 *
 * Every object of a request is described once, by a table of its members: name, how it is read, range or words, whether
 * it is required, where it goes. json_decode_object walks the members in the order of the document, so that faults come
 * in that order, and finds by itself what is missing, unknown or doubled.
 *
 * No function here fails but by adding a fault, or by ending the decoding: `outcome` is OUTCOME_DONE until then. */
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

/* One decoding. */
struct json_decode {
    struct fault_list *faults;
    struct arena *arena; /* what the struct points to */
    struct work *work;
    enum outcome outcome;               /* other than OUTCOME_DONE: decoding ends early */
    const struct json_tree *tree;       /* that is decoded; NULL: nothing was left out of it */
    struct arena *elements;             /* for the elements that were left out, one at a time; may be `arena` */
    const struct case_context *context; /* for the readers of a game; the decoder itself does not look at it */
};

struct json_field;

/* Read one member into `target`, the struct of the whole object; `place` is the member's. */
typedef void json_field_reader(struct json_decode *d, const struct json_field *field, const cJSON *json,
                               const struct place *place, void *target);

/* How one member of an object is read. */
struct json_field {
    const char *name;
    json_field_reader *read;
    size_t offset; /* in the target */
    bool required;
    int64_t min, max;                 /* of an integer, for its reader */
    const char *const *words;         /* json_read_word, json_read_parts: up to a NULL */
    const struct json_object *object; /* json_read_object: its target stands at `offset` */
};

struct json_object {
    const char *what; /* "a case", for details */
    const struct json_field *fields;
    size_t count; /* at most 64 */
};

/* The readers that any object may use, and what stands at `offset` for them. */
json_field_reader json_read_word;    /* unsigned: its place in `words` */
json_field_reader json_read_boolean; /* bool */
json_field_reader json_read_object;
json_field_reader json_read_parts; /* uint32_t: an array of words, a bit each */

/* What a value is. cJSON has functions for these, which lie in its library, and are asked several times a move. */
static inline bool json_is_array(const cJSON *json) { return json != NULL && (json->type & 0xff) == cJSON_Array; }
static inline bool json_is_string(const cJSON *json) { return json != NULL && (json->type & 0xff) == cJSON_String; }
static inline bool json_is_number(const cJSON *json) { return json != NULL && (json->type & 0xff) == cJSON_Number; }

/* Read all members of an object. What is no object is a fault. */
void json_decode_object(struct json_decode *d, const struct json_object *object, const cJSON *json,
                        const struct place *place, void *target);

/* For json_decode_integer, where it is not a usual one. */
bool json_decode_unusual_integer(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                                 int64_t min, int64_t max, int64_t *ret_value);

/* Write an integer from `min` to `max` and return true; or add a fault, in which `what` names it. */
static inline bool json_decode_integer(struct json_decode *d, const cJSON *json, const struct place *place,
                                       const char *what, int64_t min, int64_t max, int64_t *ret_value) {
    if (!json_is_number(json) || json->valuedouble != (double)json->valueint || json->valueint < min ||
        json->valueint > max)
        return json_decode_unusual_integer(d, json, place, what, min, max, ret_value);
    *ret_value = json->valueint;
    return true;
}

/* Add the fault that `what` is not of the type that is `needed`: "an array of strings". */
void json_fault_type(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                     const char *needed);

/* The place to report of a member that nobody knows, of the object at `place`: its own, or, where its name is long, the
 * object's. */
struct place json_unknown_place(const struct place *place, const char *name);

/* Pay `units` of work, or end the decoding and return false. */
bool json_decode_charge(struct json_decode *d, uint64_t units);

/* The first member of this name; NULL when there is none, or `object` is none. Adds no fault. */
const cJSON *json_find_member(const cJSON *object, const char *name);

/* The integer that a member holds, without adding faults: `otherwise` when it is none from `min` to `max`. */
int64_t json_peek_integer(const cJSON *object, const char *name, int64_t min, int64_t max, int64_t otherwise);
