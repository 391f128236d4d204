/* What a game must bring to be served: one row of functions, its words and its limits. The row is in the backend of the
 * game, api/NAME; how to add a game stands in ARCHITECTURE.md.
 *
 * Everything here is called by any number of threads at once, each with its own arena, faults and work. */
#pragma once

#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/game/records.h"
#include "api/json/decode.h"
#include "api/text/reader.h"
#include "base/buffer.h"

/* What a case needs to be answered. */
struct game_question {
    const void *limits;  /* the game's own */
    enum format format;  /* of the answer; never SGF */
    size_t number;       /* of the case in its request, from 1 */
    size_t cases;        /* in its batch; 0: it was sent alone */
    uint64_t max_bytes;  /* of the whole answer */
    uint64_t hash_seed;  /* for what a solver hashes: no answer depends on it, and outsiders must not know it */
    struct arena *arena; /* to work in */
    struct work *work;
};

struct game {
    const char *name;  /* the path without its slash */
    const char *about; /* a phrase for the manual page */
    size_t case_size;  /* of the struct that a case is read into: zeroed before, with a struct case_echo as its first
                          member */
    struct limit_group limits;

    /* The bound on the sum of what all cases of a request weigh. */
    uint64_t (*total_limit)(const void *limits);

    /* The most memory that a case within the limits is solved in, bytes. */
    size_t (*max_solving_bytes)(const void *limits);

    /* The members of a case whose arrays may be long, and are read one element at a time (json_elements_next); up to a
     * NULL, at most JSON_LEFT_OUT of them. NULL: there are none. */
    const char *const *left_out;

    /* Read a JSON case into a zeroed struct. Faults and failures go to the decoding; with d->context->over_total the
     * part that weighs is a fault. */
    void (*decode)(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

    /* What a case, as far as it could be read, takes of the limit on a request; 0 where its size has a fault. */
    uint64_t (*weigh)(const void *the_case);

    /* Read the judge's text: what stands before the cases and how many there are; then one case into a zeroed struct.
     * False where the reading has stopped. What passes the limit on a request is a fault. A case can be read again from
     * where it begins, by any thread, with what the reader's `total` was then; what is read is paid for as it is read.
     */
    bool (*read_head)(struct text_reader *reader, uint64_t *ret_cases);
    bool (*read_case)(struct text_reader *reader, void *ret_case);

    const struct game_records *records; /* NULL: the game has none */

    /* Can there be a picture of a case? */
    bool (*can_draw)(const void *the_case);

    /* Solve a case without faults and append its result in the format asked for: in JSON one object, in text one case
     * of the judge's output. The outcome of the buffer counts, too. Unless both are OUTCOME_DONE, what was appended is
     * of no use. */
    enum outcome (*answer)(const void *the_case, const struct game_question *question, struct buffer *out);
};
