/* The query of a POST whose body is a record: what a JSON case says beside its record. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/asked.h"
#include "api/go/case.h"

#include <stddef.h>

/* The names, up to a NULL: see struct game. */
extern const char *const go_parameter_names[];

/* Read one of them; what is asked is a struct go_asked: see struct game. */
void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults,
                       struct game_asked *asked);
