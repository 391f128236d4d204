#include "api/api.h"

/* A job whose body has been admitted, done on this thread. */
static void do_job(const struct service *service, const struct admission *admission, char *body, size_t length,
                   struct response *ret_response) {
    struct arena arena, scratch;
    struct work work = {.left = WORK_UNBOUNDED};
    arena_init(&arena, ARENA_NO_CAP);
    arena_init(&scratch, ARENA_NO_CAP);
    struct job *job = job_new(service, admission, body, length, &arena);
    if (job == NULL) {
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, ret_response, "memory is exhausted");
    } else {
        job_begin(job, &work);
        for (size_t i = 0; i < job_case_count(job); i++)
            job_case(job, i, &scratch, &work);
        job_finish(job, ret_response);
        job_clear(job);
    }
    arena_clear(&arena);
    arena_clear(&scratch);
}

void api_handle(const struct service *service, const struct request_head *head, char *body, size_t length,
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
        page_well(&admission.cors, ret_response);
        return;
    case ADMIT_READ_BODY:
        break;
    }
    if (length > service->request->max_body_bytes)
        admit_respond_too_large(service, &admission, ret_response);
    else
        do_job(service, &admission, body, length, ret_response);
}
