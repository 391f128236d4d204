/* Members that cases of every game can have and that results repeat. */
#pragma once

#include "api/json/decode.h"
#include "base/buffer.h"

/* A member that a case gets if it has none of this name. */
struct case_default {
    cJSON *json;      /* its value and name */
    const char *text; /* its value as JSON */
    size_t length;
};

/* A case as it was sent, from which it is repeated as a JSON object. */
struct case_text {
    const char *bytes; /* JSON, including blanks, without a byte order mark; NULL: it cannot be repeated */
    size_t length;
    const char *member; /* they are not the object, but the value of this only member; NULL: they are the object */
    bool is_raw;        /* they are not JSON, but a string */
    const struct case_default *defaults;
    unsigned added; /* a bit for each of them that was added to the object */
};

/* The context in which a case is read, whatever its format. */
struct case_context {
    const void *limits; /* the game's limits */
    struct case_text text;
    bool over_total; /* this case makes the request exceed the limit on the total size of its cases, which is a fault */
    uint64_t max_games; /* the maximum number of games if the case is a collection; 0: the case must be a single
                         * game */
    uint64_t hash_seed; /* for hashes; must be secret. No fault depends on it */
};

/* The first member of the struct of each game's case. */
struct case_echo {
    const cJSON *id;       /* the caller's name for the case, a string or an integer; or NULL */
    struct case_text text; /* zero if the result does not repeat it */
};

/* Reads `id`: a string of at most 128 bytes, or an integer that every JSON reader represents exactly. The target is the
 * case. */
json_field_reader case_read_id;

/* The word in `include` that makes a JSON result repeat the case. */
extern const char case_part[];

/* Reads `include` like json_read_parts, and sets `text` if case_part is in it. The target is the case. */
json_field_reader case_read_include;

/* Append the id, which must exist, as JSON. */
void case_put_id(struct buffer *out, const struct case_echo *echo);

/* Begin a JSON object: write its brace and, if the case has one, the id. */
void case_put_head(struct buffer *out, const struct case_echo *echo);

/* Begin a result: the same, plus the case itself if it was asked for. */
void case_put_result_head(struct buffer *out, const struct case_echo *echo);
