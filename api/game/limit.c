#include "api/game/limit.h"

#include "base/assert.h"

void limits_add(struct limits *limits, const struct limit_group *group) {
    ASSERT(limits->group_count < LIMITS_GROUPS && limits->count + group->count <= LIMITS_VALUES);
    limits->groups[limits->group_count++] = group;
    for (size_t row = 0; row < group->count; row++) {
        const struct limit *limit = &group->rows[row];
        ASSERT(limit->default_value >= 1 && limit->default_value <= limit->max);
        ASSERT(limit->public >= 1 && limit->public <= limit->max);
        limits->value[limits->count++] = limit->default_value;
    }
}

const void *limits_of(const struct limits *limits, const struct limit_group *group) {
    size_t at = 0;
    for (size_t g = 0; g < limits->group_count && limits->groups[g] != group; g++)
        at += limits->groups[g]->count;
    ASSERT(at + group->count <= limits->count);
    return &limits->value[at];
}

const struct limit *limits_row(const struct limits *limits, size_t index) {
    size_t g = 0;
    ASSERT(index < limits->count);
    for (; index >= limits->groups[g]->count; g++)
        index -= limits->groups[g]->count;
    return &limits->groups[g]->rows[index];
}
