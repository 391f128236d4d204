/* Decides which job has the next turn. It has no threads and no clock: the queue calls it with its mutex held.
 *
 *     lane --> client A   1 turn in progress, 310 ms given     new [job] [job]    started [job]
 *              client B   0 turns in progress, 12 ms given     new [job]          started [job] [job]
 *              . . .
 *
 * In each lane the next turn goes to a client, and then to one of its jobs:
 *
 * - The client is the one with the fewest turns in progress in this lane. Among equal ones it is the one whose turns
 *   there took the least time. So its share does not depend on the number of its jobs or the length of their turns. A
 *   new client waits for the end of one turn, and not for all jobs of others.
 * - A client that had no job in the lane begins with the time of the client that was served last, if that is more than
 *   its own. So it gets no extra share for the time in which it had no job. If it had more time than others before,
 *   that still counts, until the lane is empty. This is start-time fair queueing (P. Goyal, H. M. Vin, H. Cheng,
 *   "Start-time fair queueing", IEEE/ACM Transactions on Networking 5 (1997)), with times that are known only after the
 *   turn.
 * - The client's jobs take turns. In the short lane there are two lists: new jobs, which have had no turn, and started
 *   ones. The client's turns alternate between them, so that a new job waits for one turn of a started one.
 *
 * A turn costs O(log n) steps for n clients that wait. A client's entry is kept while it has jobs, and after that
 * until the others have had as much time. At most `max_departed` entries of clients without jobs are kept, the most
 * recent ones. */
#pragma once

#include "api/job/job.h"
#include "api/work/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* Identifies a client: an address in IPv6, or in IPv4 as IPv4-mapped IPv6, or the network that counts as one client. */
struct client_address {
    unsigned char bytes[16];
};

struct client;

/* A job in the schedule. The caller owns it, and zeroes it before schedule_join. */
struct scheduled {
    struct client *client;  /* NULL: not in the schedule */
    bool is_new;            /* it waits for its first turn */
    bool listed[JOB_LANES]; /* it waits for a turn in this lane */
    TAILQ_ENTRY(scheduled) in_list[JOB_LANES];
    TAILQ_ENTRY(scheduled) by_age; /* in the list of all new jobs */
    TAILQ_ENTRY(scheduled) joined; /* in the list of all jobs */
};
TAILQ_HEAD(scheduled_list, scheduled);
TAILQ_HEAD(client_list, client);

struct schedule {
    void *clients; /* a tree of <search.h>, by address */
    struct schedule_lane {
        struct heap clients; /* with jobs that wait: by turns in progress, then by the time that their turns took */
        uint64_t given;      /* microseconds of the client that was served last, or more */
        uint64_t max_given;  /* the largest time of any client */
        size_t listed;       /* jobs that wait */
        size_t client_count; /* clients with jobs that wait */
        size_t in_progress;  /* turns in progress */
    } lanes[JOB_LANES];
    struct heap by_new;             /* clients with new jobs: the one with the most is first; among equal ones the one
                                     * with the newest */
    struct scheduled_list jobs;     /* of all clients, in the order in which they joined */
    struct scheduled_list new_jobs; /* those of them that are new */
    size_t new_count;
    uint64_t added;              /* new jobs since the start */
    struct client_list departed; /* clients without jobs, in the order in which their last jobs left */
    size_t departed_count, max_departed;
};

void schedule_init(struct schedule *schedule, size_t max_departed);

/* Free what the schedule holds. It must have no jobs. May be called twice. */
void schedule_clear(struct schedule *schedule);

/* Add a job of this client. It does not wait for a turn yet. False when memory is exhausted. */
bool schedule_join(struct schedule *schedule, struct scheduled *job, const struct client_address *address);

/* Let a job that has joined wait for its first turn, in the short lane. */
void schedule_add_new(struct schedule *schedule, struct scheduled *job);

/* Let a job wait for a turn in the lane. Nothing changes if it waits there already. */
void schedule_add(struct schedule *schedule, struct scheduled *job, enum job_lane lane);

/* Choose the job that has the next turn in the lane, and begin that turn: the job stops waiting in this lane. NULL when
 * no job waits there. */
struct scheduled *schedule_begin_turn(struct schedule *schedule, enum job_lane lane);

/* A turn has ended; it took this many microseconds. */
void schedule_end_turn(struct schedule *schedule, struct scheduled *job, enum job_lane lane, uint64_t microseconds);

/* Let a job stop waiting for turns, in both lanes. */
void schedule_withdraw(struct schedule *schedule, struct scheduled *job);

/* Remove a job. None of its turns may be in progress. */
void schedule_leave(struct schedule *schedule, struct scheduled *job);

/* Does another client have more new jobs than the client of this address? Then *ret_job is the newest new job of the
 * client with the most of them. If several have equally many, it is the newest job among theirs. */
bool schedule_find_excess(const struct schedule *schedule, const struct client_address *address,
                          struct scheduled **ret_job);

/* Get the new job that has waited longest; NULL when there is none. */
struct scheduled *schedule_oldest(const struct schedule *schedule);

/* Get the job that joined first of those that wait for a turn in the lane; NULL when there is none. Takes time in
 * proportion to the number of jobs that joined before it. */
struct scheduled *schedule_oldest_in(const struct schedule *schedule, enum job_lane lane);
