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

/* Append the defaults that a case of the source does not have itself to its tree, if that is an object. */
enum outcome json_defaults_apply(const struct source *source, struct case_reading *r, cJSON *object);

/* Read the defaults of the source into a case of a format in which cases have no such members. */
enum outcome json_defaults_decode(const struct source *source, struct case_reading *r);

/* Read the value of a default, and add it to those of the source, unless it has faults. It replaces one of the same
 * name. `json` is its text, which json_check has accepted, and which must outlive the source. */
enum outcome json_default_read(struct source *source, const struct json_field *field, const char *json, size_t length,
                               struct workspace *workspace, struct work *work, struct fault_list *faults);
