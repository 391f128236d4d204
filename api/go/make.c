/* The engine judges the moves while they are drawn, because it knows which points are empty, and which moves are
 * legal. */
#include "api/go/make.h"

#include "go/game.h"

#include <stdio.h>

enum { CONTEST_SIZE = 19, STRAY = 16 /* one move in this many is on any point */ };

/* List the empty points of a board. Returns their number. */
static unsigned list_empty(const struct go_game *game, unsigned size, uint16_t ret_points[GO_POINTS]) {
    unsigned count = 0;
    for (unsigned point = 0; point < size * size; point++)
        if (go_game_at(game, point / size, point % size) == GO_EMPTY)
            ret_points[count++] = (uint16_t)point;
    return count;
}

/* Draw and play a move. If it must be legal, the empty points are tried in random order, until there are none left:
 * then *ret_played is false. */
static enum outcome play(struct go_game *game, unsigned size, enum go_color color, bool legal, struct random *random,
                         struct go_move *ret_move, bool *ret_played) {
    uint16_t points[GO_POINTS];
    bool stray = !legal && random_below(random, STRAY) == 0;
    unsigned left = stray ? 0 : list_empty(game, size, points);
    for (*ret_played = false; !*ret_played && (left != 0 || !legal);) {
        struct work work = {.left = WORK_UNBOUNDED};
        struct go_reply reply;
        unsigned drawn = random_below(random, left != 0 ? left : size * size), point = drawn;
        if (left != 0) {
            point = points[drawn];
            points[drawn] = points[--left];
        }
        *ret_move = (struct go_move){(uint8_t)color, (uint8_t)(point / size), (uint8_t)(point % size)};
        enum outcome outcome = go_game_play(game, *ret_move, &work, &reply);
        if (outcome != OUTCOME_DONE)
            return outcome;
        *ret_played = !legal || reply.miss == GO_PLAYED;
    }
    return OUTCOME_DONE;
}

enum outcome go_make_moves(unsigned size, bool legal, size_t count, struct random *random, struct arena *arena,
                           struct go_move *ret_moves, size_t *ret_count) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    bool played = true;
    size_t made = 0;
    enum outcome outcome = go_game_new(size, (struct go_rules){.ko = GO_KO_POSITIONAL}, count, 0, arena, &work, &game);
    while (outcome == OUTCOME_DONE && played && made < count) {
        outcome = play(game, size, made % 2 == 0 ? GO_BLACK : GO_WHITE, legal, random, &ret_moves[made], &played);
        made += played;
    }
    *ret_count = made;
    return outcome;
}

static bool check(const struct maker_order *order, enum format format, char ret_message[MAKER_MESSAGE]) {
    snprintf(ret_message, MAKER_MESSAGE, "in contest format, boards are 19 x 19; use --to ndjson or sgf with --size");
    return format != FORMAT_TEXT || order->size == CONTEST_SIZE;
}

/* Append move number `m`, counted from 0. In SGF, there are twelve to a line. */
static void put_move(struct buffer *out, enum format format, struct go_move move, size_t m) {
    char color = move.color == GO_BLACK ? 'B' : 'W';
    if (format == FORMAT_TEXT)
        buffer_printf(out, "%c %u %u\n", color, move.row + 1u, move.col + 1u);
    else if (format == FORMAT_SGF)
        buffer_printf(out, "%s;%c[%c%c]", m % 12 == 0 ? "\n" : "", color, 'a' + move.col, 'a' + move.row);
    else
        buffer_printf(out, "%s[\"%c\",%u,%u]", m == 0 ? "" : ",", color, move.row, move.col);
}

static enum outcome make(const struct maker_order *order, enum format format, struct random *random,
                         struct arena *arena, struct buffer *out) {
    size_t count = (size_t)order->moves;
    struct go_move *moves = arena_array(arena, count, sizeof *moves);
    if (moves == NULL)
        return OUTCOME_NO_MEMORY;
    enum outcome outcome = go_make_moves((unsigned)order->size, order->legal, count, random, arena, moves, &count);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (format == FORMAT_TEXT)
        buffer_printf(out, "%zu\n", count);
    else
        buffer_printf(out, format == FORMAT_SGF ? "(;FF[4]GM[1]SZ[%u]" : "{\"size\":%u,\"moves\":[",
                      (unsigned)order->size);
    for (size_t m = 0; m < count; m++)
        put_move(out, format, moves[m], m);
    buffer_put_string(out, format == FORMAT_TEXT ? "" : format == FORMAT_SGF ? ")\n" : "]}\n");
    return out->outcome;
}

static const char *const options[] = {"size", "moves", "legal", NULL};

const struct game_maker go_maker = {.options = options,
                                    .defaults = {.size = CONTEST_SIZE, .moves = 100},
                                    .text_head = "",
                                    .check = check,
                                    .make = make};
