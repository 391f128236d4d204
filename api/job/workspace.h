/* The lane of a thread, and the memory in which it reads and solves case after case. */
#pragma once

#include "base/account.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A case is processed in the first lane whose budget and workspace suffice. */
enum job_lane { JOB_SHORT, JOB_LONG, JOB_LANES };

/* The smallest budget per call with which beginning a job, or finding a case, is guaranteed to make progress. */
enum { JOB_MIN_WORK = 100000 };

/* A case that was taken. */
struct job_turn {
    size_t number;  /* counted from 0 */
    void *the_case; /* in the workspace, if job_take had to read the case to find the next one; or NULL */
};

struct workspace {
    struct arena reading; /* the tree of a case and the decoded struct; bytes above 4 MiB are charged */
    struct arena solving; /* scratch memory for the solver, of limited size */
    bool is_largest;      /* there is no larger workspace; if a smaller one runs out of memory, a long worker tries
                           * again */
};

/* Initialise a workspace, which holds no memory yet. A solver can use `max_solving` bytes per case. */
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
