/* The backend of two-player Minesweeper: its row in the list of games. */
#pragma once

#include "api/game/game.h"

extern const struct game mine_backend;
