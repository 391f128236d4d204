/* The states of an exchange, and which event leads from which to which: a table without any side effect.
 *
 *                                    +--------- small: solved here ---------+
 *                                    |                                      v
 *     HEAD --WANT_BODY--> BODY ------+--PUSHED--> SOLVE --SOLVED--------> ANSWER --SEND--> SEND
 *      |                   |         |             |  \                     ^
 *      |                TOO_LARGE,   |             |   DISPLACED            |
 *      |                NO_ROOM      +--QUEUE_FULL-|-----v                  |
 *      |                   v                       |    HOLD ---RELEASED----+
 *      |                  DROP_... --BODY_DROPPED--|------------------------+
 *      +--DECIDED----------------------------------|------------------------+
 *      +--DECIDED_EARLY--> SEND_EARLY (a body is to come, and nobody reads it: linger.h)
 *      +--REFUSED--> REFUSED (answered past libmicrohttpd)
 *                                                  |
 *     a stream:                                  OPENED          solved here: BODY --OPENED_WHOLE--> OPEN_WHOLE
 *                                                  v                                                     |
 *                               +---------------- OPEN ----SOLVED--> OPEN_WHOLE <------------------------+
 *                               SEND                                     | SEND
 *                               v                                        v
 *                STREAM_WAIT <-NO_LINES/LINES-> STREAM ----SOLVED--> STREAM_WHOLE
 *
 *     HUNG_UP, TIMED_OUT, DISMISSED, MAKE_ROOM and FAILED end an exchange without the rest of its answer, from any of
 *     these states: where workers are at it, in CANCELLED (its connection is suspended) or BROKEN (it is not), which
 *     SOLVED leads on from; elsewhere in CUT_OFF. CLOSED ends it: in ENDED, or, while workers are at it, in GONE.
 *
 * The connection is suspended in SOLVE, STREAM_WAIT, CANCELLED and HOLD. Workers are at it in SOLVE, OPEN, STREAM,
 * STREAM_WAIT, CANCELLED, BROKEN and GONE. */
#pragma once

#include <stdbool.h>

enum state {
    STATE_NONE,         /* no state: the event is illegal */
    STATE_HEAD,         /* the head is read */
    STATE_BODY,         /* the body is read */
    STATE_DROP_LARGE,   /* the body is too large; what comes of it is dropped */
    STATE_DROP_NO_ROOM, /* there is no memory for the body; what comes of it is dropped */
    STATE_SOLVE,        /* the job is with the queue */
    STATE_HOLD,         /* it is refused; the answer waits for a second */
    STATE_ANSWER,       /* the response is ready; libmicrohttpd is about to ask for it */
    STATE_SEND,         /* the response is being sent */
    STATE_SEND_EARLY,   /* likewise, while its body is to come; afterwards the connection lingers */
    STATE_OPEN,         /* the head of a stream is ready; libmicrohttpd is about to ask for it */
    STATE_OPEN_WHOLE,   /* likewise, and all lines are known */
    STATE_STREAM,       /* the lines of a stream are being sent */
    STATE_STREAM_WAIT,  /* all lines that are known were sent; the next one is waited for */
    STATE_STREAM_WHOLE, /* the lines are being sent, and all are known */
    STATE_CANCELLED, /* there will be no answer; the queue is about to let go of the job, then the connection goes on */
    STATE_BROKEN,    /* there will be no answer, or not all of it; the connection is about to be closed */
    STATE_CUT_OFF,   /* likewise, and the queue does not have the job */
    STATE_REFUSED,   /* answered past libmicrohttpd, which is to close the connection */
    STATE_GONE,      /* the connection is closed; the queue is about to let go of the job */
    STATE_ENDED,     /* nobody has it */
    STATES,
};

enum event {
    EVENT_WANT_BODY,     /* the head asks for a body, or for a job */
    EVENT_DECIDED,       /* the head decides; the answer is sent at the end of the request */
    EVENT_DECIDED_EARLY, /* the head decides, and the response is queued at once */
    EVENT_REFUSED,       /* libmicrohttpd would answer the head badly */
    EVENT_TOO_LARGE,     /* the body passes its limit */
    EVENT_NO_ROOM,       /* there is no memory for the body */
    EVENT_BODY_DROPPED,  /* the end of a body that was dropped */
    EVENT_SOLVED_HERE,   /* the answer is known, and the queue never had the job */
    EVENT_OPENED_WHOLE,  /* the same of a stream */
    EVENT_QUEUE_FULL,    /* the queue has no place for the job */
    EVENT_PUSHED,        /* the queue has the job */
    EVENT_OPENED,        /* the job is a stream, and its head is known */
    EVENT_SOLVED,        /* the queue has let go of the job: its answer is known */
    EVENT_DISPLACED,     /* the queue has let go of the job: its place was taken */
    EVENT_RELEASED,      /* the answer was held for long enough */
    EVENT_SEND,          /* the response is queued with libmicrohttpd */
    EVENT_NO_LINES,      /* all known lines were sent */
    EVENT_LINES,         /* there are more */
    EVENT_HUNG_UP,       /* the client is gone */
    EVENT_TIMED_OUT,     /* the client is too slow */
    EVENT_DISMISSED,     /* the service ends */
    EVENT_MAKE_ROOM,     /* the answer holds memory that others need */
    EVENT_FAILED,        /* memory is exhausted, or the body is past all bounds */
    EVENT_CLOSED,        /* libmicrohttpd has ended the request */
    EVENTS,
};

extern const char *const state_names[STATES];
extern const char *const event_names[EVENTS];

/* The state that an event leads to; STATE_NONE if it cannot happen in this state. */
enum state state_after(enum state state, enum event event);

/* Does the queue have the job? */
bool state_is_queued(enum state state);

/* Is the body read? */
bool state_is_body(enum state state);

/* Are the lines of a stream being sent? */
bool state_is_stream(enum state state);

/* Is a response being sent, stream or not? */
bool state_is_sending(enum state state);
