/* The cases of a job: they are found in the body one after the other, and put back if they must be done again.
 *
 *     cases_open         checks the body as far as needed before the first case
 *     cases_find         finds the next case
 *     cases_put_back     a case must be done again, perhaps in another lane
 *     cases_take_again   takes such a case
 *     cases_open_games   the single case is a collection: from here on its games are the cases
 *
 * The source (source.h) knows the format of the body, and reads the cases. A case that was found is kept with its
 * result (results.h).
 *
 * The caller serialises all functions. While a case is taken, the thread that does it may read its position. */
#pragma once

#include "api/job/source.h"

#include <sys/queue.h>

/* A case that was found. It may not be moved while it is put back. */
struct found_case {
    size_t number;      /* from 0 */
    enum job_lane lane; /* the lane that it was put back in last; else JOB_SHORT */
    struct case_position position;
    STAILQ_ENTRY(found_case) entry; /* while it is put back */
};

struct cases {
    struct source *source;
    enum format answer; /* the format of the answer that the client wants for a body of this format */
    STAILQ_HEAD(, found_case) again[JOB_LANES]; /* cases that were put back */
    struct workspace *collection;               /* the memory of the single case if it is a collection; else NULL */
};

/* Initialise with a body, which must outlive it, as must the service and the admission. False when memory is
 * exhausted. */
bool cases_init(struct cases *cases, const struct service *service, const struct admission *admission, char *body,
                size_t length);

/* Free the source. Accepts what cases_init could not initialise. */
void cases_clear(struct cases *cases);

/* Check the body as far as needed before the first case. OUTCOME_DONE: if the body is refused, the source has ended.
 * OUTCOME_MORE_WORK: the next call continues. */
enum outcome cases_open(struct cases *cases, struct workspace *workspace, struct work *work);

/* Find the next case, for the short lane. The source must not have ended. OUTCOME_DONE: if *ret_found, the case is
 * *found, and *ret_case as in struct source_format; otherwise there was none, and the source has ended.
 * OUTCOME_MORE_WORK: the next call continues. */
enum outcome cases_find(struct cases *cases, struct workspace *workspace, struct work *work, struct found_case *found,
                        void **ret_case, bool *ret_found);

/* Is there a case that was put back in this lane? */
static inline bool cases_have_again(const struct cases *cases, enum job_lane lane) {
    return !STAILQ_EMPTY(&cases->again[lane]);
}

/* Take the case that was put back in this lane first; NULL when there is none. */
struct found_case *cases_take_again(struct cases *cases, enum job_lane lane);

/* Put back a case that must be done again, in `lane`. */
void cases_put_back(struct cases *cases, struct found_case *found, enum job_lane lane);

/* Get memory for the single case, which is a collection, until cases_clear. NULL when memory is exhausted. On the
 * thread that does the case. */
struct workspace *cases_collection(struct cases *cases);

/* The single case is this collection, which is in that memory: find its games instead. False when memory is exhausted;
 * then nothing has changed. */
bool cases_open_games(struct cases *cases, const void *collection);
