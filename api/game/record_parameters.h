/* The parameters in the query of a POST of a record, as numbers. */
#pragma once

#include <stdint.h>

enum { RECORD_PARAMETERS = 4 };

/* The parameters of a record. Plain data that may be copied. */
struct record_parameters {
    uint32_t named;                    /* bit p: the query has parameter p */
    uint64_t value[RECORD_PARAMETERS]; /* for the parameters in `named`: what read_parameter returned */
};
