#include "go/game.h"

#include "go/board.h"
#include "go/history.h"

#include <string.h>

struct go_game {
    struct go_rules rules;
    uint32_t moves; /* of the list, misses and passes included */
    uint32_t prisoners[2];
    struct go_history history; /* of no use under GO_KO_SIMPLE and GO_KO_NONE */
    /* GO_KO_SIMPLE: the position before the last stone, unless a pass has lifted it. */
    struct {
        bool forbidden;
        uint32_t stood_after; /* the stone before the last one; 0: the start */
        uint32_t last_stone;
        uint64_t hash;
        struct go_stones stones[2];
    } before;
    uint64_t preview[2 * GO_SET_WORDS]; /* black, white: a position that is compared with candidates */
    struct go_stones gone;              /* the stones that the last move took off, if it took any */
    struct go_board board;
};

static bool keeps_history(const struct go_game *game) {
    return game->rules.ko == GO_KO_POSITIONAL || game->rules.ko == GO_KO_SITUATIONAL;
}

enum outcome go_game_new(unsigned size, struct go_rules rules, struct arena *arena, struct work *work,
                         struct go_game **ret_game) {
    if (!work_charge(work, 50 + size * size / 8))
        return OUT_OF_WORK;
    struct go_game *game = arena_alloc(arena, sizeof *game);
    if (game == NULL)
        return NO_MEMORY;
    memset(game, 0, offsetof(struct go_game, preview));
    game->rules = rules;
    go_board_init(&game->board, size);
    if (keeps_history(game) && !go_history_init(&game->history, 2 * game->board.words, arena))
        return NO_MEMORY;
    *ret_game = game;
    return DONE;
}

void go_game_set_up(struct go_game *game, unsigned row, unsigned col, enum go_color color) {
    go_board_put(&game->board, go_board_point(&game->board, row, col), color);
}

bool go_game_find_dead(const struct go_game *game, unsigned *row, unsigned *col) {
    const struct go_board *board = &game->board;
    unsigned size = board->size;
    for (unsigned at = *row * size + *col; at < size * size; at++) {
        uint16_t point = go_board_point(board, at / size, at % size);
        if (board->color[point] == GO_EMPTY || board->chain[board->head[point]].pseudo_liberties != 0)
            continue;
        bool first = true;
        for (uint16_t stone = board->next[point]; stone != point; stone = board->next[stone])
            first = first && board->bit[stone] > board->bit[point];
        if (first) {
            *row = at / size;
            *col = at % size;
            return true;
        }
    }
    return false;
}

/* The colour that is part of a position's identity, when `color` leaves it. */
static uint8_t identity_of(const struct go_game *game, uint8_t color) {
    return game->rules.ko == GO_KO_SITUATIONAL ? color : 0;
}

static enum go_color other(uint8_t color) { return color == GO_BLACK ? GO_WHITE : GO_BLACK; }

/* Remember the board as it stands, left by `color`. */
static bool remember_board(struct go_game *game, uint8_t color) {
    const struct go_board *board = &game->board;
    struct go_entry entry = {board->hash, game->moves, identity_of(game, color)};
    return go_history_add(&game->history, &entry, board->stones[0].word, board->stones[1].word);
}

/* When did the position with this hash, left by `color`, stand first? It is what `placement` gives, or the board as it
 * stands when that is NULL. NULL: never. */
static const struct go_entry *find_earlier(struct go_game *game, uint64_t hash, uint8_t color,
                                           const struct go_placement *placement) {
    struct go_search search = go_history_search(&game->history, hash, identity_of(game, color));
    const struct go_entry *entry = go_history_next(&game->history, &search);
    if (entry == NULL)
        return NULL;
    if (placement != NULL)
        go_board_preview(&game->board, placement, game->preview);
    else
        go_board_copy_stones(&game->board, game->preview);
    while (entry != NULL && !go_history_is(&game->history, entry, game->preview))
        entry = go_history_next(&game->history, &search);
    return entry;
}

/* A pass leaves the position again, which situational superko remembers; and it lifts a simple ko. */
static enum outcome pass(struct go_game *game, uint8_t color) {
    game->before.forbidden = false;
    if (game->rules.ko != GO_KO_SITUATIONAL || find_earlier(game, game->board.hash, color, NULL) != NULL)
        return DONE;
    return remember_board(game, color) ? DONE : NO_MEMORY;
}

/* Would `placement` give a position that the rule forbids? Then since which move. */
static bool is_repetition(struct go_game *game, const struct go_placement *placement, uint32_t *ret_repeats) {
    const struct go_board *board = &game->board;
    switch (game->rules.ko) {
    case GO_KO_NONE:
        return false;
    case GO_KO_SIMPLE:
        if (!game->before.forbidden || game->before.hash != placement->hash)
            return false;
        go_board_preview(board, placement, game->preview);
        *ret_repeats = game->before.stood_after;
        return memcmp(game->preview, game->before.stones[0].word, board->words * sizeof *game->preview) == 0 &&
               memcmp(game->preview + board->words, game->before.stones[1].word,
                      board->words * sizeof *game->preview) == 0;
    case GO_KO_POSITIONAL:
    case GO_KO_SITUATIONAL:
        break;
    }
    const struct go_entry *entry = find_earlier(game, placement->hash, placement->color, placement);
    if (entry != NULL)
        *ret_repeats = entry->move;
    return entry != NULL;
}

enum outcome go_game_play(struct go_game *game, struct go_move move, struct work *work, struct go_reply *ret_reply) {
    if (!work_charge(work, 6))
        return OUT_OF_WORK;
    if (game->moves == 0 && keeps_history(game) && !remember_board(game, other(move.color)))
        return NO_MEMORY;
    game->moves++;
    *ret_reply = (struct go_reply){.miss = GO_PLAYED};
    if (move.row == GO_PASS)
        return pass(game, move.color);
    uint16_t point = go_board_point(&game->board, move.row, move.col);
    if (game->board.color[point] != GO_EMPTY) {
        ret_reply->miss = GO_MISS_OCCUPIED;
        return DONE;
    }
    struct go_placement placement = go_board_consider(&game->board, point, move.color);
    if (placement.suicide && !game->rules.suicide) {
        ret_reply->miss = GO_MISS_SUICIDE;
        return DONE;
    }
    if (is_repetition(game, &placement, &ret_reply->repeats)) {
        ret_reply->miss = GO_MISS_REPETITION;
        return DONE;
    }
    if (game->rules.ko == GO_KO_SIMPLE) {
        game->before.forbidden = true;
        game->before.hash = game->board.hash;
        memcpy(game->before.stones, game->board.stones, sizeof game->before.stones);
        game->before.stood_after = game->before.last_stone;
        game->before.last_stone = game->moves;
    }
    bool takes = placement.captures != 0 || placement.suicide;
    enum go_color taker = placement.suicide ? other(move.color) : move.color;
    struct go_stones *victims = &game->board.stones[other((uint8_t)taker) - GO_BLACK];
    if (takes)
        game->gone = *victims;
    if (placement.suicide)
        go_flip_bit(game->gone.word, game->board.bit[point]);
    ret_reply->gone = go_board_place(&game->board, &placement);
    for (unsigned w = 0; takes && w < game->board.words; w++)
        game->gone.word[w] &= ~victims->word[w];
    game->prisoners[taker - GO_BLACK] += ret_reply->gone;
    return keeps_history(game) && !remember_board(game, move.color) ? NO_MEMORY : DONE;
}

bool go_game_gone(const struct go_game *game, unsigned row, unsigned col) {
    unsigned bit = row * game->board.size + col;
    return game->gone.word[bit / 64] >> bit % 64 & 1;
}

unsigned go_game_size(const struct go_game *game) { return game->board.size; }

enum go_color go_game_at(const struct go_game *game, unsigned row, unsigned col) {
    return game->board.color[go_board_point(&game->board, row, col)];
}

uint32_t go_game_prisoners(const struct go_game *game, enum go_color color) {
    return game->prisoners[color - GO_BLACK];
}

#ifdef GO_CHECKS
bool go_game_is_consistent(const struct go_game *game) { return go_board_is_consistent(&game->board); }
#endif
