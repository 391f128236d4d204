/* Decides which job has the next turn. No threads, no clock: the queue calls it with its mutex held.
 *
 *     lane --> client A   1 turn in progress, 310 ms given     new [job] [job]    started [job]
 *              client B   0 turns in progress, 12 ms given     new [job]          started [job] [job]
 *              . . .
 *
 * In each lane the next turn goes to a client, and then to one of its jobs:
 *
 * - The client is the one with the fewest turns in progress in this lane. Of equal ones it is the one that was given
 *   the least time there. So its share does not depend on the number of its jobs or the length of their turns. A client
 *   that comes waits for the end of one turn, and not for the jobs of others.
 * - A client that had no job in the lane begins with the time that the client served last had been given, if that is
 *   more than its own. So it gets no extra share for the time in which it had no job. If it was given more than others
 *   before, that still counts, until the lane is empty. This is start-time fair queueing (P. Goyal, H. M. Vin, H.
 *   Cheng, "Start-time fair queueing", IEEE/ACM Transactions on Networking 5 (1997)), with times that are known after
 *   the turn.
 * - The client's jobs take turns. In the short lane there are two lists: new jobs, which have had no turn, and started
 *   ones. The client's turns alternate between them, so that a new job waits for one turn of a started one.
 *
 * A turn costs O(log n) steps for n clients that wait. A client's record is kept while the client has jobs, and after
 * that until the others have been given as much time. At most `max_departed` records of clients without jobs are kept,
 * the latest ones. */
#pragma once

#include "api/job/job.h"
#include "api/work/heap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* Tells clients apart. An address in IPv6, or in IPv4 as IPv4-mapped IPv6, or the network that counts as one client. */
struct client_address {
    unsigned char bytes[16];
};

struct client;

/* A job in the schedule. The caller owns it, zeroed before schedule_join. */
struct scheduled {
    struct client *client;  /* NULL: not in the schedule */
    bool is_new;            /* it waits for its first turn */
    bool listed[JOB_LANES]; /* it waits for a turn in the lane */
    TAILQ_ENTRY(scheduled) in_list[JOB_LANES];
    TAILQ_ENTRY(scheduled) by_age; /* among all new jobs */
};
TAILQ_HEAD(scheduled_list, scheduled);
TAILQ_HEAD(client_list, client);

struct schedule {
    void *clients; /* of <search.h>: by address */
    struct schedule_lane {
        struct heap clients; /* with a listed job: by turns in progress, then by the time that they were given */
        uint64_t given;      /* microseconds that the client served last had been given, or more */
        uint64_t max_given;  /* to any client */
        size_t listed;       /* jobs */
        size_t in_progress;  /* turns */
    } lanes[JOB_LANES];
    struct heap by_new;             /* clients with new jobs: the one with most comes first, of equal ones the latest */
    struct scheduled_list new_jobs; /* of all clients, the oldest first */
    size_t new_count;
    uint64_t added;              /* new jobs, ever */
    struct client_list departed; /* clients without jobs, in the order in which their last jobs left */
    size_t departed_count, max_departed;
};

void schedule_init(struct schedule *schedule, size_t max_departed);

/* Free what the schedule holds. No job is in it any more. May be called twice. */
void schedule_clear(struct schedule *schedule);

/* Put a job into the schedule, as one of this client. It waits for no turn yet. False when memory is exhausted. */
bool schedule_join(struct schedule *schedule, struct scheduled *job, const struct client_address *address);

/* A job that has joined and had no turn waits for its first one, in the short lane. */
void schedule_add_new(struct schedule *schedule, struct scheduled *job);

/* A job waits for a turn in the lane. Nothing changes when it does already. */
void schedule_add(struct schedule *schedule, struct scheduled *job, enum job_lane lane);

/* Choose the job that has the next turn in the lane, and begin that turn: the job does not wait in this lane any more.
 * NULL when no job waits there. */
struct scheduled *schedule_begin_turn(struct schedule *schedule, enum job_lane lane);

/* A turn has ended; it took this many microseconds. */
void schedule_end_turn(struct schedule *schedule, struct scheduled *job, enum job_lane lane, uint64_t microseconds);

/* A job waits for no turn any more, in either lane. */
void schedule_withdraw(struct schedule *schedule, struct scheduled *job);

/* A job leaves the schedule. None of its turns is in progress. */
void schedule_leave(struct schedule *schedule, struct scheduled *job);

/* Has the client of this address fewer new jobs than another client? Then *ret_job is the newest new job of the client
 * with most of them. If several have equally many, it is the one whose new job came last. */
bool schedule_find_excess(const struct schedule *schedule, const struct client_address *address,
                          struct scheduled **ret_job);

/* Call `visit` for each job that waits for a turn in a lane, in no order. Returns the number of clients that have one.
 */
size_t schedule_visit(const struct schedule *schedule, enum job_lane lane,
                      void (*visit)(struct scheduled *job, void *closure), void *closure);

/* The new job that has waited longest; NULL when there is none. */
struct scheduled *schedule_oldest(const struct schedule *schedule);
