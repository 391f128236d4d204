/* The cases of a job: finds them in the body one after the other, and takes back those that must be processed again.
 *
 *     cases_open         detects the format if the type of the body is vague, checks what depends on the format, and as
 *                        much of the body as is needed before the first case
 *     cases_find         finds the next case
 *     cases_put_back     puts back a case to be processed again, perhaps in another lane
 *     cases_take_again   takes such a case
 *     cases_open_games   the only case is a collection: from here on its games are the cases
 *
 * The source (source.h) knows the format of the body and reads the cases. A case that was found is kept with its result
 * (results.h).
 *
 * The caller must serialise all calls. While a case is taken, the thread that processes it may read its position. */
#pragma once

#include "api/job/source.h"

/* A case that was found. It must not be moved while it is put back. */
struct found_case {
    size_t number;      /* counted from 0 */
    enum job_lane lane; /* the lane in which it was last put back; initially JOB_SHORT */
    struct case_position position;
    struct found_case *next; /* while it is put back: the next case in its lane */
};

struct cases {
    struct source *source;
    enum format answer; /* the format in which the client wants the answer to a body of this format */
    struct again_cases {
        struct found_case *first, *last;
    } again[JOB_LANES];           /* cases that were put back; `last` is valid unless `first` is NULL */
    bool is_admitted;             /* what depends on the format has been checked */
    struct workspace *collection; /* memory of the only case if it is a collection; otherwise NULL */
};

/* Initialise with a body. The body, the service and the admission must outlive this struct. Returns false when out of
 * memory. */
bool cases_init(struct cases *cases, const struct service *service, const struct admission *admission, char *body,
                size_t length);

/* Free the source. Also accepts a struct for which cases_init failed. */
void cases_clear(struct cases *cases);

/* Detect the format, and check as much of the body as is needed before the first case. Returns OUTCOME_DONE when the
 * check is complete; if the body is refused, the source has ended. After OUTCOME_MORE_WORK the next call continues. */
enum outcome cases_open(struct cases *cases, struct workspace *workspace, struct work *work);

/* Find the next case, for the short lane. The source must not have ended. OUTCOME_DONE: *ret_found says whether there
 * was one. If so, it is *found, with *ret_case as in struct source_format; if not, the source has ended.
 * OUTCOME_MORE_WORK: the next call continues. */
enum outcome cases_find(struct cases *cases, struct workspace *workspace, struct work *work, struct found_case *found,
                        void **ret_case, bool *ret_found);

/* Was any case put back in this lane? */
static inline bool cases_have_again(const struct cases *cases, enum job_lane lane) {
    return cases->again[lane].first != NULL;
}

/* Take the case that was put back first in this lane; NULL if there is none. */
struct found_case *cases_take_again(struct cases *cases, enum job_lane lane);

/* Put back a case that must be processed again in `lane`. */
void cases_put_back(struct cases *cases, struct found_case *found, enum job_lane lane);

/* Get memory for the only case, which is a collection. It lasts until cases_clear. Returns NULL when out of memory.
 * Call it on the thread that processes the case. */
struct workspace *cases_collection(struct cases *cases);

/* The only case is this collection, which is stored in that memory: from now on, find its games instead. Returns false,
 * with nothing changed, when out of memory. */
bool cases_open_games(struct cases *cases, const void *collection);
