/* The parameters in the query of a POST whose body is a record: the members that a JSON case has beside its record. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/formats.h"
#include "api/go/case.h"

#include <stddef.h>

/* The names, NULL after the last: see struct game. */
extern const char *const go_parameter_names[];

/* Read the value of a parameter: see struct game. */
void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults, uint64_t *ret_value);

/* Write the values, which are valid, to the options of a case. */
void go_parameters_apply(const struct format_parameters *parameters, struct go_asked *ret_asked);
