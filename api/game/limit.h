/* Limits on what a request can ask of a service.
 *
 * Each module with limits has a group: a table of rows, and a struct with one uint64_t member per row, in the same
 * order. A service keeps the values of all groups in one array. The rows define options, environment variables, --help,
 * GET /limits, and what the entity tags of answers depend on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A limit. It can be set to any value from 1 to `max`; the defaults are in that range. */
struct limit {
    const char *name; /* as in GET /limits; written with dashes, the option; in capitals after ARBITER_, the variable */
    const char *meaning;    /* a phrase for --help */
    uint64_t default_value; /* with --profile trusted */
    uint64_t public;        /* with --profile public */
    uint64_t max;           /* at most LIMIT_MAX */
    bool changes_links; /* could a different value change the answer to a link, other than to a 503? If so, entity tags
                         * depend on it */
};

/* The largest integer that every JSON reader represents exactly. */
#define LIMIT_MAX (((uint64_t)1 << 53) - 1)

/* Assert that a table of rows has as many rows as the struct of its values has members. */
#define LIMITS_MATCH(rows, values)                                                                                     \
    _Static_assert(sizeof(rows) / sizeof(struct limit) == sizeof(values) / sizeof(uint64_t), #rows " and " #values)

struct limit_group {
    const struct limit *rows;
    size_t count;
};

enum { LIMITS_GROUPS = 16, LIMITS_VALUES = 64 };

/* The limits of a service. The values of the first `group_count` groups are in `value`, one group after the other;
 * `count` of them are used. */
struct limits {
    const struct limit_group *groups[LIMITS_GROUPS];
    size_t group_count, count;
    uint64_t value[LIMITS_VALUES];
};

/* Add a group, with its values at their defaults. The group must outlive the limits, which must initially be zeroed. */
void limits_add(struct limits *limits, const struct limit_group *group);

/* Get the values of an added group: the struct that corresponds to its rows. */
const void *limits_of(const struct limits *limits, const struct limit_group *group);

/* Get the row of value `index`, which must be below limits->count. */
const struct limit *limits_row(const struct limits *limits, size_t index);

/* Convert a limit on bytes to a size. A limit that does not fit, which needs a system with 32 bits, becomes the largest
 * size that can be increased by one. */
static inline size_t limit_bytes(uint64_t value) { return value < SIZE_MAX ? (size_t)value : SIZE_MAX - 1; }
