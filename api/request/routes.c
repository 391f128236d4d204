#include "api/request/routes.h"

#include "api/request/games.h"

#include <string.h>

static const char allow_page[] = "GET, HEAD, OPTIONS", allow_solve[] = "GET, HEAD, OPTIONS, POST";

static const struct fixed {
    const char *path;
    enum route_kind kind;
    page_writer *page;
    bool (*knows)(const char *name, size_t length); /* the path is a prefix, and this knows what may follow; or NULL */
    enum route_probe probe;
} table[] = {
    {"/", ROUTE_PAGE, .page = page_home},
    {"/openapi.yaml", ROUTE_PAGE, .page = page_openapi},
    {"/limits", ROUTE_PAGE, .page = page_limits},
    {"/version", ROUTE_PAGE, .page = page_version},
    {"/problems/", ROUTE_PAGE, .page = page_problem, .knows = page_knows_problem},
    {"/livez", ROUTE_PROBE, .probe = ROUTE_LIVEZ},
    {"/readyz", ROUTE_PROBE, .probe = ROUTE_READYZ},
};

static bool is(const char *path, size_t length, const char *word) {
    return length == strlen(word) && memcmp(path, word, length) == 0;
}

bool route_find(const char *path, size_t length, struct route *ret_route) {
    for (size_t g = 0; g < game_count && length > 1; g++)
        if (is(path + 1, length - 1, games[g]->name)) {
            *ret_route = (struct route){.kind = ROUTE_SOLVE, .allow = allow_solve, .game = games[g]};
            return true;
        }
    for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
        const struct fixed *fixed = &table[r];
        size_t prefix = strlen(fixed->path);
        if (length < prefix || memcmp(path, fixed->path, prefix) != 0)
            continue;
        if (fixed->knows != NULL ? !fixed->knows(path + prefix, length - prefix) : length != prefix)
            continue;
        *ret_route = (struct route){.kind = fixed->kind,
                                    .allow = allow_page,
                                    .page = fixed->page,
                                    .name = path + prefix,
                                    .name_length = length - prefix,
                                    .probe = fixed->probe};
        return true;
    }
    return false;
}
