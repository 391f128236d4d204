/* Sends the same request in all response formats: JSON, lines and contest format must agree. */
#pragma once

#include "fuzz/ask.h"

/* Ask for the three formats, and check that they agree, as far as the limits allow each of them. Contest format only
 * gives the winner of a Minesweeper field, and does not search further. If only one format knows the winner, that
 * counts as agreement. */
void forms_insist_agreement(const struct asked *asked);
