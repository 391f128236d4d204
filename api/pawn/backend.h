/* The backend of the crossing-pawn game: its row in the list of games. */
#pragma once

#include "api/game/game.h"

extern const struct game pawn_backend;
