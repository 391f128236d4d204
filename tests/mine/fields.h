/* Minesweeper fields for the tests. */
#pragma once

#include "mine/solve.h"
#include "reference/random.h"

/* A field in both forms: characters for the models, bits for the program. */
struct field {
    unsigned rows, cols;
    char *cells; /* [rows * cols] '*' or '.' */
    uint64_t *mines;
};

/* A field without mines. Free it with free_field. */
struct field new_field(unsigned rows, unsigned cols);
void free_field(struct field *field);

/* The fields of a shape are numbered: bit k is a mine in cell k. */
void set_mines(struct field *field, unsigned number);

void scatter_mines(struct field *field, unsigned per_thousand, struct reference_random *random);

/* Update the bits from the characters. */
void set_bits(struct field *field);

/* Print a field that is not too large. */
void print_field(const struct field *field);
