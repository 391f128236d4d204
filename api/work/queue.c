#include "api/work/queue.h"

#include "api/work/clock.h"
#include "base/assert.h"
#include "base/owner.h"

#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the order of struct queue_limits. */
static const struct limit limits[] = {
    {"queue", "requests that can wait for a worker", 1024, 256, 1 << 20, false},
};
LIMITS_MATCH(limits, struct queue_limits);
const struct limit_group queue_limits = {limits, sizeof limits / sizeof *limits};

enum {
    TURN = 1000,         /* microseconds that a worker stays with a task whose cases are short */
    BEGIN_WORK = 200000, /* units of about 10 ns: the budget of one turn in which a body is checked */
    CASE_WORK = 5000000, /* the same units: the budget of a case on a short worker */
};

_Static_assert(BEGIN_WORK >= (int)JOB_MIN_WORK, "each turn makes progress on a body that is being checked");

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t ready[JOB_LANES]; /* signalled when there is work in the lane, and at the end */
    struct schedule schedule;
    SLIST_HEAD(, task) ended; /* tasks whose `finished` is yet to be called */
    size_t busy[JOB_LANES];   /* workers that have a task */
    size_t alive;             /* tasks that were pushed and whose `finished` has not returned yet */
    bool ending;
    bool trim_wanted;                     /* unused memory is to be returned to the system */
    atomic_uint_fast64_t states, unknown; /* as in struct work_statistics */
    struct queue_config config;
    size_t worker_count;
    struct worker {
        struct queue *queue;
        enum job_lane lane;
        pthread_t thread;
    } workers[];
};

static struct task *task_of(struct scheduled *job) { return OWNER_OF(job, struct task, scheduled); }

/* ---- waiting and ending tasks; the queue's mutex is held ---- */

static void wait_for_turn(struct queue *queue, struct task *task, enum job_lane lane) {
    if (task->scheduled.listed[lane])
        return;
    schedule_add(&queue->schedule, &task->scheduled, lane);
    pthread_cond_signal(&queue->ready[lane]);
}

static void wake_all(struct queue *queue) {
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        pthread_cond_broadcast(&queue->ready[lane]);
}

/* The task is ending, and no worker has it any longer. */
static void finish_later(struct queue *queue, struct task *task) {
    ASSERT(task->state == TASK_ENDING && task->workers == 0);
    task->state = TASK_FINISHED;
    schedule_leave(&queue->schedule, &task->scheduled);
    SLIST_INSERT_HEAD(&queue->ended, task, ended_entry);
}

/* End a task: it gets no more turns. */
static void end(struct queue *queue, struct task *task) {
    ASSERT(task->state == TASK_QUEUED);
    task->state = TASK_ENDING;
    schedule_withdraw(&queue->schedule, &task->scheduled);
    if (task->workers != 0)
        return;
    finish_later(queue, task);
    pthread_cond_signal(&queue->ready[JOB_SHORT]);
}

/* Refuse a task that is waiting for its first turn. A stream whose head was sent cannot be refused; it becomes a
 * started job instead. */
static void refuse(struct queue *queue, struct task *task, enum task_refusal refusal) {
    if (task->begun && job_is_stream(task->job)) {
        schedule_withdraw(&queue->schedule, &task->scheduled);
        wait_for_turn(queue, task, JOB_SHORT);
        return;
    }
    task->refusal = refusal;
    atomic_store(&task->stop, true);
    end(queue, task);
}

/* Call `finished` for the tasks that have ended. Releases the queue's mutex meanwhile. */
static void finish_ended(struct queue *queue) {
    struct task *task;
    while ((task = SLIST_FIRST(&queue->ended)) != NULL) {
        SLIST_REMOVE_HEAD(&queue->ended, ended_entry);
        pthread_mutex_unlock(&queue->mutex);
        task->finished(task);
        pthread_mutex_lock(&queue->mutex);
        if (--queue->alive == 0 && queue->ending)
            wake_all(queue);
    }
}

/* ---- steps ---- */

/* Is there a case that can be taken in the lane? Are all cases done? Both require the task's mutex. */

static bool has_turn(const struct task *task, enum job_lane lane) {
    return task->begun ? job_has_turn(task->job, lane) : lane == JOB_SHORT;
}

static bool is_done(const struct task *task) {
    return task->begun && (job_is_done(task->job) || job_is_broken(task->job));
}

/* Make a task wait for turns in the lanes in which it has work, or end it. Requires the task's mutex. */
static void enqueue(struct queue *queue, struct task *task) {
    bool ends = is_done(task), waits[JOB_LANES] = {has_turn(task, JOB_SHORT), has_turn(task, JOB_LONG)};
    if (!ends && !waits[JOB_SHORT] && !waits[JOB_LONG])
        return;
    pthread_mutex_lock(&queue->mutex);
    if (task->state == TASK_QUEUED && ends)
        end(queue, task);
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        if (task->state == TASK_QUEUED && waits[lane])
            wait_for_turn(queue, task, lane);
    pthread_mutex_unlock(&queue->mutex);
}

/* Tell the reader of a stream that job_begin is complete, or that another case is done. Requires the task's mutex. */
static void progress(struct task *task) {
    if (task->progressed != NULL)
        task->progressed(task);
}

/* Continue job_begin with one more budget. Returns true when it is complete and there are cases. */
static bool begin(struct task *task, struct workspace *workspace) {
    struct work work = {.left = BEGIN_WORK, .stop = &task->stop};
    if (job_begin(task->job, workspace, &work) != OUTCOME_DONE)
        return false;
    pthread_mutex_lock(&task->mutex);
    task->begun = true;
    progress(task);
    bool ends = is_done(task);
    pthread_mutex_unlock(&task->mutex);
    return !ends;
}

/* Take the task's next step in the worker's lane: a part of job_begin, or a case, which is put back for the long lane
 * if it needs more work. Returns true if the worker can stay with the task. */
static bool do_step(struct worker *worker, struct task *task, struct workspace *workspace) {
    struct queue *queue = worker->queue;
    struct work finding = {.left = BEGIN_WORK, .stop = &task->stop};
    struct work solving = {.left = worker->lane == JOB_LONG ? WORK_UNBOUNDED : CASE_WORK, .stop = &task->stop};
    struct job_turn turn;
    enum outcome outcome;
    if (atomic_load(&task->stop) || (!task->begun && !begin(task, workspace)))
        return false;
    pthread_mutex_lock(&task->mutex);
    bool taken = job_take(task->job, worker->lane, workspace, &finding, &turn, &outcome);
    enqueue(queue, task); /* other workers can take further cases meanwhile */
    pthread_mutex_unlock(&task->mutex);
    if (!taken)
        return false;
    outcome = job_do(task->job, &turn, workspace, &solving);
    atomic_fetch_add_explicit(&queue->states, solving.statistics.states, memory_order_relaxed);
    atomic_fetch_add_explicit(&queue->unknown, solving.statistics.unknown, memory_order_relaxed);
    pthread_mutex_lock(&task->mutex);
    if (outcome != OUTCOME_DONE)
        job_put_back(task->job, &turn, JOB_LONG);
    else
        job_deliver(task->job, &turn);
    progress(task);
    bool more = has_turn(task, worker->lane) && !is_done(task);
    pthread_mutex_unlock(&task->mutex);
    return more;
}

/* Take a task's steps for one turn. Returns the duration of the turn in microseconds. */
static uint64_t do_turn(struct worker *worker, struct task *task, struct workspace *workspace) {
    uint64_t before = clock_now_us(), after;
    bool more;
    do {
        more = do_step(worker, task, workspace);
        after = clock_now_us();
    } while (more && after - before < TURN);
    pthread_mutex_lock(&task->mutex);
    if (is_done(task) && !job_is_broken(task->job) && !atomic_load(&task->stop))
        job_write(task->job); /* here rather than where the answer is sent, because compression can take a long time */
    enqueue(worker->queue, task);
    pthread_mutex_unlock(&task->mutex);
    return clock_now_us() - before;
}

/* Carry out the turn that schedule_begin_turn has started. The queue's mutex is held on entry and on return. */
static void take_turn(struct worker *worker, struct task *task, struct workspace *workspace) {
    struct queue *queue = worker->queue;
    task->started = task->started != 0 ? task->started : clock_now_us();
    task->workers++;
    queue->busy[worker->lane]++;
    task->lane = worker->lane > task->lane ? worker->lane : task->lane;
    pthread_mutex_unlock(&queue->mutex);
    uint64_t worked = do_turn(worker, task, workspace);
    pthread_mutex_lock(&queue->mutex);
    queue->busy[worker->lane]--;
    task->workers--;
    task->worked += worked;
    schedule_end_turn(&queue->schedule, &task->scheduled, worker->lane, worked);
    if (task->state == TASK_ENDING && task->workers == 0)
        finish_later(queue, task);
}

/* Return the unused memory of all threads to the system. Called while nothing waits in the short lane; the mutex is
 * held on entry and on return.
 *
 * Without this, the C library keeps freed blocks below the mmap threshold, because they lie between blocks that other
 * threads still use: 220 MB instead of 18 MB after 24 clients with 100 games each (script/bench memory). */
static void trim(struct queue *queue) {
    queue->trim_wanted = false;
    pthread_mutex_unlock(&queue->mutex);
    malloc_trim(0);
    pthread_mutex_lock(&queue->mutex);
}

/* ---- a worker ---- */

enum {
    NICE_STEP = 5,    /* how much each step raises the nice value */
    SLICE = 10000000, /* nanoseconds */
};

/* Lower the priority of the calling thread by this many steps, if the system allows it.
 *
 * Workers compute for a long time, while other threads need the processor only briefly: a loop to send an answer, or a
 * client on the same machine. With a third of the weight and a longer slice (honoured by Linux 6.12 and later), a
 * worker is preempted as soon as such a thread wakes, rather than at the next tick, up to 4 ms later. Alongside 20 ms
 * jobs, the p99 of small requests is 0.7 ms, compared with 3.3 ms without this (medians of nine runs on an idle
 * machine; script/bench lanes). */
static void lower_priority(int steps) {
    /* The kernel's struct sched_attr. On Debian 12, the header that defines it cannot be included together with
     * pthread.h. */
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
    attributes.nice += NICE_STEP * steps;
    attributes.nice = attributes.nice < 19 ? attributes.nice : 19;
    attributes.runtime = SLICE;
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static void *work_on(void *argument) {
    struct worker *worker = argument;
    struct queue *queue = worker->queue;
    bool is_long = worker->lane == JOB_LONG;
    struct workspace workspace;
    lower_priority((int)worker->lane + 1);
    workspace_init(&workspace, queue->config.account, is_long ? queue->config.max_solving : queue->config.short_solving,
                   is_long);
    pthread_mutex_lock(&queue->mutex);
    while (queue->alive != 0 || !queue->ending) {
        finish_ended(queue);
        struct scheduled *job = schedule_begin_turn(&queue->schedule, worker->lane);
        if (job != NULL)
            take_turn(worker, task_of(job), &workspace);
        else if (queue->trim_wanted && !is_long)
            trim(queue);
        else if (queue->alive != 0 || !queue->ending)
            pthread_cond_wait(&queue->ready[worker->lane], &queue->mutex);
    }
    pthread_mutex_unlock(&queue->mutex);
    workspace_clear(&workspace);
    return NULL;
}

/* ---- public functions ---- */

struct queue *queue_start(const struct queue_config *config) {
    size_t count = config->workers + config->long_workers;
    struct queue *queue = calloc(1, sizeof *queue + count * sizeof *queue->workers);
    if (queue == NULL)
        return NULL;
    queue->config = *config;
    schedule_init(&queue->schedule, config->limit);
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

bool queue_is_full(struct queue *queue, const struct client_address *client) {
    struct scheduled *excess;
    pthread_mutex_lock(&queue->mutex);
    bool full =
        queue->schedule.new_count >= queue->config.limit && !schedule_find_excess(&queue->schedule, client, &excess);
    pthread_mutex_unlock(&queue->mutex);
    return full;
}

/* Add a task to the schedule or, if the queue is full, put it in the place of another one. Requires the queue's
 * mutex. */
static enum queue_push_result schedule_task(struct queue *queue, struct task *task) {
    struct scheduled *excess = NULL;
    if (queue->ending)
        return QUEUE_STOPPED;
    bool is_full = queue->schedule.new_count >= queue->config.limit;
    if (is_full && !schedule_find_excess(&queue->schedule, &task->client, &excess))
        return QUEUE_FULL;
    if (!schedule_join(&queue->schedule, &task->scheduled, &task->client))
        return QUEUE_NO_MEMORY;
    queue->alive++;
    task->state = TASK_QUEUED;
    if (atomic_load(&task->stop)) { /* cancelled before it was pushed */
        end(queue, task);
        return QUEUE_PUSHED;
    }
    if (is_full)
        refuse(queue, task_of(excess), TASK_EVICTED);
    schedule_add_new(&queue->schedule, &task->scheduled);
    pthread_cond_signal(&queue->ready[JOB_SHORT]);
    return QUEUE_PUSHED;
}

/* Lines of a stream were read, so its task may be able to continue. */
static void wake(struct queue *queue, struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    /* The worker that begins the turn checks whether there is anything to do. */
    if (task->state == TASK_QUEUED)
        wait_for_turn(queue, task, JOB_SHORT);
    pthread_mutex_unlock(&queue->mutex);
}

enum queue_push_result queue_push(struct queue *queue, struct task *task) {
    ASSERT(task->state == TASK_NEW);
    task->pushed = clock_now_us();
    task->queued = clock_now_ms();
    task->wake = wake;
    pthread_mutex_lock(&queue->mutex);
    enum queue_push_result result = schedule_task(queue, task);
    finish_ended(queue);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

void queue_cancel(struct queue *queue, struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    atomic_store(&task->stop, true);
    if (task->state == TASK_QUEUED)
        end(queue, task);
    pthread_mutex_unlock(&queue->mutex);
}

uint64_t queue_expire(struct queue *queue) {
    uint64_t now = clock_now_ms(), pause = queue->config.max_wait;
    struct scheduled *oldest;
    pthread_mutex_lock(&queue->mutex);
    while ((oldest = schedule_oldest(&queue->schedule)) != NULL) {
        struct task *task = task_of(oldest);
        uint64_t due = task->queued + queue->config.max_wait;
        if (due > now) {
            pause = due - now;
            break;
        }
        refuse(queue, task, TASK_TIMED_OUT);
    }
    finish_ended(queue);
    pthread_mutex_unlock(&queue->mutex);
    return pause;
}

struct task_report queue_report(struct queue *queue, const struct task *task) {
    pthread_mutex_lock(&queue->mutex);
    uint64_t waited = task->started != 0 ? task->started - task->pushed : 0;
    struct task_report report = {task->lane, waited, task->worked};
    pthread_mutex_unlock(&queue->mutex);
    return report;
}

struct queue_state queue_read_state(struct queue *queue) {
    const struct queue_config *config = &queue->config;
    pthread_mutex_lock(&queue->mutex);
    struct queue_state state = {
        .waiting = queue->schedule.new_count,
        .limit = config->limit,
        .workers = {[JOB_SHORT] = config->workers, [JOB_LONG] = config->long_workers},
        .busy = {[JOB_SHORT] = queue->busy[JOB_SHORT], [JOB_LONG] = queue->busy[JOB_LONG]},
        .statistics = {.states = atomic_load_explicit(&queue->states, memory_order_relaxed),
                       .unknown = atomic_load_explicit(&queue->unknown, memory_order_relaxed)},
    };
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++) {
        struct scheduled *oldest = schedule_oldest_in(&queue->schedule, lane);
        state.jobs[lane] = queue->schedule.lanes[lane].listed;
        state.clients[lane] = queue->schedule.lanes[lane].client_count;
        state.oldest[lane] = oldest != NULL ? clock_now_us() - task_of(oldest)->pushed : 0;
    }
    pthread_mutex_unlock(&queue->mutex);
    return state;
}

void queue_trim_memory(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->trim_wanted = true;
    pthread_cond_signal(&queue->ready[JOB_SHORT]);
    pthread_mutex_unlock(&queue->mutex);
}

void queue_stop(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->ending = true;
    wake_all(queue);
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
    schedule_clear(&queue->schedule);
    free(queue);
}
