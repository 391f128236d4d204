/* What the cases of all games have in common: a name of their own. */
#pragma once

#include "api/json/decode.h"
#include "base/buffer.h"

/* A case's own name, as the caller gave it. */
struct case_id {
    const cJSON *json; /* a string or an integer; NULL when there is none */
};

/* Reads a member into a struct case_id: a string of at most 128 bytes, or an integer that every reader of JSON keeps
 * exactly. */
json_field_reader case_read_id;

/* Append an id, which must be there, as JSON. */
void case_put_id(struct buffer *out, const struct case_id *id);

/* Begin a JSON result: its brace, and the id if the case has one. */
void case_put_head(struct buffer *out, const struct case_id *id);
