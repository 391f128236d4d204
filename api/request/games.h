/* The limits of a running service. One table gives the command line, the environment, GET /limits and --help. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct api_limits {
    uint64_t max_body_bytes;
    uint64_t max_json_values;
    uint64_t max_cases;
    uint64_t max_moves;
    uint64_t max_moves_total;
    uint64_t max_pawn_cells;
    uint64_t max_pawn_cells_total;
    uint64_t max_mine_cells;
    uint64_t max_mine_cells_total;
    uint64_t max_search_states;
    uint64_t max_answer_bytes;
    uint64_t max_link_answer_bytes;
    uint64_t max_inflight_bytes;
    uint64_t queue;
};

/* One row a limit. Any value from 1 to `most` may be set. */
struct api_limit {
    const char *name;    /* as in GET /limits; with dashes, an option; in capitals after ARBITER_, a variable */
    const char *meaning; /* a phrase for --help */
    uint64_t standard;   /* the default */
    uint64_t most;
    size_t offset; /* in struct api_limits */
};

extern const struct api_limit api_limit_table[];
extern const size_t api_limit_count;

/* All limits at their defaults. */
struct api_limits api_limits_standard(void);

/* The value of a row. */
uint64_t *api_limit_value(struct api_limits *limits, const struct api_limit *row);
