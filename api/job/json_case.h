/* A case in JSON, by itself, in an array or on a line: from its bytes to a decoded case. */
#pragma once

#include "api/job/source.h"

/* Pay for a case before its bytes are read. False when the budget does not suffice. */
bool json_case_pay(const struct case_reading *r);

/* Do these say that a check of JSON has stopped where another object begins? `reason` and `at` are from its report. */
bool json_case_is_followed(const char *reason, const char *at);

/* Parse and decode the case of a reading. json_check must have accepted its bytes, and `has_long_numbers` is from its
 * report. `place` is that of the case in its document; `max_games` as in source_begin_decode. */
enum outcome json_case_read(const struct source *source, struct case_reading *r, bool has_long_numbers,
                            const struct place *place, uint64_t max_games);
