/* Minesweeper as an impartial game for two: who wins a field, exactly.
 *
 * A cell without a mine shows the number of mines among its 8 neighbours; a blank has none. Clicking a number turns it
 * over; clicking a blank turns over its whole opening, the 8-connected blanks and every number next to them. Players
 * click face-down cells without mines in turn; who has none left loses. The first player is called Xiemao.
 *
 * A field may be in the middle of a game: then the first player is here the one whose turn it is. */
#pragma once

#include "base/arena.h"
#include "base/work.h"
#include "mine/field.h"
#include "mine/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* Who wins a field, and what there is on it: all of it counts only what is face down. */
struct mine_verdict {
    bool known;      /* its nimber is */
    bool won;        /* when not: the first player is known to win all the same */
    uint32_t nimber; /* when known: the first player wins when it is not 0 */
    uint32_t openings;
    uint32_t three_bv;       /* openings, and numbers next to none */
    uint32_t shared_numbers; /* numbers next to two openings; none is ever next to three */
    struct {
        unsigned row, col;          /* the first blank, row-major, of its first opening */
        uint32_t openings, numbers; /* after equal numbers cancelled */
    } unsolved; /* when nothing is known: the first cluster in row-major order of first blanks that was not solved */
};

/* Solve a field: count its openings and numbers, and find its nimber by visiting at most `max_states` states of a
 * search (search.c). What happens is added to *stats, which may be NULL. Scratch memory comes from `arena`, time is
 * charged to `work`. */
enum outcome mine_solve(const struct mine_field *field, uint64_t max_states, struct arena *arena, struct work *work,
                        struct mine_stats *stats, struct mine_verdict *ret_verdict);

/* As mine_solve, for who only wants to know who wins: once that is known the nimber is not sought, and may be unknown.
 * The winner is the same. */
enum outcome mine_solve_winner(const struct mine_field *field, uint64_t max_states, struct arena *arena,
                               struct work *work, struct mine_stats *stats, struct mine_verdict *ret_verdict);

/* The first clicks that win. */
struct mine_clicks {
    bool known;            /* false: the nimber, or whether some click wins, is beyond `max_states` */
    uint32_t total;        /* how many there are */
    const uint32_t *cells; /* the first of them, row-major: row * cols + col; an opening stands for one click, at its
                              first blank */
    uint32_t count;        /* of `cells` */
};

/* Solve a field as mine_solve does, and find its winning clicks with the states that are left; at most `max` of them
 * are listed. The cells live in `arena`. */
enum outcome mine_solve_with_clicks(const struct mine_field *field, uint64_t max_states, uint32_t max,
                                    struct arena *arena, struct work *work, struct mine_stats *stats,
                                    struct mine_verdict *ret_verdict, struct mine_clicks *ret_clicks);

/* Write the opening of every blank, face up or down, by its number in the row-major order of first blanks, and
 * UINT32_MAX for other cells: ret_openings[rows * cols]. Scratch memory, time and outcome as for mine_solve. */
enum outcome mine_name_blanks(const struct mine_field *field, struct arena *arena, struct work *work,
                              uint32_t *ret_openings);
