/* A small Minesweeper field, compared with tests/reference. The input is a letter for the number of columns, the cells
 * up to a '/' (where '*' is a mine and anything else is not), then a letter for each click.
 *
 * With everything included, the answer must match a model's byte for byte. The model plays cell by cell if the field is
 * small enough, and otherwise uses the graph of openings. An illegal click must be refused. The field as a list of
 * mines must have the same answer, and in contest format the same winner. */
#include "fuzz/ask.h"

#include "reference/mine.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CELLS = 64, MAX_COLS = 12, MAX_PLAYED = 10 /* cells without mines */, MAX_POSITIONS = 3000 };

struct field {
    unsigned rows, cols, count; /* of cells */
    char cells[MAX_CELLS];
    bool face_up[MAX_CELLS];
    unsigned clicks;
    bool legal; /* all clicks were legal */
};

/* The models' answer. */
struct value {
    unsigned nimber, wins_total;
    bool wins[MAX_CELLS];
};

/* Read the field, and append the clicks to `clicks` as written in a case. Returns false if the input has no field. */
static bool read_field(const uint8_t *data, size_t size, struct field *ret_field, struct buffer *clicks) {
    const uint8_t *slash = size != 0 ? memchr(data, '/', size) : NULL, *end = slash != NULL ? slash : data + size;
    *ret_field = (struct field){.legal = true};
    if (size < 2 || slash == data)
        return false;
    size_t cells = (size_t)(end - data) - 1 < MAX_CELLS ? (size_t)(end - data) - 1 : MAX_CELLS;
    ret_field->cols = 1 + ask_choice(data[0], MAX_COLS);
    ret_field->rows = (unsigned)cells / ret_field->cols;
    ret_field->count = ret_field->rows * ret_field->cols;
    for (unsigned cell = 0; cell < ret_field->count; cell++)
        ret_field->cells[cell] = data[1 + cell] == '*' ? '*' : '.';
    if (ret_field->count == 0)
        return false;
    for (end += slash != NULL; end < data + size && ret_field->legal; end++) {
        unsigned cell = ask_choice(*end, ret_field->count), cols = ret_field->cols;
        buffer_printf(clicks, "%s[%u,%u]", ret_field->clicks == 0 ? "" : ",", cell / cols, cell % cols);
        ret_field->legal = reference_mine_click(ret_field->rows, cols, ret_field->cells, cell, ret_field->face_up);
        ret_field->clicks++;
    }
    return true;
}

/* Compute the value by playing cell by cell. Returns false if there are too many cells. */
static bool value_by_play(const struct field *field, struct value *ret_value) {
    struct reference_mine_play play;
    unsigned safe = 0;
    uint32_t face_down = 0;
    for (unsigned cell = 0; cell < field->count; cell++)
        safe += field->cells[cell] != '*';
    if (safe > MAX_PLAYED || field->count > 32)
        return false;
    reference_mine_play(field->rows, field->cols, field->cells, &play);
    for (unsigned cell = 0; cell < field->count; cell++)
        if (field->cells[cell] != '*' && !field->face_up[cell])
            face_down |= (uint32_t)1 << play.bit_of_cell[cell];
    ret_value->nimber = play.values[face_down];
    reference_mine_wins_among(field->rows, field->cols, field->cells, &play, face_down, ret_value->wins);
    return true;
}

/* Compute the value from the graph of openings. Returns false if there are too many positions. */
static bool value_by_graph(const struct field *field, struct value *ret_value) {
    struct reference_mine_graph graph =
        reference_mine_graph_left(field->rows, field->cols, field->cells, field->face_up);
    bool found = reference_graph_nimber_by_parts(&graph.graph, MAX_POSITIONS, &ret_value->nimber) &&
                 reference_mine_clicks_left(field->rows, field->cols, field->cells, field->face_up, MAX_POSITIONS,
                                            ret_value->wins);
    ret_value->nimber ^= graph.isolated_numbers & 1;
    reference_mine_graph_clear(&graph);
    return found;
}

static void put_rows(struct buffer *out, const char *name, const struct field *field, const bool *hidden) {
    char shown[MAX_CELLS];
    reference_mine_show(field->rows, field->cols, field->cells, shown);
    for (unsigned cell = 0; cell < field->count; cell++)
        if (hidden != NULL && !hidden[cell])
            shown[cell] = '#';
    buffer_printf(out, ",\"%s\":[", name);
    for (unsigned row = 0; row < field->rows; row++)
        buffer_printf(out, "%s\"%.*s\"", row == 0 ? "" : ",", (int)field->cols, shown + row * field->cols);
    buffer_put_char(out, ']');
}

static void put_answer(struct buffer *out, const struct field *field, const struct value *value) {
    static const char *const players[] = {"Xiemao", "Fanglaoshi"};
    struct reference_mine_counts counts =
        reference_mine_count_left(field->rows, field->cols, field->cells, field->face_up);
    unsigned turn = field->clicks % 2, total = 0;
    buffer_printf(out, "{\"verdict\":\"%s\",\"nimber\":%u,\"openings\":%u,\"three_bv\":%u,\"shared_numbers\":%u",
                  players[value->nimber != 0 ? turn : 1 - turn], value->nimber, counts.openings, counts.three_bv,
                  counts.shared_numbers);
    buffer_printf(out, ",\"turn\":\"%s\",\"wins\":[", players[turn]);
    for (unsigned cell = 0; cell < field->count; cell++)
        if (value->wins[cell])
            buffer_printf(out, "%s[%u,%u]", total++ == 0 ? "" : ",", cell / field->cols, cell % field->cols);
    buffer_printf(out, "],\"wins_total\":%u", total);
    put_rows(out, "board", field, NULL);
    put_rows(out, "face", field, field->face_up);
    buffer_put_string(out, "}\n");
}

/* Write the coordinates of each mine, with texts before, between and after them. Returns the number of mines. */
static unsigned put_mines(struct buffer *out, const struct field *field, const char *before, const char *between,
                          const char *behind) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < field->count; cell++)
        if (field->cells[cell] == '*') {
            count++;
            buffer_printf(out, "%s%u%s%u%s", before, cell / field->cols, between, cell % field->cols, behind);
        }
    return count;
}

/* Write the case with a board, or with a list of mines. */
static void put_case(struct buffer *out, const struct field *field, const struct buffer *clicks, bool list) {
    if (list) {
        buffer_printf(out, "{\"rows\":%u,\"cols\":%u,\"mines\":[", field->rows, field->cols);
        if (put_mines(out, field, "[", ",", "],") != 0)
            out->length--;
    } else {
        buffer_put_string(out, "{\"board\":[");
        for (unsigned row = 0; row < field->rows; row++)
            buffer_printf(out, "%s\"%.*s\"", row == 0 ? "" : ",", (int)field->cols, field->cells + row * field->cols);
    }
    buffer_put_string(out, "],\"clicks\":[");
    buffer_put(out, clicks->data, clicks->length);
    buffer_put_string(out, "],\"include\":[\"wins\",\"board\",\"face\"]}");
}

/* Check the answers for the field as a list of mines and in contest format. */
static void insist_same_otherwise(const struct field *field, const struct buffer *clicks,
                                  const struct response *answer) {
    struct buffer list, mines, text;
    buffer_init(&list, SIZE_MAX, NULL);
    buffer_init(&mines, SIZE_MAX, NULL);
    buffer_init(&text, SIZE_MAX, NULL);
    put_case(&list, field, clicks, true);
    struct asked asked = {"POST", "/mine", ASK_JSON, ASK_JSON, list.data, list.length, false, 0};
    struct response response = ask(&asked);
    ask_insist_same(answer, &response);
    response_clear(&response);
    unsigned count = put_mines(&mines, field, "", " ", "\n");
    buffer_printf(&text, "1\n%u %u %u\n", field->rows, field->cols, count);
    buffer_put(&text, mines.data, mines.length);
    asked = (struct asked){"POST", "/mine", ASK_TEXT, ASK_TEXT, text.data, text.length, false, 0};
    response = ask(&asked);
    if (field->clicks == 0 && !ask_has(answer, "\"verdict\":\"Unknown\"") && !ask_has(&response, "Unknown"))
        INSIST(ask_has(answer, "\"verdict\":\"Xiemao\"") == ask_has(&response, "Case #1: Xiemao\n"));
    response_clear(&response);
    buffer_clear(&list);
    buffer_clear(&mines);
    buffer_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct field field;
    struct value value = {0};
    struct buffer body, wanted, clicks;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_init(&wanted, SIZE_MAX, NULL);
    buffer_init(&clicks, SIZE_MAX, NULL);
    if (!read_field(data, size, &field, &clicks))
        return 0;
    put_case(&body, &field, &clicks, false);
    struct asked asked = {"POST", "/mine", ASK_JSON, ASK_JSON, body.data, body.length, false, 0};
    struct response response = ask_in_turns(&asked, ask_seed(data, size));
    INSIST(field.legal ? response.status == 200 : response.status == 422);
    /* A null nimber or null wins mean that the search reached its limit, so there is nothing to compare. */
    if (field.legal && !ask_has(&response, "\"nimber\":null") && !ask_has(&response, "\"wins\":null") &&
        (value_by_play(&field, &value) || value_by_graph(&field, &value))) {
        put_answer(&wanted, &field, &value);
        ask_insist_bytes(&response, wanted.data, wanted.length);
    }
    if (field.legal)
        insist_same_otherwise(&field, &clicks, &response);
    response_clear(&response);
    buffer_clear(&body);
    buffer_clear(&wanted);
    buffer_clear(&clicks);
    ask_end();
    return 0;
}
