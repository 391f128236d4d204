/* Cases of POST /go whose game is a record: a body, a member of a JSON case, or one game of a collection. */
#pragma once

#include "api/game/records.h"
#include "api/go/case.h"
#include "api/go/sgf.h"
#include "api/json/decode.h"

#include <stdbool.h>
#include <stddef.h>

/* A record whose games are all asked for. */
struct go_collection {
    struct sgf_record record;
    bool is_member; /* of a JSON case; else it is the body */
    size_t count;
    struct sgf_game *games;
};

/* Read a record into a case that says what is asked of it, and how far it is to be read; rules that it does not name
 * come from the record. Faults and failures go to the decoding: at `place`, that of the member `sgf`, or of a body
 * where that is NULL; there *ret_malformed tells whether a fault is that it cannot be read at all. With GO_ALL_GAMES
 * the case becomes a collection. */
void go_record_read(struct json_decode *d, const struct sgf_record *record, const struct place *place,
                    bool *ret_malformed, struct go_case *the_case);

/* Go's records in the row of the game. */
extern const struct game_records go_records;
