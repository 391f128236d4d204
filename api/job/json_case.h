/* A case in JSON, alone or in an array or on a line: from bytes to a decoded case. */
#pragma once

#include "api/job/source.h"

/* Pay for a case before its bytes are looked at. False when the budget does not hold it. */
bool json_case_pay(const struct case_reading *r);

/* Parse and decode the case of a reading, whose bytes json_check has found good. `has_long_numbers`: as the check has
 * reported. `place` is the case's in its document, `max_games` as in source_begin_decode. */
enum outcome json_case_read(const struct source *source, struct case_reading *r, bool has_long_numbers,
                            const struct place *place, uint64_t max_games);
