/* A service: the data that all its requests share. It is immutable, so any number of threads can use it. */
#pragma once

#include "api/answer/response.h"
#include "api/game/formats.h"
#include "api/game/limit.h"
#include "api/request/cors.h"
#include "api/request/pages.h"
#include "base/account.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values behind request_limits. */
struct request_limits {
    uint64_t max_body_bytes, max_json_values, max_cases;
};
extern const struct limit_group request_limits;

/* The values behind memory_limits. */
struct memory_limits {
    uint64_t max_inflight_bytes;
};
extern const struct limit_group memory_limits;

struct service_config {
    struct limits limits;     /* made by api_add_limits, possibly followed by further groups; GET /limits shows all */
    const char *cors_origins; /* a list that cors_check accepts */
    bool refuse_cross_site;   /* refuse requests caused by pages on other sites */
    const char *version, *commit;
    const char *profile;     /* the profile that the defaults come from, shown by GET /version */
    struct account *account; /* supplies the memory for bodies and answers; outlives the service */
    uint64_t hash_seed;      /* for the hashes of solvers; must be secret */
    const char *include;     /* the default of the member `include`, as a JSON array; NULL: none */
    bool reads_files;        /* the caller is `arbiter solve`, so messages name its options instead of headers */
};

struct service {
    struct limits limits;
    const struct request_limits *request; /* in `limits` */
    const struct response_limits *answer; /* in `limits` */
    struct account *account;
    uint64_t hash_seed;
    struct cors cors;
    bool refuse_cross_site;
    const char *include;
    bool reads_files;
    uint64_t link_hash[FORMATS]; /* the hash of everything that the answer to a link in this format depends on, besides
                                  * the link itself */
    struct pages pages;
    char body_types[][FORMAT_LIST_BYTES]; /* [game_count] */
};

/* Initialise the account that supplies the memory for bodies and answers, with the limit max_inflight_bytes. */
void service_init_account(const struct limits *limits, struct account *ret_account);

/* Get the largest workspace, in bytes, that a case of any game can need within the limits. */
size_t service_max_solving_bytes(const struct limits *limits);

/* Get the media types of the bodies that a game reads, as a list that lives as long as the service. */
const char *service_body_types(const struct service *service, const struct game *game);

/* Create a service. Returns NULL when out of memory. Copies what it needs from `config`, except the account. Call it
 * before any thread uses a service, because it sets cJSON's allocation functions, which are global. */
struct service *service_new(const struct service_config *config);

/* Free the service. Accepts NULL. */
void service_free(struct service *service);
