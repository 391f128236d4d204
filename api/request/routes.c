#include "api/request/routes.h"

#include "api/request/games.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/words.h"

#include <string.h>

static const char allow_page[] = "GET, HEAD, OPTIONS", allow_solve[] = "GET, HEAD, OPTIONS, POST";

/* Content security policies: the main pages may load files from this service, send requests to it, and show pictures
 * that they have created; pages about problems may load nothing. */
#define NO_OTHERS "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
static const char bare[] = "default-src 'none'; " NO_OTHERS;
static const char own[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                          "img-src 'self' blob: data:; connect-src 'self'; " NO_OTHERS;

/* A path that ends in a slash, other than "/", is the prefix of a family of pages. `finds`: the page is found by its
 * full path. */
static const struct fixed {
    struct route route; /* without `allow` */
    bool finds;
} table[] = {
    {{ROUTE_PAGE, "/", .policy = own}, true},
    {{ROUTE_PAGE, "/web/", .policy = own}, true},
    {{ROUTE_PAGE, "/docs", .policy = own}, true},
    {{ROUTE_PAGE, "/docs/", .policy = own}, true},
    {{.kind = ROUTE_PAGE, .path = "/openapi.yaml"}, true},
    {{.kind = ROUTE_PAGE, .path = "/openapi.json"}, true},
    {{ROUTE_PAGE, "/limits", .page = PAGE_LIMITS}, false},
    {{ROUTE_PAGE, "/version", .page = PAGE_VERSION}, false},
    {{ROUTE_PAGE, "/problems", .page = PAGE_PROBLEMS, .policy = bare}, false},
    {{ROUTE_PAGE, "/problems/", .policy = bare}, true},
    {{ROUTE_PROBE, "/livez", .probe = ROUTE_LIVEZ}, false},
    {{ROUTE_PROBE, "/readyz", .probe = ROUTE_READYZ}, false},
    {{ROUTE_PROBE, "/metrics", .probe = ROUTE_METRICS}, false},
    {{.kind = ROUTE_PAGE, .path = "/favicon.ico"}, true},
    {{.kind = ROUTE_PAGE, .path = "/robots.txt"}, true},
};

static bool is_family(const struct fixed *fixed) {
    size_t length = strlen(fixed->route.path);
    return length > 1 && fixed->route.path[length - 1] == '/';
}

enum { FIXED_COUNT = sizeof table / sizeof *table };

static struct route route_of_game(const struct game *game) {
    return (struct route){.kind = ROUTE_SOLVE, .path = game->path, .allow = allow_solve, .game = game};
}

static struct route route_of(const struct fixed *fixed) {
    struct route route = fixed->route;
    route.allow = allow_page;
    return route;
}

bool route_find(const char *path, size_t length, struct route *ret_route) {
    for (size_t g = 0; g < game_count; g++)
        if (ascii_equals(path, length, games[g]->path)) {
            *ret_route = route_of_game(games[g]);
            return true;
        }
    for (size_t r = 0; r < FIXED_COUNT; r++) {
        const struct fixed *fixed = &table[r];
        if (length > 1 && path[1] != fixed->route.path[1]) /* the usual case */
            continue;
        size_t prefix = strlen(fixed->route.path);
        if (length < prefix || memcmp(path, fixed->route.path, prefix) != 0 || (length > prefix && !is_family(fixed)))
            continue;
        *ret_route = route_of(fixed);
        if (fixed->finds && !pages_find(path, length, &ret_route->page))
            continue;
        return true;
    }
    return false;
}

size_t route_count(void) { return game_count + FIXED_COUNT; }

struct route route_at(size_t index) {
    return index < game_count ? route_of_game(games[index]) : route_of(&table[index - game_count]);
}

void route_list(struct buffer *out) {
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "%s%s", g != 0 ? ", " : "", games[g]->path);
    for (size_t r = 0; r < FIXED_COUNT; r++)
        buffer_printf(out, ", %s%s", table[r].route.path, is_family(&table[r]) ? "NAME" : "");
}

const char *route_nearest(const char *path, size_t length) {
    enum { MAX_GAMES = 8 };
    const char *paths[MAX_GAMES + FIXED_COUNT + 1] = {NULL};
    ASSERT(game_count <= MAX_GAMES);
    size_t count = 0;
    for (size_t r = 0; r < route_count(); r++) {
        struct route route = route_at(r);
        if (route.path[1] != 0 && route.path[strlen(route.path) - 1] != '/')
            paths[count++] = route.path;
    }
    return words_nearest(paths, path, length);
}
