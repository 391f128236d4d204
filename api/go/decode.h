/* Cases of POST /go from JSON and from SGF records. */
#pragma once

#include "api/go/case.h"

/* Read a JSON case: see struct game. */
void go_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

/* Read a record that is a body: see struct game. */
void go_sgf_decode(struct json_decode *d, const char *text, size_t length, bool *ret_malformed, void *ret_case);
