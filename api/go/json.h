/* Reads cases and writes results for POST /go in JSON: the parts that grow with each move, and the whole result. */
#pragma once

#include "api/go/case.h"
#include "base/buffer.h"

/* The members of a case, and how to read one; see struct game. */
extern const struct json_object go_json_members;
void go_json_decode(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

/* Append the miss of move `number`, counted from 1, on a board of `size`. `at` is its place in the record; line 0: it
 * is not mentioned. */
void go_json_put_miss(struct buffer *out, unsigned size, uint32_t number, struct go_move move, struct go_reply reply,
                      struct fault_line at);

/* Append the stones captured by move `number`, which was played last. */
void go_json_put_captured(struct buffer *out, const struct go_game *game, uint32_t number);

/* Append the current board. */
void go_json_put_board(struct buffer *out, const struct go_game *game);

/* The lists of a result. */
enum go_json_list {
    GO_JSON_MISSES,
    GO_JSON_REPETITIONS,
    GO_JSON_CAPTURED,
    GO_JSON_BOARDS,
    GO_JSON_VARIATION_MISSES,
    GO_JSON_VARIATION_REPETITIONS,
    GO_JSON_LISTS
};

/* Append the result of a case whose game was played to its end, with `misses` misses and the parts that the case asks
 * for. `next` is the colour to move. `lists` are without their brackets. The game must not be continued. */
enum outcome go_json_encode(const struct go_case *the_case, struct go_game *game, enum go_color next, uint32_t misses,
                            const struct buffer lists[GO_JSON_LISTS], struct work *work, struct buffer *out);
