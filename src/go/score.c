#include "go/score.h"

#include "go/board.h"

#include <string.h>

enum { DEAD = 1, SEKI = 2, SEEN = 4 };

struct counting {
    const struct go_board *board;
    uint8_t flags[GO_BORDERED]; /* DEAD by chain, the others by point */
    uint8_t marks[GO_BORDERED]; /* enum go_mark */
};

static uint16_t point_of(const struct go_board *board, struct go_move at) {
    return go_board_point(board, at.row, at.col);
}

/* Mark the region of an open point, one without a living stone, that has not been seen yet. */
static void mark_region(struct counting *c, uint16_t start) {
    uint16_t points[GO_POINTS], around[4];
    unsigned count = 0;
    bool reaches[GO_BORDER + 1] = {false}, seki = false;
    points[count++] = start;
    c->flags[start] |= SEEN;
    for (unsigned k = 0; k < count; k++) {
        seki |= c->flags[points[k]] & SEKI;
        go_board_neighbours(c->board, points[k], around);
        for (int i = 0; i < 4; i++) {
            enum go_color color = go_board_at(c->board, around[i]);
            bool open = color == GO_EMPTY || c->flags[go_board_chain(c->board, around[i])] & DEAD;
            reaches[open ? GO_EMPTY : color] = true;
            if (open && (c->flags[around[i]] & SEEN) == 0) {
                ASSERT(count < c->board->size * c->board->size);
                c->flags[around[i]] |= SEEN;
                points[count++] = around[i];
            }
        }
    }
    if (seki || reaches[GO_BLACK] == reaches[GO_WHITE])
        return;
    for (unsigned k = 0; k < count; k++)
        c->marks[points[k]] = reaches[GO_BLACK] ? GO_MARK_BLACK_POINT : GO_MARK_WHITE_POINT;
}

/* Mark all points. Counts the dead stones by colour. */
static void mark_points(struct counting *c, unsigned dead[2]) {
    const struct go_board *board = c->board;
    for (unsigned row = 0; row < board->size; row++) {
        uint16_t point = go_board_point(board, row, 0), end = (uint16_t)(point + board->size);
        for (; point < end; point++) {
            enum go_color color = go_board_at(board, point);
            bool is_dead = color != GO_EMPTY && c->flags[go_board_chain(board, point)] & DEAD;
            if (is_dead)
                dead[color - GO_BLACK]++;
            if (color != GO_EMPTY && !is_dead)
                c->marks[point] = (uint8_t)color;
            else if ((c->flags[point] & SEEN) == 0)
                mark_region(c, point);
        }
    }
}

void go_game_score(const struct go_game *game, const struct go_agreement *agreement, struct go_score *ret_score) {
    struct counting c = {.board = go_game_board(game)};
    unsigned size = c.board->size, count[GO_MARK_WHITE_POINT + 1] = {0};
    for (size_t k = 0; k < agreement->dead_count; k++) {
        ASSERT(go_board_at(c.board, point_of(c.board, agreement->dead[k])) != GO_EMPTY);
        c.flags[go_board_chain(c.board, point_of(c.board, agreement->dead[k]))] |= DEAD;
    }
    for (size_t k = 0; k < agreement->seki_count; k++)
        c.flags[point_of(c.board, agreement->seki[k])] |= SEKI;
    memset(ret_score->dead, 0, sizeof ret_score->dead);
    mark_points(&c, ret_score->dead);
    for (unsigned row = 0; row < size; row++)
        memcpy(ret_score->marks + (size_t)row * size, c.marks + go_board_point(c.board, row, 0), size);
    for (unsigned at = 0; at < size * size; at++)
        count[ret_score->marks[at]]++;
    bool area = agreement->scoring == GO_SCORING_AREA;
    ret_score->black = count[GO_MARK_BLACK_POINT] +
                       (area ? count[GO_MARK_BLACK] : go_game_prisoners(game, GO_BLACK) + ret_score->dead[1]);
    ret_score->white = count[GO_MARK_WHITE_POINT] +
                       (area ? count[GO_MARK_WHITE] : go_game_prisoners(game, GO_WHITE) + ret_score->dead[0]);
    ret_score->neutral = count[GO_MARK_NONE];
    ASSERT(!area || ret_score->black + ret_score->white + ret_score->neutral == size * size);
}
