#include "api/request/routes.h"

#include "api/request/games.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/words.h"

#include <string.h>

/* The main pages may load files from this service, send requests to it, and show pictures that they have created. */
static const char own[] = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                          "connect-src 'self'; " PAGES_NO_OTHERS;

/* A path that ends in a slash, other than "/", is the prefix of a family of pages. */
static const struct route table[] = {
    {ROUTE_PAGE, "/", .policy = own},
    {ROUTE_PAGE, "/web/", .policy = own},
    {ROUTE_PAGE, "/docs", .policy = own},
    {ROUTE_PAGE, "/docs/", .policy = own},
    {.kind = ROUTE_PAGE, .path = "/openapi.yaml"},
    {.kind = ROUTE_PAGE, .path = "/openapi.json"},
    {.kind = ROUTE_PAGE, .path = "/limits"},
    {.kind = ROUTE_PAGE, .path = "/version"},
    {ROUTE_PAGE, "/problems", .policy = pages_bare},
    {ROUTE_PAGE, "/problems/", .policy = pages_bare},
    {ROUTE_PROBE, "/livez", .probe = ROUTE_LIVEZ},
    {ROUTE_PROBE, "/readyz", .probe = ROUTE_READYZ},
    {ROUTE_PROBE, "/metrics", .probe = ROUTE_METRICS},
    {.kind = ROUTE_PAGE, .path = "/favicon.ico"},
    {.kind = ROUTE_PAGE, .path = "/robots.txt"},
};

enum { FIXED_COUNT = sizeof table / sizeof *table };

static bool is_family(const struct route *route) {
    size_t length = strlen(route->path);
    return length > 1 && route->path[length - 1] == '/';
}

static struct route route_of_game(const struct game *game) {
    return (struct route){.kind = ROUTE_SOLVE, .path = game->path, .game = game};
}

bool route_find(const char *path, size_t length, struct route *ret_route) {
    for (size_t g = 0; g < game_count; g++)
        if (ascii_equals(path, length, games[g]->path)) {
            *ret_route = route_of_game(games[g]);
            return true;
        }
    for (size_t r = 0; r < FIXED_COUNT; r++) {
        const struct route *route = &table[r];
        if (length > 1 && path[1] != route->path[1]) /* the usual case */
            continue;
        size_t prefix = strlen(route->path);
        if (length < prefix || memcmp(path, route->path, prefix) != 0 || (length > prefix && !is_family(route)))
            continue;
        *ret_route = *route;
        if (route->kind != ROUTE_PAGE || pages_find(path, length, &ret_route->page))
            return true;
    }
    return false;
}

size_t route_count(void) { return game_count + FIXED_COUNT; }

struct route route_at(size_t index) {
    return index < game_count ? route_of_game(games[index]) : table[index - game_count];
}

void route_list(struct buffer *out) {
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "%s%s", g != 0 ? ", " : "", games[g]->path);
    for (size_t r = 0; r < FIXED_COUNT; r++)
        buffer_printf(out, ", %s%s", table[r].path, is_family(&table[r]) ? "NAME" : "");
}

const char *route_nearest(const char *path, size_t length) {
    enum { MAX_GAMES = 8 };
    const char *paths[MAX_GAMES + FIXED_COUNT + 1] = {NULL};
    ASSERT(game_count <= MAX_GAMES);
    size_t count = 0;
    for (size_t r = 0; r < route_count(); r++) {
        struct route route = route_at(r);
        if (route.path[1] != 0 && !is_family(&route))
            paths[count++] = route.path;
    }
    return words_nearest(paths, path, length);
}
