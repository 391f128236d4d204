/* Games of Go for the tests, played by the program and by the slow model side by side. */
#pragma once

#include "go/game.h"
#include "reference/go.h"
#include "reference/random.h"

/* One game, played by the program and by the model side by side. */
struct table {
    unsigned size;
    struct arena arena;
    struct go_game *game;
    struct reference_go *model;
};

/* 'B', 'W' or '.', as the model has them, and back. */
char letter_of(enum go_color color);
enum go_color color_of(char letter);

struct table *open_table(unsigned size, enum go_ko ko, bool suicide);
void close_table(struct table *table);

void print_boards(const struct table *table);

/* Set up stones drawn row after row: '.', 'B', 'W'. */
void lay_stones(struct table *table, const char *stones);

/* A stone of either colour so many times in a hundred, else '.'. */
char random_point(unsigned percent_stones, struct reference_random *random);

/* Stones at random, less the chains that have no liberty. */
void lay_random_stones(struct table *table, struct reference_random *random);

/* A point for the next stone: often where a stone has just been taken, so that kos are fought; else anywhere in a
 * window that wanders over the board, so that large boards see crowded fights too. `before`: the board one move ago. */
unsigned choose_point(const struct table *table, const char *before, struct reference_random *random);
