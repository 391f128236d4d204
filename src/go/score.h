/* The score of a position: what players agree on at the end of a game, dead stones and points in seki, is taken into
 * account, but not judged.
 *
 * Dead chains are taken off first. A region is then a connected set of empty points. It belongs to a colour if only
 * stones of that colour are next to it, and to nobody if it has a point in seki.
 *
 * Area (Tromp and Taylor): the points of a colour are its stones and its regions. Territory: they are its regions, its
 * prisoners, and the dead stones of the other colour. Komi is added by the caller. */
#pragma once

#include "go/game.h"

enum go_scoring { GO_SCORING_AREA, GO_SCORING_TERRITORY };

/* What the players have agreed on. The colours of the points are not used. */
struct go_agreement {
    enum go_scoring scoring;
    const struct go_move *dead; /* [dead_count] each on a stone, whose whole chain is dead */
    size_t dead_count;
    const struct go_move *seki; /* [seki_count] each on an empty point, or on a dead stone */
    size_t seki_count;
};

/* How a point counts; also what is unconditionally alive (alive.h). The marks of stones are enum go_color. */
enum go_mark {
    GO_MARK_NONE = GO_EMPTY,
    GO_MARK_BLACK = GO_BLACK,
    GO_MARK_WHITE = GO_WHITE,
    GO_MARK_BLACK_POINT, /* not a living stone, but a point that counts for Black */
    GO_MARK_WHITE_POINT,
};

struct go_score {
    unsigned black, white;
    unsigned neutral;         /* points with neither a living stone nor an owner; by area, the three are size * size */
    unsigned dead[2];         /* stones of Black and White that are dead */
    uint8_t marks[GO_POINTS]; /* enum go_mark, row-major */
};

/* Score the current position of `game`. Cannot fail. Takes about 10 ns per point. */
void go_game_score(const struct go_game *game, const struct go_agreement *agreement, struct go_score *ret_score);
