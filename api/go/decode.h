/* Decodes cases of POST /go in JSON. */
#pragma once

#include "api/go/case.h"

/* Read a JSON case: see struct game. */
void go_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);
