/* Contest programs written in the textbook way: each reads a whole text with fscanf, solves with the baseline of its
 * game, and prints with fprintf and fputc. They do not check their input. Shares no code with api. */
#pragma once

#include <stdio.h>

void baseline_text_pawn(FILE *in, FILE *out);
void baseline_text_go(FILE *in, FILE *out);
void baseline_text_mine(FILE *in, FILE *out);
