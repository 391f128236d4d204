/* The games that are served. ARCHITECTURE.md says how to add one. */
#pragma once

#include "api/game/game.h"

extern const struct game *const games[];
extern const size_t game_count;
