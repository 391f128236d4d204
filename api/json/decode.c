#include "api/json/decode.h"

#include "base/ascii.h"
#include "base/assert.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *type_name(const cJSON *json) {
    return cJSON_IsObject(json)   ? "an object"
           : cJSON_IsArray(json)  ? "an array"
           : cJSON_IsString(json) ? "a string"
           : cJSON_IsNumber(json) ? "a number"
           : cJSON_IsBool(json)   ? "a boolean"
                                  : "null";
}

/* The subject of a sentence. */
struct subject {
    char text[64];
};

/* Get `what`, or the name of the member in quotes if that is NULL. */
static struct subject subject_of(const char *what, const struct place *place) {
    struct subject subject;
    if (what != NULL)
        snprintf(subject.text, sizeof subject.text, "%s", what);
    else
        snprintf(subject.text, sizeof subject.text, "\"%s\"", place->member != NULL ? place->member : "");
    return subject;
}

void json_fault_type(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                     const char *needed) {
    fault_at(d->faults, place, FAULT_TYPE, "%s is %s; it must be %s", subject_of(what, place).text, type_name(json),
             needed);
}

bool json_decode_charge(struct json_decode *d, uint64_t units) {
    if (d->outcome == OUTCOME_DONE && !work_charge(d->work, units))
        d->outcome = work_failure(d->work);
    return d->outcome == OUTCOME_DONE;
}

const cJSON *json_find_member(const cJSON *object, const char *name) {
    const cJSON *member;
    if (cJSON_IsObject(object))
        cJSON_ArrayForEach(member, object) {
            if (strcmp(member->string, name) == 0)
                return member;
        }
    return NULL;
}

int64_t json_peek_integer(const cJSON *object, const char *name, int64_t min, int64_t max, int64_t otherwise) {
    const cJSON *json = json_find_member(object, name);
    if (!cJSON_IsNumber(json) || json->valuedouble != floor(json->valuedouble) || json->valuedouble < (double)min ||
        json->valuedouble > (double)max)
        return otherwise;
    return (int64_t)json->valuedouble;
}

/* Add the fault of a value that is not an integer in this range. Not inlined, so that a good integer costs little. */
__attribute__((noinline)) static void fault_integer(struct json_decode *d, const cJSON *json, const struct place *place,
                                                    const char *what, int64_t min, int64_t max) {
    double value = json->valuedouble;
    if (!cJSON_IsNumber(json))
        json_fault_type(d, json, place, what, "an integer");
    else if (value != floor(value))
        fault_at(d->faults, place, FAULT_TYPE, "%s must be an integer", subject_of(what, place).text);
    else if (fabs(value) < 1e15) /* integers beyond the precision of a double are not quoted */
        fault_at(d->faults, place, FAULT_RANGE, "%s is %.0f; it must be between %lld and %lld",
                 subject_of(what, place).text, value, (long long)min, (long long)max);
    else
        fault_at(d->faults, place, FAULT_RANGE, "%s is too %s; it must be between %lld and %lld",
                 subject_of(what, place).text, value < 0 ? "small" : "large", (long long)min, (long long)max);
}

bool json_decode_integer(struct json_decode *d, const cJSON *json, const struct place *place, const char *what,
                         int64_t min, int64_t max, int64_t *ret_value) {
    double value = json->valuedouble;
    bool good = cJSON_IsNumber(json) && value >= (double)min && value <= (double)max;
    if (!good || value != (double)(int64_t)value) { /* faster than floor */
        fault_integer(d, json, place, what, min, max);
        return false;
    }
    *ret_value = (int64_t)value;
    return true;
}

const struct json_field *json_find_field(const struct json_object *object, const char *name) {
    for (size_t f = 0; f < object->count; f++)
        if (strcmp(object->fields[f].name, name) == 0)
            return &object->fields[f];
    return NULL;
}

int json_find_side(const char *const *sides, const char *string, size_t length) {
    for (int i = 0; sides[i] != NULL; i++)
        if (strncasecmp(sides[i], string, length) == 0 && (length == 1 || sides[i][length] == 0))
            return i;
    return -1;
}

/* Read a string of which `find` gets the index. */
static void read_word(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target,
                      int (*find)(const char *const *words, const char *text, size_t length)) {
    const char *text = cJSON_IsString(json) ? json->valuestring : "";
    int word = find(field->words, text, strlen(text));
    if (!cJSON_IsString(json))
        json_fault_type(d, json, place, NULL, "a string");
    else if (word < 0)
        fault_at(d->faults, place, FAULT_VALUE, "\"%s\" is \"%s\"; it must be %s%s", field->name,
                 fault_quote_string(text).text, words_list(field->words, "\"", " or ").text,
                 fault_ask(d->faults, field->words, text, strlen(text)).text);
    else
        *(unsigned *)((char *)target + field->offset) = (unsigned)word;
}

void json_read_word(struct json_decode *d, const struct json_field *field, const cJSON *json, const struct place *place,
                    void *target) {
    read_word(d, field, json, place, target, words_find);
}

void json_read_side(struct json_decode *d, const struct json_field *field, const cJSON *json, const struct place *place,
                    void *target) {
    read_word(d, field, json, place, target, json_find_side);
}

void json_read_boolean(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    if (cJSON_IsBool(json))
        *(bool *)((char *)target + field->offset) = cJSON_IsTrue(json);
    else
        json_fault_type(d, json, place, NULL, "true or false");
}

void json_read_object(struct json_decode *d, const struct json_field *field, const cJSON *json,
                      const struct place *place, void *target) {
    json_decode_object(d, field->object, json, place, (char *)target + field->offset);
}

enum { MAX_PART = 64 /* bytes; longer ones are unknown even when they are cut */ };

static void read_part(struct json_decode *d, const struct json_field *field, const char *part,
                      const struct place *place, uint32_t *include) {
    int word = words_find(field->words, part, strlen(part));
    if (word < 0)
        fault_unknown(d->faults, place, FAULT_VALUE, "part", part, field->words, "\"include\" can have");
    else if (*include >> word & 1)
        fault_at(d->faults, place, FAULT_VALUE, "the part \"%s\" appears more than once", field->words[word]);
    else
        *include |= (uint32_t)1 << word;
}

void json_read_parts(struct json_decode *d, const struct json_field *field, const cJSON *json,
                     const struct place *place, void *target) {
    uint32_t *include = (uint32_t *)((char *)target + field->offset);
    const cJSON *element;
    size_t count = 0;
    if (!cJSON_IsArray(json) && !cJSON_IsString(json))
        json_fault_type(d, json, place, NULL, "an array of strings");
    for (const char *at = json->valuestring; cJSON_IsString(json) && json_decode_charge(d, 5);) {
        char part[MAX_PART + 1];
        size_t length = strcspn(at, ", ");
        snprintf(part, sizeof part, "%.*s", (int)length, at);
        read_part(d, field, part, place, include);
        at += length;
        if (*at == 0)
            break;
        at += strspn(at, ", ");
    }
    cJSON_ArrayForEach(element, json) {
        const struct place here = {.parent = place, .index = count++};
        if (!json_decode_charge(d, 5))
            return;
        if (cJSON_IsString(element))
            read_part(d, field, element->valuestring, &here, include);
        else
            json_fault_type(d, element, &here, "the part", "a string");
    }
}

enum { MAX_FIELDS = 64 /* bits in the set of members that have been seen */ };

/* Add the fault of an unknown name. At the top, there could be a batch instead of this object. */
static void fault_unknown_member(struct json_decode *d, const struct json_object *object, const cJSON *member,
                                 const struct place *place) {
    static const char *const cases[] = {"cases", NULL};
    const struct place here = {.parent = place, .member = member->string};
    const char *names[MAX_FIELDS + 1] = {NULL}, *name = member->string;
    char has[64];
    size_t length = strnlen(name, 64);
    /* Finding the name that is meant takes a while. */
    if (d->faults->count < FAULTS_LISTED && !json_decode_charge(d, object->count * (10 + length)))
        return;
    for (size_t f = 0; f < object->count; f++)
        names[f] = object->fields[f].name;
    snprintf(has, sizeof has, "%s can have", object->what);
    bool is_cases = place->parent == NULL && strcmp(name, "cases") != 0 &&
                    *fault_ask(d->faults, cases, name, length).text != 0 &&
                    *fault_ask(d->faults, names, name, length).text == 0;
    fault_unknown(d->faults, &here, FAULT_UNKNOWN_MEMBER, "member", name, is_cases ? cases : names, has);
}

void json_decode_object(struct json_decode *d, const struct json_object *object, const cJSON *json,
                        const struct place *place, void *target) {
    if (!cJSON_IsObject(json)) {
        json_fault_type(d, json, place, place->member == NULL ? "the case" : NULL, "an object");
        return;
    }
    ASSERT(object->count <= MAX_FIELDS);
    for (size_t f = 0; f < object->count; f++)
        if (object->fields[f].required && json_find_member(json, object->fields[f].name) == NULL)
            fault_at(d->faults, place, FAULT_MISSING, "\"%s\" is missing", object->fields[f].name);
    uint64_t seen = 0;
    const cJSON *member;
    cJSON_ArrayForEach(member, json) {
        const struct json_field *field = json_find_field(object, member->string);
        if (!json_decode_charge(d, 5))
            return;
        if (field == NULL) {
            fault_unknown_member(d, object, member, place);
            continue;
        }
        const struct place here = {
            .parent = place, .member = field->name, .is_parent = d->is_bare, .line = place->line};
        uint64_t bit = (uint64_t)1 << (field - object->fields);
        if (seen & bit)
            fault_at(d->faults, &here, FAULT_DUPLICATE_MEMBER, "\"%s\" appears more than once", field->name);
        else if (field->read != NULL)
            field->read(d, field, member, &here, target);
        seen |= bit;
    }
}

/* ---- elements ---- */

enum { USUAL_ELEMENT = 1024 /* bytes in a small tree */ };

size_t json_count_elements(const struct json_decode *d, const cJSON *array) {
    const struct json_left_out *left_out = json_tree_find_left_out(d->tree, array);
    return left_out != NULL ? left_out->elements : (size_t)cJSON_GetArraySize(array);
}

void json_elements_begin(struct json_elements *elements, struct json_decode *d, const cJSON *array) {
    const struct json_left_out *left_out = json_tree_find_left_out(d->tree, array);
    *elements = (struct json_elements){.decode = d, .child = array->child};
    if (left_out != NULL) {
        elements->at = json_skip_blanks(left_out->text + 1);
        elements->end = left_out->text + left_out->length;
        /* Make sure that the chunk after the mark has space for an element. Otherwise a chunk would be allocated and
         * freed for each element. */
        arena_give_back(d->arena, arena_alloc(d->arena, USUAL_ELEMENT));
        elements->mark = arena_mark(d->arena);
        elements->used = d->arena->used;
    }
}

/* Parse the next element of a left-out array. */
static const cJSON *parse_next(struct json_elements *elements) {
    struct json_decode *d = elements->decode;
    const char *start = elements->at;
    const cJSON *element = NULL;
    ASSERT(d->arena->used == elements->used);
    arena_rewind(d->arena, elements->mark);
    elements->used = d->arena->used;
    if (d->outcome != OUTCOME_DONE || *start == ']')
        return NULL;
    d->outcome = json_tree_parse_next(&elements->at, elements->end, d->arena, d->work, &element);
    elements->used = d->arena->used;
    if (d->outcome != OUTCOME_DONE)
        return NULL;
    elements->at = json_skip_blanks(elements->at);
    ASSERT(*elements->at == ',' || *elements->at == ']');
    if (*elements->at == ',')
        elements->at = json_skip_blanks(elements->at + 1);
    /* cJSON takes about 12 ns per byte of a short element; a unit of work is 10 ns. */
    return json_decode_charge(d, 3 + (uint64_t)(elements->at - start)) ? element : NULL;
}

const cJSON *json_elements_next(struct json_elements *elements) {
    if (elements->at != NULL)
        return parse_next(elements);
    const cJSON *element = elements->child;
    if (element == NULL || elements->decode->outcome != OUTCOME_DONE)
        return NULL;
    elements->child = element->next;
    return element;
}

/* ---- boards ---- */

/* Count characters, not bytes, by counting all bytes except UTF-8 continuation bytes. */
static size_t count_characters(const char *string) {
    size_t count = 0;
    for (; *string != 0; string++)
        count += ((unsigned char)*string & 0xc0) != 0x80;
    return count;
}

/* Get the length that all rows must have: that of the first non-empty row, or 0 if all rows are empty. */
static size_t find_cols(const cJSON *array) {
    const cJSON *element;
    cJSON_ArrayForEach(element, array) {
        if (cJSON_IsString(element) && *element->valuestring != 0)
            return count_characters(element->valuestring);
    }
    return 0;
}

struct place json_row_place(const struct place *place, const struct json_rows *rows, size_t row) {
    struct place here = *place;
    if (!rows->is_text)
        return (struct place){.parent = place, .index = row};
    here.line += here.line != 0 ? row : 0;
    return here;
}

/* Find the first character of a row that is not allowed, or its end. Notes characters of format->others. */
static size_t find_wrong(const char *text, const struct json_rows_format *format, struct json_rows *rows) {
    /* glibc compares 16 characters at a time: 1000 rows of 1000 characters take 0.06 ms, compared with 0.2 ms for code
     * of our own that handles 8 bytes at a time. */
    size_t wrong = strspn(text, format->characters), others;
    while (text[wrong] != 0 && format->others != NULL && (others = strspn(text + wrong, format->others)) != 0) {
        rows->has_others = true;
        wrong += others;
        wrong += strspn(text + wrong, format->characters);
    }
    return wrong;
}

/* Add the fault of a row, whose first wrong character is text[wrong]. */
static void fault_row(struct json_decode *d, const cJSON *row, size_t index, size_t wrong, const struct place *place,
                      const struct json_rows_format *format, const struct json_rows *rows) {
    const struct place here = json_row_place(place, rows, index);
    char what[32] = "the row";
    if (rows->is_text) /* its place does not tell which */
        snprintf(what, sizeof what, "row %zu", index);
    if (!cJSON_IsString(row)) {
        json_fault_type(d, row, &here, "the row", "a string");
        if (cJSON_IsNumber(row) || (cJSON_IsArray(row) && cJSON_IsNumber(row->child)))
            fault_list_add_advice(d->faults, " (numbers are not read, because 1 can mean a mine, a count or a piece)");
        return;
    }
    const char *text = row->valuestring;
    size_t length = text[wrong] == 0 ? wrong : count_characters(text);
    if (length == 0) {
        fault_at(d->faults, &here, FAULT_LENGTH, "%s is empty", what);
    } else if (length > format->max_side) {
        fault_at(d->faults, &here, FAULT_LENGTH, "%s has %zu characters; the maximum is %zu", what, length,
                 format->max_side);
    } else if (length != rows->cols) {
        fault_at(d->faults, &here, FAULT_LENGTH, "%s has %zu character%s; it must have %zu", what, length,
                 ascii_plural(length), rows->cols);
    } else {
        fault_at(d->faults, &here, FAULT_VALUE, "%s%scolumn %zu is '%s'; it must be %s", rows->is_text ? what : "",
                 rows->is_text ? ", " : "", wrong, fault_quote_character(text + wrong, strlen(text + wrong)).text,
                 format->legend);
        fault_list_add_cell(d->faults, (struct fault_cell){(unsigned)index, (unsigned)wrong});
    }
}

/* Check one row, a child of rows->array. */
static bool decode_row(struct json_decode *d, const cJSON *row, size_t index, const struct place *place,
                       const struct json_rows_format *format, struct json_rows *rows) {
    size_t wrong = cJSON_IsString(row) ? find_wrong(row->valuestring, format, rows) : 0;
    if (wrong != 0 && wrong == rows->cols && wrong <= format->max_side && row->valuestring[wrong] == 0)
        return true;
    fault_row(d, row, index, wrong, place, format, rows);
    return false;
}

/* Check the numbers of rows and columns. Adds a fault and returns false if they are not allowed. */
static bool check_size(struct json_decode *d, const struct place *place, const struct json_rows_format *format,
                       size_t rows, size_t cols) {
    const char *what = place->member;
    if (format->size != 0 && rows != format->size)
        fault_at(d->faults, place, FAULT_LENGTH, "\"%s\" has %zu row%s; it must have %zu", what, rows,
                 ascii_plural(rows), format->size);
    else if (rows < format->min_rows)
        fault_at(d->faults, place, FAULT_LENGTH, "\"%s\" has %zu row%s; it must have at least %zu", what, rows,
                 ascii_plural(rows), format->min_rows);
    else if (rows > format->max_side)
        fault_at(d->faults, place, FAULT_LENGTH, "\"%s\" has %zu rows; the maximum is %zu", what, rows,
                 format->max_side);
    else if (cols != 0 && rows > format->max_cells / cols)
        fault_at(d->faults, place, FAULT_RANGE, "\"%s\" has %zu x %zu %s; %s is %llu", what, rows, cols, format->unit,
                 format->limit_name, (unsigned long long)format->max_cells);
    else if (format->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with this board, the request exceeds %s_total", format->limit_name);
    else
        return true;
    return false;
}

/* ---- boards in one string ---- */

static size_t count_lines(const char *text) {
    size_t lines = 0;
    for (const char *feed; *text != 0; text = feed + (*feed != 0), lines++)
        feed = strchrnul(text, '\n');
    return lines;
}

size_t json_count_rows(const cJSON *json) {
    return cJSON_IsArray(json)    ? (size_t)cJSON_GetArraySize(json)
           : cJSON_IsString(json) ? count_lines(json->valuestring)
                                  : 0;
}

/* Make an array of strings of the lines of a string. Returns NULL if decoding ends. */
static const cJSON *split_lines(struct json_decode *d, const char *text) {
    size_t length = strlen(text), lines = count_lines(text);
    if (!json_decode_charge(d, 2 + length / 32 + 4 * lines))
        return NULL;
    cJSON *nodes = arena_calloc(d->arena, 1 + lines, sizeof *nodes);
    char *at = arena_alloc(d->arena, length + 1);
    if (nodes == NULL || at == NULL) {
        d->outcome = OUTCOME_NO_MEMORY;
        return NULL;
    }
    memcpy(at, text, length + 1);
    nodes[0].type = cJSON_Array;
    nodes[0].child = lines != 0 ? &nodes[1] : NULL;
    for (size_t line = 1; line <= lines; line++) {
        nodes[line] = (cJSON){.type = cJSON_String, .valuestring = at, .next = line < lines ? &nodes[line + 1] : NULL};
        at += strcspn(at, "\n");
        if (at > nodes[line].valuestring && at[0] == '\n' && at[-1] == '\r')
            at[-1] = 0;
        *at++ = 0;
    }
    return nodes;
}

bool json_decode_rows(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct json_rows_format *format, struct json_rows *ret_rows) {
    struct json_rows rows = {.array = json, .is_text = cJSON_IsString(json)};
    if (!cJSON_IsArray(json) && !rows.is_text) {
        json_fault_type(d, json, place, NULL, "an array of strings, or one string with a line for each row");
        return false;
    }
    if (rows.is_text && (!check_size(d, place, format, count_lines(json->valuestring), 1) ||
                         (rows.array = split_lines(d, json->valuestring)) == NULL))
        return false;
    rows.rows = (size_t)cJSON_GetArraySize(rows.array);
    rows.cols = format->size != 0 ? format->size : find_cols(rows.array);
    if (!json_decode_charge(d, 2 + rows.rows / 8 + rows.rows * (rows.cols / 32)) ||
        !check_size(d, place, format, rows.rows, rows.cols))
        return false;
    bool good = true;
    const cJSON *row;
    size_t index = 0;
    cJSON_ArrayForEach(row, rows.array)
        good = decode_row(d, row, index++, place, format, &rows) && good;
    *ret_rows = rows;
    return good;
}
