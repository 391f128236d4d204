/* Go games for the tests, played in the program and in the slow model at the same time. */
#pragma once

#include "go/game.h"
#include "reference/go.h"
#include "reference/random.h"

/* One game. */
struct table {
    unsigned size;
    struct arena arena;
    struct go_game *game;
    struct reference_go *model;
};

/* Convert a colour to the model's letter ('B', 'W' or '.'), and back. */
char letter_of(enum go_color color);
enum go_color color_of(char letter);

struct table *open_table(unsigned size, enum go_ko ko, bool suicide);
void close_table(struct table *table);

void print_boards(const struct table *table);

/* Set up stones drawn row by row: '.', 'B', 'W'. */
void lay_stones(struct table *table, const char *stones);

/* Check that the program and the model have the same stones and prisoners. */
void compare_boards(const struct table *table);

/* Play a stone or a pass in both, and compare the results: whether and why the move is refused, which position it
 * repeats, which stones it captures, the boards, and the prisoners. Returns the model's reply. */
struct reference_go_reply play(struct table *table, char color, unsigned row, unsigned col);
struct reference_go_reply pass(struct table *table, char color);

/* Change both boards to the points in `stones`, drawn row by row, as if a move of `color` had led to them, and compare
 * the boards. */
void change(struct table *table, const char *stones, char color);

/* Draw a point: with this probability in percent a stone of either colour, otherwise '.'. */
char random_point(unsigned percent_stones, struct reference_random *random);

/* Set up random stones, with no chain left without liberties. */
void lay_random_stones(struct table *table, struct reference_random *random);

/*
 * Choose a point for the next stone. Often it is where a stone has just been captured, so that kos arise. Otherwise it
 * is anywhere in a window that moves over the board, so that large boards have dense fights, too. `before` is the board
 * one move ago.
 */
unsigned choose_point(const struct table *table, const char *before, struct reference_random *random);

struct coverage; /* what a test has covered so far; each test program defines its own struct */

/* Called after every move in a random game. Also called without a reply before the first move and after the last. */
typedef void observer(const struct table *table, const struct reference_go_reply *reply, bool passed,
                      struct coverage *coverage);

/* Play a game of this many random moves, starting from an empty board or from random stones. */
void play_random_game(unsigned size, enum go_ko ko, bool suicide, bool with_set_up, unsigned moves,
                      struct reference_random *random, observer *observe, struct coverage *coverage);
