/* The same request with all formats of its answer: JSON, lines, and the judges' text agree. */
#pragma once

#include "fuzz/ask.h"

/* Ask for the three formats, and check that they agree, as far as the limits allow each of them. A text has only the
 * winner of a Minesweeper field, and does not search for more. If one format knows it and the other does not, they
 * agree. */
void forms_insist_agreement(const struct asked *asked);
