/* The query of a POST whose body is a record: what a JSON case says beside its record. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/record_parameters.h"
#include "api/go/case.h"

#include <stddef.h>

/* The names, up to a NULL: see struct game_records. */
extern const char *const go_parameter_names[];

/* Read the value of one of them: see struct game_records. */
void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults, uint64_t *ret_value);

/* Turn the values, which are good, into what is asked of a record. */
void go_parameters_apply(const struct record_parameters *parameters, struct go_asked *ret_asked);
