#include "mine/field.h"

#include "base/assert.h"

bool mine_field_is_valid(const struct mine_field *field) {
    if (field->rows < 1 || field->rows > MINE_MAX_SIDE || field->cols < 1 || field->cols > MINE_MAX_SIDE)
        return false;
    unsigned words = mine_words(field->cols);
    uint64_t beyond = ~mine_last_word_mask(field->cols), strays = 0;
    for (unsigned r = 0; r < field->rows; r++)
        strays |= field->mines[(size_t)r * words + words - 1] & beyond;
    for (unsigned r = 0; field->face_up != NULL && r < field->rows; r++) {
        strays |= field->face_up[(size_t)r * words + words - 1] & beyond;
        for (unsigned w = 0; w < words; w++)
            strays |= field->face_up[(size_t)r * words + w] & field->mines[(size_t)r * words + w];
    }
    return strays == 0;
}

/* Get a cell's bit in a map of the field. */
static bool bit_at(const struct mine_field *field, const uint64_t *map, unsigned r, unsigned c) {
    return map[(size_t)r * mine_words(field->cols) + c / 64] >> c % 64 & 1;
}

unsigned mine_count_around(const struct mine_field *field, unsigned row, unsigned col) {
    unsigned count = 0;
    ASSERT(row < field->rows && col < field->cols);
    for (unsigned y = row > 0 ? row - 1 : 0; y <= row + 1 && y < field->rows; y++)
        for (unsigned x = col > 0 ? col - 1 : 0; x <= col + 1 && x < field->cols; x++)
            count += bit_at(field, field->mines, y, x);
    return count;
}

void mine_show(const struct mine_field *field, char *ret_cells) {
    ASSERT(mine_field_is_valid(field));
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++)
            *ret_cells++ = bit_at(field, field->mines, r, c) ? '*' : ".12345678"[mine_count_around(field, r, c)];
}

void mine_show_face(const struct mine_field *field, char *ret_cells) {
    mine_show(field, ret_cells);
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++, ret_cells++)
            if (field->face_up == NULL || !bit_at(field, field->face_up, r, c))
                *ret_cells = '#';
}
