/* The Go backend: its row in the list of games. */
#pragma once

#include "api/game/game.h"

extern const struct game go_backend;
