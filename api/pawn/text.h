/* The contest format of the crossing-pawn game: `id T`, then T times `n m` and n rows of '.', '#', 'O' and 'X'. The
 * output has one line per case: "Red K", "Black K" or "Tie". */
#pragma once

#include "api/text/reader.h"
#include "base/buffer.h"
#include "pawn/position.h"

/* Read the head of the text, and one case; see struct game. */
bool pawn_text_read_head(struct text_reader *reader, uint64_t *ret_cases);
bool pawn_text_read_case(struct text_reader *reader, void *ret_case);

/* Append the line for a verdict. */
void pawn_text_print(struct buffer *out, struct pawn_verdict verdict);
