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

/* How fast the client reads an answer. */
struct reader {
    uint64_t started;      /* bytes that were acknowledged at the first sample */
    uint64_t since, taken; /* the last time at which it had taken enough, and the bytes acknowledged then */
    struct reader_sample {
        uint64_t when, taken;
    } samples[READER_SAMPLES]; /* the latest consecutive samples with unacknowledged bytes, newest first */
    unsigned sample_count;
};

enum suspension {
    CONNECTION_RUNS,
    CONNECTION_SUSPENDED,
    CONNECTION_RESUMING, /* still suspended, and in the list `resumed` of its loop */
};

struct connection {
    struct message message; /* on its way to its loop, or back to the listener */
    struct listener *listener;
    struct http_loop *loop;
    struct MHD_Connection *mhd;
    struct exchange *exchange; /* the current request, from its request line on; or NULL */
    enum suspension suspension;
    struct event_source source; /* its socket, which the loop watches for a hang-up */
    struct timer hang_up_timer; /* set when the client has closed its sending side */
    struct timer timer;         /* its purpose depends on the state of the exchange: deadline.h */
    struct reader reader;       /* of the answer that is being sent */
    STAILQ_ENTRY(connection) resumed_entry;
    LIST_ENTRY(connection) entry;   /* in its loop */
    bool is_own_answer;             /* libmicrohttpd has answered by itself, and this is not reported yet */
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
