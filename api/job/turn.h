/* Lanes, and the turn of a case in one of them. */
#pragma once

#include <stddef.h>

/* A case is done in the first lane whose budget and workspace suffice. */
enum job_lane { JOB_SHORT, JOB_LONG, JOB_LANES };

/* A case that was taken. */
struct job_turn {
    size_t number; /* from 0 */
    void *
        the_case; /* the case, if job_take had to read it to find the next one, in the workspace of job_take; or NULL */
};
