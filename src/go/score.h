/* The area score of a position, as Tromp and Taylor define it: a point counts for a colour if it has a stone of that
 * colour, or if it is empty and only that colour can be reached from it over empty points. No stones are considered
 * dead. */
#pragma once

#include "go/game.h"

struct go_score {
    unsigned black, white, neutral; /* together size * size */
};

/* Score the current position of `game`, which is not changed. Cannot fail. */
struct go_score go_game_score(const struct go_game *game);
