/* Where cases are read and solved: the memory of one thread, which serves one case after the other. */
#pragma once

#include "base/account.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct workspace {
    struct arena reading; /* the tree of a case, and what it is decoded into; what is above 4 MiB is charged */
    struct arena solving; /* what its solver works in; it has a cap */
    bool is_largest;      /* is there no larger workspace? In others a case that does not fit asks for more work. */
};

/* Start empty. A case may have `max_solving` bytes to be solved in. */
void workspace_init(struct workspace *workspace, struct account *account, size_t max_solving, bool is_largest);

/* Forget the case. Some memory is kept for the next. */
void workspace_reset(struct workspace *workspace);

/* Give everything back. Accepts a zeroed struct. */
void workspace_clear(struct workspace *workspace);
