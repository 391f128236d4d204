/* A board in JSON: an array of strings of equal length, a character a cell. */
#pragma once

#include "api/json/decode.h"

/* What a board must be like. */
struct json_rows_format {
    const char *characters; /* those that a cell may hold */
    const char *legend;     /* the same for people: "'.' or '*'" */
    size_t min_rows, max_rows;
    size_t rows, cols; /* what they must be; 0: any */
    size_t max_cols;
    uint64_t max_cells;     /* the limit on rows * cols, ... */
    const char *limit_name; /* ... and its name */
    bool over_total;        /* with this board the request passes the limit on the sum of its boards */
};

/* Check a board's type, sizes and characters. True when it is good: then `json` has *ret_rows children, each a string
 * of *ret_cols characters. Otherwise faults were added, or the decoding has ended. */
bool json_decode_rows(struct json_decode *d, const cJSON *json, const struct place *place,
                      const struct json_rows_format *format, size_t *ret_rows, size_t *ret_cols);
