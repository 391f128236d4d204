/* The inputs of the benches in contest format, and functions that only read them. */
#pragma once

#include "api/game/game.h"
#include "go/game.h"
#include "mine/solve.h"
#include "pawn/position.h"

#include <stddef.h>
#include <stdio.h>

/* Each of these writes one case. */
void bench_write_board(FILE *out, const struct pawn_position *position);
void bench_write_game(FILE *out, const struct go_move *moves, size_t count);
void bench_write_field(FILE *out, const struct mine_field *field);

/* Each of these writes a whole text: 100 games of 2000 moves at any points of a 19 x 19 board; a 1000 x 1000 field with
 * 10^5 mines. */
void bench_write_random_games(FILE *out);
void bench_write_large_field(FILE *out);

/* Have `write` write a text to memory. The caller frees *ret_text. */
void bench_write_text(void (*write)(FILE *out), char **ret_text, size_t *ret_length);

/* A text, and the memory for reading it. */
struct bench_reading {
    const struct game *game;
    char *text;
    size_t length;
    struct limits limits;
    struct arena arena;
    void *the_case;
};

/* Prepare a text for the game with this name. */
void bench_reading_init(struct bench_reading *reading, const char *game, void (*write)(FILE *out));
void bench_reading_clear(struct bench_reading *reading);

/* Read all cases, each into the same memory. Aborts if the text is invalid. */
void bench_read(struct bench_reading *reading);
