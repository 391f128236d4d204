#include "api/request/service.h"

#include "api/json/tree.h"
#include "api/request/games.h"
#include "api/request/negotiate.h"
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

/* In the order of struct request_limits. */
static const struct limit limits[] = {
    {"max_body_bytes", "bytes in a request body", (uint64_t)64 << 20, LIMIT_MOST, false},
    {"max_json_values", "objects, arrays, strings, numbers and literals in a JSON body", 4000000, LIMIT_MOST, true},
    {"max_cases", "cases in a batch", 1000, LIMIT_MOST, false},
};
LIMITS_MATCH(limits, struct request_limits);
const struct limit_group request_limits = {limits, sizeof limits / sizeof *limits};

void service_add_limits(struct limits *ret_limits) {
    limits_add(ret_limits, &request_limits);
    for (size_t g = 0; g < game_count; g++)
        limits_add(ret_limits, &games[g]->limits);
    limits_add(ret_limits, &response_limits);
}

size_t service_most_tree_bytes(const struct limits *all) {
    const struct request_limits *request = limits_of(all, &request_limits);
    size_t most = SIZE_MAX / 8, bytes = most;
    if (request->max_json_values < most / 128 && request->max_body_bytes < most / 4)
        bytes = (size_t)request->max_json_values * 128 + (size_t)request->max_body_bytes * 2;
    /* A text of small cases is decoded into less than this. */
    return bytes < ((size_t)64 << 20) ? (size_t)64 << 20 : bytes;
}

static void write_home(struct buffer *out) {
    buffer_put_literal(out, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Arbiter</title>\n"
                            "<h1>Arbiter</h1>\n<p>Exact answers about board games, over HTTP.</p>\n<ul>\n");
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "<li><code>POST /%s</code>: %s</li>\n", games[g]->name, games[g]->about);
    buffer_put_literal(
        out, "<li><a href=\"/openapi.yaml\">/openapi.yaml</a>: the contract in full</li>\n"
             "<li><a href=\"/limits\">/limits</a>: the limits in force</li>\n"
             "<li><a href=\"/version\">/version</a>: what is running</li>\n"
             "<li><a href=\"/livez\">/livez</a>, <a href=\"/readyz\">/readyz</a>: is it alive, does it take requests"
             "</li>\n"
             "<li><code>/problems/NAME</code>: what an error means</li>\n</ul>\n</html>\n");
}

static void write_limits(struct buffer *out, const struct limits *all) {
    for (size_t i = 0; i < all->count; i++)
        buffer_printf(out, "%s\"%s\":%llu", i == 0 ? "{" : ",", limits_row(all, i)->name,
                      (unsigned long long)all->value[i]);
    buffer_put_literal(out, "}\n");
}

/* One step of a hash over the bytes of a text (FNV-1a). */
static uint64_t mix(uint64_t hash, const char *text) {
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

/* What an answer by link depends on, beside its link: the program, the format, the limits that change answers. */
static void write_tags(struct service *service, const struct service_config *config) {
    for (int format = 0; format < FORMATS; format++) {
        uint64_t hash = mix(mix(0xcbf29ce484222325u, config->version), config->commit);
        hash = mix(hash, negotiate_types[format]);
        for (size_t i = 0; i < service->limits.count; i++)
            if (limits_row(&service->limits, i)->changes_links)
                hash = (hash ^ service->limits.value[i]) * 0x100000001b3u;
        snprintf(service->tag[format], SERVICE_TAG_BYTES, "\"%016llx\"", (unsigned long long)hash);
    }
}

struct service *service_new(const struct service_config *config) {
    struct service *service = calloc(1, sizeof *service);
    if (service == NULL)
        return NULL;
    json_tree_prepare();
    service->limits = config->limits;
    service->request = limits_of(&service->limits, &request_limits);
    service->answer = limits_of(&service->limits, &response_limits);
    service->account = config->account;
    service->trees = config->trees;
    buffer_init(&service->home_html, SIZE_MAX, NULL);
    buffer_init(&service->limits_json, SIZE_MAX, NULL);
    buffer_init(&service->version_json, SIZE_MAX, NULL);
    write_home(&service->home_html);
    write_limits(&service->limits_json, &service->limits);
    buffer_printf(&service->version_json, "{\"name\":\"arbiter\",\"version\":\"%s\",\"commit\":\"%s\"}\n",
                  config->version, config->commit);
    write_tags(service, config);
    if (!cors_init(&service->cors, config->cors_origins) || service->home_html.state != BUFFER_GOOD ||
        service->limits_json.state != BUFFER_GOOD || service->version_json.state != BUFFER_GOOD) {
        service_free(service);
        return NULL;
    }
    return service;
}

void service_free(struct service *service) {
    if (service == NULL)
        return;
    cors_clear(&service->cors);
    buffer_clear(&service->home_html);
    buffer_clear(&service->limits_json);
    buffer_clear(&service->version_json);
    free(service);
}
