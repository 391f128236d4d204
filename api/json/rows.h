/* A board in JSON: an array of strings of equal length, one character for each cell. */
#pragma once

#include "api/json/decode.h"

/* The requirements for a board. */
struct json_rows_format {
    const char *characters; /* the characters that cells may have */
    const char *legend;     /* the same for messages: "'.' or '*'" */
    size_t min_rows, max_rows;
    size_t rows, cols; /* the required numbers; 0: any */
    size_t max_cols;
    uint64_t max_cells;     /* the limit on rows * cols, ... */
    const char *limit_name; /* ... and its name */
    bool over_total;        /* with this board the request exceeds the limit on the sum over its cases */
};

/* Check a board's type, sizes and characters. If true, `json` has *ret_rows children, each a string of *ret_cols
 * characters. Otherwise faults were added, or decoding has ended. */
bool json_decode_rows(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct json_rows_format *format, size_t *ret_rows, size_t *ret_cols);
