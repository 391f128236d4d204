#include "api/request/service.h"

#include "api/json/tree.h"
#include "api/request/games.h"
#include "base/assert.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* In the order of struct request_limits. */
static const struct limit limits[] = {
    {"max_body_bytes", "bytes in a request body", (uint64_t)64 << 20, (uint64_t)1 << 20, LIMIT_MAX, false},
    {"max_json_values", "JSON values (objects, arrays, strings, numbers, literals) in a body", 4000000, 500000,
     LIMIT_MAX, true},
    {"max_cases", "cases in a batch", 1000, 20, LIMIT_MAX, false},
};
LIMITS_MATCH(limits, struct request_limits);
const struct limit_group request_limits = {limits, sizeof limits / sizeof *limits};

/* In the order of struct memory_limits. */
static const struct limit of_memory[] = {
    {"max_inflight_bytes", "total bytes of the bodies and responses of all requests", (uint64_t)1 << 30,
     (uint64_t)256 << 20, LIMIT_MAX, false},
};
LIMITS_MATCH(of_memory, struct memory_limits);
const struct limit_group memory_limits = {of_memory, sizeof of_memory / sizeof *of_memory};

void service_init_account(const struct limits *all, struct account *ret_account) {
    const struct memory_limits *values = limits_of(all, &memory_limits);
    account_init(ret_account, limit_bytes(values->max_inflight_bytes));
}

size_t service_max_solving_bytes(const struct limits *all) {
    size_t max = 0;
    for (size_t g = 0; g < game_count; g++) {
        size_t bytes = games[g]->max_solving_bytes(limits_of(all, &games[g]->limits));
        max = bytes > max ? bytes : max;
    }
    return max;
}

/* Add a string, including its terminator, to a hash. */
static uint64_t hash_string(uint64_t hash, const char *string) {
    return hash_step(hash_bytes(hash, string, strlen(string)), 0xff);
}

static uint64_t hash_program(const struct service_config *config) {
    return hash_string(hash_string(HASH_OF_NOTHING, config->version), config->commit);
}

/* Hash everything that the answer to a link depends on, besides the link itself: the program, the format, and the
 * limits that can change answers. */
static void hash_links(struct service *service, const struct service_config *config) {
    for (enum format format = 0; format < FORMATS; format++) {
        uint64_t hash = hash_string(hash_program(config), format_table[format].name);
        for (size_t i = 0; i < service->limits.count; i++)
            if (limits_row(&service->limits, i)->changes_links)
                hash = hash_step(hash, service->limits.value[i]);
        service->link_hash[format] = hash;
    }
}

const char *service_body_types(const struct service *service, const struct game *game) {
    size_t g = 0;
    while (games[g] != game)
        g++;
    return service->body_types[g];
}

struct service *service_new(const struct service_config *config) {
    struct service *service = calloc(1, sizeof *service + game_count * sizeof *service->body_types);
    if (service == NULL)
        return NULL;
    json_tree_prepare();
    service->limits = config->limits;
    service->request = limits_of(&service->limits, &request_limits);
    service->answer = limits_of(&service->limits, &response_limits);
    service->account = config->account;
    service->hash_seed = config->hash_seed;
    service->refuse_cross_site = config->refuse_cross_site;
    service->include = config->include;
    service->reads_files = config->reads_files;
    for (size_t g = 0; g < game_count; g++)
        format_list_types(format_set_of(games[g]), service->body_types[g]);
    hash_links(service, config);
    struct pages_facts facts = {&service->limits, config->version, config->commit, config->profile};
    if (!pages_write(&service->pages, &facts, hash_program(config)) ||
        !cors_init(&service->cors, config->cors_origins)) {
        service_free(service);
        return NULL;
    }
    return service;
}

void service_free(struct service *service) {
    if (service == NULL)
        return;
    cors_clear(&service->cors);
    pages_clear(&service->pages);
    free(service);
}
