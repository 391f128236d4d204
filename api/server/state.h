/* The states of an exchange, and the event that leads from one to another: a table without side effects.
 *
 *                                    +--------- small: solved here ---------+
 *                                    |                                      v
 *     HEAD --WANT_BODY--> BODY ------+--PUSHED--> SOLVE --SOLVED--------> ANSWER --SEND--> SEND
 *      |                   |         |             |  \                     ^
 *      |                TOO_LARGE,                 |                        |
 *      |                NO_MEMORY                  |                        |
 *      |                   v                       |                        |
 *      |                  DROP_... --BODY_DROPPED--|------------------------+
 *      +--DECIDED----------------------------------|------------------------+
 *      +--DECIDED_EARLY--> SEND_EARLY (a body is to come, and is not read: linger.h)
 *      +--REFUSED--> REFUSED (the answer bypasses libmicrohttpd; also from BODY and DROP_..., when the body is too
 * slow)
 *                                                  |
 *     a stream:                                  OPENED          solved here: BODY --OPENED_WHOLE--> OPEN_WHOLE
 *                                                  v                                                     |
 *                               +---------------- OPEN ----SOLVED--> OPEN_WHOLE <------------------------+
 *                               SEND                                     | SEND
 *                               v                                        v
 *                STREAM_WAIT <-NO_LINES/LINES-> STREAM ----SOLVED--> STREAM_WHOLE --SENT--> SENT (HTTP/1.0)
 *
 * HUNG_UP, TIMED_OUT, DISMISSED, MAKE_ROOM and FAILED end an exchange without the rest of its answer, from any of these
 * states. If the queue has its job, the next state is CANCELLED, until SOLVED; otherwise it is CUT_OFF. The socket is
 * shut down in both, so nothing more is expected from the client. The event CLOSED leads to ENDED, or to the state
 * CLOSED if the queue has the job.
 *
 * The connection is suspended in STREAM_WAIT, in SOLVE from libmicrohttpd's next call on, and after these
 * states until it is resumed (resume.h). The queue has the job in SOLVE, OPEN, STREAM, STREAM_WAIT, CANCELLED and
 * CLOSED. */
#pragma once

#include <stdbool.h>

enum state {
    STATE_NONE,           /* no state: the event is illegal */
    STATE_HEAD,           /* the head is being read */
    STATE_BODY,           /* the body is being read */
    STATE_DROP_LARGE,     /* the body is too large; the rest of it is dropped */
    STATE_DROP_NO_MEMORY, /* there is no memory for the body; the rest of it is dropped */
    STATE_SOLVE,          /* the queue has the job */
    STATE_ANSWER,         /* the response is ready; libmicrohttpd is about to ask for it */
    STATE_SEND,           /* the response is being sent */
    STATE_SEND_EARLY,     /* the response is being sent before the body has come; afterwards the connection lingers */
    STATE_OPEN,           /* the head of a stream is ready; libmicrohttpd is about to ask for it */
    STATE_OPEN_WHOLE,     /* the same, and all lines are ready */
    STATE_STREAM,         /* the lines of a stream are being sent */
    STATE_STREAM_WAIT,    /* all ready lines were sent; the next one is not ready */
    STATE_STREAM_WHOLE,   /* the lines are being sent, and all are ready */
    STATE_SENT,           /* an HTTP/1.0 stream was sent completely; the connection is about to be closed */
    STATE_CANCELLED,      /* there will be no answer, or no more of it; the queue is about to release the job */
    STATE_CUT_OFF,        /* the same, and the queue does not have the job: the connection is about to be closed */
    STATE_REFUSED,        /* the answer bypassed libmicrohttpd, which closes the connection once the client has gone */
    STATE_CLOSED,         /* the connection is closed; the queue is about to release the job */
    STATE_ENDED,          /* neither libmicrohttpd nor the queue has it */
    STATES,
};

enum event {
    EVENT_WANT_BODY,     /* the head is good, and a body or a job follows */
    EVENT_DECIDED,       /* the head decides the answer, which is sent at the end of the request */
    EVENT_DECIDED_EARLY, /* the head decides the answer, which is queued at once */
    EVENT_REFUSED,       /* an answer that bypasses libmicrohttpd was sent (bypass.h) */
    EVENT_TOO_LARGE,     /* the body passes its limit */
    EVENT_NO_MEMORY,     /* there is no memory for the body */
    EVENT_BODY_DROPPED,  /* the end of a dropped body */
    EVENT_SOLVED_HERE,   /* the answer is ready, and the queue never had the job */
    EVENT_OPENED_WHOLE,  /* the same for a stream */
    EVENT_PUSHED,        /* the queue has the job */
    EVENT_OPENED,        /* the job is a stream, and its head is ready */
    EVENT_SOLVED,        /* the queue has released the job: its answer is ready */
    EVENT_SEND,          /* the response is queued with libmicrohttpd */
    EVENT_NO_LINES,      /* all ready lines were sent */
    EVENT_LINES,         /* there are more lines */
    EVENT_SENT,          /* all lines were sent, and the end of the connection is the end of the answer */
    EVENT_HUNG_UP,       /* the client has closed the connection, or its sending side a while ago */
    EVENT_TIMED_OUT,     /* the client is too slow */
    EVENT_DISMISSED,     /* the service ends */
    EVENT_MAKE_ROOM,     /* others need the memory that the answer holds */
    EVENT_FAILED,        /* memory is exhausted, or the body is longer than twice its limit */
    EVENT_CLOSED,        /* libmicrohttpd has ended the request */
    EVENTS,
};

/* The names in the log, which stay when an identifier changes. */
extern const char *const state_names[STATES];
extern const char *const event_names[EVENTS];

/* The state that an event leads to; STATE_NONE if it cannot happen in this state. */
enum state state_after(enum state state, enum event event);

/* Does the queue have the job? */
bool state_is_queued(enum state state);

/* Is the body being read? */
bool state_is_body(enum state state);

/* Are the lines of a stream being sent? */
bool state_is_stream(enum state state);

/* Is a response being sent, stream or not? */
bool state_is_sending(enum state state);
