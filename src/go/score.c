#include "go/score.h"

#include "base/assert.h"

#include <stdint.h>

/* A region: connected empty points. */
struct region {
    unsigned points;
    bool reaches[3]; /* by colour: whether a stone of that colour is next to the region */
};

/* Visit the region of the empty point `start`, which has not been seen yet, and mark its points as seen. */
static struct region walk_region(const struct go_game *game, unsigned size, unsigned start, bool *seen) {
    uint16_t stack[GO_POINTS]; /* each point at most once, because it is marked as seen when pushed */
    unsigned height = 0;
    struct region region = {0};
    stack[height++] = (uint16_t)start;
    seen[start] = true;
    while (height != 0) {
        unsigned point = stack[--height], row = point / size, col = point % size, count = 0, around[4];
        region.points++;
        if (row > 0)
            around[count++] = point - size;
        if (col > 0)
            around[count++] = point - 1;
        if (col + 1 < size)
            around[count++] = point + 1;
        if (row + 1 < size)
            around[count++] = point + size;
        for (unsigned k = 0; k < count; k++) {
            enum go_color color = go_game_at(game, around[k] / size, around[k] % size);
            region.reaches[color] = true;
            if (color == GO_EMPTY && !seen[around[k]]) {
                ASSERT(height < size * size);
                seen[around[k]] = true;
                stack[height++] = (uint16_t)around[k];
            }
        }
    }
    return region;
}

struct go_score go_game_score(const struct go_game *game) {
    bool seen[GO_POINTS] = {false};
    struct go_score score = {0};
    unsigned size = go_game_size(game);
    for (unsigned point = 0; point < size * size; point++) {
        enum go_color color = go_game_at(game, point / size, point % size);
        if (color != GO_EMPTY) {
            *(color == GO_BLACK ? &score.black : &score.white) += 1;
        } else if (!seen[point]) {
            struct region region = walk_region(game, size, point, seen);
            bool black = region.reaches[GO_BLACK], white = region.reaches[GO_WHITE];
            *(black == white ? &score.neutral : black ? &score.black : &score.white) += region.points;
        }
    }
    ASSERT(score.black + score.white + score.neutral == size * size);
    return score;
}
