/* The routes: one per game, and those of a fixed table. */
#pragma once

#include "api/request/pages.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

struct game;

enum route_kind {
    ROUTE_SOLVE, /* POST with cases, or GET with one */
    ROUTE_PAGE,  /* GET of a page */
    ROUTE_PROBE, /* GET that the server answers itself */
};

enum route_probe { ROUTE_LIVEZ, ROUTE_READYZ, ROUTE_METRICS };

/* A route. Strings live as long as the program. */
struct route {
    enum route_kind kind;
    const char *path;        /* as in the table: for a family, its prefix; for a game, its name after the slash */
    const struct game *game; /* ROUTE_SOLVE */
    size_t page;             /* ROUTE_PAGE: its number */
    const char *policy;      /* ROUTE_PAGE: its Content-Security-Policy, or NULL */
    enum route_probe probe;  /* ROUTE_PROBE */
};

/* Find the route of a path of `length` bytes. Returns false if there is none. */
bool route_find(const char *path, size_t length, struct route *ret_route);

/* Get the number of routes, and one of them, without its page. */
size_t route_count(void);
struct route route_at(size_t index);

/* Append all paths, separated by commas. */
void route_list(struct buffer *out);

/* Find the path that is probably meant by an unknown one. Returns NULL if none is near. */
const char *route_nearest(const char *path, size_t length);
