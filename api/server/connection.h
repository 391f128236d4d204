/* A client's connection. It belongs to one loop, and therefore to one thread. Until its loop receives it, and after it
 * is closed, it belongs to the listener. */
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

enum { READER_SAMPLES = 3 /* samples kept per reader */ };

/* How fast the client reads an answer (watch.h). Zeroed whenever the connection's timer changes, and so when an answer
 * begins. */
struct reader {
    uint64_t started;      /* bytes acknowledged at the first sample */
    uint64_t since, taken; /* when it last read fast enough, and the bytes acknowledged by then */
    struct reader_sample {
        uint64_t when, taken;
    } samples[READER_SAMPLES]; /* the latest consecutive samples with unacknowledged bytes, newest first */
    unsigned sample_count;
};

struct connection {
    struct message message; /* to its loop, or back to the listener */
    struct listener *listener;
    struct http_loop *loop;
    struct MHD_Connection *mhd;
    struct exchange *exchange;      /* the current request, from its request line on; or NULL */
    struct timer timer;             /* for whatever it is waiting for: the column `timer` of its state */
    struct event_source source;     /* its socket, which the loop watches for a hang-up */
    struct timer hang_up_timer;     /* set when the client has closed its sending side */
    struct reader reader;           /* how fast the answer being sent is read */
    LIST_ENTRY(connection) entry;   /* in its loop's list */
    bool is_own_answer;             /* libmicrohttpd has answered by itself, and this has not been reported yet
                                     * (request.c) */
    struct peer peer;               /* the address of the other end of the socket */
    char peer_text[PEER_TEXT_SIZE]; /* the same, printed for the log; empty until needed */
    union {
        struct sockaddr any;
        struct sockaddr_in6 largest;
    } address;
    socklen_t address_size;
};

/* Get the socket of a connection. */
static inline int connection_socket(const struct connection *connection) { return connection->source.descriptor; }

/* The maximum number of sockets that linger in one loop. Beyond that, the oldest one is closed. */
enum { LINGER_MAX = 128 };

/* Keep the socket open when libmicrohttpd is about to close a connection whose client is still sending.
 *
 * A request rejected because of its head is answered before its body has arrived, and the connection then ends. Closing
 * a socket that has unread bytes makes the kernel send a reset, and a proxy that receives a reset while it is sending
 * drops the answer (HAProxy does so about half of the time). So only the sending side is closed. What the client still
 * sends is read and discarded until the client has read the answer and closes its side, for at most two seconds.
 *
 * The lingering socket uses a duplicate descriptor. If no descriptor or memory is available, the connection does not
 * linger. */
void connection_linger(const struct connection *connection);

/* Close all lingering sockets of a loop. */
void connection_end_lingering(struct http_loop *loop);
