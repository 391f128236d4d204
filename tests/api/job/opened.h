/* Reads the cases of a body without a job. A test program must include this file exactly once. */
#pragma once

#include "api/job/cases.h"
#include "api/request.h"

struct opened {
    struct admission admission;
    char *body;
    struct workspace workspace;
    struct cases cases;
};

/* Admit a POST request, and initialise its cases. Returns false if memory is exhausted. */
static bool opened_init(struct opened *opened, const struct service *service, const char *target, const char *type,
                        const char *accept, const char *body) {
    struct header headers[] = {{"Host", "test"}, {"Content-Type", type}, {"Accept", accept}};
    struct request_head head = {"POST", target, "HTTP/1.1", headers, 3};
    struct response response = {0};
    struct buffer none;
    size_t length = strlen(body);
    opened->body = malloc(length + 1);
    if (opened->body == NULL || admit(service, &head, &opened->admission, &response, &none) != ADMIT_READ_BODY)
        abort();
    memcpy(opened->body, body, length + 1);
    workspace_init(&opened->workspace, service->account, ARENA_NO_CAP, true);
    return cases_init(&opened->cases, service, &opened->admission, opened->body, length);
}

static enum outcome opened_open(struct opened *opened, uint64_t budget) {
    struct work work = {.left = budget};
    return cases_open(&opened->cases, &opened->workspace, &work);
}

/* Find the next case. Returns false if there is none. */
static bool opened_find(struct opened *opened, struct found_case *ret_found) {
    struct work work = {.left = WORK_UNBOUNDED};
    void *the_case;
    bool is_found;
    if (opened->cases.source->ended)
        return false;
    enum outcome outcome = cases_find(&opened->cases, &opened->workspace, &work, ret_found, &the_case, &is_found);
    return outcome == OUTCOME_DONE && is_found;
}

static void opened_clear(struct opened *opened) {
    cases_clear(&opened->cases);
    workspace_clear(&opened->workspace);
    free(opened->body);
}
