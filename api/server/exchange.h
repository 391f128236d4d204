/* A request and its answer, as the server's files share them.
 *
 *     HEAD --a body is wanted--> BODY --complete--> SOLVE (the connection is suspended) --> ANSWER --> SENT
 *      |                          | too large, no room     |                                 ^
 *      |                         DROP ---------------------|----- small: solved here --------|
 *      +-- decided by the head alone ----------------------|---------------------------------+
 *      |                                                CUT_OFF: nobody is left to be answered
 *     REFUSED: libmicrohttpd would answer it, and badly
 *
 * An exchange has up to two holders, libmicrohttpd and the queue; who lets go last frees it. */
#pragma once

#include "api/api.h"
#include "api/server/deadlines.h"
#include "api/server/farewell.h"
#include "api/server/log.h"
#include "api/server/metrics.h"
#include "api/server/peer.h"
#include "api/server/reason.h"
#include "api/server/resume.h"
#include "api/server/watch.h"
#include "api/work/queue.h"

#include <microhttpd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUEST_ID_SIZE = 65, TRACE_ID_SIZE = 33, METHOD_SIZE = 12 };

struct http {
    struct MHD_Daemon *daemon;
    const struct service *service;
    struct account *account;
    struct log *log;
    struct peer_proxies *proxies;
    struct deadlines *deadlines;
    struct watch *watch;
    struct farewell *farewell;
    struct resumer *resumer;
    struct queue *queue;
    struct room room; /* the I/O thread's */
    int listening, wake;
    unsigned most_connections;
    struct exchange *heads; /* whose heads are read; the I/O thread's */
    atomic_bool unready, leaving, closing, dismissing;
    atomic_size_t in_flight;
    const char *version, *commit;
    bool metrics_elsewhere; /* not at this port */
    struct metrics *metrics;
    double start_time; /* of the process */
    /* The I/O thread's, which others read. */
    atomic_uint connections, streams;
    atomic_uint_fast64_t states;       /* that its searches have visited */
    atomic_uint_fast64_t untidy_since; /* when a request that was in the queue ended last; 0: all is tidy */
    uint64_t id_seed, id_count;        /* the I/O thread's */
    bool untrusted_proxy_logged;       /* the I/O thread's */
};

enum stage {
    STAGE_HEAD,    /* nothing was decided */
    STAGE_BODY,    /* the body is read */
    STAGE_DROP,    /* the body is read and dropped; `refusal` is the answer */
    STAGE_SOLVE,   /* with the workers, the connection is suspended */
    STAGE_ANSWER,  /* the response is ready, not yet queued */
    STAGE_CUT_OFF, /* there will be no answer */
    STAGE_SENT,    /* the response is queued */
    STAGE_REFUSED, /* answered past libmicrohttpd, which is to close the connection */
};

/* One request. */
struct exchange {
    struct task task; /* first: a task is its exchange */
    struct watched watched;
    struct resumable resumable;
    struct http *http;
    struct exchange *head_before, *head_behind; /* of those whose heads are read; the I/O thread's */
    struct MHD_Connection *connection;          /* of a stream, with the task's mutex held: NULL once it is closed */
    atomic_uint holders;
    enum stage stage;
    bool counted; /* in in_flight */
    bool queued;
    bool early; /* it was answered by its head, though its body is to come: that ends the connection */
    enum { REFUSE_TOO_LARGE, REFUSE_OVERLOADED } refusal;
    uint64_t dropped; /* bytes */
    struct admission admission;
    struct buffer body;
    struct response response;
    /* Of a stream, with the task's mutex held. */
    bool streams;     /* its lines are sent, or will be */
    bool suspended;   /* until there are more lines */
    bool cut_off;     /* it was stopped: there will be no more lines */
    bool old;         /* HTTP/1.0: the end of the connection is the end of the answer */
    struct peer peer; /* the client */
    /* For the log and the metrics. */
    enum reason reason; /* why it was refused or cut off */
    bool solved_here;   /* by the I/O thread */
    uint64_t began;     /* microseconds: when its head was complete; 0: it is not */
    uint64_t worked, bytes_in, bytes_out;
    char id[REQUEST_ID_SIZE], trace[TRACE_ID_SIZE], method[METHOD_SIZE];
    char target[];
};

/* The connection's deadline; NULL when there was no memory for one. */
struct deadline *exchange_deadline(struct MHD_Connection *connection);

/* The connection's socket; -1 when it has none. */
int exchange_socket(struct MHD_Connection *connection);

/* One holder lets go. */
void exchange_let_go(struct exchange *exchange);
