/* Results of POST /go in JSON: the pieces that come about move by move, and the whole. */
#pragma once

#include "api/go/case.h"
#include "base/buffer.h"

/* Append a miss of move `number`, counted from 1, on a board of `size`. */
void go_json_put_miss(struct buffer *out, unsigned size, uint32_t number, struct go_move move, struct go_reply reply);

/* Append the stones that move `number` took off the board, the last one played. */
void go_json_put_captured(struct buffer *out, const struct go_game *game, uint32_t number);

/* Append the board as it stands. */
void go_json_put_board(struct buffer *out, const struct go_game *game);

/* The pieces, each a list without its brackets. */
struct go_json_lists {
    struct buffer misses, captured, boards;
};

/* Append the result of a case whose game has been played to its end: with `misses` misses, and with the parts that the
 * case asks for. What is wrong with one of the lists is wrong with `out`. */
void go_json_encode(const struct go_case *the_case, const struct go_game *game, uint32_t misses,
                    const struct go_json_lists *lists, struct buffer *out);
