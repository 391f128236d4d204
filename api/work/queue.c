#include "api/work/queue.h"

#include "api/work/clock.h"
#include "base/assert.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the order of struct queue_limits. */
static const struct limit limits[] = {
    {"max_inflight_bytes", "bytes of bodies and answers over all requests", (uint64_t)1 << 30, LIMIT_MOST, false},
    {"queue", "requests waiting for a worker", 1024, 1 << 20, false},
};
LIMITS_MATCH(limits, struct queue_limits);
const struct limit_group queue_limits = {limits, sizeof limits / sizeof *limits};

enum {
    TURN = 1000,         /* microseconds: so long a worker stays with a task whose cases are short */
    STEP_BACK = 5,       /* of nice, for each lane */
    SLICE = 10000000,    /* nanoseconds */
    BEGIN_WORK = 200000, /* units of some 10 ns: then a body that is being checked lets others have a turn */
    CASE_WORK = 5000000, /* likewise: what a case may take of a short worker */
};

_Static_assert(BEGIN_WORK >= (int)JOB_LEAST_WORK, "each turn of a body that is being checked gets further");

struct line {
    struct task *front, *back;
    size_t length;
};

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t ready[JOB_LANES]; /* there is something to do in the lane, or the end has come */
    struct line fresh, running;      /* of the short lane: tasks that have had no turn yet; and those that have */
    struct line parked;              /* of the long lane */
    bool fresh_is_next;
    size_t busy[JOB_LANES]; /* workers that are at a task */
    size_t alive;           /* tasks that were pushed and are not over */
    bool ending;
    atomic_uint_fast64_t states; /* that searches have visited */
    struct queue_config config;
    size_t worker_count;
    struct worker {
        struct queue *queue;
        enum job_lane lane;
        pthread_t thread;
    } workers[];
};

/* ---- lines; the mutex is held ---- */

static void append(struct queue *queue, struct line *line, struct task *task, enum job_lane lane) {
    ASSERT((line->front == NULL) == (line->back == NULL) && task->line[lane] == NULL && !task->is_over);
    task->line[lane] = line;
    task->behind[lane] = NULL;
    task->before[lane] = line->back;
    if (line->back != NULL)
        line->back->behind[lane] = task;
    else
        line->front = task;
    line->back = task;
    line->length++;
    pthread_cond_signal(&queue->ready[lane]);
}

static void leave_line(struct task *task, enum job_lane lane) {
    struct line *line = task->line[lane];
    if (line == NULL)
        return;
    struct task *before = task->before[lane], *behind = task->behind[lane];
    *(before != NULL ? &before->behind[lane] : &line->front) = behind;
    *(behind != NULL ? &behind->before[lane] : &line->back) = before;
    task->line[lane] = NULL;
    ASSERT(line->length != 0);
    line->length--;
}

/* The task whose turn it is in a lane; NULL when there is none. The two lines of the short lane take turns, so that a
 * new task waits for one step of an old one at most. */
static struct task *next_task(struct queue *queue, enum job_lane lane) {
    if (lane == JOB_LONG)
        return queue->parked.front;
    bool fresh = queue->running.front == NULL || (queue->fresh.front != NULL && queue->fresh_is_next);
    queue->fresh_is_next = !fresh;
    return (fresh ? &queue->fresh : &queue->running)->front;
}

/* ---- steps ---- */

/* What a task's job can go on with. */
struct outlook {
    bool done, turn[JOB_LANES];
};

/* The task's mutex is held. */
static struct outlook look(const struct task *task) {
    const struct job *job = task->job;
    return (struct outlook){job_is_done(job) || job_is_broken(job),
                            {job_has_turn(job, JOB_SHORT), job_has_turn(job, JOB_LONG)}};
}

/* Put a task into the lines where it has something to go on with. The queue's mutex is held. */
static void line_up(struct queue *queue, struct task *task, const struct outlook *outlook) {
    task->is_done |= outlook->done;
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        if (outlook->turn[lane] && !task->is_done && task->line[lane] == NULL)
            append(queue, lane == JOB_LONG ? &queue->parked : &queue->running, task, lane);
}

/* Begin a job, for some time. */
static struct outlook begin(struct task *task, struct room *room) {
    struct work work = {.left = BEGIN_WORK, .stop = &task->stop};
    if (job_begin(task->job, room, &work) == WORK_EXHAUSTED)
        return (struct outlook){.turn[JOB_SHORT] = true};
    pthread_mutex_lock(&task->mutex);
    task->begun = true;
    if (task->progressed != NULL)
        task->progressed(task);
    struct outlook outlook = look(task);
    pthread_mutex_unlock(&task->mutex);
    return outlook;
}

/* Take a case; what others can go on with meanwhile is lined up for them. */
static bool take(struct worker *worker, struct task *task, struct room *room, struct job_turn *ret_turn) {
    struct work work = {.left = BEGIN_WORK, .stop = &task->stop};
    enum work_outcome outcome;
    pthread_mutex_lock(&task->mutex);
    bool taken = job_take(task->job, worker->lane, room, &work, ret_turn, &outcome);
    struct outlook outlook = look(task);
    pthread_mutex_unlock(&task->mutex);
    pthread_mutex_lock(&worker->queue->mutex);
    line_up(worker->queue, task, &outlook);
    pthread_mutex_unlock(&worker->queue->mutex);
    return taken;
}

/* Do a task's next step in the worker's lane: a case, and before the first one its begin. */
static struct outlook do_step(struct worker *worker, struct task *task, struct room *room) {
    struct outlook outlook = {0};
    struct job_turn turn;
    if (atomic_load(&task->stop))
        return outlook;
    if (!task->begun) {
        outlook = begin(task, room);
        if (!task->begun || outlook.done)
            return outlook;
    }
    if (!take(worker, task, room, &turn))
        return outlook;
    struct work work = {.left = worker->lane == JOB_LONG ? WORK_UNBOUNDED : CASE_WORK, .stop = &task->stop};
    enum work_outcome outcome = job_do(task->job, &turn, room, &work);
    atomic_fetch_add_explicit(&worker->queue->states, work.states, memory_order_relaxed);
    pthread_mutex_lock(&task->mutex);
    if (outcome == WORK_EXHAUSTED)
        job_put_back(task->job, &turn, JOB_LONG);
    else
        job_deliver(task->job, &turn, room);
    if (task->progressed != NULL)
        task->progressed(task);
    outlook = look(task);
    pthread_mutex_unlock(&task->mutex);
    return outlook;
}

/* Is there nothing left to do? Then the task leaves all lines, and whoever asked must call `finished`. The queue's
 * mutex is held. */
static bool is_over(struct task *task) {
    if (task->is_over || task->workers != 0 || !(task->is_done || atomic_load(&task->stop)))
        return false;
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        leave_line(task, lane);
    task->is_over = true;
    return true;
}

/* A task has its first turn, or has waited for too long. A stream whose head was sent can no longer be refused. */
static void start(const struct queue *queue, struct task *task) {
    task->started = clock_now_us();
    if (clock_now_ms() - task->queued <= queue->config.max_wait || (task->begun && job_is_stream(task->job)))
        return;
    task->refused = true;
    atomic_store(&task->stop, true);
}

/* Serve the task whose turn it is. Called and left with the queue's mutex held. */
static void serve(struct worker *worker, struct task *task, struct room *room) {
    struct queue *queue = worker->queue;
    bool first = task->line[JOB_SHORT] == &queue->fresh && worker->lane == JOB_SHORT;
    leave_line(task, worker->lane);
    if (first)
        start(queue, task);
    task->workers++;
    queue->busy[worker->lane]++;
    task->lane = worker->lane > task->lane ? worker->lane : task->lane;
    pthread_mutex_unlock(&queue->mutex);
    uint64_t before = clock_now_us(), after;
    struct outlook outlook;
    do {
        outlook = do_step(worker, task, room);
        after = clock_now_us();
    } while (outlook.turn[worker->lane] && !outlook.done && after - before < TURN);
    pthread_mutex_lock(&queue->mutex);
    queue->busy[worker->lane]--;
    task->workers--;
    task->worked += after - before;
    line_up(queue, task, &outlook);
    if (!is_over(task))
        return;
    pthread_mutex_unlock(&queue->mutex);
    task->finished(task);
    pthread_mutex_lock(&queue->mutex);
    if (--queue->alive == 0 && queue->ending)
        for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
            pthread_cond_broadcast(&queue->ready[lane]);
}

/* A worker computes for long, and what others have waited for takes a moment: the I/O thread's answer, a client on the
 * same machine. With a third of their weight and a longer slice (which Linux 6.12 and later heed) a worker makes room
 * for them when they wake, and not at the next tick, 4 ms later: beside jobs of 20 ms the p99 of small requests is 0.7
 * ms in the middle of nine quiet runs, and 3.3 without it (script/bench lanes). Where this is not allowed it changes
 * nothing. */
static void step_back(enum job_lane lane) {
    /* The kernel's struct sched_attr, which the headers of Debian 12 do not bring in beside pthread.h. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 ||
        (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH))
        return;
    attributes.nice += STEP_BACK * ((int)lane + 1);
    attributes.nice = attributes.nice < 19 ? attributes.nice : 19;
    attributes.runtime = SLICE;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static void *work_on(void *argument) {
    struct worker *worker = argument;
    struct queue *queue = worker->queue;
    bool is_long = worker->lane == JOB_LONG;
    struct room room;
    step_back(worker->lane);
    room_init(&room, queue->config.account, is_long ? queue->config.most_solving : QUEUE_SHORT_ROOM, is_long);
    pthread_mutex_lock(&queue->mutex);
    while (queue->alive != 0 || !queue->ending) {
        struct task *task = next_task(queue, worker->lane);
        if (task != NULL)
            serve(worker, task, &room);
        else
            pthread_cond_wait(&queue->ready[worker->lane], &queue->mutex);
    }
    pthread_mutex_unlock(&queue->mutex);
    room_clear(&room);
    return NULL;
}

/* ---- from outside ---- */

struct queue *queue_start(const struct queue_config *config) {
    size_t count = config->workers + config->long_workers;
    struct queue *queue = calloc(1, sizeof *queue + count * sizeof *queue->workers);
    if (queue == NULL)
        return NULL;
    queue->config = *config;
    pthread_mutex_init(&queue->mutex, NULL);
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        pthread_cond_init(&queue->ready[lane], NULL);
    while (queue->worker_count < count) {
        struct worker *worker = &queue->workers[queue->worker_count];
        *worker = (struct worker){.queue = queue, .lane = queue->worker_count < config->workers ? JOB_SHORT : JOB_LONG};
        if (pthread_create(&worker->thread, NULL, work_on, worker) != 0) {
            queue_free(queue);
            return NULL;
        }
        queue->worker_count++;
    }
    return queue;
}

bool queue_is_full(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    bool full = queue->fresh.length >= queue->config.limit;
    pthread_mutex_unlock(&queue->mutex);
    return full;
}

bool queue_push(struct queue *queue, struct task *task) {
    task->pushed = clock_now_us();
    task->queued = clock_now_ms();
    pthread_mutex_lock(&queue->mutex);
    bool open = !queue->ending;
    if (open) {
        queue->alive++;
        task->is_pushed = true;
        append(queue, &queue->fresh, task, JOB_SHORT);
    }
    pthread_mutex_unlock(&queue->mutex);
    return open;
}

void queue_wake(struct queue *queue, struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    /* Whoever takes it from the line finds out what there is to do, if anything. */
    if (task->is_pushed && !task->is_over && task->line[JOB_SHORT] == NULL)
        append(queue, &queue->running, task, JOB_SHORT);
    pthread_mutex_unlock(&queue->mutex);
}

struct task_report queue_report(struct queue *queue, const struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    uint64_t waited = task->started != 0 ? task->started - task->pushed : 0;
    struct task_report report = {task->lane, waited, task->worked};
    pthread_mutex_unlock(&queue->mutex);
    return report;
}

struct queue_state queue_look(struct queue *queue) {
    const struct queue_config *config = &queue->config;
    pthread_mutex_lock(&queue->mutex);
    struct queue_state state = {
        .jobs = {[JOB_SHORT] = queue->fresh.length + queue->running.length, [JOB_LONG] = queue->parked.length},
        .waiting = queue->fresh.length,
        .limit = config->limit,
        .workers = {[JOB_SHORT] = config->workers, [JOB_LONG] = config->long_workers},
        .busy = {[JOB_SHORT] = queue->busy[JOB_SHORT], [JOB_LONG] = queue->busy[JOB_LONG]},
        .states = atomic_load_explicit(&queue->states, memory_order_relaxed),
    };
    pthread_mutex_unlock(&queue->mutex);
    return state;
}

void queue_stop(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->ending = true;
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        pthread_cond_broadcast(&queue->ready[lane]);
    pthread_mutex_unlock(&queue->mutex);
    for (size_t w = 0; w < queue->worker_count; w++)
        pthread_join(queue->workers[w].thread, NULL);
    queue->worker_count = 0;
}

void queue_free(struct queue *queue) {
    if (queue == NULL)
        return;
    queue_stop(queue);
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        pthread_cond_destroy(&queue->ready[lane]);
    pthread_mutex_destroy(&queue->mutex);
    free(queue);
}
