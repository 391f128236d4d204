/* One request in all forms of its answer: the whole in JSON, its lines, and the judge's text tell the same. */
#pragma once

#include "fuzz/ask.h"

/* Ask for the three forms and look whether they agree, as far as the limits let each of them be had. A text tells of a
 * Minesweeper field only who wins, and searches for no more: where one form knows it and the other does not, they
 * agree. */
void forms_insist_agreement(const struct asked *asked);
