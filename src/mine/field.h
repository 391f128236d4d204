/* A Minesweeper field: where its mines are, and what its cells show. Public. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest side of a field: a column fits in 16 bits, the number of a cell in 32. */
enum { MINE_MAX_SIDE = 4096 };

/* A field as a bit map: bit c % 64 of mines[r * mine_words(cols) + c / 64] is a mine at row r, column c. Bits beyond
 * the last column are 0. 1 <= rows, cols <= MINE_MAX_SIDE. The caller owns `mines`. */
struct mine_field {
    unsigned rows, cols;
    uint64_t *mines; /* [rows * mine_words(cols)] */
};

/* Count the words in a row of the bit map of a field with so many columns. */
static inline unsigned mine_words(unsigned cols) { return (cols + 63) / 64; }

/* Mask the bits of a row's last word that stand for columns. */
static inline uint64_t mine_last_word_mask(unsigned cols) {
    return cols % 64 != 0 ? ((uint64_t)1 << cols % 64) - 1 : UINT64_MAX;
}

/* Check what every function of this room demands of a field: its sides are in range, and the bits beyond the last
 * column are 0. Takes time in proportion to the rows; for assertions. */
bool mine_field_is_valid(const struct mine_field *field);

/* Write what every cell shows, row by row: '1' to '8' for a number, '.' for a blank, '*' for a mine.
 * ret_cells[rows * cols], not terminated by a null character. */
void mine_show(const struct mine_field *field, char *ret_cells);
