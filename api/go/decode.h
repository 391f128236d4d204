/* Cases of POST /go from JSON. */
#pragma once

#include "api/go/case.h"

/* Read a JSON case: see struct game. */
void go_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

/* The parts that `include` of a record may name, by enum go_include, up to a NULL; a case in JSON has case_part, too.
 */
extern const char *const go_include_words[];
