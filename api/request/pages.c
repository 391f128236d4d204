#include "api/request/pages.h"

#include "api/answer/problem.h"
#include "base/assert.h"

#include <string.h>

/* openapi.yaml, built into the program. */
extern const char openapi_yaml[];
extern const size_t openapi_yaml_size;

static const char html[] = "text/html; charset=utf-8";

static void lend(const struct response_cors *cors, const char *content_type, const char *body, size_t length,
                 struct response *ret_response) {
    response_init(ret_response, cors, 200, content_type);
    response_lend(ret_response, body, length);
}

void page_home(const struct service *service, const struct response_cors *cors, const char *name, size_t length,
               struct response *ret_response) {
    (void)name, (void)length;
    lend(cors, html, service->home_html.data, service->home_html.length, ret_response);
}

void page_openapi(const struct service *service, const struct response_cors *cors, const char *name, size_t length,
                  struct response *ret_response) {
    (void)service, (void)name, (void)length;
    lend(cors, "application/yaml", openapi_yaml, openapi_yaml_size, ret_response);
}

void page_limits(const struct service *service, const struct response_cors *cors, const char *name, size_t length,
                 struct response *ret_response) {
    (void)name, (void)length;
    lend(cors, "application/json", service->limits_json.data, service->limits_json.length, ret_response);
}

void page_version(const struct service *service, const struct response_cors *cors, const char *name, size_t length,
                  struct response *ret_response) {
    (void)name, (void)length;
    lend(cors, "application/json", service->version_json.data, service->version_json.length, ret_response);
}

void page_well(const struct response_cors *cors, struct response *ret_response) {
    static const char well[] = "{\"status\":\"ok\"}\n";
    lend(cors, "application/json", well, sizeof well - 1, ret_response);
}

static const struct problem_row *find_problem(const char *name, size_t length) {
    for (size_t p = 0; p < PROBLEM_COUNT; p++)
        if (strlen(problem_table[p].slug) == length && memcmp(problem_table[p].slug, name, length) == 0)
            return &problem_table[p];
    return NULL;
}

bool page_knows_problem(const char *name, size_t length) { return find_problem(name, length) != NULL; }

void page_problem(const struct service *service, const struct response_cors *cors, const char *name, size_t length,
                  struct response *ret_response) {
    const struct problem_row *row = find_problem(name, length);
    struct buffer body;
    (void)service;
    ASSERT(row != NULL);
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_printf(&body,
                  "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n"
                  "<h1>%s</h1>\n<p><code>/problems/%s</code>, status %u</p>\n%s\n</html>\n",
                  row->title, row->title, row->slug, row->status, row->page);
    if (body.state != BUFFER_GOOD) {
        buffer_clear(&body);
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "memory is exhausted");
        return;
    }
    response_init(ret_response, cors, 200, html);
    response_take(ret_response, &body);
}
