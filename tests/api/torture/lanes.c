#include "api/torture/lanes.h"

#include <assert.h>

enum {
    WORKERS = 3,                 /* cases in progress at the same time; the last worker is in the long lane */
    LITTLE_WORK = 300,           /* units of work, enough only for the smallest cases */
    SHORT_WORKSPACE = 256 << 10, /* bytes, not enough for larger crossing-pawn boards */
    PIECE = 7,                   /* bytes that are read at a time */
};

struct lanes {
    struct job *job;
    struct worker {
        enum job_lane lane;
        struct workspace workspace;
        struct job_turn turn;
        bool busy, done;
    } workers[WORKERS];
    size_t length; /* of all lines read so far */
};

static char lines[LANES_MAX_BYTES];

static bool take(struct lanes *lanes, struct worker *worker) {
    enum outcome outcome;
    do {
        struct work work = {.left = JOB_MIN_WORK};
        worker->busy = job_take(lanes->job, worker->lane, &worker->workspace, &work, &worker->turn, &outcome);
    } while (outcome == OUTCOME_MORE_WORK);
    return worker->busy;
}

/* Process one case in each worker, if there are enough. All results are delivered together, so that several lines are
 * ready at a time. */
static void step(struct lanes *lanes) {
    for (struct worker *worker = lanes->workers; worker < lanes->workers + WORKERS; worker++) {
        struct work work = {.left = worker->lane == JOB_LONG ? WORK_UNBOUNDED : LITTLE_WORK};
        worker->done =
            take(lanes, worker) && job_do(lanes->job, &worker->turn, &worker->workspace, &work) == OUTCOME_DONE;
    }
    for (struct worker *worker = lanes->workers; worker < lanes->workers + WORKERS; worker++) {
        if (worker->done)
            job_deliver(lanes->job, &worker->turn);
        else if (worker->busy)
            job_put_back(lanes->job, &worker->turn, JOB_LONG);
    }
}

static void read_lines(struct lanes *lanes) {
    for (size_t length = 1; length != 0; lanes->length += length) {
        assert(lanes->length + PIECE <= sizeof lines);
        length = job_read(lanes->job, lines + lanes->length, PIECE);
    }
}

/* Run a whole job, and get its answer. Returns whether a stream was cut off. */
static bool run(struct lanes *lanes, struct response *ret_response) {
    struct work work;
    do
        work = (struct work){.left = JOB_MIN_WORK};
    while (job_begin(lanes->job, &lanes->workers->workspace, &work) == OUTCOME_MORE_WORK);
    bool stream = job_is_stream(lanes->job);
    while (!job_is_done(lanes->job) && !job_is_broken(lanes->job)) {
        step(lanes);
        if (stream)
            read_lines(lanes);
    }
    bool broken = job_is_broken(lanes->job);
    assert(!stream || job_is_read(lanes->job) != broken);
    job_finish(lanes->job, ret_response);
    if (stream)
        response_lend(ret_response, lines, lanes->length);
    return broken;
}

static bool do_job(const struct service *service, const struct admission *admission, char *body, size_t length,
                   struct response *ret_response) {
    struct lanes lanes = {.job = job_new(service, admission, body, length)};
    if (lanes.job == NULL) {
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, ret_response, "out of memory");
        return false;
    }
    for (int h = 0; h < WORKERS; h++) {
        bool is_long = h == WORKERS - 1;
        lanes.workers[h].lane = is_long ? JOB_LONG : JOB_SHORT;
        workspace_init(&lanes.workers[h].workspace, service->account, is_long ? ARENA_NO_CAP : SHORT_WORKSPACE,
                       is_long);
    }
    bool broken = run(&lanes, ret_response);
    job_free(lanes.job);
    for (int h = 0; h < WORKERS; h++)
        workspace_clear(&lanes.workers[h].workspace);
    return broken;
}

bool lanes_handle(const struct service *service, const struct request_head *head, char *body, size_t length,
                  struct response *ret_response) {
    struct admission admission;
    struct buffer from_head;
    bool broken = false;
    switch (admit(service, head, &admission, ret_response, &from_head)) {
    case ADMIT_ANSWER:
        break;
    case ADMIT_HAS_BODY:
        broken = do_job(service, &admission, from_head.data, from_head.length, ret_response);
        buffer_clear(&from_head);
        break;
    case ADMIT_PROBE:
        pages_respond_well(&admission.cors, ret_response);
        break;
    case ADMIT_READ_BODY:
        broken = do_job(service, &admission, body, length, ret_response);
        break;
    }
    return broken;
}
