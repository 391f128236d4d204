#include "bench/baseline_go.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct past {
    unsigned points;
    uint8_t board[GO_MAX_SIZE * GO_MAX_SIZE];
};

struct game {
    unsigned size;
    uint8_t *board;
    void *past;
};

static int compare_past(const void *a, const void *b) {
    const struct past *x = a, *y = b;
    return memcmp(x->board, y->board, x->points);
}

/* Add the current position to the past ones. Returns whether it was there already. */
static bool add_past(struct game *game) {
    unsigned points = game->size * game->size;
    struct past *past = malloc(offsetof(struct past, board) + points);
    if (past == NULL)
        abort();
    past->points = points;
    memcpy(past->board, game->board, points);
    struct past **found = tsearch(past, &game->past, compare_past);
    if (found == NULL)
        abort();
    if (*found == past)
        return false;
    free(past);
    return true;
}

/* Find the chain at `start`: store its points in `ret_chain` and their number in *ret_count. Returns whether it has a
 * liberty. */
static bool flood(const struct game *game, unsigned start, unsigned *ret_chain, unsigned *ret_count) {
    bool seen[GO_MAX_SIZE * GO_MAX_SIZE] = {false}, liberty = false;
    unsigned count = 0, size = game->size;
    seen[start] = true;
    ret_chain[count++] = start;
    for (unsigned head = 0; head < count; head++) {
        unsigned row = ret_chain[head] / size, col = ret_chain[head] % size;
        for (int k = 0; k < 4; k++) {
            unsigned r = row + (unsigned)(k == 3) - (unsigned)(k == 0);
            unsigned c = col + (unsigned)(k == 2) - (unsigned)(k == 1);
            if (r >= size || c >= size)
                continue;
            unsigned next = r * size + c;
            if (game->board[next] == GO_EMPTY)
                liberty = true;
            else if (game->board[next] == game->board[start] && !seen[next]) {
                seen[next] = true;
                ret_chain[count++] = next;
            }
        }
    }
    *ret_count = count;
    return liberty;
}

static enum go_miss play(struct game *game, struct go_move move) {
    unsigned size = game->size, points = size * size, chain[GO_MAX_SIZE * GO_MAX_SIZE], count;
    uint8_t before[GO_MAX_SIZE * GO_MAX_SIZE];
    unsigned at = move.row * size + move.col;
    if (move.row == GO_PASS)
        return GO_PLAYED;
    if (game->board[at] != GO_EMPTY)
        return GO_MISS_OCCUPIED;
    memcpy(before, game->board, points);
    game->board[at] = move.color;
    for (int k = 0; k < 4; k++) {
        unsigned r = move.row + (unsigned)(k == 3) - (unsigned)(k == 0);
        unsigned c = move.col + (unsigned)(k == 2) - (unsigned)(k == 1);
        if (r >= size || c >= size || game->board[r * size + c] != GO_BLACK + GO_WHITE - move.color)
            continue;
        if (!flood(game, r * size + c, chain, &count))
            for (unsigned i = 0; i < count; i++)
                game->board[chain[i]] = GO_EMPTY;
    }
    if (!flood(game, at, chain, &count)) {
        memcpy(game->board, before, points);
        return GO_MISS_SUICIDE;
    }
    if (add_past(game)) {
        memcpy(game->board, before, points);
        return GO_MISS_REPETITION;
    }
    return GO_PLAYED;
}

void baseline_go_play(unsigned size, const struct go_move *moves, size_t count, uint8_t *ret_misses,
                      uint8_t *ret_board) {
    struct game game = {.size = size, .board = ret_board};
    memset(ret_board, GO_EMPTY, (size_t)size * size);
    add_past(&game);
    for (size_t m = 0; m < count; m++)
        ret_misses[m] = (uint8_t)play(&game, moves[m]);
    tdestroy(game.past, free);
}
