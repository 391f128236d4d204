/* The states of an exchange: which event leads from one to another, and what is in effect in each.
 *
 *     HEAD --HEAD_READ--> ADMIT --WANT_BODY--> BODY --ANSWERED (solved here)------------> ANSWER --SEND--> SEND
 *                           |                   |  \                                      ^ ^
 *                           |                 DROP  PUSHED                                | |
 *                           |                   v     v                                   | |
 *                           |                 DROP  SOLVE --ASKED--> SOLVE_WAIT --SOLVED--+ |
 *                           |                   |   (OPENED and SOLVED are possible in both)|
 *                           |                   +--ANSWERED---------------------------------+
 *                           +--ANSWERED-----------------------------------------------------+
 *                           +--ANSWERED_EARLY--> SEND_EARLY (a body is coming, and is not read)
 *
 *     HEAD, BODY, DROP --SENT--> SENT (bypassing libmicrohttpd, which cannot read the head; or the body is too slow)
 *
 *     a stream:               SOLVE, SOLVE_WAIT             BODY (solved here)
 *                                   | OPENED                  | OPENED
 *                                   v                         v
 *                                  OPEN ------SOLVED----> OPEN_WHOLE
 *                                   | SEND                    | SEND
 *                                   v                         v
 *     STREAM_WAIT <-NO_LINES/LINES-> STREAM --SOLVED--> STREAM_WHOLE --SENT--> SENT (HTTP/1.0)
 *          +--------------------SOLVED----------------------^
 *
 * CUT_OFF ends an exchange in any of these states without sending the rest of its answer. It leads to CUT_OFF or, while
 * the job is in the queue, to CANCELLED until SOLVED. CLOSED, when libmicrohttpd ends the request, leads to ENDED or,
 * while the job is in the queue, to the state CLOSED.
 *
 * A row in `state_rows` says what is in effect in a state. Only exchange_happens acts on it, by applying the difference
 * between two rows. */
#pragma once

#include <stdbool.h>

enum state {
    STATE_NONE,         /* no state: the event is impossible */
    STATE_HEAD,         /* the head is being read */
    STATE_ADMIT,        /* the head is complete, and being checked */
    STATE_BODY,         /* the body is being read */
    STATE_DROP,         /* the body is too large, or there is no memory for it; the rest is discarded */
    STATE_SOLVE,        /* the job is in the queue; libmicrohttpd is about to ask for the answer */
    STATE_SOLVE_WAIT,   /* the same, after it has asked */
    STATE_ANSWER,       /* the response is ready; libmicrohttpd is about to ask for it */
    STATE_SEND,         /* the response is being sent */
    STATE_SEND_EARLY,   /* the response is being sent before the body has arrived */
    STATE_OPEN,         /* the head of a stream is ready; libmicrohttpd is about to ask for it */
    STATE_OPEN_WHOLE,   /* the same, and all lines are ready */
    STATE_STREAM,       /* the lines of a stream are being sent */
    STATE_STREAM_WAIT,  /* all ready lines have been sent, and the next one is not ready */
    STATE_STREAM_WHOLE, /* the lines are being sent, and all of them are ready */
    STATE_SENT,         /* the whole answer was sent without libmicrohttpd's knowledge; the sending side is closed */
    STATE_CANCELLED,    /* no answer, or no more of it, will be sent; the queue is about to release the job */
    STATE_CUT_OFF,      /* the same, but the job is not in the queue */
    STATE_CLOSED,       /* libmicrohttpd has ended the request; the queue is about to release the job */
    STATE_ENDED,        /* neither libmicrohttpd nor the queue has it */
    STATES,
};

enum event {
    EVENT_HEAD_READ,      /* the head is complete */
    EVENT_WANT_BODY,      /* the head is accepted, and a body or a job follows */
    EVENT_ANSWERED,       /* the answer is known and the job is not in the queue; it is sent when libmicrohttpd asks
                           * for it */
    EVENT_ANSWERED_EARLY, /* the answer is handed to libmicrohttpd before the body is read */
    EVENT_DROP,           /* the body exceeds its limit, or there is no memory for it */
    EVENT_PUSHED,         /* the job was pushed to the queue */
    EVENT_ASKED,          /* libmicrohttpd asks for the answer, which is not ready */
    EVENT_OPENED,         /* the job is a stream, and its head is ready */
    EVENT_SOLVED,         /* the queue has released the job */
    EVENT_SEND,           /* the response was handed to libmicrohttpd */
    EVENT_NO_LINES,       /* all ready lines have been sent */
    EVENT_LINES,          /* there are more lines */
    EVENT_SENT,           /* the whole answer was sent: either bypassing libmicrohttpd (send_past), or all lines of a
                           * stream over HTTP/1.0, where the answer ends with the connection */
    EVENT_CUT_OFF,        /* the rest of the answer will not be sent; see `reason` */
    EVENT_CLOSED,         /* libmicrohttpd has ended the request */
    EVENTS,
};

/* The only timer of a connection: it determines what the connection waits for, and for how long. */
enum state_timer {
    TIMER_NONE,   /* nothing from the client */
    TIMER_HEAD,   /* the next head must be complete in time */
    TIMER_BODY,   /* the body must be complete in time, or the answer is 408 */
    TIMER_READER, /* the client must read the answer fast enough (watch.h) */
    TIMER_LEAVE,  /* the client has its answer, and has two seconds to close the connection */
    STATE_TIMERS,
};

/* What happens to the socket on entering a state, unless the previous state has the same value. */
enum state_socket {
    SOCKET_OPEN,     /* nothing */
    SOCKET_ENDLESS,  /* HTTP/1.0, where the answer ends with the connection: closing resets it, until FINISHED */
    SOCKET_LINGERS,  /* nothing now; when libmicrohttpd closes it, it lingers until the client has read the answer */
    SOCKET_FINISHED, /* its sending side is closed */
    SOCKET_SHUT,     /* shut down, so that libmicrohttpd closes the connection; reset if it was ENDLESS */
};

/* Whether the job is in the queue. */
enum state_queue {
    QUEUE_NONE, /* no; at most, the loop works on it */
    QUEUE_HAS,
    QUEUE_DROPS, /* yes, but it was cancelled and is about to be released */
};

struct state_row {
    const char *name; /* its name in the log, which stays the same even if the identifier is renamed */
    enum state_timer timer;
    enum state_queue queue;
    enum state_socket socket;
    bool suspended; /* libmicrohttpd ignores the connection, and so cannot close it */
    bool keeps_job; /* keeps the body and the job, if any; entering a state without this frees them */
    bool in_flight; /* counted in arbiter_requests_in_flight; a shutdown waits for it */
    bool sends;     /* an answer is being sent, and the bytes that it holds count towards its client (watch.h) */
    bool streams;   /* counted in arbiter_streams_open */
};

extern const struct state_row state_rows[STATES];

/* The names of the events in the log. */
extern const char *const event_names[EVENTS];

/* Returns the state that an event leads to, or STATE_NONE if the event is impossible in this state. */
enum state state_after(enum state state, enum event event);

/* Why a request was refused or cut off, as named in the log and the metrics. */
enum reason {
    REASON_NONE, /* it was answered */

    /* It was refused, or its answer could not be computed or sent; QUEUE_FULL to HEAD are counted in
     * arbiter_refusals_total. */
    REASON_QUEUE_FULL,
    REASON_MEMORY_FULL, /* the account is exhausted */
    REASON_MEMORY,      /* the system has no memory, or a thread's workspace is too small */
    REASON_MAX_WAIT,
    REASON_TOO_LARGE, /* a body of unannounced length exceeded the limit */
    REASON_LEAVING,
    REASON_FRAMING,
    REASON_MAKE_ROOM, /* its connection, or the memory that its answer held, was needed by other clients */
    REASON_HEAD,      /* libmicrohttpd cannot parse it */

    /* The client was too slow; HEAD_TIMEOUT to SEND_TIMEOUT are counted in arbiter_timeouts_total. */
    REASON_HEAD_TIMEOUT,
    REASON_BODY_TIMEOUT,
    REASON_SEND_TIMEOUT,

    /* The client closed or lost the connection; counted in arbiter_clients_gone_total. */
    REASON_CONNECTION_LOST, /* in the middle of its body */
    REASON_CLIENT_GONE,
    REASONS,
};

/* The name of each reason, such as "queue-full". NULL for REASON_NONE. */
extern const char *const reason_names[REASONS];
