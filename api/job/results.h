/* The results of a job. They arrive in any order, and are joined in the order of their cases.
 *
 *     results_room      room for the next case, if there can be another one
 *     results_start     a case is about to be processed
 *     results_want      it has been read: should it be solved?
 *     results_end       it is done: a fault, a failure or a result
 *     results_deliver   its result can be joined to those before it
 *     results_read      copies lines of a stream
 *     results_respond   writes the whole answer: the results, or the faults
 *
 * The cases that have been found and not yet joined are in a window of at most RESULTS_WINDOW cases:
 *
 *     0 . . . . joined [ done | being done | done | put back | . . . ] not yet found
 *                       first                                   source->found
 *
 * So a job's memory does not grow with the number of its cases. A line of a stream leaves the window when it has been
 * read, any other result as soon as it and all results before it are done. A stream has no room for another case while
 * its unread lines hold too many bytes.
 *
 * results_start, results_want and results_end may run on several threads, each with its own result, and concurrently
 * with all other functions. The caller must serialise the others. */
#pragma once

#include "api/answer/response.h"
#include "api/job/cases.h"

#include <stdatomic.h>

enum { RESULTS_WINDOW = 256 };

/* A case in the window, and its result. While the case is taken, written by the thread that processes it; otherwise,
 * only by the functions that the caller serialises. */
struct result {
    struct found_case found;
    bool is_done;
    bool over_total; /* this case makes the sum of the sizes exceed its limit; it is read again to find the position of
                      * that fault */
    uint64_t size;   /* the size of the case */

    /* The output of the case; empty until results_start. */
    struct buffer out; /* the bytes of the result; for a stream, a line */
    struct fault_list faults;
    enum problem problem; /* as in struct case_reading */
    uint64_t values;      /* as in struct case_reading */
    void *collection;     /* if not NULL, the case is this collection, and its games are answered instead */
};

struct results {
    const struct service *service;
    const struct admission *admission;
    struct source *source;   /* its problem and faults are those of the whole answer */
    enum format format;      /* the format of the answer; FORMAT_NONE: the client accepts only a picture, and none is
                              * possible */
    size_t max_bytes;        /* the limit on the answer or, for a stream, on a line */
    uint64_t max_held;       /* for a stream: bytes of unread lines beyond which there is no more room */
    uint64_t max_total_size; /* the limit on all cases in a batch */

    struct result *window; /* [size]; case k is window[k % size] */
    struct result single;  /* the window, if it has one case */
    size_t size;
    size_t first;      /* the number of the first case in the window */
    size_t done;       /* cases that are done */
    size_t done_bytes; /* bytes of the body up to the start of the case that left the window last */

    struct buffer joined;
    struct buffer id;    /* the id of the only case, as JSON */
    uint64_t total_size; /* the size of the cases that have been joined */
    uint64_t values;     /* JSON values in these cases */

    size_t held;      /* for a stream: bytes of memory held by lines that are done and unread */
    size_t read;      /* bytes of the first case's line that have been read */
    bool is_broken;   /* the stream cannot continue, and its last line says so */
    size_t read_last; /* bytes of that line that have been read */

    /* Written by every thread that processes cases. */
    atomic_bool faulty;             /* a case has a fault: in a batch, the other cases are only checked */
    atomic_int failure;             /* enum outcome: why a case or the whole body could not be answered */
    atomic_size_t answer_bytes;     /* bytes in all results; beyond the limit on answers, further cases are only
                                     * checked */
    atomic_uint_fast64_t size_read; /* the size of all cases read so far; beyond the limit on the sum, further cases
                                     * are only checked */
};

/* Initialise, without room for any case yet. */
void results_init(struct results *results, const struct service *service, const struct admission *admission,
                  uint64_t max_held);

/* Free everything. Accepts a zeroed struct. */
void results_clear(struct results *results);

/* Make room for the cases of a source, which must be open and outlive the results. `answer` is the format of the
 * answer, unless that would be a picture of several cases. Calling it again discards everything before. Returns false
 * when out of memory. */
bool results_open(struct results *results, struct source *source, enum format answer);

/* Get the place for the next case; NULL if there is no room for it, or the source has ended. */
struct result *results_room(const struct results *results);

/* Get the result of a case in the window. */
static inline struct result *results_at(const struct results *results, size_t number) {
    return &results->window[number % results->size];
}

/* Get the first result in the window if its case is done; otherwise NULL. */
struct result *results_first_done(const struct results *results);

/* ---- by the thread that processes a case ---- */

/* A case is about to be processed: initialise its output. Nothing may be left from an earlier attempt. */
void results_start(const struct results *results, struct result *result);

/* The case has been read: record its size. Returns true if it should be solved, that is, unless it has a fault, the
 * request will be refused, or the client already has the answer. If no picture of it is possible, this chooses the next
 * best format. */
bool results_want(struct results *results, struct result *result, const void *the_case);

/* The case is done, and its outcome, problem, faults and bytes are final. For a stream, its line is ended, or replaced
 * by the problem. `echo` is what the client wants repeated in the answer. If the outcome is OUTCOME_MORE_WORK or
 * OUTCOME_CANCELLED, everything is discarded, because the case must be processed again. */
void results_end(struct results *results, struct result *result, const struct case_echo *echo, enum outcome outcome);

/* ---- joining ---- */

/* Record that a case, or the whole body, could not be answered. The first reason is kept. Can be called from any
 * thread. */
void results_fail(struct results *results, enum outcome why);

/* Is the outcome a failure of the service, so that the case or the body is given up? */
static inline bool results_is_failure(enum outcome outcome) {
    return outcome == OUTCOME_NO_MEMORY || outcome == OUTCOME_INTERNAL;
}

/* Join this result, which is done, and all that were waiting for it. Returns the case at which the batch exceeds the
 * limit on the sum of sizes, if there is one; it must be processed again to find the position of the fault. Otherwise,
 * returns NULL. */
struct result *results_deliver(struct results *results, struct result *result);

/* Are all cases that were found so far done? */
static inline bool results_are_done(const struct results *results) { return results->done == results->source->found; }

/* Have all lines of a stream been read, for the cases found so far? */
static inline bool results_are_read(const struct results *results) { return results->first == results->source->found; }

/* ---- the answer ---- */

/* Copy at most `size` bytes from a stream's next lines; see job_read. */
size_t results_read(struct results *results, char *ret_bytes, size_t size);

/* When all cases are done: would compressing an answer that is not a stream take so long that it belongs on a
 * worker? */
bool results_are_heavy(const struct results *results);

/* All cases are done, and the answer is not a stream: write it. Called once. */
void results_respond(struct results *results, struct response *ret_response);
