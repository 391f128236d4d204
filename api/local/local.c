#include "api/local/local.h"

#include "api/answer/problem.h"
#include "api/request/pages.h"
#include "base/assert.h"

#include <string.h>

/* ---- cases ---- */

bool local_do_case(struct job *job, enum job_lane lane, enum job_lane next, struct workspace *workspace,
                   struct work *work) {
    struct job_turn turn;
    enum outcome outcome;
    if (!job_take(job, lane, workspace, work, &turn, &outcome))
        return false;
    if (job_do(job, &turn, workspace, work) != OUTCOME_DONE) {
        job_put_back(job, &turn, next);
        return false;
    }
    job_deliver(job, &turn);
    return true;
}

/* Process short cases, each with the whole budget, so the total is at most twice as much. */
static void do_short_cases(struct local *local, uint64_t units) {
    uint64_t spent = 0;
    for (bool more = true; more && spent < units;) {
        struct work work = {.left = units};
        more = local_do_case(local->job, JOB_SHORT, JOB_LONG, local->workspace, &work);
        spent += units - work.left;
    }
}

/* ---- steps ---- */

enum local_state local_step(struct local *local, uint64_t units) {
    struct job *job = local->job;
    struct work work = {.left = units};
    ASSERT(units >= JOB_MIN_WORK);
    if (local->state != LOCAL_WORKING)
        return local->state;
    if (!local->begun) {
        local->begun = job_begin(job, local->workspace, &work) == OUTCOME_DONE;
    } else if (job_has_turn(job, JOB_SHORT)) {
        do_short_cases(local, units);
    } else {
        work.left = WORK_UNBOUNDED;
        local_do_case(job, JOB_LONG, JOB_LONG, local->workspace, &work);
    }
    bool is_done = local->begun && job_is_done(job);
    if (!local->has_response && (is_done || (local->begun && job_is_stream(job)))) {
        job_finish(job, &local->response);
        local->has_response = true;
    }
    if (job_is_broken(job))
        local->state = LOCAL_BROKEN;
    else if (is_done)
        local->state = LOCAL_DONE;
    return local->state;
}

size_t local_read(struct local *local, char *ret_bytes, size_t size) {
    if (local->job != NULL && job_is_stream(local->job))
        return job_read(local->job, ret_bytes, size);
    size_t left = local->has_response ? local->response.length - local->read : 0;
    size_t length = left < size ? left : size;
    if (length != 0)
        memcpy(ret_bytes, local->response.body + local->read, length);
    local->read += length;
    return length;
}

/* ---- beginning and end ---- */

void local_ask(const struct service *service, const struct request_head *head, char *body, size_t length,
               struct workspace *workspace, struct local *ret_local) {
    struct local *local = ret_local;
    *local = (struct local){.workspace = workspace, .state = LOCAL_DONE, .has_response = true};
    switch (admit(service, head, &local->admission, &local->response, &local->from_head)) {
    case ADMIT_ANSWER:
        return;
    case ADMIT_PROBE:
        pages_respond_well(&local->admission.cors, &local->response);
        return;
    case ADMIT_HAS_BODY:
        body = local->from_head.data;
        length = local->from_head.length;
        break;
    case ADMIT_READ_BODY:
        if (length <= service->request->max_body_bytes)
            break;
        admit_respond_too_large(service, &local->admission, &local->response);
        return;
    }
    local->job = job_new(service, &local->admission, body, length);
    if (local->job != NULL) {
        local->state = LOCAL_WORKING;
        local->has_response = false;
    } else {
        problem_respond(PROBLEM_OVERLOADED, &local->admission.cors, &local->response, "out of memory");
    }
}

void local_clear(struct local *local) {
    job_free(local->job);
    response_clear(&local->response);
    buffer_clear(&local->from_head);
    *local = (struct local){.state = LOCAL_DONE};
}
