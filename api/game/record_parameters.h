/* The parameters of the query of a POST whose body is a record, as numbers. */
#pragma once

#include <stdint.h>

enum { RECORD_PARAMETERS = 4 };

/* The parameters of a record, from the query of its POST. Plain data: it is copied freely. */
struct record_parameters {
    uint32_t named;                    /* bit p: the query has parameter p */
    uint64_t value[RECORD_PARAMETERS]; /* of those that it has, as read_parameter returns them */
};
