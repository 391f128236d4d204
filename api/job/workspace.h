/* The lane of a thread, and the memory in which it reads and solves one case after another. */
#pragma once

#include "base/account.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A case is done in the first lane whose budget and workspace suffice. */
enum job_lane { JOB_SHORT, JOB_LONG, JOB_LANES };

/* The smallest budget per call that begins a job, or looks for a case, that still guarantees progress. */
enum { JOB_MIN_WORK = 100000 };

/* A case that was taken. */
struct job_turn {
    size_t number; /* from 0 */
    void *
        the_case; /* the case, if job_take had to read it to find the next one, in the workspace of job_take; or NULL */
};

struct workspace {
    struct arena reading; /* the tree of a case and its decoded struct; bytes above 4 MiB are charged */
    struct arena solving; /* scratch memory of the solver; it has a limit */
    bool is_largest;      /* there is no larger workspace. In the others, running out of memory means: retry on a long
                           * worker */
};

/* Initialise a workspace, which holds no memory. A solver may use `max_solving` bytes for a case. */
static inline void workspace_init(struct workspace *workspace, struct account *account, size_t max_solving,
                                  bool is_largest) {
    arena_init_charged(&workspace->reading, ARENA_WATERMARK, account);
    arena_init(&workspace->solving, max_solving);
    workspace->is_largest = is_largest;
}

/* Free the case. Some memory is kept for the next one. */
static inline void workspace_reset(struct workspace *workspace) {
    arena_reset(&workspace->reading);
    arena_reset(&workspace->solving);
}

/* Free all memory. Accepts a zeroed struct. */
static inline void workspace_clear(struct workspace *workspace) {
    arena_clear(&workspace->reading);
    arena_clear(&workspace->solving);
}
