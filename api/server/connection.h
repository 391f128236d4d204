/* A client's connection. It belongs to one loop, and so to one thread; before it has come there, and after it was
 * closed, to the listener. */
#pragma once

#include "api/server/loop.h"
#include "api/server/peer.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>

struct exchange;
struct http_loop;
struct listener;

enum { READER_SAMPLES = 3 /* at a reader, that are remembered */ };

/* How quick the reader of an answer is. */
struct reader {
    uint64_t started;      /* how many bytes had been acknowledged at the first look at it */
    uint64_t since, taken; /* when it had taken enough for the last time, and how many were acknowledged then */
    struct reader_sample {
        uint64_t when, taken;
    } samples[READER_SAMPLES]; /* the last ones in a row in which something waited to be taken, the newest first */
    unsigned sample_count;
};

struct connection {
    struct message message; /* on its way to its loop, or back to the listener */
    struct listener *listener;
    struct http_loop *loop;
    struct MHD_Connection *mhd;
    struct exchange *exchange; /* the request that is under way, from its request line on; or NULL */
    struct source source;      /* its socket, while it is watched for a hang-up */
    struct timer timer;        /* what it is for follows from the exchange: deadline.h */
    struct reader reader;      /* of the answer that is being sent */
    STAILQ_ENTRY(connection) resumed_entry;
    LIST_ENTRY(connection) entry;   /* in its loop */
    bool is_late;                   /* accepted while the listener drains */
    struct peer peer;               /* the other end of the socket */
    char peer_text[PEER_TEXT_SIZE]; /* the same for the log, once it was needed */
    union {
        struct sockaddr any;
        struct sockaddr_in6 largest;
    } address;
    socklen_t address_size;
    unsigned hang_ups_seen; /* in a row, at which its client was found hung up in the middle of a body */
};

/* Its socket. */
static inline int connection_socket(const struct connection *connection) { return connection->source.descriptor; }
