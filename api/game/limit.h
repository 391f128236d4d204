/* Limits: what a service allows a request to ask of it.
 *
 * Whoever limits something has a group of limits: a table of rows, and a struct of as many uint64_t members in the same
 * order. A running service has the values of all groups side by side. From the rows come the command line, the
 * environment, --help, GET /limits, and what the tags of answers depend on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One limit. Any value from 1 to `max` may be set, and the defaults are such values. */
struct limit {
    const char *name;       /* as in GET /limits; with dashes, an option; in capitals after ARBITER_, a variable */
    const char *meaning;    /* a phrase for --help */
    uint64_t default_value; /* the default */
    uint64_t public;        /* the default where anybody may call (--profile public) */
    uint64_t max;           /* at most LIMIT_MAX */
    bool changes_links; /* could another value change what a link is answered, the 503s aside? Then tags depend on it */
};

/* The largest integer that every reader of JSON keeps exactly. */
#define LIMIT_MAX (((uint64_t)1 << 53) - 1)

/* Assert that a table has as many rows as the struct of its values has members. */
#define LIMITS_MATCH(rows, values)                                                                                     \
    _Static_assert(sizeof(rows) / sizeof(struct limit) == sizeof(values) / sizeof(uint64_t), #rows " and " #values)

struct limit_group {
    const struct limit *rows;
    size_t count;
};

enum { LIMITS_GROUPS = 16, LIMITS_VALUES = 64 };

/* The limits of a service. The first `group_count` groups have their values one after the other in `value`, of which
 * `count` are in use. */
struct limits {
    const struct limit_group *groups[LIMITS_GROUPS];
    size_t group_count, count;
    uint64_t value[LIMITS_VALUES];
};

/* Add a group, its values at their defaults. The group outlives the limits, which begin zeroed. */
void limits_add(struct limits *limits, const struct limit_group *group);

/* The values of a group that was added: the struct that goes with its rows. */
const void *limits_of(const struct limits *limits, const struct limit_group *group);

/* The row of value `index`, which is below limits->count. */
const struct limit *limits_row(const struct limits *limits, size_t index);
