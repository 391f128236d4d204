#include "api/torture/lanes.h"

#include <assert.h>

enum {
    LITTLE_WORK = 300,      /* units: enough for the smallest cases only */
    SHORT_ROOM = 256 << 10, /* bytes: too few for the larger boards of the crossing pawn */
    PIECE = 7,              /* bytes that are read at once */
};

struct lanes {
    struct job *job;
    struct room rooms[JOB_LANES];
    size_t length; /* of the lines that were read */
};

static char lines[LANES_MOST_BYTES];

/* Do one case in a lane, if there is one. */
static void step(struct lanes *lanes, enum job_lane lane) {
    struct room *room = &lanes->rooms[lane];
    struct job_turn turn;
    enum work_outcome outcome;
    bool taken;
    do {
        struct work work = {.left = JOB_LEAST_WORK};
        taken = job_take(lanes->job, lane, room, &work, &turn, &outcome);
    } while (outcome == WORK_EXHAUSTED);
    if (!taken)
        return;
    struct work work = {.left = lane == JOB_LONG ? WORK_UNBOUNDED : LITTLE_WORK};
    if (job_do(lanes->job, &turn, room, &work) == WORK_EXHAUSTED)
        job_put_back(lanes->job, &turn, JOB_LONG);
    else
        job_deliver(lanes->job, &turn, room);
}

static void read_lines(struct lanes *lanes) {
    for (size_t length = 1; length != 0; lanes->length += length) {
        assert(lanes->length + PIECE <= sizeof lines);
        length = job_read(lanes->job, lines + lanes->length, PIECE);
    }
}

/* Do all of a job, and answer. */
static bool run(struct lanes *lanes, struct response *ret_response) {
    struct work work;
    do
        work = (struct work){.left = JOB_LEAST_WORK};
    while (job_begin(lanes->job, &lanes->rooms[JOB_SHORT], &work) == WORK_EXHAUSTED);
    bool stream = job_is_stream(lanes->job);
    while (!job_is_done(lanes->job) && !job_is_broken(lanes->job))
        for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++) {
            step(lanes, lane);
            if (stream)
                read_lines(lanes);
        }
    bool broken = job_is_broken(lanes->job);
    job_finish(lanes->job, ret_response);
    if (stream)
        response_lend(ret_response, lines, lanes->length);
    return broken;
}

static bool do_job(const struct service *service, const struct admission *admission, char *body, size_t length,
                   struct response *ret_response) {
    struct lanes lanes = {.job = job_new(service, admission, body, length)};
    if (lanes.job == NULL) {
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, ret_response, "memory is exhausted");
        return false;
    }
    room_init(&lanes.rooms[JOB_SHORT], service->account, SHORT_ROOM, false);
    room_init(&lanes.rooms[JOB_LONG], service->account, ARENA_NO_CAP, true);
    bool broken = run(&lanes, ret_response);
    job_free(lanes.job);
    for (enum job_lane lane = JOB_SHORT; lane < JOB_LANES; lane++)
        room_clear(&lanes.rooms[lane]);
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
