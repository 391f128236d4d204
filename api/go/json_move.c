#include "api/go/json_move.h"

#include <string.h>
#include <strings.h>

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
        fault_at(d->faults, place, FAULT_RANGE, "\"%s\" is not on the %lld x %lld board",
                 fault_quote_string(point).text, (long long)size, (long long)size);
        return;
    }
    ret_move->row = (uint8_t)(size - row);
    ret_move->col = (uint8_t)col;
}

/* Read a point's name or "pass". */
static void read_name(struct json_decode *d, const char *name, const struct place *place, int64_t size,
                      struct go_move *ret_move) {
    if (strcasecmp(name, "pass") == 0)
        ret_move->row = GO_PASS;
    else
        read_point(d, name, place, size, ret_move);
}

/* Read the row and the column of a point; each has a place of its own. */
static void read_at(struct json_decode *d, const cJSON *first, size_t index, const struct place *place, int64_t size,
                    struct go_move *ret_move) {
    const struct place at_row = {.parent = place, .index = index}, at_col = {.parent = place, .index = index + 1};
    int64_t row, col, last = size != 0 ? size - 1 : (int64_t)1 << 53;
    bool good = json_decode_integer(d, first, &at_row, "the move's row", 0, last, &row);
    if (json_decode_integer(d, first->next, &at_col, "the move's column", 0, last, &col) && good) {
        ret_move->row = (uint8_t)row;
        ret_move->col = (uint8_t)col;
    }
}

/* The colours, by enum go_color without GO_EMPTY. */
static const char *const colors[] = {"Black", "White", NULL};

static bool read_color_word(const char *word, struct go_move *ret_move) {
    int color = json_find_side(colors, word);
    if (color >= 0)
        ret_move->color = (uint8_t)(GO_BLACK + color);
    return color >= 0;
}

static void read_color(struct json_decode *d, const cJSON *json, const struct place *place, struct go_move *ret_move) {
    if (!cJSON_IsString(json))
        json_fault_type(d, json, place, "the move's colour", "\"B\" or \"W\"");
    else if (!read_color_word(json->valuestring, ret_move))
        fault_at(d->faults, place, FAULT_VALUE, "the move's colour is \"%s\"; it must be \"B\" or \"W\"",
                 fault_quote_string(json->valuestring).text);
}

/* ---- an array: [colour, row, col], [colour, name] or [row, col] ---- */

static void read_array(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    const cJSON *first = json->child, *second = first != NULL ? first->next : NULL;
    const cJSON *third = second != NULL ? second->next : NULL;
    const struct place at_first = {.parent = place, .index = 0}, at_second = {.parent = place, .index = 1};
    if (second == NULL || (third != NULL && third->next != NULL)) {
        fault_at(d->faults, place, FAULT_LENGTH, "a move has 2 or 3 elements; this one has %d",
                 cJSON_GetArraySize(json));
        return;
    }
    if (third == NULL && cJSON_IsNumber(first)) {
        read_at(d, first, 0, place, size, ret_move);
        return;
    }
    read_color(d, first, &at_first, ret_move);
    if (third != NULL)
        read_at(d, second, 1, place, size, ret_move);
    else if (cJSON_IsString(second))
        read_name(d, second->valuestring, &at_second, size, ret_move);
    else
        json_fault_type(d, second, &at_second, "the move's point", "a string, such as \"Q16\" or \"pass\"");
}

/* ---- a string: "D4" or "B D4" ---- */

static void read_string(struct json_decode *d, const char *text, const struct place *place, int64_t size,
                        struct go_move *ret_move) {
    char color[sizeof "White"] = "";
    size_t length = strcspn(text, " ");
    if (text[length] == 0) {
        read_name(d, text, place, size, ret_move);
        return;
    }
    if (length < sizeof color)
        memcpy(color, text, length);
    if (read_color_word(color, ret_move))
        read_name(d, text + length + strspn(text + length, " "), place, size, ret_move);
    else
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is not a move; it must be like \"B D4\", \"D4\" or \"pass\"",
                 fault_quote_string(text).text);
}

/* ---- an object: a colour with a point, a name or a pass; or a miss of an answer ---- */

struct reading {
    int64_t size;
    struct go_move move, named; /* by its row and column, and by its name */
    bool has_at, has_name, passes;
};

static void read_color_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                              const struct place *place, void *target) {
    (void)field;
    read_color(d, json, place, &((struct reading *)target)->move);
}

static void read_at_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                           const struct place *place, void *target) {
    struct reading *reading = target;
    (void)field;
    reading->has_at = true;
    if (!cJSON_IsArray(json))
        json_fault_type(d, json, place, NULL, "an array of 2 integers: [row, col]");
    else if (cJSON_GetArraySize(json) != 2)
        fault_at(d->faults, place, FAULT_LENGTH, "\"at\" has 2 elements; this one has %d", cJSON_GetArraySize(json));
    else
        read_at(d, json->child, 0, place, reading->size, &reading->move);
}

static void read_name_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                             const struct place *place, void *target) {
    struct reading *reading = target;
    (void)field;
    reading->has_name = true;
    if (cJSON_IsString(json))
        read_name(d, json->valuestring, place, reading->size, &reading->named);
    else
        json_fault_type(d, json, place, NULL, "a string, such as \"Q16\"");
}

/* Members of a miss that say nothing about the move. */
static void ignore(struct json_decode *d, const struct json_field *field, const cJSON *json, const struct place *place,
                   void *target) {
    (void)d, (void)field, (void)json, (void)place, (void)target;
}

static const struct json_field fields[] = {
    {.name = "color", .read = read_color_member},
    {.name = "at", .read = read_at_member},
    {.name = "name", .read = read_name_member},
    {.name = "pass", .read = json_read_boolean, .offset = offsetof(struct reading, passes)},
    {.name = "move", .read = ignore},
    {.name = "code", .read = ignore},
    {.name = "reason", .read = ignore},
    {.name = "repeats", .read = ignore},
    {.name = "line", .read = ignore},
    {.name = "column", .read = ignore},
};
static const struct json_object object = {"a move", fields, sizeof fields / sizeof *fields};

static void read_object(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                        struct go_move *ret_move) {
    struct reading reading = {.size = size, .move = *ret_move, .named = *ret_move};
    size_t before = d->faults->count;
    json_decode_object(d, &object, json, place, &reading);
    if (d->outcome != OUTCOME_DONE || d->faults->count != before)
        return;
    bool agree = reading.move.row == reading.named.row && reading.move.col == reading.named.col;
    if (!reading.has_at && !reading.has_name && !reading.passes)
        fault_at(d->faults, place, FAULT_MISSING, "\"at\" is missing; a move has \"at\", \"name\" or \"pass\"");
    else if (reading.has_at && reading.has_name && size != 0 && !agree)
        fault_at(d->faults, place, FAULT_CONFLICT, "\"at\" and \"name\" are different points");
    else if (reading.passes && (reading.has_at || reading.has_name))
        fault_at(d->faults, place, FAULT_CONFLICT, "\"pass\" cannot be combined with a point");
    *ret_move = reading.move;
    if (!reading.has_at && reading.has_name) {
        ret_move->row = reading.named.row;
        ret_move->col = reading.named.col;
    }
    if (reading.passes)
        ret_move->row = GO_PASS;
}

/* Read a coordinate on a board of known size. Returns false if it is not one. */
static bool read_usual_coordinate(const cJSON *json, int64_t size, uint8_t *ret_value) {
    if (!cJSON_IsNumber(json) || !(json->valuedouble >= 0 && json->valuedouble < (double)size))
        return false;
    *ret_value = (uint8_t)json->valuedouble;
    return json->valuedouble == *ret_value;
}

/* Read a move like ["B",3,3], as nearly all are. Returns false if it is another one. */
static bool read_usual(const cJSON *json, int64_t size, struct go_move *ret_move) {
    const cJSON *color = json->child, *row = color != NULL ? color->next : NULL, *col = row != NULL ? row->next : NULL;
    const char *letter = col != NULL && cJSON_IsString(color) ? color->valuestring : "";
    if ((letter[0] != 'B' && letter[0] != 'W') || letter[1] != 0 || col->next != NULL || !cJSON_IsArray(json))
        return false;
    ret_move->color = letter[0] == 'B' ? GO_BLACK : GO_WHITE;
    return read_usual_coordinate(row, size, &ret_move->row) && read_usual_coordinate(col, size, &ret_move->col);
}

void go_json_read_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    if (read_usual(json, size, ret_move))
        return;
    if (cJSON_IsArray(json))
        read_array(d, json, place, size, ret_move);
    else if (cJSON_IsString(json))
        read_string(d, json->valuestring, place, size, ret_move);
    else if (cJSON_IsObject(json))
        read_object(d, json, place, size, ret_move);
    else
        json_fault_type(d, json, place, "the move", "like [\"B\",3,3], \"B D4\" or {\"color\":\"B\",\"at\":[3,3]}");
}
