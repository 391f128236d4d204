/* The contest format of Minesweeper: `T`, then T times `N M K` and K lines `X Y`, counted from 0. The output has one
 * line per case: "Case #i: Xiemao", "... Fanglaoshi" or "... Unknown". */
#pragma once

#include "api/text/reader.h"
#include "base/buffer.h"

/* Read one case; see struct game. */
bool mine_text_read_case(struct text_reader *reader, void *ret_case);

/* Append the line for a case. `number` is the number of the case, counted from 1; `winner` is the winner's name. */
void mine_text_print(struct buffer *out, size_t number, const char *winner);
