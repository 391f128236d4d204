/* The interface that each game implements: a row of functions, words and limits. The row is in the game's backend
 * (api/NAME). ARCHITECTURE.md explains how to add a game.
 *
 * Any number of threads may call any of these functions at the same time, each with its own arena, faults and work. */
#pragma once

#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/game/maker.h"
#include "api/json/decode.h"
#include "api/text/reader.h"
#include "base/buffer.h"

/* The most that a game plans with for the work of one case: 1 TiB, or half of a 32-bit address space. */
#define GAME_MAX_SOLVING ((size_t)1 << (sizeof(size_t) > 4 ? 40 : 31))

/* The arguments for solving a case. */
struct game_question {
    const void *limits;  /* the game's own limits */
    enum format format;  /* the format of the answer: JSON, text or SVG */
    size_t number;       /* the number of the case in its request, counted from 1 */
    size_t cases;        /* the number of cases in its batch; 0 if it is not in a batch */
    uint64_t max_bytes;  /* the limit on the whole answer */
    uint64_t hash_seed;  /* for the solver's hashes; must be secret. No answer depends on it */
    struct arena *arena; /* scratch memory */
    struct work *work;
};

/* The functions of a game that reads records (SGF). A record is a body, or a string in a case. Each game in a
 * collection is answered like a case. */
struct game_records {
    /* Read a record that is a body into a zeroed case. Faults and failures are recorded in `d`. *ret_malformed is set
     * if the record cannot be parsed because of a fault. */
    void (*read)(struct json_decode *d, const struct format_parameters *parameters, const char *text, size_t length,
                 bool *ret_malformed, void *ret_case);

    /* Get the number of games if the case is a collection; 0 if it is one game. A JSON case can be a collection,
     * too. */
    size_t (*count_games)(const void *the_case);

    /* Read game `number` of a collection, counted from 0, into a zeroed case. The case points into the collection. */
    void (*read_game)(struct json_decode *d, const void *collection, size_t number, void *ret_case);
};

struct game {
    const char *name;    /* "go" */
    const char *path;    /* the path of its route: "/go" */
    const char *about;   /* a phrase for the manual page */
    const char *example; /* a case in JSON, for messages about a body that nothing can be made of */
    size_t case_size;    /* size of the struct for a case, which begins with a struct case_echo and is zeroed before a
                          * case is read */
    struct limit_group limits;

    /* The limit on the sum of the sizes of all cases in a request. */
    uint64_t (*total_limit)(const void *limits);

    /* The largest workspace, in bytes, that a case can need within the limits. At most GAME_MAX_SOLVING plus 256 MiB.
     */
    size_t (*max_solving_bytes)(const void *limits);

    /* Members of a case whose arrays can be long. They are left out of the tree and read one element at a time
     * (json_elements_next). At most JSON_LEFT_OUT names, with a NULL at the end; NULL if there are none. */
    const char *const *left_out;

    /* The members of a JSON case. Those with is_default can stand beside the cases of a batch. */
    const struct json_object *members;

    /* The member that a JSON array of strings, or a string, is the value of if it is the whole case; NULL: none. */
    const char *bare_member;

    /* Read a JSON case into a zeroed struct. Faults and failures are added to the decoding. If d->context->over_total
     * is set, the member that has the size is a fault. */
    void (*decode)(struct json_decode *d, const cJSON *json, const struct place *place, void *ret_case);

    /* The size of a case, as far as it could be read: its number of cells or moves. 0 if the size is faulty. */
    uint64_t (*size_of)(const void *the_case);

    /* Read the contest format: first the head with the number of cases, then each case into a zeroed struct. Returns
     * false when reading has stopped. A case that exceeds the total limit is a fault. Any thread can read a case again
     * from its beginning, starting with the reader's `total` at that point. Work is charged as the text is read. */
    bool (*read_head)(struct text_reader *reader, uint64_t *ret_cases);
    bool (*read_case)(struct text_reader *reader, void *ret_case);

    const struct game_records *records; /* NULL if the game has no records */

    /* The names of the query parameters of a POST, for formats that cannot express everything. At most
     * FORMAT_PARAMETERS, with a NULL at the end; NULL if there are none. */
    const char *const *parameters;

    /* Convert the decoded value of a parameter to a number or a set. If the value is wrong, adds a fault. */
    void (*read_parameter)(size_t which, const char *value, size_t length, struct fault_list *faults,
                           struct format_parameters *ret_parameters);

    const struct game_maker *maker; /* makes random cases */

    /* Can a picture of this case be drawn? NULL if that is always possible. */
    bool (*can_draw)(const void *the_case);

    /* Solve a case without faults, and append its result in the format asked for: one object for JSON, or the output
     * for one case for text. The result is valid only if both the return value and the buffer's outcome are
     * OUTCOME_DONE. */
    enum outcome (*answer)(const void *the_case, const struct game_question *question, struct buffer *out);
};
