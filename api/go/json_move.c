#include "api/go/json_move.h"

#include "api/go/case.h"
#include "base/ascii.h"

#include <string.h>
#include <strings.h>

/* A move while it is read. */
struct reading {
    int64_t size;
    struct go_move move, named; /* by its row and column, and by its name */
    bool has_at, has_name, passes;
};

enum go_point_result go_json_parse_point(const char *text, size_t length, int64_t size, struct go_move *ret_point) {
    char letter = length != 0 ? *text : 0;
    bool padded = length > 2 && text[1] == '0';
    letter = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    int64_t col = letter - 'A' - (letter > 'I'), row = 0;
    if (letter < 'A' || letter > 'Z' || letter == 'I' || length < 2 || padded)
        return GO_POINT_WRONG;
    for (size_t i = 1; i < length; i++) {
        if (!ascii_is_digit(text[i]))
            return GO_POINT_WRONG;
        row = row <= GO_MAX_SIZE ? 10 * row + (text[i] - '0') : row;
    }
    if (size != 0 && (col >= size || row < 1 || row > size))
        return GO_POINT_NOT_ON_BOARD;
    ret_point->row = (uint8_t)(size - row);
    ret_point->col = (uint8_t)col;
    return GO_POINT_READ;
}

/* Read "pass", or a point in GTP notation: a column letter (I is left out), and a row counted from 1 at the bottom. */
static void read_name(struct json_decode *d, const char *name, const struct place *place, struct reading *r) {
    r->has_name = true;
    if (strcasecmp(name, "pass") == 0) {
        r->named.row = GO_PASS;
        return;
    }
    enum go_point_result result = go_json_parse_point(name, strlen(name), r->size, &r->named);
    if (result == GO_POINT_WRONG)
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is neither a point, such as \"Q16\", nor \"pass\"%s",
                 fault_quote_string(name).text,
                 *name == 'I' || *name == 'i' ? " (there is no column I: J comes after H)" : "");
    else if (result == GO_POINT_NOT_ON_BOARD)
        fault_at(d->faults, place, FAULT_RANGE, "\"%s\" is not on the %lld x %lld board", fault_quote_string(name).text,
                 (long long)r->size, (long long)r->size);
}

/* Read the row and the column of a point; each has a place of its own. */
static void read_at(struct json_decode *d, const cJSON *first, size_t index, const struct place *place,
                    struct reading *r) {
    const struct place at_row = {.parent = place, .index = index}, at_col = {.parent = place, .index = index + 1};
    int64_t row, col, last = r->size != 0 ? r->size - 1 : (int64_t)1 << 53;
    bool good = json_decode_integer(d, first, &at_row, "the move's row", 0, last, &row);
    if (json_decode_integer(d, first->next, &at_col, "the move's column", 0, last, &col) && good) {
        r->move.row = (uint8_t)row;
        r->move.col = (uint8_t)col;
    }
    r->has_at = true;
}

/* Read a colour. Returns false if it is not one. */
static bool read_color_word(const char *word, size_t length, struct reading *r) {
    bool is_usual = length == 1 && (*word == 'B' || *word == 'W');
    int color = is_usual ? *word == 'W' : json_find_side(go_sides, word, length);
    if (color >= 0)
        r->move.color = (uint8_t)(GO_BLACK + color);
    return color >= 0;
}

/* ---- an object: a colour with a point, a name or a pass; or a miss of an answer ---- */

static void read_color(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    (void)field;
    if (!cJSON_IsString(json))
        json_fault_type(d, json, place, "the move's colour", "\"B\" or \"W\"");
    else if (!read_color_word(json->valuestring, strlen(json->valuestring), target))
        fault_at(d->faults, place, FAULT_VALUE, "the move's colour is \"%s\"; it must be \"B\" or \"W\"",
                 fault_quote_string(json->valuestring).text);
}

static void read_at_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                           const struct place *place, void *target) {
    (void)field;
    if (!cJSON_IsArray(json))
        json_fault_type(d, json, place, NULL, "an array of 2 integers: [row, col]");
    else if (cJSON_GetArraySize(json) != 2)
        fault_at(d->faults, place, FAULT_LENGTH, "\"at\" has 2 elements; this one has %d", cJSON_GetArraySize(json));
    else
        read_at(d, json->child, 0, place, target);
}

static void read_name_member(struct json_decode *d, const struct json_field *field, const cJSON *json,
                             const struct place *place, void *target) {
    (void)field;
    if (cJSON_IsString(json))
        read_name(d, json->valuestring, place, target);
    else
        json_fault_type(d, json, place, "the move's point", "a string, such as \"Q16\" or \"pass\"");
}

static const struct json_field fields[] = {
    {.name = "color", .read = read_color},
    {.name = "at", .read = read_at_member},
    {.name = "name", .read = read_name_member},
    {.name = "pass", .read = json_read_boolean, .offset = offsetof(struct reading, passes)},
    /* Members of a miss that say nothing about the move. */
    {.name = "move"},
    {.name = "code"},
    {.name = "reason"},
    {.name = "repeats"},
    {.name = "line"},
    {.name = "column"},
};
static const struct json_object object = {"a move", fields, sizeof fields / sizeof *fields};

static void read_object(struct json_decode *d, const cJSON *json, const struct place *place, struct reading *r) {
    size_t before = d->faults->count;
    json_decode_object(d, &object, json, place, r);
    if (d->outcome != OUTCOME_DONE || d->faults->count != before)
        return;
    bool agree = r->size == 0 || (r->move.row == r->named.row && r->move.col == r->named.col);
    if (!r->has_at && !r->has_name && !r->passes)
        fault_at(d->faults, place, FAULT_MISSING, "\"at\" is missing; a move has \"at\", \"name\" or \"pass\"");
    else if (r->has_at && r->has_name && !agree)
        fault_at(d->faults, place, FAULT_CONFLICT, "\"at\" and \"name\" are different points");
    else if (r->passes && (r->has_at || (r->has_name && r->named.row != GO_PASS)))
        fault_at(d->faults, place, FAULT_CONFLICT, "\"pass\" cannot be combined with a point");
}

/* ---- an array: [colour, row, col], [colour, name] or [row, col] ---- */

static void read_array(struct json_decode *d, const cJSON *json, const struct place *place, struct reading *r) {
    const cJSON *first = json->child, *second = first != NULL ? first->next : NULL;
    const cJSON *third = second != NULL ? second->next : NULL;
    const struct place at_first = {.parent = place, .index = 0}, at_second = {.parent = place, .index = 1};
    if (second == NULL || (third != NULL && third->next != NULL)) {
        fault_at(d->faults, place, FAULT_LENGTH, "a move has 2 or 3 elements; this one has %d",
                 cJSON_GetArraySize(json));
        return;
    }
    if (third == NULL && cJSON_IsNumber(first)) {
        read_at(d, first, 0, place, r);
        return;
    }
    read_color(d, NULL, first, &at_first, r);
    if (third != NULL)
        read_at(d, second, 1, place, r);
    else
        read_name_member(d, NULL, second, &at_second, r);
}

/* ---- a string: "D4" or "B D4" ---- */

static void read_string(struct json_decode *d, const char *text, const struct place *place, struct reading *r) {
    size_t length = strcspn(text, " ");
    if (text[length] == 0)
        read_name(d, text, place, r);
    else if (read_color_word(text, length, r))
        read_name(d, text + length + strspn(text + length, " "), place, r);
    else
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is not a move; it must be like \"B D4\", \"D4\" or \"pass\"",
                 fault_quote_string(text).text);
}

void go_json_read_move(struct json_decode *d, const cJSON *json, const struct place *place, int64_t size,
                       struct go_move *ret_move) {
    struct reading r = {.size = size, .move = *ret_move, .named = *ret_move};
    if (cJSON_IsArray(json))
        read_array(d, json, place, &r);
    else if (cJSON_IsString(json))
        read_string(d, json->valuestring, place, &r);
    else if (cJSON_IsObject(json))
        read_object(d, json, place, &r);
    else
        json_fault_type(d, json, place, "the move", "like [\"B\",3,3], \"B D4\" or {\"color\":\"B\",\"at\":[3,3]}");
    *ret_move =
        (struct go_move){r.move.color, r.has_at ? r.move.row : r.named.row, r.has_at ? r.move.col : r.named.col};
    if (r.passes)
        ret_move->row = GO_PASS;
}
