#include "api/handle.h"

#include "api/local/local.h"

/* Read those lines of a stream that are ready. */
static void read_lines(struct local *local, struct buffer *lines) {
    char block[4096];
    for (size_t length; (length = local_read(local, block, sizeof block)) != 0;)
        buffer_put(lines, block, length);
}

/* Get the whole answer. The lines of a stream become its body. */
static void take_response(struct local *local, struct buffer *lines, struct response *ret_response) {
    if (local->state == LOCAL_BROKEN || lines->outcome != OUTCOME_DONE) {
        problem_respond(PROBLEM_OVERLOADED, &local->admission.cors, ret_response, "out of memory");
        return;
    }
    *ret_response = local->response;
    local->response = (struct response){0};
    if (local->job != NULL && job_is_stream(local->job))
        response_take(ret_response, lines);
}

void handle_request(const struct service *service, const struct request_head *head, char *body, size_t length,
                    struct response *ret_response) {
    struct workspace workspace;
    struct local local;
    struct buffer lines;
    workspace_init(&workspace, service->account, ARENA_NO_CAP, true);
    buffer_init(&lines, SIZE_MAX, service->account);
    local_ask(service, head, body, length, &workspace, &local);
    enum local_state state;
    do {
        state = local_step(&local, WORK_UNBOUNDED);
        if (local.job != NULL && job_is_stream(local.job))
            read_lines(&local, &lines);
    } while (state == LOCAL_WORKING);
    take_response(&local, &lines, ret_response);
    buffer_clear(&lines);
    local_clear(&local);
    workspace_clear(&workspace);
}
