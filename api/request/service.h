/* A service: what is the same for all its requests. It is immutable: any number of threads may use it. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/request/cors.h"
#include "api/request/pages.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of request_limits. */
struct request_limits {
    uint64_t max_body_bytes, max_json_values, max_cases;
};
extern const struct limit_group request_limits;

/* The values of memory_limits. */
struct memory_limits {
    uint64_t max_inflight_bytes;
};
extern const struct limit_group memory_limits;

struct service_config {
    struct limits limits;     /* made by api_add_limits; GET /limits shows them, and groups that were added besides */
    const char *cors_origins; /* what cors_check finds good */
    bool refuse_cross_site;   /* refuse requests that pages of other sites make browsers send */
    const char *version, *commit;
    const char *profile;           /* by which the defaults were chosen; GET /version shows it */
    struct account *account;       /* what bodies and answers draw their memory from; outlives the service */
    uint64_t hash_seed;            /* what solvers hash with; outsiders must not know it */
    const char *const *body_names; /* by enum format: how callers say what a body is, a phrase; NULL: in a head, by
                                      Content-Type. Lives as long as the service */
};

enum { SERVICE_TAG_BYTES = 24 };

struct service {
    struct limits limits;
    const struct request_limits *request; /* in `limits` */
    const struct response_limits *answer; /* in `limits` */
    struct account *account;
    uint64_t hash_seed;
    struct cors cors;
    const char *const *body_names;
    bool refuse_cross_site;
    bool suggests_curl; /* callers may use curl */
    /* Of an answer by link, by its format; plain, and in gzip. */
    char tag[FORMATS][SERVICE_TAG_BYTES], packed_tag[FORMATS][SERVICE_TAG_BYTES];
    struct static_page pages[]; /* pages_count() */
};

/* Start the account that bodies and answers draw their memory from, as large as max_inflight_bytes allows. */
void service_init_account(const struct limits *limits, struct account *ret_account);

/* The most memory that a case of any game within the limits is solved in, bytes. */
size_t service_max_solving_bytes(const struct limits *limits);

/* NULL when memory is exhausted. Copies what it needs of `config`, but for the accounts. Before there are threads that
 * use a service: it tells cJSON where to allocate, once and for all. */
struct service *service_new(const struct service_config *config);

/* Accepts NULL. */
void service_free(struct service *service);
