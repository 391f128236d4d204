#include "api/json/rows.h"

#include <string.h>

/* Count characters, not bytes: all bytes but UTF-8 continuation bytes. */
static size_t count_characters(const char *string) {
    size_t count = 0;
    for (; *string != 0; string++)
        count += ((unsigned char)*string & 0xc0) != 0x80;
    return count;
}

/* Get the row that sets the length of all rows: the first that is not empty. */
static const cJSON *first_row(const cJSON *array) {
    const cJSON *element;
    cJSON_ArrayForEach(element, array) {
        if (cJSON_IsString(element) && *element->valuestring != 0)
            return element;
    }
    return NULL;
}

/* Check one row. */
static bool decode_row(struct json_decode *d, const cJSON *row, const struct place *place,
                       const struct json_rows_format *format, size_t cols) {
    if (!cJSON_IsString(row)) {
        json_fault_type(d, row, place, "a row", "a string");
        return false;
    }
    /* glibc compares sixteen characters at once: 1000 rows of 1000 take 0.06 ms, and 0.2 ms with our own code for eight
     * bytes. */
    size_t wrong = strspn(row->valuestring, format->characters);
    size_t length = row->valuestring[wrong] == 0 ? wrong : count_characters(row->valuestring);
    if (length == 0 || length > format->max_cols) {
        if (length == 0)
            fault_at(d->faults, place, FAULT_LENGTH, "a row is empty");
        else
            fault_at(d->faults, place, FAULT_LENGTH, "a row has %zu characters; 1 to %zu are allowed", length,
                     format->max_cols);
        return false;
    }
    if (length != cols) {
        fault_at(d->faults, place, FAULT_LENGTH, "a row has %zu character%s; %zu %s needed", length,
                 length == 1 ? "" : "s", cols, cols == 1 ? "is" : "are");
        return false;
    }
    if (row->valuestring[wrong] != 0) {
        fault_at(d->faults, place, FAULT_VALUE, "column %zu holds '%s'; %s is needed", wrong,
                 fault_quote_character(row->valuestring + wrong, strlen(row->valuestring + wrong)).text,
                 format->legend);
        fault_list_add_cell(d->faults, (struct fault_cell){(unsigned)place->index, (unsigned)wrong});
        return false;
    }
    return true;
}

/* Are the numbers of rows and columns allowed? Adds a fault if not. */
static bool check_size(struct json_decode *d, const struct place *place, const struct json_rows_format *format,
                       size_t rows, size_t cols) {
    const char *what = place->member;
    if (format->rows != 0 && rows != format->rows)
        fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu rows; %zu are needed", what, rows, format->rows);
    else if (rows < format->min_rows)
        fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu row%s; at least %zu are needed", what, rows,
                 rows == 1 ? "" : "s", format->min_rows);
    else if (rows > format->max_rows)
        fault_at(d->faults, place, FAULT_LENGTH, "%s has %zu rows; %zu to %zu are allowed", what, rows,
                 format->min_rows, format->max_rows);
    else if (cols != 0 && rows > format->max_cells / cols)
        fault_at(d->faults, place, FAULT_RANGE, "%s has %zu x %zu cells; %s allows %llu", what, rows, cols,
                 format->limit_name, (unsigned long long)format->max_cells);
    else if (format->over_total)
        fault_at(d->faults, place, FAULT_RANGE, "with %s the request passes %s_total", what, format->limit_name);
    else
        return true;
    return false;
}

bool json_decode_rows(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct json_rows_format *format, size_t *ret_rows, size_t *ret_cols) {
    if (!cJSON_IsArray(json)) {
        json_fault_type(d, json, place, place->member, "an array of strings");
        return false;
    }
    size_t rows = (size_t)cJSON_GetArraySize(json);
    const cJSON *first = first_row(json);
    size_t cols = format->cols != 0 ? format->cols : first != NULL ? count_characters(first->valuestring) : 0;
    if (!json_decode_charge(d, 2 + rows / 8 + rows * (cols / 32)) || !check_size(d, place, format, rows, cols))
        return false;
    bool good = true;
    const cJSON *row;
    size_t count = 0;
    cJSON_ArrayForEach(row, json) {
        const struct place here = {.parent = place, .index = count++};
        good = decode_row(d, row, &here, format, cols) && good;
    }
    *ret_rows = rows;
    *ret_cols = cols;
    return good;
}
