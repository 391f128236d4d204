/* How a case of a body is read: parsed, decoded and checked, in whatever format it came. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/case.h"
#include "api/job/body.h"
#include "api/job/workspace.h"
#include "base/work.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading. The caller fills in the first part, and zeroes the rest. */
struct reading {
    const struct body *body;
    const struct body_place *place;
    struct workspace *workspace; /* what is read into */
    struct work *work;
    bool over_total;           /* with this case the request passes the limit on the sum: its place is wanted */
    struct fault_list *faults; /* those of the case */

    enum body_fault fault; /* what is wrong with it, other than what the faults say */
    uint64_t values;       /* of a line */
    struct case_context context;
    bool has_long_numbers; /* some part of the body, or of the line, has long numbers (json_shorten_numbers) */
};

/* Read the case of a number, from 0, into *ret_case, which is in the workspace; NULL when memory for that is exhausted.
 * `text_case` is what body_next has read on the way, or NULL. OUTCOME_DONE; what is wrong with the case is in the
 * reading. Otherwise what was read is of no use. Any thread, with a workspace of its own. */
enum outcome reading_do(struct reading *r, size_t number, void *text_case, void **ret_case);
