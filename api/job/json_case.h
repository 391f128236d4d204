/* A JSON case, whether alone, in an array, or on a line: from its bytes to a decoded case. */
#pragma once

#include "api/job/source.h"

enum { JSON_DEFAULTS = 4, JSON_DEFAULT_BYTES = 1024 };

/* The members beside the cases of a batch, which are defaults for all cases. */
struct json_defaults {
    struct buffer text; /* compact: `,"turn":"Black"` for each */
    unsigned count;
    struct {
        const char *name;
        size_t begin, value, end; /* in `text`: the comma before it, its value, and its end */
    } members[JSON_DEFAULTS];
};

/* Charge for a case before its bytes are read. Returns false if the budget does not suffice. */
bool json_case_pay(const struct case_reading *r);

/* Does this report of a JSON check, with its `reason` and position `at`, say that another object begins there? */
bool json_case_is_followed(const char *reason, const char *at);

/* Parse and decode the case of a reading. json_check must have accepted its bytes and reported `has_long_numbers`.
 * `place` is the place of the case in its document; for `max_games` see source_begin_decode. `defaults` can be NULL. */
enum outcome json_case_read(const struct source *source, struct case_reading *r, bool has_long_numbers,
                            const struct place *place, uint64_t max_games, const struct json_defaults *defaults);

/* Read a default: check the value of a member beside the cases, and add it to `defaults` unless it has faults. `json`
 * is its text, which json_check has accepted as part of the body. */
enum outcome json_default_read(const struct source *source, struct json_defaults *defaults,
                               const struct json_field *field, const char *json, size_t length,
                               struct workspace *workspace, struct work *work, struct fault_list *faults);
