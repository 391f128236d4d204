#include "api/go/json_move.h"

#include <string.h>

/* Read a point in GTP notation: a column letter (I is left out), and a row counted from 1 at the bottom. */
static void read_point(struct json_decode *d, const char *point, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    char letter = point[0] >= 'a' && point[0] <= 'z' ? (char)(point[0] - 'a' + 'A') : point[0];
    size_t digits = letter != 0 ? strspn(point + 1, "0123456789") : 0;
    bool padded = digits > 1 && point[1] == '0';
    if (letter < 'A' || letter > 'Z' || letter == 'I' || digits == 0 || padded || point[1 + digits] != 0) {
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is neither a point, such as \"Q16\", nor \"pass\"%s",
                 fault_quote_string(point).text, letter == 'I' ? " (there is no column I: J comes after H)" : "");
        return;
    }
    int64_t col = letter - 'A' - (letter > 'I'), row = 0;
    for (size_t i = 1; i <= digits && row <= GO_MAX_SIZE; i++)
        row = 10 * row + (point[i] - '0');
    if (size != 0 && (col >= size || row < 1 || row > size)) {
        fault_at(d->faults, place, FAULT_RANGE, "\"%s\" is not on a board of %lld x %lld points",
                 fault_quote_string(point).text, (long long)size, (long long)size);
        return;
    }
    ret_move->row = (uint8_t)(size - row);
    ret_move->col = (uint8_t)col;
}

/* Read the second element of a move with two elements: a point or a pass. */
static void read_word_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                           struct go_move *ret_move) {
    if (!cJSON_IsString(json))
        json_fault_type(d, json, place, "the move's point", "a string, such as \"Q16\" or \"pass\"");
    else if (strcmp(json->valuestring, "pass") == 0)
        ret_move->row = GO_PASS;
    else
        read_point(d, json->valuestring, place, size, ret_move);
}

void go_json_read_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    if (!cJSON_IsArray(json)) {
        json_fault_type(d, json, place, "the move", "an array: [colour, row, col] or [colour, point]");
        return;
    }
    const cJSON *color = json->child, *second = color != NULL ? color->next : NULL;
    const cJSON *third = second != NULL ? second->next : NULL;
    if (second == NULL || (third != NULL && third->next != NULL)) {
        fault_at(d->faults, place, FAULT_LENGTH, "a move has 2 or 3 elements; this one has %d",
                 cJSON_GetArraySize(json));
        return;
    }
    struct place at_color = {.parent = place, .index = 0}, at_second = {.parent = place, .index = 1},
                 at_third = {.parent = place, .index = 2};
    if (!cJSON_IsString(color))
        json_fault_type(d, color, &at_color, "the move's colour", "\"B\" or \"W\"");
    else if (strcmp(color->valuestring, "B") != 0 && strcmp(color->valuestring, "W") != 0)
        fault_at(d->faults, &at_color, FAULT_VALUE, "the move's colour is \"%s\"; it must be \"B\" or \"W\"",
                 fault_quote_string(color->valuestring).text);
    else
        ret_move->color = color->valuestring[0] == 'B' ? GO_BLACK : GO_WHITE;
    if (third == NULL) {
        read_word_move(d, second, &at_second, size, ret_move);
        return;
    }
    /* If the size is unknown, any point could be on the board. */
    int64_t row, col, last = size != 0 ? size - 1 : (int64_t)1 << 53;
    bool good = json_decode_integer(d, second, &at_second, "the move's row", 0, last, &row);
    if (json_decode_integer(d, third, &at_third, "the move's column", 0, last, &col) && good) {
        ret_move->row = (uint8_t)row;
        ret_move->col = (uint8_t)col;
    }
}
