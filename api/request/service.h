/* A service: what is the same for all its requests. It is immutable: any number of threads may use it. */
#pragma once

#include "api/answer/response.h"
#include "api/game/format.h"
#include "api/game/limit.h"
#include "api/request/cors.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stddef.h>
#include <stdint.h>

/* The values of request_limits. */
struct request_limits {
    uint64_t max_body_bytes, max_json_values, max_cases;
};
extern const struct limit_group request_limits;

struct service_config {
    struct limits limits;     /* made by service_add_limits; more groups may be there, which GET /limits tells too */
    const char *cors_origins; /* what cors_check finds good */
    const char *version, *commit;
    struct account *account; /* what bodies and answers draw their memory from; outlives the service */
    struct account *trees;   /* what is drawn for a job between its begin and its end; outlives the service */
};

enum { SERVICE_TAG_BYTES = 24 };

struct service {
    struct limits limits;
    const struct request_limits *request; /* in `limits` */
    const struct response_limits *answer; /* in `limits` */
    struct account *account, *trees;
    struct cors cors;
    struct buffer home_html, limits_json, version_json; /* pages that are always the same */
    char tag[FORMATS][SERVICE_TAG_BYTES];               /* of an answer by link, by its format */
};

/* Add the limits of requests, of all games, and of answers, at their defaults. */
void service_add_limits(struct limits *limits);

/* The most that a job may hold between its begin and its end: a parse tree is many times as large as its text. */
size_t service_most_tree_bytes(const struct limits *limits);

/* NULL when memory is exhausted. Copies what it needs of `config`, but for the accounts. Before there are threads that
 * use a service: it tells cJSON where to allocate, once and for all. */
struct service *service_new(const struct service_config *config);

/* Accepts NULL. */
void service_free(struct service *service);
