/* Every path that is served: one for each game, and those of one table. */
#pragma once

#include "api/request/pages.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct game;

enum route_kind {
    ROUTE_SOLVE, /* a POST with cases, or a GET with one */
    ROUTE_PAGE,  /* a GET of a page */
    ROUTE_PROBE, /* a GET that the server answers */
};

enum route_probe { ROUTE_LIVEZ, ROUTE_READYZ, ROUTE_METRICS };

/* The route of a path. Strings live as long as the program. */
struct route {
    enum route_kind kind;
    const char *path;        /* in the table: of a family the prefix, of a game its name without the slash */
    const char *allow;       /* the methods */
    const struct game *game; /* ROUTE_SOLVE */
    size_t page;             /* ROUTE_PAGE: its number */
    const char *policy;      /* ROUTE_PAGE: its Content-Security-Policy; NULL: none */
    enum route_probe probe;  /* ROUTE_PROBE */
};

/* Find the route of a path of `length` bytes; false when there is none. */
bool route_find(const char *path, size_t length, struct route *ret_route);

/* How many routes there are, and one of them; of a family of pages `page` is none of it. */
size_t route_count(void);
struct route route_at(size_t index);

/* Append all paths, with commas between them. */
void route_list(struct buffer *out);
