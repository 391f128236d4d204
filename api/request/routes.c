#include "api/request/routes.h"

#include "api/request/games.h"

#include <string.h>

static const char allow_page[] = "GET, HEAD, OPTIONS", allow_solve[] = "GET, HEAD, OPTIONS, POST";

static const struct fixed {
    const char *path;
    enum route_kind kind;
    enum page page;
    bool (*find)(const char *name, size_t length, enum page *ret_page); /* the path is a prefix, and this finds the page
                                                                           of what follows; or NULL */
    enum route_probe probe;
} table[] = {
    {"/", ROUTE_PAGE, .page = PAGE_HOME},
    {"/openapi.yaml", ROUTE_PAGE, .page = PAGE_OPENAPI_YAML},
    {"/openapi.json", ROUTE_PAGE, .page = PAGE_OPENAPI_JSON},
    {"/limits", ROUTE_PAGE, .page = PAGE_LIMITS},
    {"/version", ROUTE_PAGE, .page = PAGE_VERSION},
    {"/problems", ROUTE_PAGE, .page = PAGE_PROBLEMS},
    {"/problems/", ROUTE_PAGE, .find = pages_find_problem},
    {"/livez", ROUTE_PROBE, .probe = ROUTE_LIVEZ},
    {"/readyz", ROUTE_PROBE, .probe = ROUTE_READYZ},
};

static bool is(const char *path, size_t length, const char *word) {
    return length == strlen(word) && memcmp(path, word, length) == 0;
}

bool route_find(const char *path, size_t length, struct route *ret_route) {
    for (size_t g = 0; g < game_count && length > 1; g++)
        if (is(path + 1, length - 1, games[g]->name)) {
            *ret_route =
                (struct route){.kind = ROUTE_SOLVE, .path = games[g]->name, .allow = allow_solve, .game = games[g]};
            return true;
        }
    for (size_t r = 0; r < sizeof table / sizeof *table; r++) {
        const struct fixed *fixed = &table[r];
        size_t prefix = strlen(fixed->path);
        enum page page = fixed->page;
        if (length < prefix || memcmp(path, fixed->path, prefix) != 0)
            continue;
        if (fixed->find != NULL ? !fixed->find(path + prefix, length - prefix, &page) : length != prefix)
            continue;
        *ret_route = (struct route){
            .kind = fixed->kind, .path = fixed->path, .allow = allow_page, .page = page, .probe = fixed->probe};
        return true;
    }
    return false;
}

void route_list(struct buffer *out) {
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "%s/%s", g != 0 ? ", " : "", games[g]->name);
    for (size_t r = 0; r < sizeof table / sizeof *table; r++)
        buffer_printf(out, ", %s%s", table[r].path, table[r].find != NULL ? "NAME" : "");
}
