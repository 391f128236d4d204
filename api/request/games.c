#include "api/request/games.h"

#include "api/go/backend.h"
#include "api/mine/backend.h"
#include "api/pawn/backend.h"

const struct game *const games[] = {&pawn_backend, &go_backend, &mine_backend};
/* NOLINTNEXTLINE(bugprone-sizeof-expression): it is an array of pointers */
const size_t game_count = sizeof games / sizeof *games;
