#include "api/json/decode.h"

#include "api/json/encode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *type_name(const cJSON *json) {
    return cJSON_IsObject(json)   ? "an object"
           : cJSON_IsArray(json)  ? "an array"
           : cJSON_IsString(json) ? "a string"
           : cJSON_IsNumber(json) ? "a number"
           : cJSON_IsBool(json)   ? "a boolean"
                                  : "null";
}

static void fault_type(struct decode *d, const cJSON *json, const struct place *place, const char *what,
                       const char *needed) {
    fault_at(d->faults, place, FAULT_TYPE, "%s is %s; %s is needed", what, type_name(json), needed);
}

bool decode_charge(struct decode *d, uint64_t units) {
    if (d->outcome == WORK_DONE && !work_charge(d->work, units))
        d->outcome = WORK_EXHAUSTED;
    return d->outcome == WORK_DONE;
}

const cJSON *find_member(const cJSON *object, const char *name) {
    const cJSON *member;
    if (cJSON_IsObject(object))
        cJSON_ArrayForEach(member, object) {
            if (strcmp(member->string, name) == 0)
                return member;
        }
    return NULL;
}

int64_t peek_integer(const cJSON *object, const char *name, int64_t least, int64_t most, int64_t otherwise) {
    const cJSON *json = find_member(object, name);
    if (!cJSON_IsNumber(json) || json->valuedouble != floor(json->valuedouble) || json->valuedouble < (double)least ||
        json->valuedouble > (double)most)
        return otherwise;
    return (int64_t)json->valuedouble;
}

bool decode_integer(struct decode *d, const cJSON *json, const struct place *place, const char *what, int64_t least,
                    int64_t most, int64_t *ret_value) {
    if (!cJSON_IsNumber(json)) {
        fault_type(d, json, place, what, "an integer");
        return false;
    }
    double value = json->valuedouble;
    /* Doubles from 2^53 on are whole; below, the way to an integer and back shows it, quicker than floor. */
    if (fabs(value) < 0x1p53 && value != (double)(int64_t)value) {
        fault_at(d->faults, place, FAULT_TYPE, "%s is no integer", what);
        return false;
    }
    if (!(value >= (double)least && value <= (double)most)) {
        /* What a double no longer keeps exactly is not repeated. */
        if (fabs(value) < 1e15)
            fault_at(d->faults, place, FAULT_RANGE, "%s is %.0f; it must be from %lld to %lld", what, value,
                     (long long)least, (long long)most);
        else
            fault_at(d->faults, place, FAULT_RANGE, "%s is too %s; it must be from %lld to %lld", what,
                     value < 0 ? "small" : "large", (long long)least, (long long)most);
        return false;
    }
    *ret_value = (int64_t)value;
    return true;
}

void read_integer(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                  void *target) {
    decode_integer(d, json, place, field->name, field->least, field->most, (int64_t *)((char *)target + field->offset));
}

/* Which of `words` this is; -1 for none. */
static int find_word(const char *const *words, const char *string) {
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], string) == 0)
            return i;
    return -1;
}

/* The words in quotes, as far as they fit. */
static void list_words(const char *const *words, char *ret_list, size_t size) {
    size_t used = 0;
    ret_list[0] = 0;
    for (int i = 0; words[i] != NULL && used < size; i++)
        used += (size_t)snprintf(ret_list + used, size - used, "%s\"%s\"", i != 0 ? ", " : "", words[i]);
}

void read_word(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
               void *target) {
    if (!cJSON_IsString(json)) {
        fault_type(d, json, place, field->name, "a string");
        return;
    }
    int word = find_word(field->words, json->valuestring);
    if (word < 0) {
        char list[160];
        list_words(field->words, list, sizeof list);
        fault_at(d->faults, place, FAULT_VALUE, "%s is \"%s\"; it must be one of %s", field->name,
                 quote(json->valuestring, strlen(json->valuestring)).text, list);
        return;
    }
    *(unsigned *)((char *)target + field->offset) = (unsigned)word;
}

void read_boolean(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                  void *target) {
    if (cJSON_IsBool(json))
        *(bool *)((char *)target + field->offset) = cJSON_IsTrue(json);
    else
        fault_type(d, json, place, field->name, "true or false");
}

void read_object(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                 void *target) {
    decode_object(d, field->object, json, place, (char *)target + field->offset);
}

enum { ID_BYTES = 128 };
static const int64_t id_most = ((int64_t)1 << 53) - 1;

void read_id(struct decode *d, const struct field *field, const cJSON *json, const struct place *place, void *target) {
    int64_t value;
    if (cJSON_IsString(json)) {
        size_t length = strlen(json->valuestring);
        if (length > ID_BYTES) {
            fault_at(d->faults, place, FAULT_LENGTH, "id has %zu bytes; at most %d are allowed", length, ID_BYTES);
            return;
        }
    } else if (!cJSON_IsNumber(json)) {
        fault_type(d, json, place, field->name, "a string or an integer");
        return;
    } else if (!decode_integer(d, json, place, field->name, -id_most, id_most, &value)) {
        return;
    }
    ((struct case_id *)((char *)target + field->offset))->json = json;
}

void read_include(struct decode *d, const struct field *field, const cJSON *json, const struct place *place,
                  void *target) {
    uint32_t *include = (uint32_t *)((char *)target + field->offset);
    const cJSON *element;
    size_t index = 0;
    if (!cJSON_IsArray(json)) {
        fault_type(d, json, place, field->name, "an array of strings");
        return;
    }
    cJSON_ArrayForEach(element, json) {
        struct place here = {.parent = place, .index = index++};
        if (!decode_charge(d, 5))
            return;
        if (!cJSON_IsString(element)) {
            fault_type(d, element, &here, "a part", "a string");
            continue;
        }
        int word = find_word(field->words, element->valuestring);
        struct quoted quoted = quote(element->valuestring, strlen(element->valuestring));
        if (word < 0)
            fault_at(d->faults, &here, FAULT_VALUE, "there is no part \"%s\" of this answer", quoted.text);
        else if (*include >> word & 1)
            fault_at(d->faults, &here, FAULT_VALUE, "the part \"%s\" is named twice", quoted.text);
        else
            *include |= (uint32_t)1 << word;
    }
}

/* A name that is longer would let a small request ask for a large answer. */
enum { MOST_NAME_BYTES = 64 };

static void fault_unknown(struct decode *d, const struct object *object, const cJSON *member,
                          const struct place *place) {
    struct place here = {.parent = place, .member = member->string};
    size_t length = strlen(member->string);
    fault_at(d->faults, length > MOST_NAME_BYTES ? place : &here, FAULT_UNKNOWN_MEMBER, "%s has no member \"%s\"",
             object->what, quote(member->string, length).text);
}

void decode_object(struct decode *d, const struct object *object, const cJSON *json, const struct place *place,
                   void *target) {
    if (!cJSON_IsObject(json)) {
        fault_type(d, json, place, object->what, "an object");
        return;
    }
    for (size_t f = 0; f < object->count; f++)
        if (object->fields[f].required && find_member(json, object->fields[f].name) == NULL)
            fault_at(d->faults, place, FAULT_MISSING, "%s has no member \"%s\"", object->what, object->fields[f].name);
    uint64_t seen = 0;
    const cJSON *member;
    cJSON_ArrayForEach(member, json) {
        size_t f = 0;
        if (!decode_charge(d, 5))
            return;
        while (f < object->count && strcmp(member->string, object->fields[f].name) != 0)
            f++;
        if (f == object->count) {
            fault_unknown(d, object, member, place);
            continue;
        }
        struct place here = {.parent = place, .member = object->fields[f].name};
        if (seen >> f & 1) {
            fault_at(d->faults, &here, FAULT_DUPLICATE_MEMBER, "%s has the member \"%s\" more than once", object->what,
                     object->fields[f].name);
            continue;
        }
        seen |= (uint64_t)1 << f;
        object->fields[f].read(d, &object->fields[f], member, &here, target);
    }
}

/* Characters, not bytes: each begins with a byte that continues none. */
static size_t count_characters(const char *string) {
    size_t count = 0;
    for (; *string != 0; string++)
        count += ((unsigned char)*string & 0xc0) != 0x80;
    return count;
}

/* The row that tells how long all are: the first that is not empty. */
static const cJSON *first_row(const cJSON *array) {
    const cJSON *element;
    cJSON_ArrayForEach(element, array) {
        if (cJSON_IsString(element) && *element->valuestring != 0)
            return element;
    }
    return NULL;
}

uint64_t peek_cells(const cJSON *board) {
    if (!cJSON_IsArray(board))
        return 0;
    const cJSON *row = first_row(board);
    return row != NULL ? (uint64_t)cJSON_GetArraySize(board) * count_characters(row->valuestring) : 0;
}

/* One row; true when it is good. */
static bool decode_row(struct decode *d, const cJSON *row, const struct place *place, const struct rows_format *format,
                       size_t cols) {
    if (!cJSON_IsString(row)) {
        fault_type(d, row, place, "a row", "a string");
        return false;
    }
    size_t wrong = strspn(row->valuestring, format->characters);
    size_t length = row->valuestring[wrong] == 0 ? wrong : count_characters(row->valuestring);
    if (length == 0 || length > format->most_cols) {
        if (length == 0)
            fault_at(d->faults, place, FAULT_LENGTH, "a row is empty");
        else
            fault_at(d->faults, place, FAULT_LENGTH, "a row has %zu characters; 1 to %zu are allowed", length,
                     format->most_cols);
        return false;
    }
    if (length != cols) {
        fault_at(d->faults, place, FAULT_LENGTH, "a row has %zu characters; %zu are needed", length, cols);
        return false;
    }
    if (row->valuestring[wrong] != 0) {
        fault_at(d->faults, place, FAULT_VALUE, "column %zu holds '%s'; %s is needed", wrong,
                 quote_character(row->valuestring + wrong, strlen(row->valuestring + wrong)).text, format->legend);
        return false;
    }
    return true;
}

bool decode_rows(struct decode *d, const cJSON *json, const struct place *place, const struct rows_format *format,
                 size_t *ret_rows, size_t *ret_cols) {
    const char *what = place->member;
    if (!cJSON_IsArray(json)) {
        fault_type(d, json, place, what, "an array of strings");
        return false;
    }
    size_t rows = (size_t)cJSON_GetArraySize(json);
    const cJSON *first = first_row(json);
    size_t cols = format->cols != 0 ? format->cols : first != NULL ? count_characters(first->valuestring) : 0;
    if (!decode_charge(d, 2 + rows / 8 + rows * (cols / 32)))
        return false;
    if (format->rows != 0 && rows != format->rows) {
        fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu rows; %zu are needed", what, rows, format->rows);
        return false;
    }
    if (rows < format->least_rows || rows > format->most_rows) {
        if (rows < format->least_rows)
            fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu row%s; at least %zu are needed", what, rows,
                     rows == 1 ? "" : "s", format->least_rows);
        else
            fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu rows; %zu to %zu are allowed", what, rows,
                     format->least_rows, format->most_rows);
        return false;
    }
    if (cols != 0 && rows > format->most_cells / cols) {
        fault_at(d->faults, place, FAULT_RANGE, "%s has %zu x %zu cells; %s allows %llu", what, rows, cols,
                 format->limit_name, (unsigned long long)format->most_cells);
        return false;
    }
    if (d->over_total) {
        fault_at(d->faults, place, FAULT_RANGE, "with %s the request passes %s_total", what, format->limit_name);
        return false;
    }
    bool good = true;
    const cJSON *row;
    size_t index = 0;
    cJSON_ArrayForEach(row, json) {
        struct place here = {.parent = place, .index = index++};
        good = decode_row(d, row, &here, format, cols) && good;
    }
    *ret_rows = rows;
    *ret_cols = cols;
    return good;
}
