/* The functions of a game that reads records (SGF).
 *
 * A record is a body of its own, or a string in a case. It may be a collection of games: then each of its games is
 * answered as a case by itself. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/record_parameters.h"
#include "api/json/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Any number of threads may call these functions at once. */
struct game_records {
    /* The names of the parameters of the query, at most RECORD_PARAMETERS, up to a NULL. */
    const char *const *parameters;

    /* Read the decoded value of a parameter into a number. Adds a fault and writes nothing if the value is wrong. */
    void (*read_parameter)(size_t which, const char *value, size_t length, struct fault_list *faults,
                           uint64_t *ret_value);

    /* Read a record that is a body into a zeroed case. Faults and failures go to the decoding; *ret_malformed: a fault
     * is that the record cannot be read at all. */
    void (*read)(struct json_decode *d, const struct record_parameters *parameters, const char *text, size_t length,
                 bool *ret_malformed, void *ret_case);

    /* How many games the case holds, if it is a collection; 0: it is a game. A JSON case may be a collection too. */
    size_t (*count_games)(const void *the_case);

    /* Read one game of a collection, by its number from 0, into a zeroed case, which points to the collection. */
    void (*read_game)(struct json_decode *d, const void *collection, size_t number, void *ret_case);
};
