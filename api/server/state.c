#include "api/server/state.h"

#include <stddef.h>

/* clang-format off */
const struct state_row state_rows[STATES] = {
    /*                       name            timer         queue        socket           susp  job  flight  sends  streams */
    [STATE_NONE]         = {"none",         TIMER_NONE,   QUEUE_NONE,  SOCKET_OPEN,     0,    0,   0,      0,     0},
    [STATE_HEAD]         = {"head",         TIMER_HEAD,   QUEUE_NONE,  SOCKET_OPEN,     0,    0,   0,      0,     0},
    [STATE_ADMIT]        = {"admit",        TIMER_HEAD,   QUEUE_NONE,  SOCKET_OPEN,     0,    1,   1,      0,     0},
    [STATE_BODY]         = {"body",         TIMER_BODY,   QUEUE_NONE,  SOCKET_OPEN,     0,    1,   1,      0,     0},
    [STATE_DROP]         = {"drop",         TIMER_BODY,   QUEUE_NONE,  SOCKET_OPEN,     0,    0,   1,      0,     0},
    [STATE_SOLVE]        = {"solve",        TIMER_NONE,   QUEUE_HAS,   SOCKET_OPEN,     0,    1,   1,      0,     0},
    [STATE_SOLVE_WAIT]   = {"solve-wait",   TIMER_NONE,   QUEUE_HAS,   SOCKET_OPEN,     1,    1,   1,      0,     0},
    [STATE_ANSWER]       = {"answer",       TIMER_NONE,   QUEUE_NONE,  SOCKET_OPEN,     0,    0,   1,      0,     0},
    [STATE_SEND]         = {"send",         TIMER_READER, QUEUE_NONE,  SOCKET_OPEN,     0,    0,   1,      1,     0},
    [STATE_SEND_EARLY]   = {"send-early",   TIMER_READER, QUEUE_NONE,  SOCKET_LINGERS,  0,    0,   1,      1,     0},
    [STATE_OPEN]         = {"open",         TIMER_NONE,   QUEUE_HAS,   SOCKET_OPEN,     0,    1,   1,      0,     0},
    [STATE_OPEN_WHOLE]   = {"open-whole",   TIMER_NONE,   QUEUE_NONE,  SOCKET_OPEN,     0,    1,   1,      0,     0},
    [STATE_STREAM]       = {"stream",       TIMER_READER, QUEUE_HAS,   SOCKET_ENDLESS,  0,    1,   1,      1,     1},
    [STATE_STREAM_WAIT]  = {"stream-wait",  TIMER_READER, QUEUE_HAS,   SOCKET_ENDLESS,  1,    1,   1,      1,     1},
    [STATE_STREAM_WHOLE] = {"stream-whole", TIMER_READER, QUEUE_NONE,  SOCKET_ENDLESS,  0,    1,   1,      1,     1},
    [STATE_SENT]         = {"sent",         TIMER_LEAVE,  QUEUE_NONE,  SOCKET_FINISHED, 0,    0,   1,      0,     0},
    [STATE_CANCELLED]    = {"cancelled",    TIMER_NONE,   QUEUE_DROPS, SOCKET_SHUT,     0,    1,   1,      0,     0},
    [STATE_CUT_OFF]      = {"cut-off",      TIMER_NONE,   QUEUE_NONE,  SOCKET_SHUT,     0,    0,   1,      0,     0},
    /* The request has ended, and the connection waits for the next head. */
    [STATE_CLOSED]       = {"closed",       TIMER_HEAD,   QUEUE_DROPS, SOCKET_OPEN,     0,    1,   0,      0,     0},
    [STATE_ENDED]        = {"ended",        TIMER_HEAD,   QUEUE_NONE,  SOCKET_OPEN,     0,    0,   0,      0,     0},
};
/* clang-format on */

const char *const event_names[EVENTS] = {
    [EVENT_HEAD_READ] = "head-read", [EVENT_WANT_BODY] = "want-body",
    [EVENT_ANSWERED] = "answered",   [EVENT_ANSWERED_EARLY] = "answered-early",
    [EVENT_DROP] = "drop",           [EVENT_PUSHED] = "pushed",
    [EVENT_ASKED] = "asked",         [EVENT_OPENED] = "opened",
    [EVENT_SOLVED] = "solved",       [EVENT_SEND] = "send",
    [EVENT_NO_LINES] = "no-lines",   [EVENT_LINES] = "lines",
    [EVENT_SENT] = "sent",           [EVENT_CUT_OFF] = "cut-off",
    [EVENT_CLOSED] = "closed",
};

/* All events except CUT_OFF and CLOSED. Unlisted pairs lead to STATE_NONE. */
static const unsigned char table[EVENTS][STATES] = {
    [EVENT_HEAD_READ] = {[STATE_HEAD] = STATE_ADMIT},
    [EVENT_WANT_BODY] = {[STATE_ADMIT] = STATE_BODY},
    [EVENT_ANSWERED] = {[STATE_ADMIT] = STATE_ANSWER, [STATE_BODY] = STATE_ANSWER, [STATE_DROP] = STATE_ANSWER},
    [EVENT_ANSWERED_EARLY] = {[STATE_ADMIT] = STATE_SEND_EARLY},
    [EVENT_DROP] = {[STATE_BODY] = STATE_DROP},
    [EVENT_PUSHED] = {[STATE_BODY] = STATE_SOLVE},
    [EVENT_ASKED] = {[STATE_SOLVE] = STATE_SOLVE_WAIT},
    [EVENT_OPENED] = {[STATE_BODY] = STATE_OPEN_WHOLE, [STATE_SOLVE] = STATE_OPEN, [STATE_SOLVE_WAIT] = STATE_OPEN},
    [EVENT_SOLVED] = {[STATE_SOLVE] = STATE_ANSWER,
                      [STATE_SOLVE_WAIT] = STATE_ANSWER,
                      [STATE_OPEN] = STATE_OPEN_WHOLE,
                      [STATE_STREAM] = STATE_STREAM_WHOLE,
                      [STATE_STREAM_WAIT] = STATE_STREAM_WHOLE,
                      [STATE_CANCELLED] = STATE_CUT_OFF,
                      [STATE_CLOSED] = STATE_ENDED},
    [EVENT_SEND] = {[STATE_ANSWER] = STATE_SEND, [STATE_OPEN] = STATE_STREAM, [STATE_OPEN_WHOLE] = STATE_STREAM_WHOLE},
    [EVENT_NO_LINES] = {[STATE_STREAM] = STATE_STREAM_WAIT},
    [EVENT_LINES] = {[STATE_STREAM_WAIT] = STATE_STREAM},
    [EVENT_SENT] = {[STATE_HEAD] = STATE_SENT,
                    [STATE_BODY] = STATE_SENT,
                    [STATE_DROP] = STATE_SENT,
                    [STATE_STREAM_WHOLE] = STATE_SENT},
};

/* CUT_OFF is possible in every state with a connection; CLOSED only in those in which libmicrohttpd watches it. */
enum state state_after(enum state state, enum event event) {
    const struct state_row *row = &state_rows[state];
    bool is_queued = row->queue != QUEUE_NONE;
    if (event != EVENT_CUT_OFF && event != EVENT_CLOSED)
        return (enum state)table[event][state];
    if (state == STATE_NONE || state == STATE_CLOSED || state == STATE_ENDED)
        return STATE_NONE;
    if (event == EVENT_CUT_OFF)
        return is_queued ? STATE_CANCELLED : STATE_CUT_OFF;
    if (row->suspended)
        return STATE_NONE;
    return is_queued ? STATE_CLOSED : STATE_ENDED;
}

const char *const reason_names[REASONS] = {
    [REASON_QUEUE_FULL] = "queue-full",
    [REASON_MEMORY_FULL] = "memory-full",
    [REASON_MEMORY] = "memory",
    [REASON_MAX_WAIT] = "max-wait",
    [REASON_TOO_LARGE] = "too-large",
    [REASON_LEAVING] = "leaving",
    [REASON_FRAMING] = "framing",
    [REASON_MAKE_ROOM] = "make-room",
    [REASON_HEAD] = "head",
    [REASON_HEAD_TIMEOUT] = "head-timeout",
    [REASON_BODY_TIMEOUT] = "body-timeout",
    [REASON_SEND_TIMEOUT] = "send-timeout",
    [REASON_CONNECTION_LOST] = "connection-lost",
    [REASON_CLIENT_GONE] = "client-gone",
};
