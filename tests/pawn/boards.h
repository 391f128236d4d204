/* Boards of the crossing pawn for the tests: drawn, scattered and carved, and compared with the slow model in families.
 *
 * What a test does with a position, and what it counts, is its own: a comparison is called for each. */
#pragma once

#include "pawn/solve.h"
#include "reference/pawn.h"
#include "reference/random.h"

void print_position(const struct pawn_position *position);

/* Solve with work and memory without bounds, after a reset of the arena; the test fails when there is no answer. */
struct pawn_answer solve(const struct pawn_position *position, unsigned wants, struct arena *arena);

/* That a verdict is what the model says; the test fails and prints the board when it is not. */
void expect_verdict(const struct pawn_position *position, struct pawn_verdict verdict,
                    struct reference_pawn_value value);

/* 'R', 'B' or 'T', as the model has it. */
char letter_of(enum pawn_winner winner);

/* A board drawn as in the requests: '.', '#', two 'O', one 'X'; rows of equal length, one after the other. */
struct pawn_position draw(unsigned rows, const char *cells, enum pawn_side turn);

/* A board on which much has to be searched. */
struct pawn_position long_game(void);

/* Place the pieces at random; false when the map is too full for them. */
bool place_at_random(struct pawn_position *position, struct reference_random *random);

void scatter_obstacles(struct pawn_position *position, unsigned percent, struct reference_random *random);

struct coverage; /* what a comparison has covered so far */
typedef void comparison(const struct pawn_position *position, const struct reference_pawn *model, struct arena *arena,
                        struct coverage *coverage);

/* Every placement of the pieces on a map, either side to move. Both orders of the red pieces are placements of their
 * own here: the order must not matter. */
void compare_all_placements(struct pawn_position *position, comparison *compare, struct arena *arena,
                            struct coverage *coverage);

/* That on every map of at most so many cells. */
void compare_all_maps(unsigned max_cells, comparison *compare, struct arena *arena, struct coverage *coverage);

/* As many placements at random; fewer when the map is too full for them. */
void compare_random_placements(struct pawn_position *position, unsigned placements, struct reference_random *random,
                               comparison *compare, struct arena *arena, struct coverage *coverage);

/* Boards of each size from 10 to 36 cells, with obstacles of every density: so many, with so many placements each. */
void compare_small_boards(unsigned boards, unsigned placements, uint64_t seed, comparison *compare,
                          struct coverage *coverage);

/* One board of 10 x 10 with obstacles on so many cells in a hundred, and so many placements. */
void compare_ten_by_ten(unsigned percent, unsigned placements, uint64_t seed, comparison *compare,
                        struct coverage *coverage);

/* Boards of many shapes, with long rows and long columns, of at most 128 cells: cells beyond the 64th, and rows that
 * end at many places of a set. */
void compare_shapes_up_to_128(unsigned boards, uint64_t seed, comparison *compare, struct coverage *coverage);

/* The same for the larger sets: cells in each of their four words, rows as long as a word and longer. */
void compare_shapes_up_to_256(unsigned boards, uint64_t seed, comparison *compare, struct coverage *coverage);
