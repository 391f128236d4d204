#include "api/request/routes.h"

#include "api/request/games.h"
#include "base/ascii.h"

#include <string.h>

static const char allow_page[] = "GET, HEAD, OPTIONS", allow_solve[] = "GET, HEAD, OPTIONS, POST";

/* Content security policies: pages for people may load the files of this service, ask it, and show pictures that they
 * have made; pages about problems may do nothing. */
#define NO_OTHERS "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
static const char bare[] = "default-src 'none'; " NO_OTHERS;
static const char own[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                          "img-src 'self' blob: data:; connect-src 'self'; " NO_OTHERS;

/* A path that ends in a slash, except "/", is the prefix of a family of pages. */
static const struct fixed {
    const char *path;
    enum route_kind kind;
    enum page page;
    bool (*find)(const char *path, size_t length, size_t *ret_page); /* finds the page of a family by the whole path; or
                                                                      * NULL */
    const char *policy;
    enum route_probe probe;
} table[] = {
    {"/", ROUTE_PAGE, .find = pages_find_file, .policy = own},
    {"/web/", ROUTE_PAGE, .find = pages_find_file, .policy = own},
    {"/docs", ROUTE_PAGE, .find = pages_find_file, .policy = own},
    {"/docs/", ROUTE_PAGE, .find = pages_find_file, .policy = own},
    {"/openapi.yaml", ROUTE_PAGE, .find = pages_find_file},
    {"/openapi.json", ROUTE_PAGE, .find = pages_find_file},
    {"/limits", ROUTE_PAGE, .page = PAGE_LIMITS},
    {"/version", ROUTE_PAGE, .page = PAGE_VERSION},
    {"/problems", ROUTE_PAGE, .page = PAGE_PROBLEMS, .policy = bare},
    {"/problems/", ROUTE_PAGE, .find = pages_find_problem, .policy = bare},
    {"/livez", ROUTE_PROBE, .probe = ROUTE_LIVEZ},
    {"/readyz", ROUTE_PROBE, .probe = ROUTE_READYZ},
    {"/metrics", ROUTE_PROBE, .probe = ROUTE_METRICS},
};

static bool is_family(const struct fixed *fixed) {
    size_t length = strlen(fixed->path);
    return length > 1 && fixed->path[length - 1] == '/';
}

enum { FIXED_COUNT = sizeof table / sizeof *table };

static struct route route_of_game(const struct game *game) {
    return (struct route){.kind = ROUTE_SOLVE, .path = game->name, .allow = allow_solve, .game = game};
}

static struct route route_of(const struct fixed *fixed, size_t page) {
    return (struct route){.kind = fixed->kind,
                          .path = fixed->path,
                          .allow = allow_page,
                          .page = page,
                          .policy = fixed->policy,
                          .probe = fixed->probe};
}

bool route_find(const char *path, size_t length, struct route *ret_route) {
    for (size_t g = 0; g < game_count && length > 1; g++)
        if (ascii_equals(path + 1, length - 1, games[g]->name)) {
            *ret_route = route_of_game(games[g]);
            return true;
        }
    for (size_t r = 0; r < FIXED_COUNT; r++) {
        const struct fixed *fixed = &table[r];
        size_t prefix = strlen(fixed->path), page = fixed->page;
        if (length < prefix || memcmp(path, fixed->path, prefix) != 0 || (length > prefix && !is_family(fixed)))
            continue;
        if (fixed->find != NULL && !fixed->find(path, length, &page))
            continue;
        *ret_route = route_of(fixed, page);
        return true;
    }
    return false;
}

size_t route_count(void) { return game_count + FIXED_COUNT; }

struct route route_at(size_t index) {
    return index < game_count ? route_of_game(games[index])
                              : route_of(&table[index - game_count], table[index - game_count].page);
}

void route_list(struct buffer *out) {
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "%s/%s", g != 0 ? ", " : "", games[g]->name);
    for (size_t r = 0; r < FIXED_COUNT; r++)
        buffer_printf(out, ", %s%s", table[r].path, is_family(&table[r]) ? "NAME" : "");
}
