/* Go games for the tests, played in parallel by the program and the slow model. */
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

/* A colour as in the model, 'B', 'W' or '.', and the reverse. */
char letter_of(enum go_color color);
enum go_color color_of(char letter);

struct table *open_table(unsigned size, enum go_ko ko, bool suicide);
void close_table(struct table *table);

void print_boards(const struct table *table);

/* Set up stones drawn row by row: '.', 'B', 'W'. */
void lay_stones(struct table *table, const char *stones);

/* Check that both have the same stones and prisoners. */
void compare_boards(const struct table *table);

/* Play a stone or a pass in both, and compare the results: whether the move is refused and why, which position it
 * repeats, which stones it captures, the boards, and the prisoners. Returns the model's reply. */
struct reference_go_reply play(struct table *table, char color, unsigned row, unsigned col);
struct reference_go_reply pass(struct table *table, char color);

/* Change both boards to these points, drawn row by row, as left by `color`, and compare them. */
void change(struct table *table, const char *stones, char color);

/* A stone of either colour with this probability in percent, otherwise '.'. */
char random_point(unsigned percent_stones, struct reference_random *random);

/* Set up random stones, with no chain left without liberties. */
void lay_random_stones(struct table *table, struct reference_random *random);

/*
 * Choose a point for the next stone: often where a stone has just been captured, so that kos arise; otherwise anywhere
 * in a window that moves over the board, so that large boards have dense fights, too. `before` is the board one move
 * ago.
 */
unsigned choose_point(const struct table *table, const char *before, struct reference_random *random);

struct coverage; /* what a test has covered so far; each test has its own struct */

/* Called after every move in a random game, and, without a reply, before the first move and after the last. */
typedef void observer(const struct table *table, const struct reference_go_reply *reply, bool passed,
                      struct coverage *coverage);

/* Play a game of this many random moves, starting from an empty board or from random stones. */
void play_random_game(unsigned size, enum go_ko ko, bool suicide, bool with_set_up, unsigned moves,
                      struct reference_random *random, observer *observe, struct coverage *coverage);
