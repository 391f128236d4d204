#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mine/fields.h"

#include <stdlib.h>
#include <string.h>

/* The largest field that is printed when a test fails; for larger ones, only the size is printed. */
enum { MAX_PRINTED_CELLS = 4000 };

struct field new_field(unsigned rows, unsigned cols) {
    struct field field = {.rows = rows, .cols = cols};
    field.cells = malloc((size_t)rows * cols);
    field.mines = calloc((size_t)rows * mine_words(cols), sizeof(*field.mines));
    if (field.cells == NULL || field.mines == NULL)
        abort();
    memset(field.cells, '.', (size_t)rows * cols);
    return field;
}

void free_field(struct field *field) {
    free(field->cells);
    free(field->mines);
}

void set_mines(struct field *field, unsigned number) {
    for (unsigned cell = 0; cell < field->rows * field->cols; cell++)
        field->cells[cell] = number >> cell & 1 ? '*' : '.';
}

/* Get image `k` of a field: bit 0 of k reverses the order of the rows, bit 1 that of the columns, and bit 2 transposes
 * the field. */
static struct image image_of(unsigned rows, unsigned cols, unsigned number, unsigned k) {
    struct image image = {.rows = k & 4 ? cols : rows, .cols = k & 4 ? rows : cols};
    for (; number != 0; number &= number - 1) {
        unsigned cell = (unsigned)__builtin_ctz(number), row = cell / cols, col = cell % cols;
        row = k & 1 ? rows - 1 - row : row;
        col = k & 2 ? cols - 1 - col : col;
        image.number |= 1u << (k & 4 ? col * rows + row : row * cols + col);
    }
    return image;
}

unsigned images_of(unsigned rows, unsigned cols, unsigned number, struct image ret_images[MAX_IMAGES]) {
    unsigned count = 0;
    for (unsigned k = 0; k < MAX_IMAGES; k++) {
        struct image image = image_of(rows, cols, number, k);
        bool is_new = true;
        if (image.rows == rows && image.number < number)
            return 0;
        for (unsigned i = 0; i < count; i++)
            is_new = is_new && (ret_images[i].rows != image.rows || ret_images[i].number != image.number);
        if (is_new)
            ret_images[count++] = image;
    }
    return count;
}

unsigned count_same_shape(const struct image *images, unsigned count) {
    unsigned same = 0;
    while (same < count && images[same].rows == images[0].rows)
        same++;
    return same;
}

void scatter_mines(struct field *field, unsigned per_thousand, struct reference_random *random) {
    for (size_t cell = 0; cell < (size_t)field->rows * field->cols; cell++)
        field->cells[cell] = reference_random_below(random, 1000) < per_thousand ? '*' : '.';
}

void set_bits(struct field *field) {
    memset(field->mines, 0, (size_t)field->rows * mine_words(field->cols) * sizeof(*field->mines));
    for (unsigned row = 0; row < field->rows; row++) {
        for (unsigned col = 0; col < field->cols; col++) {
            if (field->cells[(size_t)row * field->cols + col] == '*')
                field->mines[(size_t)row * mine_words(field->cols) + col / 64] |= (uint64_t)1 << col % 64;
        }
    }
}

void print_field(const struct field *field) {
    print_error("a field of %u x %u:\n", field->rows, field->cols);
    for (unsigned row = 0; row < field->rows && field->rows * field->cols <= MAX_PRINTED_CELLS; row++)
        print_error("%.*s\n", (int)field->cols, field->cells + (size_t)row * field->cols);
}
