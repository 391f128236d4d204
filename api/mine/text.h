/* The judges' format of Minesweeper: `T`, then T times `N M K` and K lines `X Y` from 0. Printed is a line for each
 * case: "Case #i: Xiemao", "... Fanglaoshi" or "... Unknown". */
#pragma once

#include "api/text/reader.h"
#include "base/buffer.h"

/* Read one case: see struct game. */
bool mine_text_read_case(struct text_reader *reader, void *ret_case);

/* Append the line of a case. `number` is that of the case, from 1; `winner` is the winner's name. */
void mine_text_print(struct buffer *out, size_t number, const char *winner);
