/* The engine judges the moves while they are drawn, because it knows which points are empty, and which moves are legal.
 * Its rules are the default ones. */
#include "api/go/make.h"

#include "api/go/case.h"
#include "go/game.h"

#include <stdio.h>

enum { CONTEST_SIZE = 19, DEFAULT_MOVES = 100, STRAY = 16 /* with GO_MAKE_MOSTLY, one move in this many */ };

/* A game in the making. */
struct making {
    struct go_game *game;
    struct random *random;
    unsigned size;
    enum go_make_points points;
    enum go_color color;       /* to move next */
    uint16_t empty[GO_POINTS]; /* scratch: empty points that were not tried yet */
};

/* List the empty points. Returns their number. */
static unsigned list_empty(struct making *making) {
    unsigned count = 0;
    for (unsigned point = 0; point < making->size * making->size; point++)
        if (go_game_at(making->game, point / making->size, point % making->size) == GO_EMPTY)
            making->empty[count++] = (uint16_t)point;
    return count;
}

/* Play on a point. */
static enum outcome play(struct making *making, unsigned point, struct go_move *ret_move, bool *ret_played) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_move move = {(uint8_t)making->color, (uint8_t)(point / making->size), (uint8_t)(point % making->size)};
    struct go_reply reply;
    enum outcome outcome = go_game_play(making->game, move, &work, &reply);
    if (outcome == OUTCOME_DONE) {
        *ret_move = move;
        *ret_played = reply.miss == GO_PLAYED;
    }
    return outcome;
}

/* Try the empty points in random order until a move is legal. *ret_played is false if none is. */
static enum outcome play_legal(struct making *making, struct go_move *ret_move, bool *ret_played) {
    unsigned left = list_empty(making);
    enum outcome outcome = OUTCOME_DONE;
    *ret_played = false;
    while (left != 0 && outcome == OUTCOME_DONE && !*ret_played) {
        unsigned drawn = random_below(making->random, left);
        outcome = play(making, making->empty[drawn], ret_move, ret_played);
        making->empty[drawn] = making->empty[--left];
    }
    return outcome;
}

/* Play on a point that is chosen without regard to whether the move is legal. */
static enum outcome play_somewhere(struct making *making, struct go_move *ret_move) {
    bool stray =
        making->points == GO_MAKE_ANY || (making->points == GO_MAKE_MOSTLY && random_below(making->random, STRAY) == 0);
    unsigned empty = stray ? 0 : list_empty(making);
    unsigned point = empty != 0 ? making->empty[random_below(making->random, empty)]
                                : random_below(making->random, making->size * making->size);
    bool unused;
    return play(making, point, ret_move, &unused);
}

enum outcome go_make_moves(unsigned size, enum go_make_points points, size_t count, struct random *random,
                           struct arena *arena, struct go_move *ret_moves, size_t *ret_count) {
    struct making making = {.random = random, .size = size, .points = points, .color = GO_BLACK};
    struct work work = {.left = WORK_UNBOUNDED};
    const struct go_rules rules = {GO_KO_POSITIONAL, false};
    enum outcome outcome = go_game_new(size, rules, count, 0, arena, &work, &making.game);
    bool goes_on = true;
    size_t made = 0;
    while (outcome == OUTCOME_DONE && made < count) {
        outcome = points == GO_MAKE_LEGAL ? play_legal(&making, &ret_moves[made], &goes_on)
                                          : play_somewhere(&making, &ret_moves[made]);
        if (!goes_on)
            break;
        made++;
        making.color = go_opponent(making.color);
    }
    *ret_count = made;
    return outcome;
}

static void set_defaults(struct maker_order *order) {
    if (order->size == MAKER_UNSET)
        order->size = CONTEST_SIZE;
    if (order->moves == MAKER_UNSET)
        order->moves = DEFAULT_MOVES;
}

static uint64_t size_of(const struct maker_order *order) { return order->moves; }

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    bool fits = format != FORMAT_TEXT || order->size == CONTEST_SIZE;
    if (!fits)
        snprintf(ret_message, MAKER_MESSAGE,
                 "in contest format, boards are 19 x 19; use --to ndjson or --to sgf with "
                 "--size");
    return fits;
}

/* Append a game as SGF, twelve moves to a line. */
static void put_record(struct buffer *out, unsigned size, const struct go_move *moves, size_t count) {
    buffer_printf(out, "(;FF[4]GM[1]SZ[%u]", size);
    for (size_t m = 0; m < count; m++)
        buffer_printf(out, "%s;%c[%c%c]", m % 12 == 0 ? "\n" : "", moves[m].color == GO_BLACK ? 'B' : 'W',
                      'a' + moves[m].col, 'a' + moves[m].row);
    buffer_put_literal(out, ")\n");
}

static void put_json(struct buffer *out, unsigned size, const struct go_move *moves, size_t count) {
    buffer_printf(out, "{\"size\":%u,\"moves\":[", size);
    for (size_t m = 0; m < count; m++)
        buffer_printf(out, "%s[\"%c\",%u,%u]", m == 0 ? "" : ",", moves[m].color == GO_BLACK ? 'B' : 'W', moves[m].row,
                      moves[m].col);
    buffer_put_literal(out, "]}\n");
}

static void put_text(struct buffer *out, const struct go_move *moves, size_t count) {
    buffer_printf(out, "%zu\n", count);
    for (size_t m = 0; m < count; m++)
        buffer_printf(out, "%c %u %u\n", moves[m].color == GO_BLACK ? 'B' : 'W', moves[m].row + 1u, moves[m].col + 1u);
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    unsigned size = (unsigned)order->size;
    size_t count = (size_t)order->moves;
    struct go_move *moves = arena_array(arena, count, sizeof *moves);
    if (moves == NULL)
        return OUTCOME_NO_MEMORY;
    enum outcome outcome =
        go_make_moves(size, order->legal ? GO_MAKE_LEGAL : GO_MAKE_MOSTLY, count, random, arena, moves, &count);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (format == FORMAT_TEXT)
        put_text(out, moves, count);
    else if (format == FORMAT_SGF)
        put_record(out, size, moves, count);
    else
        put_json(out, size, moves, count);
    return out->outcome;
}

static const char *const options[] = {"size", "moves", "legal", NULL};

const struct game_maker go_maker = {
    .options = options,
    .set_defaults = set_defaults,
    .check = check,
    .size_of = size_of,
    .text_head = "",
    .make = make,
};
