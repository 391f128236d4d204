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
    assert_int_equal(go_game_new(size, rules, 0, &table->arena, &work, &table->game), WORK_DONE);
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
    /* Up to four tries for an empty point: half of all moves on occupied ones would teach little. */
    for (unsigned tries = reference_random_below(random, 4); tries < 4; tries++) {
        unsigned row = corner % (size - window + 1) + reference_random_below(random, window);
        unsigned col = corner / 1000 % (size - window + 1) + reference_random_below(random, window);
        point = row * size + col;
        if (table->model->board[point] == '.')
            break;
    }
    return point;
}
