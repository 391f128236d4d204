#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/tables.h"

#include <stdlib.h>
#include <string.h>

char letter_of(enum go_color color) { return color == GO_BLACK ? 'B' : color == GO_WHITE ? 'W' : '.'; }

enum go_color color_of(char letter) { return letter == 'B' ? GO_BLACK : GO_WHITE; }

struct table *open_table(unsigned size, enum go_ko ko, bool suicide) {
    static const enum reference_go_ko model_ko[] = {
        [GO_KO_POSITIONAL] = REFERENCE_GO_POSITIONAL,
        [GO_KO_SITUATIONAL] = REFERENCE_GO_SITUATIONAL,
        [GO_KO_SIMPLE] = REFERENCE_GO_SIMPLE,
        [GO_KO_NONE] = REFERENCE_GO_NONE,
    };
    struct table *table = calloc(1, sizeof(*table));
    if (table == NULL)
        abort();
    table->size = size;
    struct work work = {.left = WORK_UNBOUNDED};
    arena_init(&table->arena, ARENA_NO_CAP);
    struct go_rules rules = {.ko = ko, .suicide = suicide};
    assert_int_equal(go_game_new(size, rules, 0, 0, &table->arena, &work, &table->game), OUTCOME_DONE);
    table->model = reference_go_new(size, model_ko[ko], suicide);
    return table;
}

void close_table(struct table *table) {
    arena_clear(&table->arena);
    reference_go_free(table->model);
    free(table);
}

void print_boards(const struct table *table) {
    print_error("the program's board and the model's, move %u:\n", table->model->moves);
    for (unsigned row = 0; row < table->size; row++) {
        char line[GO_MAX_SIZE + 1];
        for (unsigned col = 0; col < table->size; col++)
            line[col] = letter_of(go_game_at(table->game, row, col));
        line[table->size] = '\0';
        print_error("%s   %.*s\n", line, (int)table->size, table->model->board + (size_t)row * table->size);
    }
}

void compare_boards(const struct table *table) {
    bool same = go_game_prisoners(table->game, GO_BLACK) == table->model->white_prisoners &&
                go_game_prisoners(table->game, GO_WHITE) == table->model->black_prisoners;
    for (unsigned row = 0; row < table->size; row++) {
        for (unsigned col = 0; col < table->size; col++)
            same = same && letter_of(go_game_at(table->game, row, col)) == table->model->board[row * table->size + col];
    }
    if (same)
        return;
    print_boards(table);
    fail_msg("boards or prisoners differ: white %u and %u, black %u and %u", go_game_prisoners(table->game, GO_BLACK),
             table->model->white_prisoners, go_game_prisoners(table->game, GO_WHITE), table->model->black_prisoners);
}

/* Check that the program reports exactly those stones as captured that the model's move removed. Each of them must be
 * in `replayed`, from which it is removed. */
static void compare_gone(const struct table *table, struct go_move move, const struct go_reply *reply,
                         struct reference_go_reply expected, char *replayed) {
    uint16_t points[GO_POINTS];
    unsigned gone = 0, count = reply->captured != 0 ? go_game_captured(table->game, points) : 0;
    assert_int_equal(count, reply->captured);
    for (unsigned point = 0; point < table->size * table->size; point++) {
        unsigned row = point / table->size, col = point % table->size;
        bool right = reference_go_gone(table->model, row, col);
        bool said = gone < count && points[gone] == point;
        if (right != said) {
            print_boards(table);
            fail_msg("%c at %u, %u: the stone at %u, %u is %s", letter_of(move.color), move.row, move.col, row, col,
                     right ? "gone, and the program does not say so" : "not gone, and the program says so");
        }
        if (!said)
            continue;
        assert_int_not_equal(replayed[point], '.');
        replayed[point] = '.';
        gone++;
    }
    assert_int_equal(gone, expected.captured + expected.suicided);
    assert_int_equal(reply->captured, gone);
}

/* Make the move in the program, and compare it with the model's. The program's own boards before and after it may
 * differ only by the stone and the reported captures. */
static void compare_move(struct table *table, struct go_move move, struct reference_go_reply expected) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_reply reply = {0};
    char replayed[GO_MAX_SIZE * GO_MAX_SIZE];
    unsigned points = table->size * table->size;
    for (unsigned point = 0; point < points; point++)
        replayed[point] = letter_of(go_game_at(table->game, point / table->size, point % table->size));
    assert_int_equal(go_game_play(table->game, move, &work, &reply), OUTCOME_DONE);
    if (reply.miss != expected.code || (expected.code == GO_MISS_REPETITION && reply.repeats != expected.repeats)) {
        print_boards(table);
        fail_msg("%c at %u, %u (255: a pass): the program answers %u, repeats %u; right is %u, repeats %u",
                 letter_of(move.color), move.row, move.col, reply.miss, reply.repeats, expected.code, expected.repeats);
    }
    if (reply.miss == GO_PLAYED && move.row != GO_PASS)
        replayed[move.row * table->size + move.col] = letter_of(move.color);
    compare_gone(table, move, &reply, expected, replayed);
    compare_boards(table);
    if (memcmp(table->model->board, replayed, points) != 0) {
        print_boards(table);
        fail_msg("%c at %u, %u: the board is not the one before with the stone and without what is gone",
                 letter_of(move.color), move.row, move.col);
    }
}

struct reference_go_reply play(struct table *table, char color, unsigned row, unsigned col) {
    struct reference_go_reply reply = reference_go_play(table->model, color, row, col);
    struct go_move move = {.color = (uint8_t)color_of(color), .row = (uint8_t)row, .col = (uint8_t)col};
    compare_move(table, move, reply);
    return reply;
}

struct reference_go_reply pass(struct table *table, char color) {
    struct reference_go_reply reply = reference_go_pass(table->model, color);
    compare_move(table, (struct go_move){.color = (uint8_t)color_of(color), .row = GO_PASS}, reply);
    return reply;
}

void change(struct table *table, const char *stones, char color) {
    struct work work = {.left = WORK_UNBOUNDED};
    uint8_t points[GO_MAX_SIZE * GO_MAX_SIZE];
    for (unsigned point = 0; point < table->size * table->size; point++)
        points[point] = (uint8_t)(stones[point] == '.' ? GO_EMPTY : color_of(stones[point]));
    reference_go_change(table->model, stones, color);
    assert_int_equal(go_game_change(table->game, points, color_of(color), &work), OUTCOME_DONE);
    compare_boards(table);
}

void lay_stones(struct table *table, const char *stones) {
    assert_int_equal(strlen(stones), (size_t)table->size * table->size);
    for (unsigned point = 0; stones[point] != '\0'; point++) {
        unsigned row = point / table->size, col = point % table->size;
        if (stones[point] == '.')
            continue;
        go_game_set_up(table->game, row, col, color_of(stones[point]));
        reference_go_set_up(table->model, row, col, stones[point]);
    }
}

char random_point(unsigned percent_stones, struct reference_random *random) {
    if (!reference_random_chance(random, percent_stones))
        return '.';
    return reference_random_chance(random, 50) ? 'B' : 'W';
}

void lay_random_stones(struct table *table, struct reference_random *random) {
    char stones[GO_MAX_SIZE * GO_MAX_SIZE + 1] = {0};
    unsigned points = table->size * table->size;
    unsigned percent = 20 + reference_random_below(random, 75);
    for (unsigned point = 0; point < points; point++)
        stones[point] = random_point(percent, random);
    for (unsigned point = 0; point < points; point++) {
        unsigned row = point / table->size, col = point % table->size;
        if (stones[point] != '.' && !reference_go_has_liberty(table->size, stones, row, col))
            reference_go_take_off(table->size, stones, row, col);
    }
    lay_stones(table, stones);
}

unsigned choose_point(const struct table *table, const char *before, struct reference_random *random) {
    unsigned size = table->size, points = size * size;
    if (reference_random_chance(random, 40)) {
        for (unsigned point = 0; point < points; point++) {
            if (before[point] != '.' && table->model->board[point] == '.')
                return point;
        }
    }
    unsigned window = size < 7 ? size : 7;
    unsigned corner = table->model->moves / 60 * 2654435761u;
    unsigned point = 0;
    /* Try up to four times to find an empty point, because moves on occupied points test little. */
    for (unsigned tries = reference_random_below(random, 4); tries < 4; tries++) {
        unsigned row = corner % (size - window + 1) + reference_random_below(random, window);
        unsigned col = corner / 1000 % (size - window + 1) + reference_random_below(random, window);
        point = row * size + col;
        if (table->model->board[point] == '.')
            break;
    }
    return point;
}

void play_random_game(unsigned size, enum go_ko ko, bool suicide, bool with_set_up, unsigned moves,
                      struct reference_random *random, observer *observe, struct coverage *coverage) {
    struct table *table = open_table(size, ko, suicide);
    if (with_set_up)
        lay_random_stones(table, random);
    compare_boards(table);
    observe(table, NULL, false, coverage);
    char before[GO_MAX_SIZE * GO_MAX_SIZE];
    memcpy(before, table->model->board, (size_t)size * size);
    char color = reference_random_chance(random, 50) ? 'B' : 'W';
    for (unsigned move = 0; move < moves; move++) {
        if (reference_random_chance(random, 85))
            color = color == 'B' ? 'W' : 'B';
        if (reference_random_chance(random, 4)) {
            struct reference_go_reply reply = pass(table, color);
            observe(table, &reply, true, coverage);
            continue;
        }
        unsigned point = choose_point(table, before, random);
        memcpy(before, table->model->board, (size_t)size * size);
        struct reference_go_reply reply = play(table, color, point / size, point % size);
        observe(table, &reply, false, coverage);
    }
    observe(table, NULL, false, coverage);
    close_table(table);
}
