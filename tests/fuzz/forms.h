/* Sends the same request in all response formats: JSON, lines and contest format must agree. */
#pragma once

#include "fuzz/ask.h"

/* Request all three formats, and check that the answers agree, except those that a limit refuses. In contest format,
 * a Minesweeper answer gives only the winner, so the search stops earlier. If only one format gives the winner, that
 * counts as agreement. */
void forms_insist_agreement(const struct asked *asked);
