/* Starting positions in Go: which are legal, and which chains have no liberties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/game.h"
#include "go/tables.h"
#include "reference/scale.h"

#include <string.h>

/* Make an empty game that is used only for its board, without any moves. */
static struct go_game *new_board(unsigned size, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    arena_reset(arena);
    assert_int_equal(go_game_new(size, (struct go_rules){.ko = GO_KO_POSITIONAL}, 0, 0, arena, &work, &game),
                     OUTCOME_DONE);
    return game;
}

static unsigned count_legal_boards(unsigned size) {
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    unsigned points = size * size, boards = 1, legal = 0;
    for (unsigned i = 0; i < points; i++)
        boards *= 3;
    for (unsigned board = 0; board < boards; board++) {
        struct go_game *game = new_board(size, &arena);
        unsigned digits = board;
        for (unsigned point = 0; point < points; point++, digits /= 3) {
            if (digits % 3 != 0)
                go_game_set_up(game, point / size, point % size, digits % 3 == 1 ? GO_BLACK : GO_WHITE);
        }
        uint16_t first[GO_MAX_SIZE * GO_MAX_SIZE];
        legal += go_game_find_without_liberty(game, first) == 0;
    }
    arena_clear(&arena);
    return legal;
}

static void the_legal_positions_of_small_boards_are_as_many_as_is_known(void **state) {
    (void)state;
    assert_int_equal(count_legal_boards(1), 1);
    assert_int_equal(count_legal_boards(2), 57);
    assert_int_equal(count_legal_boards(3), 12675);
}

/* Check that exactly the chains without liberties are found, each by its first stone in row-major order. */
static void compare_chains_without_liberties(unsigned size, const char *stones, const struct go_game *game,
                                             unsigned *found_chains) {
    char left[GO_MAX_SIZE * GO_MAX_SIZE];
    memcpy(left, stones, (size_t)size * size);
    uint16_t first[GO_MAX_SIZE * GO_MAX_SIZE];
    unsigned count = go_game_find_without_liberty(game, first), next = 0;
    for (unsigned point = 0; point < size * size; point++) {
        if (left[point] == '.')
            continue;
        bool lacks = !reference_go_has_liberty(size, stones, point / size, point % size);
        reference_go_take_off(size, left, point / size, point % size);
        if (!lacks)
            continue;
        if (next == count || first[next++] != point)
            fail_msg("size %u, %.*s: the chain of point %u has no liberty and was not found", size, (int)(size * size),
                     stones, point);
        (*found_chains)++;
    }
    if (next != count)
        fail_msg("size %u, %.*s: no chain without liberties begins at %u", size, (int)(size * size), stones,
                 first[next]);
}

static void chains_without_liberties_are_found_in_order(void **state) {
    (void)state;
    unsigned boards = reference_scale_is_quick() ? 100 : 5000, found_chains = 0;
    struct reference_random random = {361};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < boards; i++) {
        bool large = i % 50 == 0;
        unsigned size = large ? 19 + reference_random_below(&random, 7) : 1 + reference_random_below(&random, 9);
        unsigned percent = 60 + reference_random_below(&random, 41);
        char stones[GO_MAX_SIZE * GO_MAX_SIZE];
        struct go_game *game = new_board(size, &arena);
        /* Stones are placed in strides across the board, not in row-major order. */
        unsigned stride = size % 7 != 0 ? 7 : 5;
        for (unsigned k = 0, point = 0; k < size * size; k++, point = (point + stride) % (size * size)) {
            stones[point] = random_point(percent, &random);
            if (stones[point] != '.')
                go_game_set_up(game, point / size, point % size, color_of(stones[point]));
        }
        compare_chains_without_liberties(size, stones, game, &found_chains);
    }
    arena_clear(&arena);
    print_message("%u chains without liberties found\n", found_chains);
    assert_int_equal(found_chains, reference_scale_is_quick() ? 319 : 15801);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_legal_positions_of_small_boards_are_as_many_as_is_known),
        cmocka_unit_test(chains_without_liberties_are_found_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
