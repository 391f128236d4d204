/* Decides which job gets the next turn. It has neither threads nor a clock: the queue calls it with its mutex held.
 *
 *     lane --> client A   1 turn in progress, 310 ms given     new [job] [job]    started [job]
 *              client B   0 turns in progress, 12 ms given     new [job]          started [job] [job]
 *              . . .
 *
 * In each lane, the next turn goes to a client and then to one of its jobs:
 *
 * - The client is the one with the fewest turns in progress in this lane. Among equals, it is the one whose turns there
 *   have taken the least time. So a client's share does not depend on the number of its jobs or the length of their
 *   turns, and a new client waits for the end of one turn, not for all the jobs of others.
 * - A client that had no job in the lane starts with its own time or, if that is more, with the time of the client
 *   served last. So it gains nothing from the time in which it had no job, and a surplus over others still counts until
 *   the lane is empty. This is start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng, "Start-time fair queueing",
 *   IEEE/ACM Transactions on Networking 5 (1997)), with costs that are known only after a turn.
 * - The client's jobs take turns. The short lane has two lists: new jobs, which have had no turn yet, and started
 *   ones. The client's turns alternate between them, so that a new job waits for at most one turn of a started one.
 *
 * A turn costs O(log n) for n waiting clients. A client's entry is kept while it has jobs, and then until the others
 * have been given as much time. At most the `max_departed` most recent entries of clients without jobs are kept. */
#pragma once

#include "api/job/job.h"
#include "api/work/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* Identifies a client: an IPv6 address, an IPv4 address mapped into IPv6, or a network that counts as one client. */
struct client_address {
    unsigned char bytes[16];
};

struct client;

/* A job in the schedule. The caller owns it, and must zero it before schedule_join. */
struct scheduled {
    struct client *client;  /* NULL if it is not in the schedule */
    bool is_new;            /* it is waiting for its first turn */
    bool listed[JOB_LANES]; /* it is waiting for a turn in this lane */
    TAILQ_ENTRY(scheduled) in_list[JOB_LANES];
    TAILQ_ENTRY(scheduled) by_age; /* in the list of all new jobs */
    TAILQ_ENTRY(scheduled) joined; /* in the list of all jobs */
};
TAILQ_HEAD(scheduled_list, scheduled);
TAILQ_HEAD(client_list, client);

struct schedule {
    void *clients; /* a tree (<search.h>), by address */
    struct schedule_lane {
        struct heap clients; /* those with waiting jobs, by turns in progress, then by the time that their turns took */
        uint64_t given;      /* microseconds given to the client that was served last, or more */
        uint64_t max_given;  /* the most microseconds given to any client */
        size_t listed;       /* waiting jobs */
        size_t client_count; /* clients with waiting jobs */
        size_t in_progress;  /* turns in progress */
    } lanes[JOB_LANES];
    struct heap by_new;             /* clients with new jobs: the one with the most comes first; among equals, the
                                     * one with the newest */
    struct scheduled_list jobs;     /* the jobs of all clients, in the order in which they joined */
    struct scheduled_list new_jobs; /* those of these jobs that are new */
    size_t new_count;
    uint64_t added;              /* new jobs since the start */
    struct client_list departed; /* clients without jobs, in the order in which they departed */
    size_t departed_count, max_departed;
};

void schedule_init(struct schedule *schedule, size_t max_departed);

/* Free the schedule's memory. It must have no jobs. May be called twice. */
void schedule_clear(struct schedule *schedule);

/* Add a job of this client, which does not wait for a turn yet. Returns false when out of memory. */
bool schedule_join(struct schedule *schedule, struct scheduled *job, const struct client_address *address);

/* Make a joined job wait for its first turn, in the short lane. */
void schedule_add_new(struct schedule *schedule, struct scheduled *job);

/* Make a job wait for a turn in the lane. Does nothing if it is waiting there already. */
void schedule_add(struct schedule *schedule, struct scheduled *job, enum job_lane lane);

/* Choose the job that gets the next turn in the lane, and begin that turn: the job stops waiting in this lane. Returns
 * NULL if no job is waiting there. */
struct scheduled *schedule_begin_turn(struct schedule *schedule, enum job_lane lane);

/* End a turn that took this many microseconds. */
void schedule_end_turn(struct schedule *schedule, struct scheduled *job, enum job_lane lane, uint64_t microseconds);

/* Make a job stop waiting for turns in both lanes. */
void schedule_withdraw(struct schedule *schedule, struct scheduled *job);

/* Remove a job. None of its turns may be in progress. */
void schedule_leave(struct schedule *schedule, struct scheduled *job);

/* Does another client have more new jobs than the client with this address? If so, sets *ret_job to the newest new job
 * of the client with the most new jobs. If several clients tie, it is the newest of all their new jobs. */
bool schedule_find_excess(const struct schedule *schedule, const struct client_address *address,
                          struct scheduled **ret_job);

/* Get the new job that has been waiting longest; NULL if there is none. */
struct scheduled *schedule_oldest(const struct schedule *schedule);

/* Among the jobs that wait for a turn in the lane, get the one that joined first; NULL if there is none. Takes time
 * proportional to the number of jobs that joined before it. */
struct scheduled *schedule_oldest_in(const struct schedule *schedule, enum job_lane lane);
