/* Who has hung up, of the clients that wait for work to be done.
 *
 * While a connection is suspended libmicrohttpd does not look at it, and a stream's it looks at when it sends. So the
 * sockets of requests that are with the workers are watched here: a client that is gone, or has closed its sending
 * side, is told once. */
#pragma once

#include <stdbool.h>

struct watch;

/* A connection; the caller holds it, zeroed but for the first two. */
struct watched {
    int socket;
    void (*gone)(struct watched *watched); /* its client has left; called by watch_look and watch_end_all */
    bool is_watched;
    struct watched *before, *behind;
};

/* NULL when memory or descriptors are exhausted. */
struct watch *watch_new(void);
void watch_free(struct watch *watch);

/* A descriptor that can be read when somebody may have hung up. */
int watch_descriptor(const struct watch *watch);

/* Begin to watch. Any thread. */
void watch_begin(struct watch *watch, struct watched *watched);

/* End it; afterwards `gone` is not called and not running. Any thread but from `gone`. */
void watch_end(struct watch *watch, struct watched *watched);

/* Call `gone` for those who have hung up since the last call. */
void watch_look(struct watch *watch);

/* Call `gone` for all, and end to watch them. */
void watch_dismiss(struct watch *watch);
