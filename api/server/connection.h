/* A client's connection. It belongs to one loop, and so to one thread. Before its loop gets it, and after it is closed,
 * it belongs to the listener. */
#pragma once

#include "api/server/client.h"
#include "api/server/loop.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>

struct exchange;
struct http_loop;
struct listener;

enum { READER_SAMPLES = 3 /* samples of a reader that are kept */ };

/* How fast the client reads an answer (watch.h). Zeroed: the answer begins. */
struct reader {
    uint64_t started;      /* bytes that were acknowledged at the first sample */
    uint64_t since, taken; /* the last time at which it had taken enough, and the bytes acknowledged then */
    struct reader_sample {
        uint64_t when, taken;
    } samples[READER_SAMPLES]; /* the latest consecutive samples with unacknowledged bytes, newest first */
    unsigned sample_count;
};

struct connection {
    struct message message; /* on its way to its loop, or back to the listener */
    struct listener *listener;
    struct http_loop *loop;
    struct MHD_Connection *mhd;
    struct exchange *exchange;      /* the current request, from its request line on; or NULL */
    struct timer timer;             /* for what it waits for: its state's column `timer` */
    struct event_source source;     /* its socket, which the loop watches for a hang-up */
    struct timer hang_up_timer;     /* set when the client has closed its sending side */
    struct reader reader;           /* of the answer that is being sent */
    LIST_ENTRY(connection) entry;   /* in its loop */
    bool is_own_answer;             /* libmicrohttpd has answered by itself, and this is not reported yet (request.c) */
    struct peer peer;               /* the address of the other end of the socket */
    char peer_text[PEER_TEXT_SIZE]; /* the same as text for the log; empty until it is needed */
    union {
        struct sockaddr any;
        struct sockaddr_in6 largest;
    } address;
    socklen_t address_size;
};

/* Get its socket. */
static inline int connection_socket(const struct connection *connection) { return connection->source.descriptor; }

/* The most sockets that linger in a loop; beyond that the oldest is closed. */
enum { LINGER_MAX = 128 };

/* Keep the socket of a connection open that libmicrohttpd is about to close, while its client still sends.
 *
 * A request that is refused by its head is answered before its body has arrived, and that ends the connection. If a
 * socket is closed while it has unread bytes, the kernel sends a reset. A proxy that gets a reset while it sends drops
 * the answer (HAProxy does so half of the time). So only the sending side is closed, and what the client sends is read
 * and dropped until it has read the answer and closes too, for two seconds at most.
 *
 * The socket lingers with a descriptor of its own. Without a descriptor or memory nothing happens. */
void connection_linger(const struct connection *connection);

/* Close all lingering sockets of a loop. */
void connection_end_lingering(struct http_loop *loop);
