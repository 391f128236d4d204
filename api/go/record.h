/* Cases of POST /go whose game is a record: a body, a member of a JSON case, or one game of a collection.
 *
 * A record that changes the board between its moves is played twice, because whether a change leaves a chain without
 * liberties depends on the moves before it, and all faults must be found before anything is answered. */
#pragma once

#include "api/game/game.h"
#include "api/go/case.h"
#include "api/go/sgf.h"
#include "api/json/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record whose games are all requested. */
struct go_collection {
    struct sgf_record record;
    bool is_member; /* it is a member of a JSON case, not the body */
    size_t count;
    struct sgf_game *games;
};

/* Read a record into a case that already has its options and its reading depth. Rules that the case does not specify
 * come from the record. Faults and failures are recorded in `d`. Faults are at `place`, that of the member `sgf`; if
 * `place` is NULL, the record is the body, and *ret_malformed says whether a fault means that it cannot be parsed. With
 * GO_ALL_GAMES, the case becomes a collection. Call go_settle afterwards, for everything that depends on the final
 * position. */
void go_record_read(struct json_decode *d, const struct sgf_record *record, const struct place *place,
                    bool *ret_malformed, struct go_case *the_case);

/* If the case asks for `variations`, read all lines of its record, count them, and check the points and the set-up in
 * them. `place` is that of the member `sgf`; NULL: the record is the body. There must be no faults so far. Faults and
 * failures are recorded in `d`. */
void go_record_read_variations(struct json_decode *d, const struct place *place, struct go_case *the_case);

/* Check that every chain of a case's set-up, the JSON member at `place`, has a liberty. Faults and failures are
 * recorded in `d`. */
void go_record_check_setup(struct json_decode *d, const struct place *place, struct go_case *the_case);

/* The names of the query parameters of a POST whose body is a record, with a NULL at the end: see struct game. They are
 * the members that a JSON case can have besides its record. */
extern const char *const go_parameter_names[];

/* Read the value of a parameter; see struct game. */
void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults,
                       struct format_parameters *ret_parameters);

/* The functions for records in Go's row in the table of games. */
extern const struct game_records go_records;
