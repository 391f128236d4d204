/* The schedule of the queue: a slow model checks over a million random steps that every choice is allowed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/work/schedule.h"
#include "reference/random.h"

#include <string.h>

enum { CLIENTS = 9, JOBS = 60, STEPS = 1000000, MAX_TIME = 50000 };

/* The model keeps plain tables, and searches them completely for each answer. */
struct model_job {
    struct scheduled scheduled; /* in the schedule */
    bool joined, is_new, had_turn;
    unsigned client, turns[JOB_LANES]; /* in progress */
    uint64_t came;                     /* when it began to wait for its first turn */
    uint64_t waits[JOB_LANES];         /* when it began to wait for a turn; 0 if it is not waiting */
};

static struct model {
    struct schedule schedule;
    struct reference_random random;
    struct model_job jobs[JOBS];
    struct model_client {
        bool new_is_next;
        uint64_t pushed; /* when one of its jobs last began to wait for its first turn */
        uint64_t given[JOB_LANES];
    } clients[CLIENTS];
    uint64_t given[JOB_LANES]; /* the lane's virtual time: a client that begins to wait starts no earlier */
    uint64_t max[JOB_LANES];   /* the largest time of any client */
    uint64_t now;              /* counts the steps */
} model;

static unsigned pick(unsigned bound) { return reference_random_below(&model.random, bound); }

static struct client_address address_of(unsigned client) {
    struct client_address address = {{0}};
    /* Some addresses differ in the first byte, others in the last. */
    address.bytes[client % 2 == 0 ? 0 : 15] = (unsigned char)(client + 1);
    return address;
}

/* ---- the model's answers ---- */

static size_t count_jobs(unsigned client, bool (*is)(const struct model_job *, enum job_lane), enum job_lane lane) {
    size_t count = 0;
    for (const struct model_job *job = model.jobs; job < model.jobs + JOBS; job++)
        count += job->joined && job->client == client && is(job, lane);
    return count;
}
static bool is_joined(const struct model_job *job, enum job_lane lane) { return (void)lane, job->joined; }
static bool is_new(const struct model_job *job, enum job_lane lane) { return (void)lane, job->is_new; }
static bool waits(const struct model_job *job, enum job_lane lane) { return job->waits[lane] != 0; }

static size_t turns_of(unsigned client, enum job_lane lane) {
    size_t turns = 0;
    for (const struct model_job *job = model.jobs; job < model.jobs + JOBS; job++)
        turns += job->joined && job->client == client ? job->turns[lane] : 0;
    return turns;
}

/* Would the client's turn come before the other's? */
static bool comes_before(unsigned client, unsigned other, enum job_lane lane) {
    size_t turns = turns_of(client, lane), others = turns_of(other, lane);
    return turns != others ? turns < others : model.clients[client].given[lane] < model.clients[other].given[lane];
}

/* Get the client's job that has waited longest in the lane, among either its new or its started jobs. */
static struct model_job *longest(unsigned client, enum job_lane lane, bool new_jobs) {
    struct model_job *found = NULL;
    for (struct model_job *job = model.jobs; job < model.jobs + JOBS; job++)
        if (job->joined && job->client == client && job->waits[lane] != 0 && job->is_new == new_jobs &&
            (found == NULL || job->waits[lane] < found->waits[lane]))
            found = job;
    return found;
}

static void wait_in(struct model_job *job, enum job_lane lane) {
    struct model_client *client = &model.clients[job->client];
    if (job->waits[lane] != 0)
        return;
    if (count_jobs(job->client, waits, lane) == 0 && client->given[lane] < model.given[lane])
        client->given[lane] = model.given[lane];
    job->waits[lane] = ++model.now;
}

/* ---- steps ---- */

static void join(struct model_job *job) {
    unsigned client = pick(CLIENTS);
    struct client_address address = address_of(client);
    if (count_jobs(client, is_joined, JOB_SHORT) == 0)
        model.clients[client].new_is_next = false;
    *job = (struct model_job){.joined = true, .client = client};
    assert_true(schedule_join(&model.schedule, &job->scheduled, &address));
    if (pick(4) == 0)
        return;
    schedule_add_new(&model.schedule, &job->scheduled);
    wait_in(job, JOB_SHORT);
    job->is_new = true;
    job->came = model.clients[client].pushed = model.now;
}

static void add(struct model_job *job) {
    enum job_lane lane = pick(2) == 0 ? JOB_SHORT : JOB_LONG;
    if (!job->joined || job->is_new)
        return;
    schedule_add(&model.schedule, &job->scheduled, lane);
    wait_in(job, lane);
}

static void begin_turn(enum job_lane lane) {
    struct scheduled *chosen = schedule_begin_turn(&model.schedule, lane);
    if (chosen == NULL) {
        for (unsigned client = 0; client < CLIENTS; client++)
            assert_int_equal(count_jobs(client, waits, lane), 0);
        return;
    }
    struct model_job *job = (struct model_job *)(void *)chosen;
    assert_true(job->joined && job->waits[lane] != 0);
    for (unsigned other = 0; other < CLIENTS; other++)
        assert_false(count_jobs(other, waits, lane) != 0 && comes_before(other, job->client, lane));
    struct model_client *client = &model.clients[job->client];
    struct model_job *new_job = longest(job->client, lane, true), *started = longest(job->client, lane, false);
    if (new_job == NULL || started == NULL)
        assert_ptr_equal(job, new_job == NULL ? started : new_job);
    else
        assert_ptr_equal(job, client->new_is_next ? new_job : started);
    if (lane == JOB_SHORT)
        client->new_is_next = !job->is_new;
    if (model.given[lane] < client->given[lane])
        model.given[lane] = client->given[lane];
    job->waits[lane] = 0;
    job->is_new = false;
    job->turns[lane]++;
}

static void end_turn(struct model_job *job) {
    enum job_lane lane = pick(2) == 0 ? JOB_SHORT : JOB_LONG;
    uint64_t time = pick(MAX_TIME);
    if (!job->joined || job->turns[lane] == 0)
        return;
    schedule_end_turn(&model.schedule, &job->scheduled, lane, time);
    job->turns[lane]--;
    uint64_t *given = &model.clients[job->client].given[lane];
    *given += time;
    model.max[lane] = *given > model.max[lane] ? *given : model.max[lane];
    size_t busy = 0;
    for (unsigned client = 0; client < CLIENTS; client++)
        busy += turns_of(client, lane) + count_jobs(client, waits, lane);
    if (busy == 0)
        model.given[lane] = model.max[lane];
}

static void withdraw(struct model_job *job) {
    if (!job->joined)
        return;
    schedule_withdraw(&model.schedule, &job->scheduled);
    job->is_new = false;
    job->waits[JOB_SHORT] = job->waits[JOB_LONG] = 0;
}

static void leave(struct model_job *job) {
    if (!job->joined || job->turns[JOB_SHORT] != 0 || job->turns[JOB_LONG] != 0)
        return;
    schedule_leave(&model.schedule, &job->scheduled);
    assert_null(job->scheduled.client);
    job->joined = false;
}

/* ---- a full queue ---- */

/* Does the client have more new jobs than the other, or just as many and a more recent push? */
static bool has_more(unsigned client, unsigned other) {
    size_t jobs = count_jobs(client, is_new, JOB_SHORT), others = count_jobs(other, is_new, JOB_SHORT);
    return jobs != others ? jobs > others : model.clients[client].pushed > model.clients[other].pushed;
}

static void compare_excess(unsigned client) {
    struct scheduled *found = NULL;
    struct client_address address = address_of(client);
    unsigned max = 0;
    const struct model_job *newest = NULL;
    for (unsigned other = 1; other < CLIENTS; other++)
        max = has_more(other, max) ? other : max;
    for (const struct model_job *job = model.jobs; job < model.jobs + JOBS; job++)
        if (job->joined && job->is_new && job->client == max && (newest == NULL || job->came > newest->came))
            newest = job;
    bool excess = count_jobs(max, is_new, JOB_SHORT) > count_jobs(client, is_new, JOB_SHORT);
    assert_int_equal(schedule_find_excess(&model.schedule, &address, &found), excess);
    assert_ptr_equal(found, excess ? newest : NULL);
}

static void compare_counts(void) {
    const struct model_job *oldest = NULL;
    size_t listed[JOB_LANES] = {0}, new_count = 0;
    for (const struct model_job *job = model.jobs; job < model.jobs + JOBS; job++) {
        if (!job->joined)
            continue;
        new_count += job->is_new;
        for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
            listed[lane] += job->waits[lane] != 0;
        if (job->is_new && (oldest == NULL || job->came < oldest->came))
            oldest = job;
    }
    assert_int_equal(model.schedule.new_count, new_count);
    assert_int_equal(model.schedule.lanes[JOB_SHORT].listed, listed[JOB_SHORT]);
    assert_int_equal(model.schedule.lanes[JOB_LONG].listed, listed[JOB_LONG]);
    assert_ptr_equal(schedule_oldest(&model.schedule), oldest);
}

static void each_choice_is_one_that_the_model_allows(void **state) {
    (void)state;
    memset(&model, 0, sizeof model);
    model.random = (struct reference_random){20261123};
    schedule_init(&model.schedule, CLIENTS);
    for (unsigned step = 0; step < STEPS; step++) {
        struct model_job *job = &model.jobs[pick(JOBS)];
        switch (pick(8)) {
        case 0:
        case 1:
            (job->joined ? add : join)(job);
            break;
        case 2:
            add(job);
            break;
        case 3:
            begin_turn(pick(3) == 0 ? JOB_LONG : JOB_SHORT);
            break;
        case 4:
        case 5:
            end_turn(job);
            break;
        case 6:
            if (pick(8) == 0)
                withdraw(job);
            compare_excess(pick(CLIENTS));
            break;
        default:
            if (pick(4) == 0)
                leave(job);
            compare_counts();
        }
    }
    for (struct model_job *job = model.jobs; job < model.jobs + JOBS; job++) {
        for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
            for (; job->turns[lane] != 0; job->turns[lane]--)
                schedule_end_turn(&model.schedule, &job->scheduled, lane, 1);
        leave(job);
    }
    compare_counts();
    schedule_clear(&model.schedule);
}

/* A client with a single job, which leaves after each turn and comes back, gets no more time than one that always has
 * jobs waiting. */
static void a_client_whose_job_returns_gets_no_more_time_than_others(void **state) {
    (void)state;
    enum { LONG = 100, SHORT = 5, TURNS = 1000 };
    struct schedule schedule;
    struct scheduled waiting[2] = {{0}}, returning = {0};
    const struct client_address first = {{1}}, second = {{2}};
    uint64_t given[2] = {0};
    schedule_init(&schedule, 8);
    for (int job = 0; job < 2; job++) {
        assert_true(schedule_join(&schedule, &waiting[job], &first));
        schedule_add_new(&schedule, &waiting[job]);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        if (returning.client == NULL) {
            assert_true(schedule_join(&schedule, &returning, &second));
            schedule_add_new(&schedule, &returning);
        }
        struct scheduled *job = schedule_begin_turn(&schedule, JOB_SHORT);
        bool returns = job == &returning;
        given[returns] += returns ? LONG : SHORT;
        schedule_end_turn(&schedule, job, JOB_SHORT, returns ? LONG : SHORT);
        if (returns)
            schedule_leave(&schedule, job);
        else
            schedule_add(&schedule, job, JOB_SHORT);
    }
    assert_in_range(given[0], given[1] - LONG, given[1] + LONG);
    for (int job = 0; job < 2; job++)
        schedule_leave(&schedule, &waiting[job]);
    if (returning.client != NULL)
        schedule_leave(&schedule, &returning);
    schedule_clear(&schedule);
}

static void of_clients_that_have_departed_no_more_are_remembered_than_is_allowed(void **state) {
    (void)state;
    enum { MAX = 16 };
    struct schedule schedule;
    struct scheduled waiting = {0};
    const struct client_address first = {{1}};
    schedule_init(&schedule, MAX);
    assert_true(schedule_join(&schedule, &waiting, &first));
    schedule_add_new(&schedule, &waiting);
    for (unsigned client = 0; client < 1000; client++) {
        struct scheduled job = {0};
        const struct client_address address = {{2, (unsigned char)(client >> 8), (unsigned char)client}};
        assert_true(schedule_join(&schedule, &job, &address));
        schedule_add(&schedule, &job, JOB_LONG);
        assert_ptr_equal(schedule_begin_turn(&schedule, JOB_LONG), &job);
        schedule_add(&schedule, &waiting, JOB_LONG); /* keeps the lane busy */
        schedule_end_turn(&schedule, &job, JOB_LONG, 1000000);
        schedule_leave(&schedule, &job);
        schedule_withdraw(&schedule, &waiting);
        assert_true(schedule.departed_count <= MAX);
    }
    assert_int_equal(schedule.departed_count, MAX);
    schedule_leave(&schedule, &waiting);
    schedule_clear(&schedule);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_choice_is_one_that_the_model_allows),
        cmocka_unit_test(a_client_whose_job_returns_gets_no_more_time_than_others),
        cmocka_unit_test(of_clients_that_have_departed_no_more_are_remembered_than_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
