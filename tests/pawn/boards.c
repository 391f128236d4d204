#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pawn/boards.h"

#include <string.h>

void print_position(const struct pawn_position *position) {
    for (unsigned row = 0; row < position->rows; row++) {
        char line[PAWN_MAX_CELLS + 1];
        for (unsigned col = 0; col < position->cols; col++) {
            unsigned cell = row * position->cols + col;
            line[col] = position->obstacle[cell] ? '#' : '.';
            if (cell == position->red[0] || cell == position->red[1])
                line[col] = 'O';
            if (cell == position->pawn)
                line[col] = 'X';
        }
        line[position->cols] = '\0';
        print_error("%s\n", line);
    }
    print_error("%s to move\n", position->turn == PAWN_RED ? "Red" : "Black");
}

struct pawn_answer solve(const struct pawn_position *position, unsigned wants, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer;
    arena_reset(arena);
    if (pawn_solve(position, wants, arena, &work, &answer) != OUTCOME_DONE) {
        print_position(position);
        fail_msg("not solved, with work and memory without bounds");
    }
    return answer;
}

void expect_verdict(const struct pawn_position *position, struct pawn_verdict verdict,
                    struct reference_pawn_value value) {
    if (letter_of(verdict.winner) == value.winner && verdict.steps == value.steps)
        return;
    print_position(position);
    fail_msg("the solver says %c in %u, right is %c in %u", letter_of(verdict.winner), verdict.steps, value.winner,
             value.steps);
}

char letter_of(enum pawn_winner winner) {
    return winner == PAWN_RED_WINS ? 'R' : winner == PAWN_BLACK_WINS ? 'B' : 'T';
}

struct pawn_position draw(unsigned rows, const char *cells, enum pawn_side turn) {
    struct pawn_position position = {.rows = rows, .cols = (unsigned)strlen(cells) / rows, .turn = turn};
    unsigned reds = 0;
    for (unsigned cell = 0; cells[cell] != '\0'; cell++) {
        position.obstacle[cell] = cells[cell] == '#';
        if (cells[cell] == 'O')
            position.red[reds++] = cell;
        if (cells[cell] == 'X')
            position.pawn = cell;
    }
    assert_int_equal(reds, 2);
    return position;
}

struct pawn_position long_game(void) {
    return draw(8,
                "O......."
                "..#....."
                "........"
                ".....#.."
                "........"
                ".#......"
                "........"
                "...X...O",
                PAWN_RED);
}

static bool is_placement(const struct pawn_position *position) {
    return position->red[0] != position->red[1] && position->pawn != position->red[0] &&
           position->pawn != position->red[1] && position->pawn >= position->cols &&
           !position->obstacle[position->red[0]] && !position->obstacle[position->red[1]] &&
           !position->obstacle[position->pawn];
}

void compare_all_placements(struct pawn_position *position, comparison *compare, struct arena *arena,
                            struct coverage *coverage) {
    unsigned cells = position->rows * position->cols;
    struct reference_pawn *model = reference_pawn_new(position->rows, position->cols, position->obstacle);
    for (position->red[0] = 0; position->red[0] < cells; position->red[0]++) {
        for (position->red[1] = 0; position->red[1] < cells; position->red[1]++) {
            for (position->pawn = position->cols; position->pawn < cells; position->pawn++) {
                if (!is_placement(position))
                    continue;
                position->turn = PAWN_RED;
                compare(position, model, arena, coverage);
                position->turn = PAWN_BLACK;
                compare(position, model, arena, coverage);
            }
        }
    }
    reference_pawn_free(model);
}

static void compare_map(unsigned rows, unsigned cols, unsigned map, comparison *compare, struct arena *arena,
                        struct coverage *coverage) {
    struct pawn_position position = {.rows = rows, .cols = cols};
    for (unsigned cell = 0; cell < rows * cols; cell++)
        position.obstacle[cell] = map >> cell & 1;
    compare_all_placements(&position, compare, arena, coverage);
}

void compare_all_maps(unsigned max_cells, comparison *compare, struct arena *arena, struct coverage *coverage) {
    for (unsigned rows = 2; rows <= max_cells; rows++) {
        for (unsigned cols = 1; rows * cols <= max_cells; cols++) {
            for (unsigned map = 0; map < 1u << (rows * cols); map++)
                compare_map(rows, cols, map, compare, arena, coverage);
        }
    }
}

static unsigned mirrored_map(unsigned rows, unsigned cols, unsigned map) {
    unsigned mirror = 0;
    for (unsigned cell = 0; cell < rows * cols; cell++)
        mirror |= (map >> cell & 1) << (cell / cols * cols + cols - 1 - cell % cols);
    return mirror;
}

void compare_maps_up_to_mirrors(unsigned min_cells, unsigned max_cells, comparison *compare, struct arena *arena,
                                struct coverage *symmetric, struct coverage *halved) {
    for (unsigned rows = 2; rows <= max_cells; rows++) {
        for (unsigned cols = 1; rows * cols <= max_cells; cols++) {
            for (unsigned map = 0; map < 1u << (rows * cols) && rows * cols > min_cells; map++) {
                unsigned mirror = mirrored_map(rows, cols, map);
                if (map == mirror)
                    compare_map(rows, cols, map, compare, arena, symmetric);
                /* Compare one of the two maps, not always the same one. */
                if (map < mirror)
                    compare_map(rows, cols, map % 3 == 0 ? map : mirror, compare, arena, halved);
            }
        }
    }
}

bool place_at_random(struct pawn_position *position, struct reference_random *random) {
    unsigned cells = position->rows * position->cols;
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        position->red[0] = reference_random_below(random, cells);
        position->red[1] = reference_random_below(random, cells);
        position->pawn = reference_random_below(random, cells);
        position->turn = reference_random_chance(random, 50) ? PAWN_RED : PAWN_BLACK;
        if (is_placement(position))
            return true;
    }
    return false;
}

void compare_random_placements(struct pawn_position *position, unsigned placements, struct reference_random *random,
                               comparison *compare, struct arena *arena, struct coverage *coverage) {
    struct reference_pawn *model = reference_pawn_new(position->rows, position->cols, position->obstacle);
    for (unsigned i = 0; i < placements && place_at_random(position, random); i++)
        compare(position, model, arena, coverage);
    reference_pawn_free(model);
}

void scatter_obstacles(struct pawn_position *position, unsigned percent, struct reference_random *random) {
    for (unsigned cell = 0; cell < position->rows * position->cols; cell++)
        position->obstacle[cell] = reference_random_chance(random, percent);
}

/* Fill the board with obstacles, then clear the cells of `paths` random walks of `length` steps. Even on the largest
 * boards, this leaves few enough free cells for the model. Each walk starts from its own random cell. */
static void carve_paths(struct pawn_position *position, unsigned paths, unsigned length,
                        struct reference_random *random) {
    memset(position->obstacle, true, sizeof(position->obstacle));
    for (unsigned path = 0; path < paths; path++) {
        unsigned row = reference_random_below(random, position->rows);
        unsigned col = reference_random_below(random, position->cols);
        for (unsigned step = 0; step < length; step++) {
            position->obstacle[row * position->cols + col] = false;
            switch (reference_random_below(random, 4)) {
            case 0:
                row -= row > 0;
                break;
            case 1:
                row += row + 1 < position->rows;
                break;
            case 2:
                col -= col > 0;
                break;
            default:
                col += col + 1 < position->cols;
                break;
            }
        }
    }
}

/* Compare boards of each shape (rows, cols), with up to `paths` paths cleared between obstacles. */
static void compare_shapes(const unsigned shapes[][2], unsigned count, unsigned boards, unsigned placements,
                           unsigned paths, uint64_t seed, comparison *compare, struct coverage *coverage) {
    struct reference_random random = {seed};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned board = 0; board < boards; board++) {
            struct pawn_position position = {.rows = shapes[i][0], .cols = shapes[i][1]};
            carve_paths(&position, 1 + reference_random_below(&random, paths), 60, &random);
            compare_random_placements(&position, placements, &random, compare, &arena, coverage);
        }
    }
    arena_clear(&arena);
}

void compare_shapes_up_to_128(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                              struct coverage *coverage) {
    static const unsigned shapes[][2] = {{9, 7},  {8, 8},  {5, 13}, {13, 5}, {10, 10}, {7, 18},  {18, 7}, {8, 16},
                                         {16, 8}, {4, 32}, {32, 4}, {2, 64}, {64, 2},  {128, 1}, {3, 42}, {42, 3}};
    compare_shapes(shapes, sizeof shapes / sizeof *shapes, boards, placements, 4, seed, compare, coverage);
}

void compare_shapes_up_to_256(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                              struct coverage *coverage) {
    static const unsigned shapes[][2] = {{16, 16}, {13, 19}, {19, 13}, {8, 32},  {32, 8},  {4, 64},  {64, 4},
                                         {3, 65},  {3, 85},  {2, 127}, {2, 128}, {128, 2}, {129, 1}, {256, 1}};
    compare_shapes(shapes, sizeof shapes / sizeof *shapes, boards, placements, 3, seed, compare, coverage);
}

void compare_small_boards(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                          struct coverage *coverage) {
    struct reference_random random = {seed};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    while (boards > 0) {
        struct pawn_position position = {.rows = 2 + reference_random_below(&random, 17)};
        position.cols = 1 + reference_random_below(&random, 18);
        if (position.rows * position.cols < 10 || position.rows * position.cols > 36)
            continue;
        scatter_obstacles(&position, reference_random_below(&random, 45), &random);
        compare_random_placements(&position, placements, &random, compare, &arena, coverage);
        boards--;
    }
    arena_clear(&arena);
}

void compare_ten_by_ten(unsigned percent, unsigned placements, uint64_t seed, comparison *compare,
                        struct coverage *coverage) {
    struct reference_random random = {seed};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct pawn_position position = {.rows = 10, .cols = 10};
    scatter_obstacles(&position, percent, &random);
    compare_random_placements(&position, placements, &random, compare, &arena, coverage);
    arena_clear(&arena);
}
