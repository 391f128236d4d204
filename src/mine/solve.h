/* Minesweeper as an impartial game for two: determines exactly who wins a field.
 *
 * A cell without a mine shows the number of mines among its 8 neighbours; a blank has none. Clicking a number reveals
 * it. Clicking a blank reveals its whole opening: the 8-connected region of blanks, and every number next to it. The
 * players take turns clicking face-down cells without mines; a player who has none left loses. The first player is
 * called Xiemao.
 *
 * A field can be in the middle of a game. "The first player" then means the one whose turn it is. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"
#include "mine/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* The winner and the counts of a field, considering only face-down cells. */
struct mine_verdict {
    bool known;      /* the nimber is known */
    bool won;        /* if not known: the first player is still known to win */
    uint32_t nimber; /* if known: the first player wins unless it is 0 */
    uint32_t openings;
    uint32_t three_bv;       /* openings, plus numbers next to no opening */
    uint32_t shared_numbers; /* numbers next to two openings; no number is next to three */
    struct {
        unsigned row, col;          /* the first blank, row-major, of its first opening */
        uint32_t openings, numbers; /* after equal numbers have cancelled */
    } unsolved; /* if nothing is known: the first unsolved cluster, in row-major order of first blanks */
};

/* Solve a field: count its openings and numbers, and find its nimber, or only its winner, with at most `max_states`
 * search states (search.c). Scratch memory comes from `arena`. Time is charged to `work`, which also counts the
 * states. */
enum outcome mine_solve(const struct mine_field *field, enum mine_aim aim, uint64_t max_states, struct arena *arena,
                        struct work *work, struct mine_verdict *ret_verdict);

/* The winning first clicks. */
struct mine_clicks {
    bool known;      /* if false, finding the nimber, or whether some click wins, takes more than `max_states` */
    uint32_t total;  /* the number of winning clicks */
    uint32_t *cells; /* the first of them, row-major: row * cols + col; an opening counts as one click, at its first
                      * blank */
    uint32_t count;  /* the number of `cells` */
};

/* Find a field's nimber as mine_solve does and, unless they are NULL, one of these lists or both: its winning clicks,
 * for which the remaining states are used, and its clusters, which take no more states than the nimber. At most `max`
 * clicks and `max` clusters are listed. The lists are in `arena`. In that of the clusters, `first` is not an opening,
 * but its first blank: row * cols + col. The nimber is the xor of all clusters' nimbers and of the parity of the
 * numbers next to no opening. */
enum outcome mine_solve_with_lists(const struct mine_field *field, uint64_t max_states, uint32_t max,
                                   struct arena *arena, struct work *work, struct mine_verdict *ret_verdict,
                                   struct mine_clicks *ret_clicks, struct mine_clusters *ret_clusters);

/* For every blank, face up or down, write the number of its opening, in row-major order of first blanks; for other
 * cells, write UINT32_MAX: ret_openings[rows * cols]. Scratch memory, time and outcome as for mine_solve. */
enum outcome mine_name_blanks(const struct mine_field *field, struct arena *arena, struct work *work,
                              uint32_t *ret_openings);
