#include "api/request/routes.h"

#include "api/json/encode.h"

#include <string.h>

/* openapi.yaml, built into the program. */
extern const char openapi_yaml[];
extern const size_t openapi_yaml_size;

static const char home[] =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Arbiter</title>\n"
    "<h1>Arbiter</h1>\n<p>Exact answers about three board games, over HTTP.</p>\n<ul>\n"
    "<li><code>POST /pawn</code>: two red pieces hunt a pawn: who wins, and in how many moves</li>\n"
    "<li><code>POST /go</code>: a list of Go moves is played: which are refused, and the board that results</li>\n"
    "<li><code>POST /mine</code>: Minesweeper for two players: who wins</li>\n"
    "<li><a href=\"/openapi.yaml\">/openapi.yaml</a>: the contract in full</li>\n"
    "<li><a href=\"/limits\">/limits</a>: the limits in force</li>\n"
    "<li><a href=\"/version\">/version</a>: what is running</li>\n"
    "<li><a href=\"/livez\">/livez</a>, <a href=\"/readyz\">/readyz</a>: is it alive, does it take requests</li>\n"
    "<li><code>/problems/NAME</code>: what an error means</li>\n</ul>\n</html>\n";

static void send(const struct api *api, const struct api_admission *admission, const char *content_type,
                 const char *body, size_t length, struct api_response *ret_response) {
    response_init(api, admission, 200, content_type, ret_response);
    ret_response->body = body;
    ret_response->length = length;
}

static void home_page(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                      struct api_response *ret_response) {
    (void)name, (void)length;
    send(api, admission, "text/html; charset=utf-8", home, sizeof home - 1, ret_response);
}

static void openapi_page(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                         struct api_response *ret_response) {
    (void)name, (void)length;
    send(api, admission, "application/yaml", openapi_yaml, openapi_yaml_size, ret_response);
}

static void limits_page(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                        struct api_response *ret_response) {
    (void)name, (void)length;
    send(api, admission, "application/json", api->limits_json.data, api->limits_json.length, ret_response);
}

static void version_page(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                         struct api_response *ret_response) {
    (void)name, (void)length;
    send(api, admission, "application/json", api->version_json.data, api->version_json.length, ret_response);
}

static const struct problem_row *find_problem(const char *name, size_t length) {
    for (size_t p = 0; p < PROBLEM_COUNT; p++)
        if (strlen(problem_table[p].slug) == length && memcmp(problem_table[p].slug, name, length) == 0)
            return &problem_table[p];
    return NULL;
}

static bool knows_problem(const char *name, size_t length) { return find_problem(name, length) != NULL; }

static void problem_page(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                         struct api_response *ret_response) {
    struct buffer body;
    buffer_init(&body, SIZE_MAX, NULL);
    if (!write_problem_page(find_problem(name, length), &body)) {
        buffer_clear(&body);
        api_respond_overloaded(api, admission, "memory is exhausted", ret_response);
        return;
    }
    response_init(api, admission, 200, "text/html; charset=utf-8", ret_response);
    response_take(ret_response, &body);
}

#define ALLOW_PAGE "GET, HEAD, OPTIONS"
#define ALLOW_SOLVE "GET, HEAD, OPTIONS, POST"

static const struct route routes[] = {
    {.path = "/pawn", .allow = ALLOW_SOLVE, .kind = ROUTE_SOLVE, .game = &pawn_game},
    {.path = "/go", .allow = ALLOW_SOLVE, .kind = ROUTE_SOLVE, .game = &go_game},
    {.path = "/mine", .allow = ALLOW_SOLVE, .kind = ROUTE_SOLVE, .game = &mine_game},
    {.path = "/", .allow = ALLOW_PAGE, .kind = ROUTE_PAGE, .page = home_page},
    {.path = "/openapi.yaml", .allow = ALLOW_PAGE, .kind = ROUTE_PAGE, .page = openapi_page},
    {.path = "/limits", .allow = ALLOW_PAGE, .kind = ROUTE_PAGE, .page = limits_page},
    {.path = "/version", .allow = ALLOW_PAGE, .kind = ROUTE_PAGE, .page = version_page},
    {.path = "/problems/", .knows = knows_problem, .allow = ALLOW_PAGE, .kind = ROUTE_PAGE, .page = problem_page},
    {.path = "/livez", .allow = ALLOW_PAGE, .kind = ROUTE_PROBE, .probe = API_LIVEZ},
    {.path = "/readyz", .allow = ALLOW_PAGE, .kind = ROUTE_PROBE, .probe = API_READYZ},
};

const struct route *find_route(const char *path, size_t length, const char **ret_name, size_t *ret_length) {
    for (size_t r = 0; r < sizeof routes / sizeof *routes; r++) {
        size_t fixed = strlen(routes[r].path);
        if (length < fixed || memcmp(path, routes[r].path, fixed) != 0)
            continue;
        if (routes[r].knows != NULL ? !routes[r].knows(path + fixed, length - fixed) : length != fixed)
            continue;
        *ret_name = path + fixed;
        *ret_length = length - fixed;
        return &routes[r];
    }
    return NULL;
}
