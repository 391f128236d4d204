/* Reads the moves of a JSON case of POST /go. */
#pragma once

#include "api/json/decode.h"
#include "go/game.h"

/* Read the name of a point in GTP notation, such as "Q16", on a board of `size`; 0: the size is unknown, and the row is
 * meaningless. Sets the row and the column, unless the result is not GO_POINT_READ. */
enum go_point_result { GO_POINT_READ, GO_POINT_WRONG, GO_POINT_NOT_ON_BOARD };
enum go_point_result go_json_parse_point(const char *text, size_t length, int64_t size, struct go_move *ret_point);

/* Read a move on a board of `size`; 0: the size is unknown, and any point could be on the board. ret_move->color is the
 * colour of a move that does not name one, such as "D4". Also reads the moves that an answer lists as misses. */
void go_json_read_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move);
