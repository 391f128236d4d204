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
 *                           +--ANSWERED_EARLY--> SEND_EARLY (a body is to come, and is not read)
 *
 *     HEAD, BODY, DROP --SENT--> SENT (past libmicrohttpd, which cannot read the head; or the body is too slow)
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
 * CUT_OFF ends an exchange without the rest of its answer, from any of these states: it leads to CANCELLED if the queue
 * has the job, until SOLVED; otherwise to CUT_OFF. CLOSED, the end of the request by libmicrohttpd, leads to ENDED, or
 * to the state CLOSED if the queue has the job.
 *
 * A row of `state_rows` says what is in effect in a state. exchange_happens applies the difference of two rows; nobody
 * else does any of it. */
#pragma once

#include <stdbool.h>

enum state {
    STATE_NONE,         /* no state: the event is impossible */
    STATE_HEAD,         /* the head is being read */
    STATE_ADMIT,        /* the head is complete, and being checked */
    STATE_BODY,         /* the body is being read */
    STATE_DROP,         /* the body is too large, or there is no memory for it; the rest of it is dropped */
    STATE_SOLVE,        /* the queue has the job; libmicrohttpd is about to ask for the answer */
    STATE_SOLVE_WAIT,   /* the same, after it has asked */
    STATE_ANSWER,       /* the response is ready; libmicrohttpd is about to ask for it */
    STATE_SEND,         /* the response is being sent */
    STATE_SEND_EARLY,   /* the response is being sent before the body has come */
    STATE_OPEN,         /* the head of a stream is ready; libmicrohttpd is about to ask for it */
    STATE_OPEN_WHOLE,   /* the same, and all lines are ready */
    STATE_STREAM,       /* the lines of a stream are being sent */
    STATE_STREAM_WAIT,  /* all ready lines were sent; the next one is not ready */
    STATE_STREAM_WHOLE, /* the lines are being sent, and all are ready */
    STATE_SENT,         /* the whole answer was sent without libmicrohttpd knowing, and the sending side is closed */
    STATE_CANCELLED,    /* there will be no answer, or no more of it; the queue is about to release the job */
    STATE_CUT_OFF,      /* the same, and the queue does not have the job */
    STATE_CLOSED,       /* libmicrohttpd has ended the request; the queue is about to release the job */
    STATE_ENDED,        /* neither libmicrohttpd nor the queue has it */
    STATES,
};

enum event {
    EVENT_HEAD_READ, /* the head is complete */
    EVENT_WANT_BODY, /* the head is good, and a body or a job follows */
    EVENT_ANSWERED,  /* the answer is known, and the queue did not have the job; it is sent when libmicrohttpd asks */
    EVENT_ANSWERED_EARLY, /* the answer is queued with libmicrohttpd before the body is read */
    EVENT_DROP,           /* the body passes its limit, or there is no memory for it */
    EVENT_PUSHED,         /* the queue has the job */
    EVENT_ASKED,          /* libmicrohttpd asks for the answer, and there is none yet */
    EVENT_OPENED,         /* the job is a stream, and its head is ready */
    EVENT_SOLVED,         /* the queue has released the job */
    EVENT_SEND,           /* the response is queued with libmicrohttpd */
    EVENT_NO_LINES,       /* all ready lines were sent */
    EVENT_LINES,          /* there are more lines */
    EVENT_SENT,           /* the whole answer was sent: past libmicrohttpd (send_past), or as all lines of a stream over
                           * HTTP/1.0, where the end of the connection is the end of the answer */
    EVENT_CUT_OFF,        /* there will be no more of the answer; the reason says why */
    EVENT_CLOSED,         /* libmicrohttpd has ended the request */
    EVENTS,
};

/* What a connection waits for, and for how long: its only timer. */
enum state_timer {
    TIMER_NONE,   /* for nothing that the client does */
    TIMER_HEAD,   /* the next head must be complete in time */
    TIMER_BODY,   /* the body must be complete in time; otherwise it is answered 408 */
    TIMER_READER, /* the client must read the answer fast enough (watch.h) */
    TIMER_LEAVE,  /* the client has its answer, and two seconds to close the connection */
};

/* What happens to the socket when the state begins, unless it was so before. */
enum state_socket {
    SOCKET_OPEN,     /* nothing */
    SOCKET_ENDLESS,  /* over HTTP/1.0, whose answer ends with the connection: a close is a reset, until FINISHED */
    SOCKET_LINGERS,  /* nothing; when libmicrohttpd closes it, it lingers until the client has read the answer */
    SOCKET_FINISHED, /* its sending side is closed */
    SOCKET_SHUT,     /* it is shut down, so that libmicrohttpd closes the connection; after ENDLESS it is reset */
};

/* Who has the job. */
enum state_queue {
    QUEUE_NONE, /* nobody, or the loop */
    QUEUE_HAS,
    QUEUE_DROPS, /* the queue has it, has been asked to cancel it, and is about to release it */
};

struct state_row {
    const char *name; /* in the log; stays when an identifier changes */
    enum state_timer timer;
    enum state_queue queue;
    enum state_socket socket;
    bool suspended; /* libmicrohttpd does not look at the connection, and so cannot close it */
    bool keeps_job; /* the body and the job, if there are any; they are freed when a state without them begins */
    bool in_flight; /* counted by arbiter_requests_in_flight; the shutdown waits for it */
    bool sends;     /* an answer is being sent, and its bytes of the account count for its client (watch.h) */
    bool streams;   /* counted by arbiter_streams */
};

extern const struct state_row state_rows[STATES];

/* The names of the events in the log. */
extern const char *const event_names[EVENTS];

/* The state that an event leads to; STATE_NONE if it is impossible in this state. */
enum state state_after(enum state state, enum event event);

/* Why a request was refused or cut off: the words of the log and of the metrics. */
enum reason {
    REASON_NONE, /* it was answered */

    /* It was refused, or its answer could not be made or sent: from QUEUE_FULL to HEAD, arbiter_refusals_total. */
    REASON_QUEUE_FULL,
    REASON_MEMORY_FULL, /* the account is exhausted */
    REASON_MEMORY,      /* the system has no memory, or a thread's workspace is too small */
    REASON_MAX_WAIT,
    REASON_TOO_LARGE, /* the answer is 413, or the body was far too large to read its rest */
    REASON_LEAVING,
    REASON_FRAMING,
    REASON_MAKE_ROOM, /* other clients needed the memory that its answer holds, or its connection */
    REASON_HEAD,      /* libmicrohttpd cannot parse it */

    /* The client took too long: from HEAD_TIMEOUT to SEND_TIMEOUT, arbiter_timeouts_total. */
    REASON_HEAD_TIMEOUT,
    REASON_BODY_TIMEOUT,
    REASON_SEND_TIMEOUT,

    /* The client closed or lost the connection: arbiter_clients_gone_total. */
    REASON_CONNECTION_LOST, /* in the middle of its body */
    REASON_CLIENT_GONE,
    REASONS,
};

/* The name of each reason, such as "queue-full". NULL for REASON_NONE. */
extern const char *const reason_names[REASONS];
