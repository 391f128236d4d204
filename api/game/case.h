/* The common part of the cases of all games: the members that a result repeats. */
#pragma once

#include "api/json/decode.h"
#include "base/buffer.h"

/* The context in which a case is read, in any format. */
struct case_context {
    const void *limits; /* of the game */
    const char *text;   /* the case in JSON as it was sent, without a byte order mark; NULL: another format */
    size_t text_length;
    bool over_total;    /* with this case the request exceeds the limit on the sum over its cases, which is a fault */
    uint64_t max_games; /* the limit on games if the case is a collection; 0: it must be one game */
    uint64_t hash_seed; /* for hashes; no fault depends on it, and it must be secret */
};

/* The first member of the struct of each game's case. */
struct case_echo {
    const cJSON *id;  /* the name of the case that the caller gave, a string or an integer; NULL: none */
    const char *text; /* the case in JSON as it was sent; NULL: the result does not repeat it */
    size_t length;    /* of the text, blanks included */
};

/* Reads `id`: a string of at most 128 bytes, or an integer that every JSON reader keeps exactly. The target is the
 * case. */
json_field_reader case_read_id;

/* The word of `include` that adds the case itself to a JSON result. */
extern const char case_part[];

/* Reads `include` like json_read_parts, and sets `text` if case_part is in it. The target is the case. */
json_field_reader case_read_include;

/* Append the id, which must exist, as JSON. */
void case_put_id(struct buffer *out, const struct case_echo *echo);

/* Begin a JSON object: its brace, and the id if the case has one. */
void case_put_head(struct buffer *out, const struct case_echo *echo);

/* Begin a result: the same, and the case itself if it was asked for. */
void case_put_result_head(struct buffer *out, const struct case_echo *echo);
