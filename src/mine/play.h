/* A game of Minesweeper for two as it is played, click by click. Public. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"

struct mine_play;

/* Begin, or go on, with what is face up on a field; field->face_up is not NULL, and is where clicks turn cells over.
 * The game lives in `arena`, the field's maps outlive it. What all clicks together cost in proportion to the field is
 * paid here, what is left of each is some 50 ns. */
enum outcome mine_play_new(const struct mine_field *field, struct arena *arena, struct work *work,
                           struct mine_play **ret_play);

/* What becomes of a click. */
enum mine_click {
    MINE_CLICK_LEGAL,
    MINE_CLICK_ON_MINE,
    MINE_CLICK_FACE_UP, /* on a cell that is face up already */
};

/* Click a cell. When it is legal the field's cells are turned over: a number alone, a blank with its whole opening;
 * otherwise nothing happens. row < rows, col < cols. */
enum mine_click mine_play_click(struct mine_play *play, unsigned row, unsigned col);
