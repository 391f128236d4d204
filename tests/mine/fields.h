/* Minesweeper fields for the tests. */
#pragma once

#include "mine/solve.h"
#include "reference/random.h"

/* A field in two forms: characters for the models, and bits for the program. */
struct field {
    unsigned rows, cols;
    char *cells; /* [rows * cols] '*' or '.' */
    uint64_t *mines;
};

/* Make a field without mines. Free it with free_field. */
struct field new_field(unsigned rows, unsigned cols);
void free_field(struct field *field);

/* Set the mines of field number `number`: bit k is a mine in cell k. */
void set_mines(struct field *field, unsigned number);

/* A field, given by its shape and number. */
struct image {
    unsigned rows, cols, number;
};

/* Get the distinct fields that result from reflecting and transposing a field, starting with the field itself. Those of
 * its own shape come before those of the transposed shape. Returns their number, or 0 if one of the same shape has a
 * smaller number than the field. A loop over all numbers of a shape therefore finds each class of equivalent fields
 * once. */
enum { MAX_IMAGES = 8 };
unsigned images_of(unsigned rows, unsigned cols, unsigned number, struct image ret_images[MAX_IMAGES]);

/* Count the images that have the shape of the first. */
unsigned count_same_shape(const struct image *images, unsigned count);

void scatter_mines(struct field *field, unsigned per_thousand, struct reference_random *random);

/* Update the bits from the characters. */
void set_bits(struct field *field);

/* Print a field, unless it is too large. */
void print_field(const struct field *field);
