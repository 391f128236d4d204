#include "api/request/limits.h"

#include "pawn/position.h"

/* The largest integer that every JSON reader keeps exactly. */
#define MOST (((uint64_t)1 << 53) - 1)

#define LIMIT(name, standard, most, meaning)                                                                           \
    { #name, meaning, standard, most, offsetof(struct api_limits, name) }

const struct api_limit api_limit_table[] = {
    LIMIT(max_body_bytes, (uint64_t)64 << 20, MOST, "bytes in a request body"),
    LIMIT(max_json_values, 4000000, MOST, "objects, arrays, strings, numbers and literals in a JSON body"),
    LIMIT(max_cases, 1000, MOST, "cases in a batch"),
    LIMIT(max_moves, 100000, UINT32_MAX - 1, "moves in a game of Go"),
    LIMIT(max_moves_total, 2000000, MOST, "moves in a request"),
    LIMIT(max_pawn_cells, PAWN_MAX_CELLS, PAWN_MAX_CELLS, "cells of a pawn board"),
    LIMIT(max_pawn_cells_total, 32768, MOST, "cells of all pawn boards of a request"),
    LIMIT(max_mine_cells, 1000000, MOST, "cells of a Minesweeper field, whose sides are at most 1000"),
    LIMIT(max_mine_cells_total, 64000000, MOST, "cells of all fields of a request"),
    LIMIT(max_search_states, 1000000, MOST, "positions a Minesweeper case may visit by search"),
    LIMIT(max_answer_bytes, (uint64_t)64 << 20, MOST, "bytes in an answer"),
    LIMIT(max_link_answer_bytes, (uint64_t)256 << 10, MOST, "bytes in an answer by link"),
    LIMIT(max_inflight_bytes, (uint64_t)1 << 30, MOST, "bytes of bodies and answers over all requests"),
    LIMIT(queue, 1024, 1 << 20, "requests waiting for a worker"),
};

const size_t api_limit_count = sizeof api_limit_table / sizeof *api_limit_table;

uint64_t *api_limit_value(struct api_limits *limits, const struct api_limit *row) {
    return (uint64_t *)((char *)limits + row->offset);
}

struct api_limits api_limits_standard(void) {
    struct api_limits limits;
    for (size_t i = 0; i < api_limit_count; i++)
        *api_limit_value(&limits, &api_limit_table[i]) = api_limit_table[i].standard;
    return limits;
}
