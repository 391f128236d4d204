/* Go as one of the games that are served. */
#pragma once

#include "api/game/game.h"

extern const struct game go_wing;
