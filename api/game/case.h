/* The part that the cases of all games have in common: the members that a result repeats. */
#pragma once

#include "api/json/decode.h"
#include "base/buffer.h"

/* The context of a case that is read, in any format. */
struct case_context {
    const void *limits; /* of the game */
    const char *text;   /* the case as it was sent, without a byte order mark; NULL: not as JSON */
    size_t text_length;
    bool over_total;    /* with this case the request passes the limit on the sum over its cases: that is a fault */
    uint64_t max_games; /* of a collection that the case may be; 0: it must be one game */
    uint64_t hash_seed; /* for what is hashed on the way: no fault depends on it, and outsiders must not know it */
};

/* The first member of the struct of every game's case. */
struct case_echo {
    const cJSON *id;  /* the case's own name, as the caller gave it, a string or an integer; NULL when there is none */
    const char *text; /* the case as it was sent, in JSON; NULL: the result does not have it */
    size_t length;    /* of the text, blanks included */
};

/* Reads a string of at most 128 bytes, or an integer that every reader of JSON keeps exactly, into `id`; the target is
 * the case. */
json_field_reader case_read_id;

/* The part of a result that is the case itself: a word of `include`, where the case came as JSON. */
extern const char case_part[];

/* Reads `include`, as json_read_parts does, and sets `text` where case_part is in it; the target is the case. */
json_field_reader case_read_include;

/* Append an id, which must be there, as JSON. */
void case_put_id(struct buffer *out, const struct case_echo *echo);

/* Begin an object of JSON: its brace, and the id if the case has one. */
void case_put_head(struct buffer *out, const struct case_echo *echo);

/* Begin a result: the same, and the case itself if it is a part. */
void case_put_result_head(struct buffer *out, const struct case_echo *echo);

/* The bytes that the case itself takes in a result; 0: the result does not have it. */
size_t case_text_bytes(const struct case_echo *echo);
