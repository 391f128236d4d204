/* The end of a game: komi, whose turn it is, dead stones, points in seki.
 *
 * All of this is settled after the game itself has been read, because it depends on the size of the board, on the
 * record and, for dead stones, on the final position. To find that, the game is played once more. */
#pragma once

#include "api/go/case.h"

/* Members of a case; see struct json_field. */
json_field_reader go_settle_read_komi;
json_field_reader go_settle_read_list; /* field->min is an enum go_list */

/* Settle a case whose game, or collection, has been read. `place` is the place of the case; NULL: its options are in
 * the query. If the size of the board is 0, there is none, or something is wrong. `good`: there are no faults so far,
 * so the game can be played. Faults and failures are recorded in `d`. */
void go_settle(struct json_decode *d, const struct place *place, bool good, struct go_case *the_case);
