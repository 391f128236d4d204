/* The listening socket: accepts connections, counts them, and gives each to the loop that has fewest. On the first
 * loop's thread. */
#pragma once

#include "api/server/client_totals.h"
#include "api/server/connection.h"
#include "api/server/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct http_loop;

enum listener_state {
    LISTENER_ACCEPTS,
    LISTENER_DRAINS, /* it accepts, and waits for the connections of before */
    LISTENER_ENDED,
};

struct listener {
    enum listener_state state;
    struct source source; /* the listening socket */
    struct http_loop *loops;
    size_t *open; /* connections of each loop */
    size_t loop_count;
    size_t connections, max_connections;
    size_t open_before_drain; /* of these, those that were open when it began to drain */
    void (*drained)(struct listener *listener);
    size_t max_per_client; /* connections of one client; 0: any number, and they are not counted */
    struct client_totals clients;
    bool is_watched;
    struct timer timer; /* for another try, where there was no descriptor or memory */
};

/* Begin to accept. The arrays are the caller's, `open` zeroed; `max_per_client`: connections of one client, 0: any
 * number. False when the system has no memory for it. */
bool listener_begin(struct listener *listener, int listening, struct http_loop *loops, size_t *open, size_t loop_count,
                    size_t max, size_t max_per_client);

/* Go on accepting, and count down the connections that are open now. `drained` is called when the last of them has
 * ended, and, after listener_end, when the last later one has. Returns the number of those that are open now. */
size_t listener_drain(struct listener *listener, void (*drained)(struct listener *listener));

/* How many connections are open that were accepted since listener_drain. */
static inline size_t listener_open_since_drain(const struct listener *listener) {
    return listener->connections - listener->open_before_drain;
}

/* Accept no more. Nothing happens if that is so already. */
void listener_end(struct listener *listener);

/* All connections are closed. */
void listener_clear(struct listener *listener);

/* A connection is closed, or could not be opened: forget and free it. Any thread that owns the connection. */
void listener_take_back(struct connection *connection);
