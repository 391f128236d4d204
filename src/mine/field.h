/* A Minesweeper field: its mines, the numbers of its cells, and the cells that are face up. Public. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest side of a field. A column fits in 16 bits, a cell number in 32. */
enum { MINE_MAX_SIDE = 4096 };

/* A field as bit maps. Bit c % 64 of mines[r * mine_words(cols) + c / 64] marks a mine at row r, column c. The same bit
 * in `face_up` marks a revealed cell. Bits beyond the last column are 0, and no mine is face up. Cells are revealed by
 * clicks (play.h), so an opening is face up either as a whole, together with every number next to it, or not at all.
 * Both rows and cols are 1 to MINE_MAX_SIDE. The caller owns the maps. */
struct mine_field {
    unsigned rows, cols;
    uint64_t *mines;   /* [rows * mine_words(cols)] */
    uint64_t *face_up; /* the same size; NULL if all cells are face down */
};

/* Get the number of words per row in the bit maps of a field with this many columns. */
static inline unsigned mine_words(unsigned cols) { return (cols + 63) / 64; }

/* Get a mask of the bits in a row's last word that stand for columns. */
static inline uint64_t mine_last_word_mask(unsigned cols) {
    return cols % 64 != 0 ? ((uint64_t)1 << cols % 64) - 1 : UINT64_MAX;
}

/* Check what all functions here require of a field, except that openings are face up as a whole: the sides are in
 * range, bits beyond the last column are 0, and no mine is face up. For assertions. */
bool mine_field_is_valid(const struct mine_field *field);

/* Count the mines on a cell and around it: the number of a cell without a mine. The cell must be on the field. */
unsigned mine_count_around(const struct mine_field *field, unsigned row, unsigned col);

/* Write the content of every cell, row by row: '1' to '8' for a number, '.' for a blank, '*' for a mine. ret_cells[rows
 * * cols], without a terminator. */
void mine_show(const struct mine_field *field, char *ret_cells);

/* The same as the players see it, with '#' for every face-down cell. */
void mine_show_face(const struct mine_field *field, char *ret_cells);
