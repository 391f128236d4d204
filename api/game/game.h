/* What the three solving routes have in common: one row of functions a game. */
#pragma once

#include "api/json/decode.h"
#include "api/text/reader.h"

/* What a case needs to be answered. */
struct answering {
    const struct api_limits *limits;
    enum api_form form;
    size_t number;          /* of the case in its request, from 1 */
    uint64_t search_states; /* positions it may visit */
    struct arena *arena;
    struct work *work;
};

struct game {
    const char *name; /* the path without its slash */
    size_t case_size; /* of the struct that a case is decoded into; it begins zeroed */

    /* Decode a JSON case; faults go to the decoding. */
    void (*decode)(struct decode *d, const cJSON *json, const struct place *place, void *ret_case);

    /* How much of the limit on a whole request a JSON case takes; the limit's place in struct api_limits. */
    uint64_t (*weigh)(const struct api_limits *limits, const cJSON *json);
    size_t total_offset;

    /* Read the judge's text: what stands before the cases, then one case. False at a fault, or when the decoding in
     * the reader has ended. */
    bool (*read_head)(struct reader *reader, uint64_t *ret_cases);
    bool (*read_case)(struct reader *reader, void *ret_case);

    /* Read an SGF record, for the one game that has them; NULL for the others. Faults go to the decoding, in `text`. */
    void (*read_sgf)(struct decode *d, const char *text, size_t length, enum problem *ret_problem, void *ret_case);

    /* Can there be a picture of a case? */
    bool (*can_draw)(const void *the_case);

    /* Solve a case and write its result in the form asked for. */
    enum work_outcome (*answer)(const void *the_case, const struct answering *a, struct buffer *out);
};

extern const struct game pawn_game, go_game, mine_game;

/* Begin a JSON result: its brace, and the id if the case has one. */
void put_result_head(struct buffer *out, const struct case_id *id);
