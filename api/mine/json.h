/* Reads cases and writes results for POST /mine in JSON. */
#pragma once

#include "api/mine/case.h"
#include "base/arena.h"

/* The members of a case, and how to read one; see struct game. */
extern const struct json_object mine_json_members;
void mine_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

/* Append the result of a case with the parts that it asks for. `clicks` and `clusters` are used only if they are
 * among them. */
enum outcome mine_json_encode(const struct mine_case *the_case, const struct mine_field *field,
                              const struct mine_verdict *verdict, const struct mine_clicks *clicks,
                              const struct mine_clusters *clusters, struct arena *arena, struct work *work,
                              struct buffer *out);
