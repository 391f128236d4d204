/* The judge's format of Minesweeper: `T`, then T times `N M K` and K lines `X Y` from 0. Printed, a line a case:
 * "Case #i: Xiemao", "... Fanglaoshi" or "... Unknown". */
#pragma once

#include "api/text/reader.h"
#include "base/buffer.h"

/* Read one case: see struct game. */
bool mine_text_read_case(struct text_reader *reader, void *ret_case);

/* Append the line of the case with this number, from 1, that `winner` wins. */
void mine_text_print(struct buffer *out, size_t number, const char *winner);
