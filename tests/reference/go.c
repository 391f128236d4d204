#include "reference/go.h"

#include <stdlib.h>
#include <string.h>

static void *checked(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static char *copy_board(unsigned size, const char *board) {
    char *copy = checked(malloc((size_t)size * size));
    memcpy(copy, board, (size_t)size * size);
    return copy;
}

static bool same_board(const struct reference_go *game, const char *board, const char *other) {
    return memcmp(board, other, (size_t)game->size * game->size) == 0;
}

/* Get the points next to a point (up to four). Returns their number. */
static unsigned points_next_to(unsigned size, unsigned point, unsigned next[4]) {
    unsigned row = point / size, col = point % size;
    unsigned count = 0;
    if (row > 0)
        next[count++] = point - size;
    if (col > 0)
        next[count++] = point - 1;
    if (col + 1 < size)
        next[count++] = point + 1;
    if (row + 1 < size)
        next[count++] = point + size;
    return count;
}

/* Flood-fill the chain of a stone. Gets its points, and whether it has a liberty. Returns the number of points. */
static unsigned fill_chain(unsigned size, const char *board, unsigned start, unsigned *chain, bool *ret_liberty) {
    bool *seen = checked(calloc((size_t)size * size, sizeof(*seen)));
    unsigned count = 0;
    bool liberty = false;
    chain[count++] = start;
    seen[start] = true;
    for (unsigned i = 0; i < count; i++) {
        unsigned next[4];
        unsigned neighbours = points_next_to(size, chain[i], next);
        for (unsigned k = 0; k < neighbours; k++) {
            if (board[next[k]] == '.')
                liberty = true;
            if (board[next[k]] == board[start] && !seen[next[k]]) {
                seen[next[k]] = true;
                chain[count++] = next[k];
            }
        }
    }
    free(seen);
    *ret_liberty = liberty;
    return count;
}

bool reference_go_has_liberty(unsigned size, const char *board, unsigned row, unsigned col) {
    unsigned *chain = checked(malloc((size_t)size * size * sizeof(*chain)));
    bool liberty;
    fill_chain(size, board, row * size + col, chain, &liberty);
    free(chain);
    return liberty;
}

unsigned reference_go_take_off(unsigned size, char *board, unsigned row, unsigned col) {
    unsigned *chain = checked(malloc((size_t)size * size * sizeof(*chain)));
    bool liberty;
    unsigned count = fill_chain(size, board, row * size + col, chain, &liberty);
    for (unsigned i = 0; i < count; i++)
        board[chain[i]] = '.';
    free(chain);
    return count;
}

struct reference_go *reference_go_new(unsigned size, enum reference_go_ko ko, bool suicide) {
    struct reference_go *game = checked(calloc(1, sizeof(*game)));
    game->size = size;
    game->ko = ko;
    game->suicide = suicide;
    game->board = checked(malloc((size_t)size * size));
    memset(game->board, '.', (size_t)size * size);
    game->before = copy_board(size, game->board);
    return game;
}

static void forget(struct reference_go *game) {
    for (size_t i = 0; i < game->past_count; i++)
        free(game->past[i].board);
    game->past_count = 0;
}

void reference_go_free(struct reference_go *game) {
    if (game == NULL)
        return;
    forget(game);
    free(game->past);
    free(game->before);
    free(game->board);
    free(game);
}

void reference_go_set_up(struct reference_go *game, unsigned row, unsigned col, char color) {
    game->board[row * game->size + col] = color;
}

static void remember(struct reference_go *game, char left_by, unsigned move, bool by_stone) {
    if (game->past_count == game->past_capacity) {
        game->past_capacity = game->past_capacity * 2 + 16;
        game->past = checked(realloc(game->past, game->past_capacity * sizeof(*game->past)));
    }
    game->past[game->past_count++] =
        (struct reference_go_past){copy_board(game->size, game->board), left_by, move, by_stone};
}

/* Count the move. If it is the first, record the start as a position left by the opponent. */
static void count_move(struct reference_go *game, char color) {
    if (game->moves == 0)
        remember(game, color == 'B' ? 'W' : 'B', 0, false);
    game->moves++;
}

/* Simple ko: is `board` the position before the last stone, with no pass since? */
static bool takes_back_last_stone(const struct reference_go *game, const char *board, unsigned *ret_repeats) {
    size_t last = game->past_count - 1;
    if (!game->past[last].by_stone)
        return false; /* a pass followed the last stone, or there is no stone yet */
    if (!same_board(game, game->past[last - 1].board, board))
        return false;
    unsigned stone_before = game->past[0].move;
    for (size_t i = 0; i < last; i++) {
        if (game->past[i].by_stone)
            stone_before = game->past[i].move;
    }
    *ret_repeats = stone_before;
    return true;
}

static bool repeats(const struct reference_go *game, const char *board, char color, unsigned *ret_repeats) {
    if (game->ko == REFERENCE_GO_NONE)
        return false;
    if (game->ko == REFERENCE_GO_SIMPLE)
        return takes_back_last_stone(game, board, ret_repeats);
    for (size_t i = 0; i < game->past_count; i++) {
        const struct reference_go_past *past = &game->past[i];
        if (game->ko == REFERENCE_GO_SITUATIONAL && past->left_by != color)
            continue;
        if (same_board(game, past->board, board)) {
            *ret_repeats = past->move;
            return true;
        }
    }
    return false;
}

/* Apply the rules to a stone on an empty point. `board` already contains the stone, and becomes the board after the
 * move. */
static struct reference_go_reply judge(const struct reference_go *game, char *board, char color, unsigned row,
                                       unsigned col) {
    unsigned size = game->size;
    struct reference_go_reply reply = {0};
    unsigned next[4];
    unsigned neighbours = points_next_to(size, row * size + col, next);
    for (unsigned k = 0; k < neighbours; k++) {
        char other = color == 'B' ? 'W' : 'B';
        if (board[next[k]] == other && !reference_go_has_liberty(size, board, next[k] / size, next[k] % size))
            reply.captured += reference_go_take_off(size, board, next[k] / size, next[k] % size);
    }
    if (!reference_go_has_liberty(size, board, row, col)) {
        if (!game->suicide)
            return (struct reference_go_reply){.code = 2};
        reply.suicided = reference_go_take_off(size, board, row, col);
    }
    unsigned earlier = 0;
    bool repeated = repeats(game, board, color, &earlier);
    if (repeated && !game->reports)
        return (struct reference_go_reply){.code = 3, .repeated = true, .repeats = earlier};
    reply.repeated = repeated;
    reply.repeats = earlier;
    return reply;
}

struct reference_go_reply reference_go_play(struct reference_go *game, char color, unsigned row, unsigned col) {
    count_move(game, color);
    memcpy(game->before, game->board, (size_t)game->size * game->size);
    if (game->board[row * game->size + col] != '.')
        return (struct reference_go_reply){.code = 1};
    char *board = copy_board(game->size, game->board);
    board[row * game->size + col] = color;
    struct reference_go_reply reply = judge(game, board, color, row, col);
    if (reply.code == 0) {
        memcpy(game->board, board, (size_t)game->size * game->size);
        game->before[row * game->size + col] = color;
        unsigned *captured = color == 'B' ? &game->white_prisoners : &game->black_prisoners;
        unsigned *suicided = color == 'B' ? &game->black_prisoners : &game->white_prisoners;
        *captured += reply.captured;
        *suicided += reply.suicided;
        remember(game, color, game->moves, true);
    }
    free(board);
    return reply;
}

struct reference_go_reply reference_go_pass(struct reference_go *game, char color) {
    count_move(game, color);
    memcpy(game->before, game->board, (size_t)game->size * game->size);
    remember(game, color, game->moves, false);
    return (struct reference_go_reply){0};
}

void reference_go_change(struct reference_go *game, const char *board, char color) {
    memcpy(game->board, board, (size_t)game->size * game->size);
    memcpy(game->before, board, (size_t)game->size * game->size);
    forget(game);
    remember(game, color, game->moves, false);
}

bool reference_go_gone(const struct reference_go *game, unsigned row, unsigned col) {
    unsigned point = row * game->size + col;
    return game->before[point] != '.' && game->board[point] == '.';
}

/* Find the colours that can be reached from an empty point, by flood-filling empty points. */
static void find_colors(unsigned size, const char *board, unsigned start, bool *ret_black, bool *ret_white) {
    bool *seen = checked(calloc((size_t)size * size, sizeof(*seen)));
    unsigned *filled = checked(malloc((size_t)size * size * sizeof(*filled)));
    unsigned count = 0;
    filled[count++] = start;
    seen[start] = true;
    *ret_black = *ret_white = false;
    for (unsigned i = 0; i < count; i++) {
        unsigned next[4];
        unsigned neighbours = points_next_to(size, filled[i], next);
        for (unsigned k = 0; k < neighbours; k++) {
            *ret_black = *ret_black || board[next[k]] == 'B';
            *ret_white = *ret_white || board[next[k]] == 'W';
            if (board[next[k]] == '.' && !seen[next[k]]) {
                seen[next[k]] = true;
                filled[count++] = next[k];
            }
        }
    }
    free(seen);
    free(filled);
}

struct reference_go_area reference_go_score(unsigned size, const char *board) {
    struct reference_go_area area = {0};
    for (unsigned point = 0; point < size * size; point++) {
        bool black = board[point] == 'B', white = board[point] == 'W';
        if (board[point] == '.')
            find_colors(size, board, point, &black, &white);
        area.black += black && !white;
        area.white += white && !black;
        area.neutral += black == white;
    }
    return area;
}
