/* Requests to the api without a server. */
#pragma once

#include "api/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An api with the given limits; its accounts are account[0], for bodies and answers, and account[1], for trees. */
static inline struct api *test_api(struct api_limits limits, struct account account[2]) {
    account_init(&account[0], (size_t)limits.max_inflight_bytes);
    account_init(&account[1], api_most_tree_bytes(&limits));
    return api_new(&(struct api_config){.limits = limits,
                                        .cors_origins = "*",
                                        .version = "0",
                                        .commit = "test",
                                        .account = &account[0],
                                        .trees = &account[1]});
}

/* Ask with one header more than Host; `header` may be NULL. The body is copied to a block of exactly its size. */
static inline struct api_response test_ask(const struct api *api, const char *method, const char *target,
                                           const char *header, const char *value, const char *body, size_t length) {
    struct api_header headers[] = {{"Host", "test"}, {header, value}};
    struct api_head head = {method, target, "HTTP/1.1", headers, header != NULL ? 2 : 1};
    struct api_response response = {0};
    char *copy = malloc(length != 0 ? length : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, body, length);
    api_handle(api, &head, copy, length, &response);
    free(copy);
    return response;
}
