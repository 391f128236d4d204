/* Requests to the API without a server. */
#pragma once

#include "api/api.h"
#include "api/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Get all limits of the API at their defaults. */
static inline struct limits test_limits(void) {
    struct limits limits = {0};
    api_add_limits(&limits);
    return limits;
}

/* Set a limit by its name. */
static inline void test_set_limit(struct limits *limits, const char *name, uint64_t value) {
    for (size_t i = 0; i < limits->count; i++)
        if (strcmp(limits_row(limits, i)->name, name) == 0) {
            limits->value[i] = value;
            return;
        }
    abort();
}

/* Make a service with the given limits and an account of `inflight` bytes. Returns NULL if memory is exhausted. */
static inline struct service *test_service(struct limits limits, size_t inflight, struct account *account) {
    account_init(account, inflight);
    return service_new(&(struct service_config){.limits = limits,
                                                .cors_origins = "*",
                                                .version = "0",
                                                .commit = "test",
                                                .profile = "test",
                                                .account = account,
                                                .hash_seed = 1});
}

enum { TEST_INFLIGHT = 1 << 30 };

/* Group set-up for cmocka: sets *state to a service with the default limits, shared by all tests in a file. */
static inline int test_start_service(void **state) {
    static struct account account;
    *state = test_service(test_limits(), TEST_INFLIGHT, &account);
    return *state == NULL;
}

static inline int test_stop_service(void **state) {
    service_free(*state);
    return 0;
}

/* Send a request with Host and one more header; `header` can be NULL. The body is copied to a block of exactly its
 * size. */
static inline struct response test_ask(const struct service *service, const char *method, const char *target,
                                       const char *header, const char *value, const char *body, size_t length) {
    struct header headers[] = {{"Host", "test"}, {header, value}};
    struct request_head head = {method, target, "HTTP/1.1", headers, header != NULL ? 2 : 1};
    struct response response = {0};
    char *copy = malloc(length != 0 ? length : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, body, length);
    handle_request(service, &head, copy, length, &response);
    free(copy);
    return response;
}
