/* The area of a position as it stands, as Tromp and Taylor count it: a point belongs to a colour when that colour
 * stands on it, or when only that colour can be reached from it over empty points. Nothing is taken for dead. */
#pragma once

#include "go/game.h"

struct go_score {
    unsigned black, white, neutral; /* together size * size */
};

/* Count the area of the position that `game` has reached, which does not change. It cannot fail. */
struct go_score go_game_score(const struct go_game *game);
