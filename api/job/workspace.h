/* The memory of one thread, in which cases are read and solved, one after the other. */
#pragma once

#include "base/account.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct workspace {
    struct arena reading; /* the tree of a case and its decoded struct; bytes above 4 MiB are charged */
    struct arena solving; /* scratch memory of the solver; it has a limit */
    bool is_largest;      /* there is no larger workspace. In the others, running out of memory means: retry on a long
                           * worker */
};

/* Initialise a workspace, which holds no memory. A solver may use `max_solving` bytes for a case. */
void workspace_init(struct workspace *workspace, struct account *account, size_t max_solving, bool is_largest);

/* Free the case. Some memory is kept for the next one. */
void workspace_reset(struct workspace *workspace);

/* Free all memory. Accepts a zeroed struct. */
void workspace_clear(struct workspace *workspace);
