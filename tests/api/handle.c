#include "api/handle.h"

/* Read those lines of a stream that are ready. */
static void read_lines(struct job *job, struct buffer *lines) {
    char block[4096];
    for (size_t length; (length = job_read(job, block, sizeof block)) != 0;)
        buffer_put(lines, block, length);
}

/* Get the answer of a finished job. The lines of a stream become the body. */
static void finish_job(struct job *job, const struct admission *admission, struct buffer *lines,
                       struct response *ret_response) {
    if (job_is_broken(job) || lines->outcome != OUTCOME_DONE) {
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, ret_response, "out of memory");
        return;
    }
    job_finish(job, ret_response);
    if (job_is_stream(job))
        response_take(ret_response, lines);
}

/* Run a job on this thread, after its head has been admitted. */
static void do_job(const struct service *service, const struct admission *admission, char *body, size_t length,
                   struct response *ret_response) {
    struct workspace workspace;
    struct work work = {.left = WORK_UNBOUNDED};
    struct job_turn turn;
    struct buffer lines;
    enum outcome outcome;
    struct job *job = job_new(service, admission, body, length);
    if (job == NULL) {
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, ret_response, "out of memory");
        return;
    }
    workspace_init(&workspace, service->account, ARENA_NO_CAP, true);
    buffer_init(&lines, SIZE_MAX, service->account);
    job_begin(job, &workspace, &work);
    while (job_take(job, JOB_SHORT, &workspace, &work, &turn, &outcome)) {
        job_do(job, &turn, &workspace, &work);
        job_deliver(job, &turn);
        if (job_is_stream(job))
            read_lines(job, &lines);
    }
    finish_job(job, admission, &lines, ret_response);
    buffer_clear(&lines);
    job_free(job);
    workspace_clear(&workspace);
}

void handle_request(const struct service *service, const struct request_head *head, char *body, size_t length,
                    struct response *ret_response) {
    struct admission admission;
    struct buffer from_head;
    switch (admit(service, head, &admission, ret_response, &from_head)) {
    case ADMIT_ANSWER:
        return;
    case ADMIT_HAS_BODY:
        do_job(service, &admission, from_head.data, from_head.length, ret_response);
        buffer_clear(&from_head);
        return;
    case ADMIT_PROBE:
        pages_respond_well(&admission.cors, ret_response);
        return;
    case ADMIT_READ_BODY:
        break;
    }
    if (length > service->request->max_body_bytes)
        admit_respond_too_large(service, &admission, ret_response);
    else
        do_job(service, &admission, body, length, ret_response);
}
