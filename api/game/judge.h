/* The judges' text formats, byte for byte: reading cases, printing answers. One file a game. */
#pragma once

#include "api/game/cases.h"
#include "api/text/reader.h"

#include "base/buffer.h"
#include "go/game.h"
#include "mine/solve.h"
#include "pawn/position.h"

/* `id T`, then T times `n m` and n rows of '.', '#', 'O', 'X'. Printed: "Red K", "Black K" or "Tie". */
bool judge_read_pawn_head(struct reader *reader, uint64_t *ret_cases);
bool judge_read_pawn(struct reader *reader, void *ret_case);
void judge_print_pawn(struct buffer *out, struct pawn_verdict verdict);

/* `T`, then T times `n` and n lines `B x y` or `W x y` on 19 x 19, row then column, from 1. Printed: "miss 1" to
 * "miss 3" in order, then the rows of the board. */
bool judge_read_go_head(struct reader *reader, uint64_t *ret_cases);
bool judge_read_go(struct reader *reader, void *ret_case);
void judge_print_go_miss(struct buffer *out, enum go_miss miss);
void judge_print_go_board(struct buffer *out, const struct go_game *game, unsigned size);

/* `T`, then T times `N M K` and K lines `X Y` from 0. Printed: "Case #i: Xiemao", "... Fanglaoshi", "... Unknown". */
bool judge_read_mine_head(struct reader *reader, uint64_t *ret_cases);
bool judge_read_mine(struct reader *reader, void *ret_case);
void judge_print_mine(struct buffer *out, size_t number, const struct mine_verdict *verdict);
