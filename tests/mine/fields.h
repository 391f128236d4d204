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

/* A field by its shape and number. */
struct image {
    unsigned rows, cols, number;
};

/* Get the distinct fields that result from a field by reflection and transposition, starting with the field itself;
 * those of its own shape come before those of the transposed shape. Returns how many there are, or 0 if one of its own
 * shape has a smaller number than the field. So a loop over the numbers of a shape finds each class of equivalent
 * fields once. */
enum { MAX_IMAGES = 8 };
unsigned images_of(unsigned rows, unsigned cols, unsigned number, struct image ret_images[MAX_IMAGES]);

/* How many of these images have the shape of the first? */
unsigned count_same_shape(const struct image *images, unsigned count);

void scatter_mines(struct field *field, unsigned per_thousand, struct reference_random *random);

/* Update the bits from the characters. */
void set_bits(struct field *field);

/* Print a field that is not too large. */
void print_field(const struct field *field);
