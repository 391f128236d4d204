/* Crossing-pawn boards for the tests (drawn, random and carved), and functions that compare whole families of them with
 * the slow model.
 *
 * Each test passes in a function that compares one position and counts what the test needs. */
#pragma once

#include "pawn/solve.h"
#include "reference/pawn.h"
#include "reference/random.h"

void print_position(const struct pawn_position *position);

/* Reset the arena, and solve with unlimited work and memory. The test fails if there is no answer. */
struct pawn_answer solve(const struct pawn_position *position, unsigned wants, struct arena *arena);

/* Check that a verdict matches the model's. If it does not, the test prints the board and fails. */
void expect_verdict(const struct pawn_position *position, struct pawn_verdict verdict,
                    struct reference_pawn_value value);

/* Get the model's letter for a winner: 'R', 'B' or 'T'. */
char letter_of(enum pawn_winner winner);

/* Make a board drawn as in requests, with '.', '#', two 'O' and one 'X'. The rows have equal lengths and follow one
 * another. */
struct pawn_position draw(unsigned rows, const char *cells, enum pawn_side turn);

/* Make a board that needs many layers. */
struct pawn_position long_game(void);

/* Place the pieces at random. Returns false if the map has no room for them. */
bool place_at_random(struct pawn_position *position, struct reference_random *random);

void scatter_obstacles(struct pawn_position *position, unsigned percent, struct reference_random *random);

struct coverage; /* what a comparison has covered so far; each test program defines its own struct */
typedef void comparison(const struct pawn_position *position, const struct reference_pawn *model, struct arena *arena,
                        struct coverage *coverage);

/* Compare every placement of the pieces on a map, for either side to move. Both orders of the red pieces are compared,
 * because the order must not matter. */
void compare_all_placements(struct pawn_position *position, comparison *compare, struct arena *arena,
                            struct coverage *coverage);

/* Do the same on every map of at most this many cells. */
void compare_all_maps(unsigned max_cells, comparison *compare, struct arena *arena, struct coverage *coverage);

/* Do the same on maps of more than `min_cells` and at most `max_cells` cells, but use only one of each map and its
 * left-right mirror image. Maps that are their own mirror image are counted in `symmetric`, all others in `halved`. */
void compare_maps_up_to_mirrors(unsigned min_cells, unsigned max_cells, comparison *compare, struct arena *arena,
                                struct coverage *symmetric, struct coverage *halved);

/* Compare this many random placements, or fewer if the map has no room. */
void compare_random_placements(struct pawn_position *position, unsigned placements, struct reference_random *random,
                               comparison *compare, struct arena *arena, struct coverage *coverage);

/* Compare this many random boards of 10 to 36 cells, with various densities of obstacles and this many placements
 * each. */
void compare_small_boards(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                          struct coverage *coverage);

/* Compare one 10 x 10 board with this percentage of obstacles, and this many placements. */
void compare_ten_by_ten(unsigned percent, unsigned placements, uint64_t seed, comparison *compare,
                        struct coverage *coverage);

/* Compare boards of at most 128 cells in many shapes, with long rows and long columns. They have cells beyond the 64th,
 * and rows that end at many different places in a set. */
void compare_shapes_up_to_128(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                              struct coverage *coverage);

/* The same for boards of up to 256 cells, which have cells in all four words of a set, and rows as long as a word or
 * longer. */
void compare_shapes_up_to_256(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                              struct coverage *coverage);
