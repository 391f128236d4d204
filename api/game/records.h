/* The functions of a game that reads records (SGF).
 *
 * A record is a body, or a string in a case. If it is a collection of games, each of them is answered like a case. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/record_parameters.h"
#include "api/json/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Any number of threads may call these functions at once. */
struct game_records {
    /* The names of the parameters, at most RECORD_PARAMETERS; NULL after the last. */
    const char *const *parameters;

    /* Read the decoded value of a parameter into a number. If the value is wrong, adds a fault and writes nothing. */
    void (*read_parameter)(size_t which, const char *value, size_t length, struct fault_list *faults,
                           uint64_t *ret_value);

    /* Read a record that is a body into a zeroed case. Faults and failures go to the decoding. *ret_malformed: because
     * of a fault the record cannot be parsed. */
    void (*read)(struct json_decode *d, const struct record_parameters *parameters, const char *text, size_t length,
                 bool *ret_malformed, void *ret_case);

    /* Get the number of games if the case is a collection; 0: it is one game. A JSON case may be a collection, too. */
    size_t (*count_games)(const void *the_case);

    /* Read a game of a collection, by its number from 0, into a zeroed case. The case points to the collection. */
    void (*read_game)(struct json_decode *d, const void *collection, size_t number, void *ret_case);
};
