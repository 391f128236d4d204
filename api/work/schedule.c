#include "api/work/schedule.h"

#include "base/assert.h"
#include "base/owner.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct client {
    struct client_address address;
    size_t jobs; /* in the schedule; 0 once the client has departed */
    TAILQ_ENTRY(client) departed;
    struct scheduled_list new_jobs; /* in the order in which they were added */
    size_t new_count;
    uint64_t latest;         /* the number of its newest new job */
    struct heap_node by_new; /* in the heap `by_new` while there are new jobs */
    bool new_is_next;        /* the client's next turn in the short lane goes to a new job */
    struct client_lane {
        struct heap_node node; /* in the lane's heap while `listed` is not 0 */
        struct client *client;
        struct scheduled_list started; /* started jobs that wait for a turn */
        size_t listed;                 /* jobs, including new ones, that wait for a turn */
        size_t in_progress;            /* turns in progress */
        uint64_t given;                /* microseconds that its turns took */
    } lanes[JOB_LANES];
};

static int compare(const void *a, const void *b) {
    return memcmp(&((const struct client *)a)->address, &((const struct client *)b)->address,
                  sizeof(struct client_address));
}

static struct client *find(const struct schedule *schedule, const struct client_address *address) {
    const struct client wanted = {.address = *address};
    struct client *const *found = tfind(&wanted, &schedule->clients, compare);
    return found != NULL ? *found : NULL;
}

static struct client *client_new(struct schedule *schedule, const struct client_address *address) {
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    client->address = *address;
    TAILQ_INIT(&client->new_jobs);
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++) {
        client->lanes[lane].client = client;
        TAILQ_INIT(&client->lanes[lane].started);
    }
    if (tsearch(client, &schedule->clients, compare) != NULL)
        return client;
    free(client);
    return NULL;
}

/* ---- the order of clients ---- */

/* Remove a client from a lane's heap before its turns, its time or its number of jobs change. */
static void take_from_lane(struct schedule *schedule, struct client *client, enum job_lane lane) {
    if (client->lanes[lane].listed != 0)
        heap_remove(&schedule->lanes[lane].clients, &client->lanes[lane].node);
}

/* Put the client back afterwards. */
static void put_into_lane(struct schedule *schedule, struct client *client, enum job_lane lane) {
    const struct client_lane *of = &client->lanes[lane];
    if (of->listed != 0)
        heap_add(&schedule->lanes[lane].clients, &client->lanes[lane].node, of->in_progress, of->given);
}

/* The client's number of new jobs has changed. */
static void count_new(struct schedule *schedule, struct client *client, bool more) {
    if (client->new_count != 0)
        heap_remove(&schedule->by_new, &client->by_new);
    client->new_count += more ? 1 : (size_t)-1;
    schedule->new_count += more ? 1 : (size_t)-1;
    if (client->new_count != 0)
        heap_add(&schedule->by_new, &client->by_new, UINT64_MAX - client->new_count, UINT64_MAX - client->latest);
}

/* ---- jobs begin and stop waiting ---- */

void schedule_add(struct schedule *schedule, struct scheduled *job, enum job_lane lane) {
    if (job->listed[lane])
        return;
    struct client *client = job->client;
    struct client_lane *of = &client->lanes[lane];
    struct schedule_lane *in = &schedule->lanes[lane];
    TAILQ_INSERT_TAIL(job->is_new ? &client->new_jobs : &of->started, job, in_list[lane]);
    job->listed[lane] = true;
    in->listed++;
    if (of->listed++ != 0)
        return;
    in->client_count++;
    of->given = of->given < in->given ? in->given : of->given;
    put_into_lane(schedule, client, lane);
}

/* Remove a job from its list. The client must not be in the lane's heap. */
static void unlist(struct schedule *schedule, struct scheduled *job, enum job_lane lane) {
    struct client *client = job->client;
    ASSERT(job->listed[lane] && client->lanes[lane].listed != 0 && schedule->lanes[lane].listed != 0);
    ASSERT(!job->is_new || lane == JOB_SHORT);
    TAILQ_REMOVE(job->is_new ? &client->new_jobs : &client->lanes[lane].started, job, in_list[lane]);
    job->listed[lane] = false;
    schedule->lanes[lane].listed--;
    if (--client->lanes[lane].listed == 0)
        schedule->lanes[lane].client_count--;
    if (!job->is_new)
        return;
    job->is_new = false;
    TAILQ_REMOVE(&schedule->new_jobs, job, by_age);
    count_new(schedule, client, false);
}

/* ---- clients arrive and depart ---- */

/* Has the client been given no more time than a new client starts with? */
static bool has_no_advantage(const struct schedule *schedule, const struct client *client) {
    return client->lanes[JOB_SHORT].given <= schedule->lanes[JOB_SHORT].given &&
           client->lanes[JOB_LONG].given <= schedule->lanes[JOB_LONG].given;
}

static void forget_departed(struct schedule *schedule, struct client *client) {
    TAILQ_REMOVE(&schedule->departed, client, departed);
    schedule->departed_count--;
}

/* Free the entries of departed clients that no longer make a difference, and of those beyond `max`, oldest first. */
static void free_departed(struct schedule *schedule, size_t max) {
    struct client *client;
    while ((client = TAILQ_FIRST(&schedule->departed)) != NULL &&
           (schedule->departed_count > max || has_no_advantage(schedule, client))) {
        forget_departed(schedule, client);
        tdelete(client, &schedule->clients, compare);
        free(client);
    }
}

/* The client's last job has left the schedule. */
static void depart(struct schedule *schedule, struct client *client) {
    ASSERT(client->lanes[JOB_SHORT].in_progress == 0 && client->lanes[JOB_LONG].in_progress == 0);
    client->new_is_next = false;
    TAILQ_INSERT_TAIL(&schedule->departed, client, departed);
    schedule->departed_count++;
    free_departed(schedule, schedule->max_departed);
}

void schedule_init(struct schedule *schedule, size_t max_departed) {
    *schedule = (struct schedule){.max_departed = max_departed};
    TAILQ_INIT(&schedule->jobs);
    TAILQ_INIT(&schedule->new_jobs);
    TAILQ_INIT(&schedule->departed);
}

void schedule_clear(struct schedule *schedule) {
    ASSERT(schedule->new_count == 0);
    free_departed(schedule, 0);
    ASSERT(schedule->clients == NULL);
}

bool schedule_join(struct schedule *schedule, struct scheduled *job, const struct client_address *address) {
    ASSERT(job->client == NULL);
    struct client *client = find(schedule, address);
    if (client != NULL && client->jobs == 0)
        forget_departed(schedule, client);
    job->client = client != NULL ? client : client_new(schedule, address);
    if (job->client == NULL)
        return false;
    job->client->jobs++;
    TAILQ_INSERT_TAIL(&schedule->jobs, job, joined);
    return true;
}

void schedule_add_new(struct schedule *schedule, struct scheduled *job) {
    ASSERT(!job->listed[JOB_SHORT] && !job->is_new);
    job->is_new = true;
    job->client->latest = schedule->added++;
    TAILQ_INSERT_TAIL(&schedule->new_jobs, job, by_age);
    count_new(schedule, job->client, true);
    schedule_add(schedule, job, JOB_SHORT);
}

void schedule_withdraw(struct schedule *schedule, struct scheduled *job) {
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++) {
        if (!job->listed[lane])
            continue;
        take_from_lane(schedule, job->client, lane);
        unlist(schedule, job, lane);
        put_into_lane(schedule, job->client, lane);
    }
}

void schedule_leave(struct schedule *schedule, struct scheduled *job) {
    struct client *client = job->client;
    schedule_withdraw(schedule, job);
    TAILQ_REMOVE(&schedule->jobs, job, joined);
    job->client = NULL;
    if (--client->jobs == 0)
        depart(schedule, client);
}

/* ---- turns ---- */

/* Get the first of the client's jobs that are waiting in the lane. */
static struct scheduled *first_job(struct client *client, enum job_lane lane) {
    struct scheduled *started = TAILQ_FIRST(&client->lanes[lane].started), *new_job = TAILQ_FIRST(&client->new_jobs);
    if (lane == JOB_LONG || new_job == NULL)
        return started;
    return started == NULL || client->new_is_next ? new_job : started;
}

struct scheduled *schedule_begin_turn(struct schedule *schedule, enum job_lane lane) {
    struct schedule_lane *in = &schedule->lanes[lane];
    if (in->clients.first == NULL)
        return NULL;
    struct client_lane *of = OWNER_OF(in->clients.first, struct client_lane, node);
    struct client *client = of->client;
    struct scheduled *job = first_job(client, lane);
    if (lane == JOB_SHORT)
        client->new_is_next = !job->is_new;
    in->given = in->given < of->given ? of->given : in->given;
    take_from_lane(schedule, client, lane);
    unlist(schedule, job, lane);
    of->in_progress++;
    in->in_progress++;
    put_into_lane(schedule, client, lane);
    return job;
}

void schedule_end_turn(struct schedule *schedule, struct scheduled *job, enum job_lane lane, uint64_t microseconds) {
    struct client_lane *of = &job->client->lanes[lane];
    struct schedule_lane *in = &schedule->lanes[lane];
    ASSERT(of->in_progress != 0 && in->in_progress != 0);
    take_from_lane(schedule, job->client, lane);
    of->in_progress--;
    of->given += microseconds;
    put_into_lane(schedule, job->client, lane);
    in->max_given = in->max_given < of->given ? of->given : in->max_given;
    /* The lane is empty: from here on, all clients start with the same time. */
    if (--in->in_progress == 0 && in->listed == 0)
        in->given = in->max_given;
}

/* ---- a full queue, and the oldest jobs ---- */

bool schedule_find_excess(const struct schedule *schedule, const struct client_address *address,
                          struct scheduled **ret_job) {
    if (schedule->by_new.first == NULL)
        return false;
    const struct client *own = find(schedule, address), *max = OWNER_OF(schedule->by_new.first, struct client, by_new);
    if (max->new_count <= (own != NULL ? own->new_count : 0))
        return false;
    *ret_job = TAILQ_LAST(&max->new_jobs, scheduled_list);
    return true;
}

struct scheduled *schedule_oldest(const struct schedule *schedule) {
    return TAILQ_FIRST(&schedule->new_jobs);
}

struct scheduled *schedule_oldest_in(const struct schedule *schedule, enum job_lane lane) {
    struct scheduled *job;
    TAILQ_FOREACH(job, &schedule->jobs, joined)
        if (job->listed[lane])
            break;
    return job;
}
