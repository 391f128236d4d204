/* The queue with one worker in each lane, which the test stops and resumes: whose job gets the next turn, and which
 * jobs leave the queue before their first turn. The test controls the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/request.h"
#include "api/work/clock.h"
#include "api/work/queue.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

enum { MAX = 64, MAX_WAIT = 10000 };

static atomic_uint_fast64_t milliseconds, microseconds;

/* The queue calls these two. Each call to clock_now_us advances the time by a millisecond, so that every turn takes
 * time. */
uint64_t clock_now_ms(void) { return atomic_load(&milliseconds); }
uint64_t clock_now_us(void) { return atomic_fetch_add(&microseconds, 1000); }

static char body[] = "{\"size\":5,\"moves\":[]}";

struct push {
    struct task task; /* must be first: a pointer to the task is also a pointer to its push */
    struct admission admission;
    bool stops_worker, was_done; /* was_done: all its cases were complete when it finished */
};

static struct world {
    struct account account;
    struct service *service;
    struct queue *queue;
    sem_t stopped, go_on; /* the worker posts one and waits for the other in the middle of a job */
    sem_t finished;
    struct push pushes[MAX];
    size_t count;
    struct task *order[MAX]; /* in the order in which they finished */
    atomic_size_t finished_count;
} world;

static void on_progress(struct task *task) {
    if (!((struct push *)task)->stops_worker)
        return;
    ((struct push *)task)->stops_worker = false;
    sem_post(&world.stopped);
    sem_wait(&world.go_on);
}

static void on_finished(struct task *task) {
    ((struct push *)task)->was_done = job_is_done(task->job);
    world.order[atomic_fetch_add(&world.finished_count, 1)] = task;
    sem_post(&world.finished);
}

static struct task *make_of(unsigned char client, bool stops_worker, const char *type) {
    struct push *push = &world.pushes[world.count++];
    struct header headers[] = {{"Host", "test"}, {"Content-Type", type}};
    struct request_head head = {"POST", "/go", "HTTP/1.1", headers, 2};
    struct response response = {0};
    struct buffer none;
    *push = (struct push){.stops_worker = stops_worker};
    assert_int_equal(admit(world.service, &head, &push->admission, &response, &none), ADMIT_READ_BODY);
    struct job *job = job_new(world.service, &push->admission, body, sizeof body - 1);
    assert_non_null(job);
    task_init(&push->task, job);
    push->task.client.bytes[15] = client;
    push->task.finished = on_finished;
    push->task.progressed = on_progress;
    return &push->task;
}

static struct task *make(unsigned char client, bool stops_worker) {
    return make_of(client, stops_worker, "application/json");
}

static struct task *push(unsigned char client) {
    struct task *task = make(client, false);
    assert_int_equal(queue_push(world.queue, task), QUEUE_PUSHED);
    return task;
}

/* Wait for another thread. Fail after two minutes. */
static void wait_until(sem_t *happened, const char *what) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 120;
    if (sem_timedwait(happened, &deadline) != 0)
        fail_msg("waited two minutes in vain until %s", what);
}

/* Make the short worker stop in one of this client's jobs. */
static void stop_worker(unsigned char client) {
    assert_int_equal(queue_push(world.queue, make(client, true)), QUEUE_PUSHED);
    wait_until(&world.stopped, "the worker is in the job");
}

static void begin(size_t limit) {
    memset(&world, 0, sizeof world);
    sem_init(&world.stopped, 0, 0);
    sem_init(&world.go_on, 0, 0);
    sem_init(&world.finished, 0, 0);
    world.service = test_service(test_limits(), TEST_INFLIGHT, &world.account);
    assert_non_null(world.service);
    world.queue = queue_start(&(struct queue_config){.workers = 1,
                                                     .long_workers = 1,
                                                     .limit = limit,
                                                     .max_wait = MAX_WAIT,
                                                     .account = &world.account,
                                                     .short_solving = QUEUE_SHORT_WORKSPACE,
                                                     .max_solving = QUEUE_SHORT_WORKSPACE});
    assert_non_null(world.queue);
}

/* Resume the worker, and wait until all pushed jobs have finished. */
static void end(void) {
    sem_post(&world.go_on);
    for (size_t n = 0; n < world.count; n++)
        wait_until(&world.finished, "a job has finished");
    queue_free(world.queue);
    for (size_t n = 0; n < world.count; n++) {
        task_clear(&world.pushes[n].task);
    }
    service_free(world.service);
}

static bool was_done(const struct task *task) { return ((const struct push *)task)->was_done; }

static size_t place_of(const struct task *task) {
    size_t place = 0;
    while (world.order[place] != task)
        place++;
    return place;
}

static void a_client_waits_for_one_turn_of_another_however_many_jobs_that_has(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(1);
    for (int n = 0; n < 40; n++)
        push(1);
    struct task *other = push(2);
    end();
    assert_int_equal(place_of(other), 1); /* after the job whose turn it was */
}

static void the_queue_knows_the_age_of_its_oldest_job_and_the_number_of_clients_that_wait(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(1);
    assert_int_equal(queue_read_state(world.queue).clients[JOB_SHORT], 0);
    assert_int_equal(queue_read_state(world.queue).oldest[JOB_SHORT], 0);
    struct task *oldest = push(2);
    push(2);
    push(3);
    uint64_t now = atomic_load(&microseconds);
    struct queue_state snapshot = queue_read_state(world.queue);
    assert_int_equal(snapshot.jobs[JOB_SHORT], 3);
    assert_int_equal(snapshot.clients[JOB_SHORT], 2);
    assert_int_equal(snapshot.oldest[JOB_SHORT], now - oldest->pushed);
    assert_int_equal(snapshot.clients[JOB_LONG], 0);
    assert_int_equal(snapshot.oldest[JOB_LONG], 0);
    queue_cancel(world.queue, oldest);
    now = atomic_load(&microseconds);
    snapshot = queue_read_state(world.queue);
    assert_int_equal(snapshot.oldest[JOB_SHORT], now - world.pushes[2].task.pushed);
    assert_int_equal(snapshot.clients[JOB_SHORT], 2);
    queue_cancel(world.queue, &world.pushes[2].task);
    assert_int_equal(queue_read_state(world.queue).clients[JOB_SHORT], 1);
    end();
}

static void clients_with_equal_turns_get_equal_time(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(9);
    struct task *tasks[3][10];
    for (unsigned char client = 0; client < 3; client++)
        for (int n = 0; n < 10; n++)
            tasks[client][n] = push(client);
    end();
    for (size_t n = 0; n < 10; n++)
        for (size_t client = 0; client < 3; client++)
            assert_in_range(place_of(tasks[client][n]), 1 + 3 * n, 3 + 3 * n);
}

static void in_a_full_queue_the_client_with_most_jobs_makes_room_for_one_with_fewer(void **state) {
    (void)state;
    const struct client_address first = {{[15] = 1}}, second = {{[15] = 2}}, third = {{[15] = 3}};
    begin(4);
    stop_worker(9);
    struct task *a = push(1), *b = push(1), *c = push(1), *d = push(2);
    assert_true(queue_is_full(world.queue, &first));
    assert_false(queue_is_full(world.queue, &second));
    struct task *e = push(2);
    assert_int_equal(c->refusal, TASK_EVICTED);
    assert_ptr_equal(world.order[0], c); /* without waiting for a worker */
    assert_true(queue_is_full(world.queue, &first));
    assert_true(queue_is_full(world.queue, &second));
    assert_false(queue_is_full(world.queue, &third));
    struct task *f = push(3);
    assert_int_equal(e->refusal, TASK_EVICTED); /* both clients have two jobs; the newest job is evicted */
    assert_int_equal(queue_read_state(world.queue).waiting, 4);
    end();
    struct task *const served[] = {a, b, d, f};
    for (size_t n = 0; n < 4; n++) {
        assert_int_equal(served[n]->refusal, TASK_NOT_REFUSED);
        assert_true(was_done(served[n]));
    }
}

static void a_cancelled_job_leaves_the_queue_at_once(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(1);
    struct task *before = push(1), *gone = push(1), *after = push(1);
    queue_cancel(world.queue, gone);
    assert_int_equal(queue_read_state(world.queue).waiting, 2);
    queue_cancel(world.queue, gone); /* cancelling again changes nothing */
    queue_expire(world.queue);
    assert_int_equal(world.finished_count, 1);
    assert_ptr_equal(world.order[0], gone);
    end();
    assert_true(was_done(before) && was_done(after) && !was_done(gone));
}

static void a_job_that_is_cancelled_while_a_worker_is_at_it_is_finished_by_that_worker(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(1);
    queue_cancel(world.queue, &world.pushes[0].task);
    queue_expire(world.queue);
    assert_int_equal(world.finished_count, 0);
    end();
    assert_int_equal(world.finished_count, 1);
}

static void a_job_that_was_cancelled_before_it_is_pushed_ends_there(void **state) {
    (void)state;
    begin(MAX);
    struct task *task = make(1, false);
    queue_cancel(world.queue, task);
    assert_int_equal(queue_push(world.queue, task), QUEUE_PUSHED);
    assert_int_equal(world.finished_count, 1);
    end();
}

static void a_job_that_has_waited_too_long_is_refused_whatever_the_workers_do(void **state) {
    (void)state;
    begin(MAX);
    stop_worker(1);
    struct task *early = push(1);
    atomic_fetch_add(&milliseconds, MAX_WAIT - 1);
    struct task *late = push(1);
    assert_int_equal(queue_expire(world.queue), 1);
    assert_int_equal(world.finished_count, 0);
    atomic_fetch_add(&milliseconds, 1);
    assert_int_equal(queue_expire(world.queue), MAX_WAIT - 1);
    assert_int_equal(world.finished_count, 1);
    assert_int_equal(early->refusal, TASK_TIMED_OUT);
    end();
    assert_int_equal(late->refusal, TASK_NOT_REFUSED);
}

/* The head of a stream is sent before its job is complete. Such a job is never evicted or timed out, and it does not
 * keep others from entering a full queue. */
static void a_stream_that_has_begun_is_not_refused(void **state) {
    (void)state;
    begin(1);
    stop_worker(9);
    struct workspace workspace;
    struct work work = {.left = WORK_UNBOUNDED};
    struct task *stream = make_of(1, false, "application/x-ndjson");
    workspace_init(&workspace, &world.account, QUEUE_SHORT_WORKSPACE, true);
    assert_int_equal(job_begin(stream->job, &workspace, &work), OUTCOME_DONE);
    workspace_clear(&workspace);
    stream->begun = true;
    assert_true(job_is_stream(stream->job));
    assert_int_equal(queue_push(world.queue, stream), QUEUE_PUSHED);
    assert_int_equal(queue_read_state(world.queue).waiting, 1);
    struct task *other = push(2);
    assert_int_equal(queue_read_state(world.queue).waiting, 1);
    atomic_fetch_add(&milliseconds, MAX_WAIT);
    queue_expire(world.queue);
    assert_int_equal(other->refusal, TASK_TIMED_OUT);
    assert_int_equal(stream->refusal, TASK_NOT_REFUSED);
    end();
    assert_true(was_done(stream));
}

static void a_stopped_queue_takes_no_job(void **state) {
    (void)state;
    begin(MAX);
    push(1);
    queue_stop(world.queue);
    struct task *task = make(1, false);
    assert_int_equal(queue_push(world.queue, task), QUEUE_STOPPED);
    assert_int_equal(task->state, TASK_NEW);
    sem_post(&world.finished); /* counts as finished, because `end` waits for every job */
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_waits_for_one_turn_of_another_however_many_jobs_that_has),
        cmocka_unit_test(the_queue_knows_the_age_of_its_oldest_job_and_the_number_of_clients_that_wait),
        cmocka_unit_test(clients_with_equal_turns_get_equal_time),
        cmocka_unit_test(in_a_full_queue_the_client_with_most_jobs_makes_room_for_one_with_fewer),
        cmocka_unit_test(a_cancelled_job_leaves_the_queue_at_once),
        cmocka_unit_test(a_job_that_is_cancelled_while_a_worker_is_at_it_is_finished_by_that_worker),
        cmocka_unit_test(a_job_that_was_cancelled_before_it_is_pushed_ends_there),
        cmocka_unit_test(a_job_that_has_waited_too_long_is_refused_whatever_the_workers_do),
        cmocka_unit_test(a_stream_that_has_begun_is_not_refused),
        cmocka_unit_test(a_stopped_queue_takes_no_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
