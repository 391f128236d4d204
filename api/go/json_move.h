/* Reads the moves of a JSON case of POST /go. */
#pragma once

#include "api/json/decode.h"
#include "go/game.h"

/* Read a move on a board of `size`; 0: the size is unknown, and any point could be on the board. */
void go_json_read_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move);
