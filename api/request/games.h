/* The games that are served. How to add one stands in ARCHITECTURE.md. */
#pragma once

#include "api/game/game.h"

extern const struct game *const games[];
extern const size_t game_count;
