/* A JSON case, whether alone, in an array, or on a line: from its bytes to a decoded case. */
#pragma once

#include "api/job/source.h"

/* Charge for a case before its bytes are read. Returns false if the budget is too small. */
bool json_case_pay(const struct case_reading *r);

/* Does this report of a JSON check, with its `reason` and position `at`, say that another object begins there? */
bool json_case_is_followed(const char *reason, const char *at);

/* Parse and decode the case of a reading. json_check must have accepted its bytes and reported `has_long_numbers`.
 * `place` is the place of the case in its document; for `max_games` see source_begin_decode. */
enum outcome json_case_read(const struct source *source, struct case_reading *r, bool has_long_numbers,
                            const struct place *place, uint64_t max_games);
