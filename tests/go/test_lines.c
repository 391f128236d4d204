/* Lines that branch off, are played and taken back: random trees, compared with a model that replays every line from
 * the start, and the costs of deep and of wide trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/game.h"
#include "go/tables.h"
#include "reference/scale.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 400, MAX_DEPTH = 60, PASS = 1000, CHANGE = 1001 };

/* A step of the line that is being played. */
struct step {
    unsigned point; /* row * size + col, or PASS, or CHANGE */
    char color;
    bool played;            /* it was not a miss */
    char stones[GO_POINTS]; /* after a change */
};

struct tree {
    struct table *table;
    struct reference_random *random;
    struct step steps[MAX_STEPS];
    unsigned step_count, moves; /* on the current line */
    unsigned branches[MAX_DEPTH], depth;
    enum go_ko ko;
    bool suicide;
    unsigned returns, repetitions, captures, suicides, changes; /* what was covered */
};

/* Change the model's board. Before the first move, it begins anew. */
static void change_model(struct tree *t, const char *stones, char color) {
    unsigned size = t->table->size;
    if (t->moves != 0) {
        reference_go_change(t->table->model, stones, color);
        return;
    }
    reference_go_free(t->table->model);
    t->table->model = reference_go_new(size, (enum reference_go_ko)t->ko, t->suicide);
    for (unsigned point = 0; point < size * size; point++)
        if (stones[point] != '.')
            reference_go_set_up(t->table->model, point / size, point % size, stones[point]);
}

/* Play the current line from its start, in a new model. */
static void replay(struct tree *t) {
    unsigned size = t->table->size;
    reference_go_free(t->table->model);
    t->table->model = reference_go_new(size, (enum reference_go_ko)t->ko, t->suicide);
    t->moves = 0;
    for (unsigned s = 0; s < t->step_count; s++) {
        const struct step *step = &t->steps[s];
        if (step->point == CHANGE)
            change_model(t, step->stones, step->color);
        else if (step->point == PASS)
            reference_go_pass(t->table->model, step->color);
        else
            reference_go_play(t->table->model, step->color, step->point / size, step->point % size);
        t->moves += step->point != CHANGE;
    }
}

/* The colour of the last move that was played; if none was, of the last move. */
static char mover_of(const struct tree *t) {
    char last = 0;
    for (unsigned s = t->step_count; s > 0; s--) {
        const struct step *step = &t->steps[s - 1];
        if (step->point != CHANGE && step->played)
            return step->color;
        if (step->point != CHANGE && last == 0)
            last = step->color;
    }
    return last;
}

static void do_change(struct tree *t, struct step *step) {
    struct work work = {.left = WORK_UNBOUNDED};
    unsigned size = t->table->size, points = size * size;
    uint8_t cells[GO_POINTS];
    memcpy(step->stones, t->table->model->board, points);
    for (unsigned k = reference_random_below(t->random, 5); k > 0; k--)
        step->stones[reference_random_below(t->random, points)] = random_point(60, t->random);
    for (unsigned point = 0; point < points; point++)
        if (step->stones[point] != '.' && !reference_go_has_liberty(size, step->stones, point / size, point % size))
            reference_go_take_off(size, step->stones, point / size, point % size);
    for (unsigned point = 0; point < points; point++)
        cells[point] = (uint8_t)(step->stones[point] == '.' ? GO_EMPTY : color_of(step->stones[point]));
    step->point = CHANGE;
    step->color = mover_of(t);
    assert_int_equal(go_game_change(t->table->game, cells, go_game_mover(t->table->game), &work), OUTCOME_DONE);
    change_model(t, step->stones, step->color);
    t->changes++;
}

static void do_step(struct tree *t) {
    struct step *step = &t->steps[t->step_count];
    struct reference_go_reply reply = {0};
    unsigned size = t->table->size, kind = reference_random_below(t->random, 100);
    char mover = mover_of(t);
    step->color = mover == 'B' ? 'W' : 'B';
    if (reference_random_chance(t->random, 15))
        step->color = mover != 0 ? mover : 'W';
    if (kind < 8) {
        do_change(t, step);
    } else if (kind < 14) {
        step->point = PASS;
        pass(t->table, step->color);
    } else {
        step->point = choose_point(t->table, t->table->model->before, t->random);
        reply = play(t->table, step->color, step->point / size, step->point % size);
    }
    step->played = reply.code == GO_PLAYED;
    t->moves += step->point != CHANGE;
    t->step_count++;
    t->repetitions += reply.code == GO_MISS_REPETITION;
    t->captures += reply.captured != 0;
    t->suicides += reply.suicided != 0;
    assert_int_equal(go_game_moves(t->table->game), t->moves);
    compare_boards(t->table);
}

static void go_back(struct tree *t) {
    struct work work = {.left = WORK_UNBOUNDED};
    assert_int_equal(go_game_return(t->table->game, &work), OUTCOME_DONE);
    t->step_count = t->branches[--t->depth];
    t->returns++;
    replay(t);
    assert_int_equal(go_game_moves(t->table->game), t->moves);
    compare_boards(t->table);
}

static void play_tree(struct tree *t, unsigned size, unsigned actions) {
    t->table = open_table(size, t->ko, t->suicide);
    t->step_count = t->depth = t->moves = 0;
    for (unsigned a = 0; a < actions; a++) {
        unsigned kind = reference_random_below(t->random, 100);
        if (kind < 18 && t->depth < MAX_DEPTH) {
            assert_int_equal(go_game_branch(t->table->game), OUTCOME_DONE);
            t->branches[t->depth++] = t->step_count;
        } else if (kind < 34 && t->depth > 0) {
            go_back(t);
        } else if (t->step_count < MAX_STEPS) {
            do_step(t);
        }
    }
    while (t->depth > 0)
        go_back(t);
    close_table(t->table);
}

static void random_trees_agree_with_a_model_that_replays_every_line(void **state) {
    static const unsigned sizes[] = {1, 2, 3, 4, 5, 9, 19, 25};
    static const unsigned trees[] = {10, 60, 60, 40, 30, 10, 2, 1};
    struct reference_random random = {1729};
    (void)state;
    for (unsigned rule = 0; rule < 8; rule++) {
        struct tree *t = calloc(1, sizeof *t);
        assert_non_null(t);
        t->random = &random;
        t->ko = (enum go_ko)(rule / 2);
        t->suicide = rule % 2 != 0;
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (unsigned tree = 0; tree < trees[s] * (reference_scale_is_quick() ? 1 : 20); tree++)
                play_tree(t, sizes[s], 300);
        print_message("rule %u: %u returns, %u captures, %u suicides, %u changes, %u repetitions\n", rule, t->returns,
                      t->captures, t->suicides, t->changes, t->repetitions);
        assert_true(t->returns > 4000 && t->captures > 1000 && t->changes > 1000);
        assert_true(t->suicide ? t->suicides > 200 : t->suicides == 0);
        assert_true(t->ko == GO_KO_NONE ? t->repetitions == 0 : t->repetitions > 20);
        free(t);
    }
}

/* ---- costs ---- */

static struct go_game *new_game(struct arena *arena, struct work *work) {
    struct go_game *game;
    arena_init(arena, SIZE_MAX);
    assert_int_equal(go_game_new(19, (struct go_rules){GO_KO_POSITIONAL, false, false}, 0, 7, arena, work, &game),
                     OUTCOME_DONE);
    return game;
}

static void play_at(struct go_game *game, struct work *work, enum go_color color, unsigned row, unsigned col) {
    struct go_reply reply;
    struct go_move move = {(uint8_t)color, (uint8_t)row, (uint8_t)col};
    assert_int_equal(go_game_play(game, move, work, &reply), OUTCOME_DONE);
    assert_int_equal(reply.miss, GO_PLAYED);
}

/* Units of work for 1,000 leaves after this many passes. */
static uint64_t price_of_leaves(unsigned passes) {
    struct arena arena;
    struct work work = {.left = (uint64_t)1 << 40};
    struct go_game *game = new_game(&arena, &work);
    assert_int_equal(go_game_branch(game), OUTCOME_DONE);
    for (unsigned k = 0; k < passes; k++)
        play_at(game, &work, k % 2 == 0 ? GO_BLACK : GO_WHITE, GO_PASS, 0);
    uint64_t before = work.left;
    for (unsigned leaf = 0; leaf < 1000; leaf++) {
        assert_int_equal(go_game_branch(game), OUTCOME_DONE);
        play_at(game, &work, GO_BLACK, leaf % 19, leaf / 19 % 19);
        assert_int_equal(go_game_return(game, &work), OUTCOME_DONE);
    }
    arena_clear(&arena);
    return before - work.left;
}

static void a_leaf_costs_the_same_however_long_its_line_is(void **state) {
    (void)state;
    uint64_t price = price_of_leaves(1);
    assert_true(price > 0);
    assert_int_equal(price_of_leaves(50000), price);
}

static void nested_branches_are_taken_back_one_by_one(void **state) {
    enum { DEPTH = 50000 };
    struct arena arena;
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game = new_game(&arena, &work);
    (void)state;
    play_at(game, &work, GO_BLACK, 3, 3);
    for (unsigned k = 0; k < DEPTH; k++) {
        assert_int_equal(go_game_branch(game), OUTCOME_DONE);
        if (k % 2 == 0) /* otherwise two branches are at the same place */
            play_at(game, &work, k % 4 == 0 ? GO_WHITE : GO_BLACK, GO_PASS, 0);
    }
    for (unsigned k = DEPTH; k > 0; k--) {
        assert_int_equal(go_game_moves(game), 1 + (k + 1) / 2);
        assert_int_equal(go_game_return(game, &work), OUTCOME_DONE);
        assert_int_equal(go_game_moves(game), 1 + k / 2);
    }
    assert_int_equal(go_game_at(game, 3, 3), GO_BLACK);
    assert_int_equal(go_game_mover(game), GO_BLACK);
    arena_clear(&arena);
}

static void too_little_work_ends_a_return(void **state) {
    struct arena arena;
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game = new_game(&arena, &work);
    (void)state;
    assert_int_equal(go_game_branch(game), OUTCOME_DONE);
    for (unsigned k = 0; k < 100; k++)
        play_at(game, &work, GO_BLACK, k / 19, k % 19);
    work.left = 500; /* less than 100 steps take */
    assert_int_equal(go_game_return(game, &work), OUTCOME_MORE_WORK);
    arena_clear(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_agree_with_a_model_that_replays_every_line),
        cmocka_unit_test(a_leaf_costs_the_same_however_long_its_line_is),
        cmocka_unit_test(nested_branches_are_taken_back_one_by_one),
        cmocka_unit_test(too_little_work_ends_a_return),
    };
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
