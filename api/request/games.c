#include "api/request/games.h"

#include "api/go/game.h"
#include "api/mine/game.h"
#include "api/pawn/game.h"

const struct game *const games[] = {&pawn_game, &go_game, &mine_game};
const size_t game_count = sizeof games / sizeof *games;
