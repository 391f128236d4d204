/* Every path that is served, in one table. */
#pragma once

#include "api/game/game.h"
#include "api/internal.h"

enum route_kind {
    ROUTE_SOLVE, /* a POST with cases */
    ROUTE_PAGE,  /* a GET of a page that this room writes */
    ROUTE_PROBE, /* a GET that the server answers */
};

struct route {
    const char *path;
    /* NULL, or: the path is a prefix, and what follows it must be a name that this knows. */
    bool (*knows)(const char *name, size_t length);
    const char *allow;
    enum route_kind kind;
    const struct game *game; /* ROUTE_SOLVE */
    /* ROUTE_PAGE: write the page, of a family the one called `name`. */
    void (*page)(const struct api *api, const struct api_admission *admission, const char *name, size_t length,
                 struct api_response *ret_response);
    enum api_probe probe; /* ROUTE_PROBE */
};

/* The route of a path, and what follows a prefix; NULL when there is none. */
const struct route *find_route(const char *path, size_t length, const char **ret_name, size_t *ret_length);
