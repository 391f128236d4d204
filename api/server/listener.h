/* The listening socket: accepts connections, counts them, and gives each to the loop that has the fewest. On the first
 * loop's thread. */
#pragma once

#include "api/server/client.h"
#include "api/server/connection.h"
#include "api/server/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct http_loop;

enum listener_state {
    LISTENER_ACCEPTS,
    LISTENER_HANDS_OVER, /* it accepts, and counts down the connections that were open before */
    LISTENER_ENDED,
};

struct listener {
    enum listener_state state;
    struct event_source source; /* the listening socket */
    struct http_loop *loops;
    size_t *open; /* the number of connections of each loop */
    size_t loop_count;
    size_t connections, max_connections;
    size_t open_before_hand_over; /* those of them that were open when listener_hand_over was called */
    void (*connections_ended)(struct listener *listener);
    size_t max_per_client; /* connections of one client; 0: any number, and they are not counted */
    struct client_totals clients;
    bool is_watched;
    struct timer timer; /* for the next try, after a lack of descriptors or memory */
};

/* Begin to accept. The arrays belong to the caller; `open` is zeroed. `max_per_client`: connections of one client, 0:
 * any number. False when the system has no memory for it. */
bool listener_begin(struct listener *listener, int listening, struct http_loop *loops, size_t *open, size_t loop_count,
                    size_t max, size_t max_per_client);

/* Accept on, and count down the connections that are open now. `connections_ended` is called when the last of them has
 * ended. After listener_end it is called when the last connection accepted since then has ended. Returns the number of
 * connections that are open now. */
size_t listener_hand_over(struct listener *listener, void (*connections_ended)(struct listener *listener));

/* Get how many open connections were accepted since listener_hand_over. */
static inline size_t listener_open_since_hand_over(const struct listener *listener) {
    return listener->connections - listener->open_before_hand_over;
}

/* Stop accepting. Nothing happens if it has stopped already. */
void listener_end(struct listener *listener);

/* Free what it holds. All connections are closed. */
void listener_clear(struct listener *listener);

/* A connection is closed, or could not be opened: uncount and free it. Called by the thread that owns the connection.
 */
void listener_take_back(struct connection *connection);
