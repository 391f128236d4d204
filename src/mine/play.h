/* A game of two-player Minesweeper, played click by click. Public.
 *
 * Clicks are played as they are read, so no list of them is kept. When openings are found, face-up cells are treated
 * like mines, so nothing after that depends on them: an opening disappears as a whole with all its numbers, and the
 * other openings keep their shape. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"

struct mine_play;

/* Begin or continue a game with the cells that are face up. field->face_up must not be NULL; clicks set bits in it. The
 * game is in `arena`; the maps of the field must outlive it. The cost that grows with the field is charged here, once
 * for all clicks; each click then costs about 50 ns. */
enum outcome mine_play_new(const struct mine_field *field, struct arena *arena, struct work *work,
                           struct mine_play **ret_play);

/* The result of a click. */
enum mine_click {
    MINE_CLICK_LEGAL,
    MINE_CLICK_ON_MINE,
    MINE_CLICK_FACE_UP, /* the cell is face up already */
};

/* Click a cell. If that is legal, it reveals the cell or, if the cell is blank, its whole opening. Otherwise nothing
 * changes. row < rows, col < cols. */
enum mine_click mine_play_click(struct mine_play *play, unsigned row, unsigned col);
