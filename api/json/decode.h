/* From a JSON tree to the plain struct of a case, led by tables.
 *
 * Every object of a request is described once, by a table of its members: name, how it is read, range or words, whether
 * it is required, where it goes. decode_object walks the members in the order of the document, so that faults come in
 * that order, and finds what is missing, unknown or doubled by itself. */
#pragma once

#include "api/answer/problem.h"
#include "base/work.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One decoding. */
struct decode {
    const struct api_limits *limits;
    struct faults *faults;
    struct arena *arena; /* what the case points to */
    struct work *work;
    enum work_outcome outcome; /* WORK_DONE until memory or work gives out; then decoding ends early */
    bool over_total;           /* with this case the request passes the limit on the sum over its cases */
};

struct field;

/* Read one member into `target`, the struct of the whole object. */
typedef void field_reader(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                          void *target);

struct field {
    const char *name;
    field_reader *read;
    size_t offset; /* in the target */
    bool required;
    int64_t least, most;         /* read_integer */
    const char *const *words;    /* read_word, read_include: up to a NULL */
    const struct object *object; /* read_object: its target stands at `offset` */
};

struct object {
    const char *what; /* "a case", for details */
    const struct field *fields;
    size_t count;
};

/* A case's own name. */
struct case_id {
    const cJSON *json; /* a string or an integer; NULL when there is none */
};

field_reader read_integer; /* int64_t */
field_reader read_word;    /* unsigned: its place in `words` */
field_reader read_boolean; /* bool */
field_reader read_object;
field_reader read_id;      /* struct case_id */
field_reader read_include; /* uint32_t: a bit a word */

/* Read all members. Not an object: a fault. */
void decode_object(struct decode *d, const struct object *object, const cJSON *json, const struct place *place,
                   void *target);

/* Is `json` an integer from `least` to `most`? Writes it, or adds a fault. `what` names it in the detail. */
bool decode_integer(struct decode *d, const cJSON *json, const struct place *place, const char *what, int64_t least,
                    int64_t most, int64_t *ret_value);

/* Pay, or end the decoding. */
bool decode_charge(struct decode *d, uint64_t units);

/* The first member of this name; NULL when there is none, or no object. No faults. */
const cJSON *find_member(const cJSON *object, const char *name);

/* The integer that a member holds, without adding faults: `otherwise` when it is none from `least` to `most`. */
int64_t peek_integer(const cJSON *object, const char *name, int64_t least, int64_t most, int64_t otherwise);

/* A board as an array of strings. */
struct rows_format {
    const char *characters;
    const char *legend; /* "'.' or '*'" */
    size_t least_rows, most_rows;
    size_t rows, cols; /* what they must be; 0: any */
    size_t most_cols;
    uint64_t most_cells;    /* the limit, ... */
    const char *limit_name; /* ... and its name */
};

/* Check a board's type, sizes and characters. True when it is good: then json's children are `*ret_rows` strings of
 * `*ret_cols` characters. */
bool decode_rows(struct decode *d, const cJSON *json, const struct place *place, const struct rows_format *format,
                 size_t *ret_rows, size_t *ret_cols);

/* How many cells a board claims to have, from its rows and its first row; 0 when it has none. No faults. */
uint64_t peek_cells(const cJSON *board);
