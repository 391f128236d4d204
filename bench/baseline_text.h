/* Textbook contest programs: each reads a whole text with fscanf, solves it with its game's baseline, and prints with
 * fprintf and fputc. They don't check their input. Shares no code with api. */
#pragma once

#include <stdio.h>

void baseline_text_pawn(FILE *in, FILE *out);
void baseline_text_go(FILE *in, FILE *out);
void baseline_text_mine(FILE *in, FILE *out);
