/* Reads cases and writes results for POST /pawn in JSON. */
#pragma once

#include "api/pawn/case.h"
#include "pawn/solve.h"

/* The members of a case, and how to read one; see struct game. */
extern const struct json_object pawn_json_members;
void pawn_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

/* Append the result of a case with the parts that it asks for, which `answer` must contain. */
void pawn_json_encode(const struct pawn_case *the_case, const struct pawn_answer *answer, struct buffer *out);
