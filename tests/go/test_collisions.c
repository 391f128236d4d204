/* Positions with the same hash. Someone who knows the seed can build a game from such positions. With every seed, this
 * game must get the same replies; with a different seed, it must cost no more than other games.
 *
 * The board is full of kos. Each consists of two points, one above the other. One is empty, and a stone played there
 * takes the stone on the other; then that point can be retaken in the same way:
 *
 *     B B B B B     Each ko can be taken back and forth independently of the others, which changes the hash by the keys
 *     B W B W B     of its two stones. Among more than 64 such changes, some always cancel, whatever the keys: Gaussian
 *     W . W . W     elimination finds them, and each such set of kos leads from a position to another one with the same
 *     W W W W W     hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "go/board.h"
#include "go/game.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 25,
    BANDS = 8, /* each has three rows, and shares a fourth with the next band */
    KOS = BANDS * (SIZE / 2),
    SETS = 6,            /* sets of kos whose changes to the hash cancel, which lead to 2^SETS positions */
    MEMBERS = 1 << SETS, /* positions with the same hash */
    REFUSALS = 10000,    /* moves that would repeat the last of these positions */
    MAX_MOVES = MEMBERS * (64 + 1) + 1 + REFUSALS,
};

static const uint64_t known_seed = 0x0123456789abcdef;

struct ko {
    unsigned black_row, white_row, col; /* the rows where a black and a white stone can be */
    bool taken;                         /* true if the black stone is there, false if the white one is */
};

struct attack {
    char stones[SIZE][SIZE];
    struct ko kos[KOS];
    struct go_move moves[MAX_MOVES];
    struct go_reply replies[MAX_MOVES];
    unsigned count;
};

static struct attack *lay_out_kos(void) {
    struct attack *attack = calloc(1, sizeof *attack);
    if (attack == NULL)
        abort();
    unsigned count = 0;
    for (unsigned band = 0; band < BANDS; band++) {
        /* Every other band is upside down, so that neighbouring bands share a wall. */
        char upper = band % 2 == 0 ? 'B' : 'W', lower = band % 2 == 0 ? 'W' : 'B';
        unsigned top = 3 * band;
        memset(attack->stones[top], upper, SIZE - 1); /* the last point stays empty, as a liberty of the wall */
        memset(attack->stones[top + 3], lower, SIZE - 1);
        for (unsigned col = 0; col < SIZE; col++) {
            attack->stones[top + 1][col] = upper;
            attack->stones[top + 2][col] = lower;
            if (col % 2 == 0)
                continue;
            unsigned black = band % 2 == 0 ? top + 2 : top + 1, white = 2 * top + 3 - black;
            attack->stones[white][col] = 'W';
            attack->stones[black][col] = 0;
            attack->kos[count++] = (struct ko){black, white, col, false};
        }
    }
    assert_int_equal(count, KOS);
    return attack;
}

/* Append the move that takes a ko. */
static void turn(struct attack *attack, unsigned k) {
    struct ko *ko = &attack->kos[k];
    assert_true(attack->count < MAX_MOVES);
    attack->moves[attack->count++] = (struct go_move){
        .color = ko->taken ? GO_WHITE : GO_BLACK,
        .row = (uint8_t)(ko->taken ? ko->white_row : ko->black_row),
        .col = (uint8_t)ko->col,
    };
    ko->taken = !ko->taken;
}

struct set {
    bool has[KOS];
};

/* A set of kos, and the xor of their changes to the hash. */
struct sum {
    uint64_t change;
    struct set of;
};

/* Find sets of kos whose changes cancel under the known seed. Each set contains one ko that is in no other set: the one
 * that completed it. */
static void find_sets(const struct attack *attack, struct set sets[SETS]) {
    static struct go_board board;
    struct sum basis[64] = {0}; /* indexed by the lowest set bit of the change */
    unsigned found = 0;
    go_board_init(&board, SIZE, known_seed);
    for (unsigned k = 0; k < KOS && found < SETS; k++) {
        const struct ko *ko = &attack->kos[k];
        struct sum sum = {0};
        sum.change = go_board_key(&board, go_board_point(&board, ko->black_row, ko->col), GO_BLACK) ^
                     go_board_key(&board, go_board_point(&board, ko->white_row, ko->col), GO_WHITE);
        sum.of.has[k] = true;
        while (sum.change != 0 && basis[__builtin_ctzll(sum.change)].change != 0) {
            const struct sum *other = &basis[__builtin_ctzll(sum.change)];
            for (unsigned of = 0; of < KOS; of++)
                sum.of.has[of] ^= other->of.has[of];
            sum.change ^= other->change;
        }
        if (sum.change == 0)
            sets[found++] = sum.of;
        else
            basis[__builtin_ctzll(sum.change)] = sum;
    }
    assert_int_equal(found, SETS);
}

/* Prepare the game. It steps through a Gray code over the sets, and every code word is a position with the same hash as
 * the first. Then a ko is taken. Taking it back is tried many times, but would repeat the last of these positions. */
static struct attack *prepare(void) {
    struct attack *attack = lay_out_kos();
    struct set sets[SETS];
    find_sets(attack, sets);
    for (unsigned member = 1; member < MEMBERS; member++)
        for (unsigned k = 0; k < KOS; k++)
            if (sets[__builtin_ctz(member)].has[k])
                turn(attack, k);
    turn(attack, 0);
    turn(attack, 0);
    for (unsigned k = 1; k < REFUSALS; k++, attack->count++)
        attack->moves[attack->count] = attack->moves[attack->count - 1];
    return attack;
}

/* Play the game with a seed. Returns the number of units of work charged for its moves. */
static uint64_t play(const struct attack *attack, enum go_ko ko, uint64_t hash_seed, uint64_t budget,
                     struct go_reply *ret_replies, enum outcome *ret_outcome) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct arena arena;
    struct go_game *game;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(go_game_new(SIZE, (struct go_rules){.ko = ko}, 0, hash_seed, &arena, &work, &game), OUTCOME_DONE);
    for (unsigned row = 0; row < SIZE; row++)
        for (unsigned col = 0; col < SIZE; col++)
            if (attack->stones[row][col] != 0)
                go_game_set_up(game, row, col, attack->stones[row][col] == 'B' ? GO_BLACK : GO_WHITE);
    work.left = budget;
    *ret_outcome = OUTCOME_DONE;
    for (unsigned m = 0; m < attack->count && *ret_outcome == OUTCOME_DONE; m++)
        *ret_outcome = go_game_play(game, attack->moves[m], &work, &ret_replies[m]);
    arena_clear(&arena);
    return budget - work.left;
}

static const uint64_t other_seeds[] = {0, 1, UINT64_MAX, 0x0123456789abcdee, 0x9e3779b97f4a7c15};
enum { OTHER_SEEDS = sizeof other_seeds / sizeof *other_seeds, AMPLE = 1000000000 /* units of work */ };

static void replies_are_as_meant(const struct attack *attack) {
    for (unsigned m = 0; m < attack->count; m++) {
        bool refused = m >= attack->count - REFUSALS;
        assert_int_equal(attack->replies[m].miss, refused ? GO_MISS_REPETITION : GO_PLAYED);
        assert_int_equal(attack->replies[m].captured, refused ? 0 : 1);
        if (refused)
            assert_int_equal(attack->replies[m].repeats, attack->count - REFUSALS - 1);
    }
}

/* Does the program use all 64 bits of a hash? With fewer bits, many other positions have the same hash, too. */
static bool has_whole_hashes(void) {
    static struct go_board board;
    go_board_init(&board, SIZE, known_seed);
    uint16_t point = go_board_point(&board, 0, 0);
    go_board_put(&board, point, GO_BLACK);
    return board.hash == go_board_key(&board, point, GO_BLACK);
}

static void compare_seeds(struct attack *attack, enum go_ko ko) {
    struct go_reply *others = calloc(MAX_MOVES, sizeof *others);
    if (others == NULL)
        abort();
    enum outcome outcome;
    uint64_t known = play(attack, ko, known_seed, AMPLE, attack->replies, &outcome);
    assert_int_equal(outcome, OUTCOME_DONE);
    for (unsigned s = 0; s < OTHER_SEEDS; s++) {
        uint64_t other = play(attack, ko, other_seeds[s], AMPLE, others, &outcome);
        assert_int_equal(outcome, OUTCOME_DONE);
        assert_memory_equal(others, attack->replies, attack->count * sizeof *others);
        if (ko == GO_KO_POSITIONAL && has_whole_hashes()) {
            /* For each refusal, all positions with the same hash were compared, and the work was charged. */
            assert_true(known >= other + (uint64_t)REFUSALS * (MEMBERS - 1));
            assert_true(known > 8 * other);
        }
    }
    free(others);
}

static void positions_made_to_collide_cost_as_others_do_unless_the_seed_is_known(void **state) {
    (void)state;
    struct attack *attack = prepare();
    compare_seeds(attack, GO_KO_POSITIONAL);
    replies_are_as_meant(attack);
    compare_seeds(attack, GO_KO_SITUATIONAL);
    compare_seeds(attack, GO_KO_SIMPLE);
    free(attack);
}

static void a_game_that_cannot_pay_for_colliding_positions_gets_no_answer(void **state) {
    (void)state;
    struct attack *attack = prepare();
    enum outcome outcome;
    uint64_t all = play(attack, GO_KO_POSITIONAL, known_seed, AMPLE, attack->replies, &outcome);
    assert_int_equal(outcome, OUTCOME_DONE);
    play(attack, GO_KO_POSITIONAL, known_seed, all, attack->replies, &outcome);
    assert_int_equal(outcome, OUTCOME_DONE);
    for (uint64_t less = 1; less < 100; less += 33) {
        play(attack, GO_KO_POSITIONAL, known_seed, all - less, attack->replies, &outcome);
        assert_int_equal(outcome, OUTCOME_MORE_WORK);
    }
    free(attack);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_made_to_collide_cost_as_others_do_unless_the_seed_is_known),
        cmocka_unit_test(a_game_that_cannot_pay_for_colliding_positions_gets_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
