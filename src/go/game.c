#include "go/game.h"

#include "base/assert.h"
#include "go/board.h"
#include "go/history.h"

#include <stddef.h>
#include <string.h>

/* The state that changes with each move, apart from the board and the history. */
struct state {
    uint32_t steps; /* moves and changes of the board so far */
    uint32_t moves; /* moves played so far, including misses and passes */
    uint32_t prisoners[2];
    uint32_t last_stone; /* number of the last stone's move, or of the move before the last change; 0 if none */
    /* Part of the identity of positions, in steps of 4. Positions of an earlier era do not count, but are still there,
     * because steps may be taken back. */
    uint32_t era;
    uint8_t mover; /* see go_game_mover */
    uint8_t last;  /* who made the last move, even if it was a miss */
};

/* A place where lines branch off, and what it takes to return to it. */
struct branch {
    struct branch *below; /* the branch before it */
    struct state state;
    uint32_t lines;   /* how many lines branch off here */
    size_t positions; /* how many were in the history */
    struct go_stones stones;
};

struct go_game {
    struct go_rules rules;
    struct state now;
    struct arena *arena;
    struct branch *branches, *spare; /* the last branch that has not been returned to, and memory of others */
    /* The positions that must not be repeated. Under GO_KO_SIMPLE that is only the one before the last stone, or none
     * if a pass has lifted the ko. Not used under GO_KO_NONE. */
    struct go_history history;
    struct go_stones preview;               /* a position to compare with candidates */
    uint64_t captured_stones[GO_SET_WORDS]; /* the stones captured by the last move; valid only if it captured any */
    struct go_board board;
};

/* Does the ko rule forbid repeating any earlier position? */
static bool has_superko(const struct go_game *game) {
    return game->rules.ko == GO_KO_POSITIONAL || game->rules.ko == GO_KO_SITUATIONAL;
}

enum outcome go_game_new(unsigned size, struct go_rules rules, size_t expected, uint64_t hash_seed, struct arena *arena,
                         struct work *work, struct go_game **ret_game) {
    if (!work_charge(work, 50 + size * size / 8))
        return work_failure(work);
    struct go_game *game = arena_alloc(arena, sizeof *game);
    if (game == NULL)
        return OUTCOME_NO_MEMORY;
    memset(game, 0, offsetof(struct go_game, preview));
    game->rules = rules;
    game->arena = arena;
    go_board_init(&game->board, size, hash_seed);
    if (rules.ko != GO_KO_NONE &&
        !go_history_init(&game->history, (size_t)2 * game->board.words, has_superko(game) ? expected : 1, arena))
        return OUTCOME_NO_MEMORY;
    *ret_game = game;
    return OUTCOME_DONE;
}

void go_game_set_up(struct go_game *game, unsigned row, unsigned col, enum go_color color) {
    ASSERT(game->now.moves == 0);
    go_board_put(&game->board, go_board_point(&game->board, row, col), color);
}

unsigned go_game_find_without_liberty(const struct go_game *game, uint16_t *ret_first) {
    const struct go_board *board = &game->board;
    bool seen[GO_BORDERED] = {false}; /* by chain number */
    unsigned count = 0;
    for (unsigned at = 0; at < board->size * board->size; at++) {
        uint16_t point = go_board_point(board, at / board->size, at % board->size),
                 chain = go_board_chain(board, point);
        if (go_board_at(board, point) == GO_EMPTY || board->pseudo_liberties[chain] != 0 || seen[chain])
            continue;
        seen[chain] = true;
        ret_first[count++] = (uint16_t)at;
    }
    return count;
}

/* Get the identity of a position left by `color`, which counts only under situational superko. */
static uint32_t identity_of(const struct go_game *game, unsigned color) {
    return game->now.era | (game->rules.ko == GO_KO_SITUATIONAL ? color : 0);
}

/* Forget all positions so far. */
static void forget(struct go_game *game) {
    if (game->branches == NULL)
        go_history_cut(&game->history, 0);
    else
        game->now.era += 4;
}

/* Find, among the candidates from `entry` on, the one whose stones are those after `placement` or, if that is NULL,
 * those on the board. Returns NULL if there is none. Each further candidate is charged, because there can be as many
 * candidates as positions. It is rarely called, so it is not inlined, which saves 8 % of a game's instructions. */
__attribute__((noinline)) static enum outcome
compare_candidates(struct go_game *game, const struct go_history_entry *entry, const struct go_placement *placement,
                   struct go_history_search *search, struct work *work, const struct go_history_entry **ret_repeated) {
    if (placement != NULL)
        go_board_preview(&game->board, placement, &game->preview);
    else
        game->preview = game->board.stones;
    size_t bytes = game->history.words * sizeof *entry->stones;
    while (entry != NULL && memcmp(entry->stones, game->preview.word, bytes) != 0) {
        if (!work_charge(work, 1))
            return work_failure(work);
        entry = go_history_search_next(&game->history, search);
    }
    *ret_repeated = entry;
    return OUTCOME_DONE;
}

/* Search the history for the position after `placement` or, if that is NULL, the board's position, as left by `color`.
 * `hash` is the position's hash. Returns NULL if it is not there; the search can then add it. It is always inlined,
 * which saves 3 % of a game's instructions. */
__attribute__((always_inline)) static inline enum outcome
find_repetition(struct go_game *game, uint64_t hash, unsigned color, const struct go_placement *placement,
                struct work *work, struct go_history_search *ret_search, const struct go_history_entry **ret_repeated) {
    go_history_search_begin(&game->history, hash, identity_of(game, color), ret_search);
    *ret_repeated = go_history_search_next(&game->history, ret_search);
    return *ret_repeated == NULL ? OUTCOME_DONE
                                 : compare_candidates(game, *ret_repeated, placement, ret_search, work, ret_repeated);
}

/* Add the board's position, which the search has not found, to the history, as the position after move number
 * `move`. */
static enum outcome remember_board(struct go_game *game, const struct go_history_search *search, uint32_t move) {
    uint64_t *stones = go_history_add(&game->history, search, move);
    if (stones == NULL)
        return OUTCOME_NO_MEMORY;
    memcpy(stones, game->board.stones.word, game->board.words * sizeof *game->board.stones.word);
    return OUTCOME_DONE;
}

/* `color` leaves the board's position: add it to the history unless it is already there. This happens at the start,
 * when the board is changed, and for a pass under situational superko. */
static enum outcome leave_board(struct go_game *game, unsigned color, struct work *work) {
    struct go_history_search search;
    const struct go_history_entry *repeated;
    enum outcome outcome = find_repetition(game, game->board.hash, color, NULL, work, &search, &repeated);
    return outcome != OUTCOME_DONE || repeated != NULL ? outcome : remember_board(game, &search, game->now.moves);
}

/* ---- branches ---- */

enum outcome go_game_branch(struct go_game *game) {
    struct branch *top = game->branches, *branch = game->spare;
    if (top != NULL && top->state.steps == game->now.steps) {
        top->lines++;
        return OUTCOME_DONE;
    }
    if (branch != NULL)
        game->spare = branch->below;
    else if ((branch = arena_alloc(game->arena, sizeof *branch)) == NULL)
        return OUTCOME_NO_MEMORY;
    *branch = (struct branch){top, game->now, 1, game->history.count, game->board.stones};
    game->branches = branch;
    return OUTCOME_DONE;
}

/* Make the stones those of an earlier position. The board is rebuilt, because removing a stone can split its chain. */
static void restore_stones(struct go_board *board, const struct go_stones *then) {
    go_board_init(board, board->size, board->hash_seed);
    for (unsigned k = 0; k < 2 * board->words; k++)
        for (uint64_t left = then->word[k / 2][k % 2]; left != 0; left &= left - 1) {
            unsigned bit = k / 2 * 64 + (unsigned)__builtin_ctzll(left);
            go_board_put(board, (uint16_t)(bit + board->stride + 1), GO_BLACK + k % 2);
        }
}

enum outcome go_game_return(struct go_game *game, struct work *work) {
    struct branch *branch = game->branches;
    ASSERT(branch != NULL);
    uint64_t units = 3;
    if (game->now.steps != branch->state.steps) {
        restore_stones(&game->board, &branch->stones);
        units = 50 + game->board.size * game->board.size / 2 + 3 * (uint64_t)(game->now.steps - branch->state.steps);
    }
    go_history_cut(&game->history, branch->positions);
    game->now = branch->state;
    if (--branch->lines == 0) {
        game->branches = branch->below;
        branch->below = game->spare;
        game->spare = branch;
    }
    return work_charge(work, units) ? OUTCOME_DONE : work_failure(work);
}

/* ---- changes and moves ---- */

/* The board is rebuilt from its points, because removing a stone can split its chain. Changes are rare. */
enum outcome go_game_change(struct go_game *game, const uint8_t *points, enum go_color color, struct work *work) {
    struct go_board *board = &game->board;
    unsigned size = board->size;
    if (!work_charge(work, 50 + 2 * size * size))
        return work_failure(work);
    game->now.steps++;
    game->now.last_stone = game->now.moves;
    go_board_init(board, size, board->hash_seed);
    for (unsigned at = 0; at < size * size; at++)
        if (points[at] != GO_EMPTY)
            go_board_put(board, go_board_point(board, at / size, at % size), points[at]);
    forget(game);
    unsigned leaver = color != GO_EMPTY ? color : game->now.last;
    return has_superko(game) && game->now.moves != 0 ? leave_board(game, leaver, work) : OUTCOME_DONE;
}

/* Play a pass. Under situational superko, `color` leaves the position again; under simple ko, the pass lifts the ko. */
static enum outcome play_pass(struct go_game *game, unsigned color, struct work *work) {
    if (game->rules.ko == GO_KO_SIMPLE)
        forget(game);
    return game->rules.ko == GO_KO_SITUATIONAL ? leave_board(game, color, work) : OUTCOME_DONE;
}

/* Under simple ko, forbid the board's current position, before a stone is placed: it is the only one that the next move
 * must not restore. */
static enum outcome forbid_board(struct go_game *game) {
    struct go_history_search search;
    uint32_t after_move = game->now.last_stone;
    game->now.last_stone = game->now.moves;
    forget(game);
    go_history_search_begin(&game->history, game->board.hash, identity_of(game, GO_EMPTY), &search);
    while (go_history_search_next(&game->history, &search) != NULL) /* there is none in this era */
        continue;
    return remember_board(game, &search, after_move);
}

/* Place the stone that was tried, count prisoners, and record which stones were captured. */
static void place_stone(struct go_game *game, const struct go_placement *placement, struct go_reply *reply) {
    struct go_board *board = &game->board;
    if (placement->captured == 0 && !placement->suicide) {
        go_board_place(board, placement);
        return;
    }
    enum go_color taker = placement->suicide ? go_opponent(placement->color) : placement->color;
    unsigned victim = go_opponent(taker) - GO_BLACK, own = go_board_bit(board, placement->point);
    for (unsigned w = 0; w < board->words; w++)
        game->captured_stones[w] = board->stones.word[w][victim];
    if (placement->suicide)
        game->captured_stones[own / 64] |= (uint64_t)1 << own % 64;
    reply->captured = go_board_place(board, placement);
    for (unsigned w = 0; w < board->words; w++)
        game->captured_stones[w] &= ~board->stones.word[w][victim];
    game->now.prisoners[taker - GO_BLACK] += reply->captured;
}

/* Play a stone on an empty point, unless the rules forbid it. */
static enum outcome play_stone(struct go_game *game, uint16_t point, unsigned color, struct work *work,
                               struct go_reply *reply) {
    struct go_board *board = &game->board;
    struct go_placement placement;
    struct go_history_search search;
    enum outcome outcome = OUTCOME_DONE;
    go_board_touch(board, point, color, &placement);
    if (placement.suicide && !game->rules.suicide) {
        reply->miss = GO_MISS_SUICIDE;
    } else if (game->rules.ko != GO_KO_NONE) {
        const struct go_history_entry *repeated = NULL;
        outcome = find_repetition(game, placement.hash, color, &placement, work, &search, &repeated);
        reply->repeated = repeated != NULL;
        if (reply->repeated) {
            reply->repeats = repeated->move;
            reply->miss = game->rules.reports_repetition ? GO_PLAYED : GO_MISS_REPETITION;
        }
    }
    if (reply->miss != GO_PLAYED || outcome != OUTCOME_DONE) {
        go_board_withdraw(board, &placement);
        return outcome;
    }
    if (game->rules.ko == GO_KO_SIMPLE)
        outcome = forbid_board(game);
    place_stone(game, &placement, reply);
    /* A position that is repeated is already there. */
    return has_superko(game) && !reply->repeated ? remember_board(game, &search, game->now.moves) : outcome;
}

enum outcome go_game_play(struct go_game *game, struct go_move move, struct work *work, struct go_reply *ret_reply) {
    ASSERT(move.color == GO_BLACK || move.color == GO_WHITE);
    ASSERT(move.row == GO_PASS || (move.row < game->board.size && move.col < game->board.size));
    if (!work_charge(work, 6))
        return work_failure(work);
    enum outcome outcome = OUTCOME_DONE;
    if (game->now.moves == 0 && has_superko(game))
        outcome = leave_board(game, go_opponent(move.color), work);
    if (outcome != OUTCOME_DONE)
        return outcome;
    game->now.steps++;
    game->now.moves++;
    *ret_reply = (struct go_reply){.miss = GO_PLAYED};
    uint16_t point = move.row != GO_PASS ? go_board_point(&game->board, move.row, move.col) : 0;
    if (move.row == GO_PASS)
        outcome = play_pass(game, move.color, work);
    else if (go_board_at(&game->board, point) == GO_EMPTY)
        outcome = play_stone(game, point, move.color, work, ret_reply);
    else
        ret_reply->miss = GO_MISS_OCCUPIED;
    game->now.last = move.color;
    if (ret_reply->miss == GO_PLAYED)
        game->now.mover = move.color;
    return outcome;
}

/* Judge a stone on an empty point. */
static enum outcome judge_point(struct go_game *game, uint16_t point, unsigned color, struct work *work,
                                uint8_t *ret_point) {
    struct go_placement placement;
    struct go_history_search search;
    const struct go_history_entry *repeated = NULL;
    enum outcome outcome = OUTCOME_DONE;
    go_board_touch(&game->board, point, color, &placement);
    bool suicide = placement.suicide && !game->rules.suicide;
    if (!suicide && game->rules.ko != GO_KO_NONE && !game->rules.reports_repetition)
        outcome = find_repetition(game, placement.hash, color, &placement, work, &search, &repeated);
    go_board_withdraw(&game->board, &placement);
    *ret_point = suicide ? GO_LEGALITY_SUICIDE : repeated != NULL ? GO_LEGALITY_REPETITION : GO_EMPTY;
    return outcome;
}

enum outcome go_game_legal(struct go_game *game, enum go_color color, struct work *work, uint8_t *ret_points,
                           unsigned *ret_count) {
    const struct go_board *board = &game->board;
    unsigned size = board->size, count = 0;
    ASSERT(color == GO_BLACK || color == GO_WHITE);
    if (!work_charge(work, 10 + 3 * size * size))
        return work_failure(work);
    enum outcome outcome = OUTCOME_DONE;
    if (game->now.moves == 0 && has_superko(game))
        outcome = leave_board(game, go_opponent(color), work);
    for (unsigned at = 0; at < size * size && outcome == OUTCOME_DONE; at++) {
        uint16_t point = go_board_point(board, at / size, at % size);
        ret_points[at] = (uint8_t)go_board_at(board, point);
        if (ret_points[at] == GO_EMPTY)
            outcome = judge_point(game, point, color, work, &ret_points[at]);
        count += ret_points[at] == GO_EMPTY;
    }
    *ret_count = count;
    return outcome;
}

/* Write the members of a set of points (the bits go_board_bit) as row * size + col, and return their number. */
static unsigned list_points(const struct go_board *board, const uint64_t *set, uint16_t *ret_points) {
    unsigned count = 0;
    for (unsigned w = 0; w < board->words; w++)
        for (uint64_t left = set[w]; left != 0; left &= left - 1) {
            unsigned bit = 64 * w + (unsigned)__builtin_ctzll(left);
            ret_points[count++] = (uint16_t)(bit - bit / board->stride);
        }
    return count;
}

void go_game_chain(const struct go_game *game, unsigned row, unsigned col, struct go_chain *ret_chain) {
    const struct go_board *board = &game->board;
    uint64_t stones[GO_SET_WORDS] = {0}, liberties[GO_SET_WORDS] = {0};
    uint16_t start = go_board_point(board, row, col), stone = start;
    ASSERT(go_board_at(board, start) != GO_EMPTY);
    do {
        uint16_t around[4];
        go_board_neighbours(board, stone, around);
        stones[go_board_bit(board, stone) / 64] |= (uint64_t)1 << go_board_bit(board, stone) % 64;
        for (int i = 0; i < 4; i++)
            if (go_board_at(board, around[i]) == GO_EMPTY)
                liberties[go_board_bit(board, around[i]) / 64] |= (uint64_t)1 << go_board_bit(board, around[i]) % 64;
    } while ((stone = board->next[stone]) != start);
    ret_chain->color = go_board_at(board, start);
    ret_chain->stone_count = list_points(board, stones, ret_chain->stones);
    ret_chain->liberty_count = list_points(board, liberties, ret_chain->liberties);
}

unsigned go_game_captured(const struct go_game *game, uint16_t *ret_points) {
    return list_points(&game->board, game->captured_stones, ret_points);
}

const struct go_board *go_game_board(const struct go_game *game) { return &game->board; }

unsigned go_game_size(const struct go_game *game) { return game->board.size; }

uint32_t go_game_moves(const struct go_game *game) { return game->now.moves; }

enum go_color go_game_mover(const struct go_game *game) { return (enum go_color)game->now.mover; }

enum go_color go_game_at(const struct go_game *game, unsigned row, unsigned col) {
    return go_board_at(&game->board, go_board_point(&game->board, row, col));
}

void go_game_letters(const struct go_game *game, unsigned row, const char *letters, char *ret_row) {
    const struct go_board *board = &game->board;
    uint16_t first = go_board_point(board, row, 0);
    const char color[] = {letters[GO_EMPTY], letters[GO_BLACK], letters[GO_WHITE]};
    for (unsigned col = 0; col < board->size; col++)
        ret_row[col] = color[go_board_at(board, (uint16_t)(first + col))];
}

uint32_t go_game_prisoners(const struct go_game *game, enum go_color color) {
    return game->now.prisoners[color - GO_BLACK];
}
