#include "api/server/state.h"

const char *const state_names[STATES] = {
    [STATE_NONE] = "none",
    [STATE_HEAD] = "head",
    [STATE_BODY] = "body",
    [STATE_DROP_LARGE] = "drop-large",
    [STATE_DROP_NO_MEMORY] = "drop-no-memory",
    [STATE_SOLVE] = "solve",
    [STATE_ANSWER] = "answer",
    [STATE_SEND] = "send",
    [STATE_SEND_EARLY] = "send-early",
    [STATE_OPEN] = "open",
    [STATE_OPEN_WHOLE] = "open-whole",
    [STATE_STREAM] = "stream",
    [STATE_STREAM_WAIT] = "stream-wait",
    [STATE_STREAM_WHOLE] = "stream-whole",
    [STATE_SENT] = "sent",
    [STATE_CANCELLED] = "cancelled",
    [STATE_CUT_OFF] = "cut-off",
    [STATE_REFUSED] = "refused",
    [STATE_CLOSED] = "closed",
    [STATE_ENDED] = "ended",
};

const char *const event_names[EVENTS] = {
    [EVENT_WANT_BODY] = "want-body",
    [EVENT_DECIDED] = "decided",
    [EVENT_DECIDED_EARLY] = "decided-early",
    [EVENT_REFUSED] = "refused",
    [EVENT_TOO_LARGE] = "too-large",
    [EVENT_NO_MEMORY] = "no-memory",
    [EVENT_BODY_DROPPED] = "body-dropped",
    [EVENT_SOLVED_HERE] = "solved-here",
    [EVENT_OPENED_WHOLE] = "opened-whole",
    [EVENT_PUSHED] = "pushed",
    [EVENT_OPENED] = "opened",
    [EVENT_SOLVED] = "solved",
    [EVENT_SEND] = "send",
    [EVENT_NO_LINES] = "no-lines",
    [EVENT_LINES] = "lines",
    [EVENT_SENT] = "sent",
    [EVENT_HUNG_UP] = "hung-up",
    [EVENT_TIMED_OUT] = "timed-out",
    [EVENT_DISMISSED] = "dismissed",
    [EVENT_MAKE_ROOM] = "make-room",
    [EVENT_FAILED] = "failed",
    [EVENT_CLOSED] = "closed",
};

/* Pairs that are not listed lead to STATE_NONE. */
static const unsigned char table[EVENTS][STATES] = {
    [EVENT_WANT_BODY] = {[STATE_HEAD] = STATE_BODY},
    [EVENT_DECIDED] = {[STATE_HEAD] = STATE_ANSWER},
    [EVENT_DECIDED_EARLY] = {[STATE_HEAD] = STATE_SEND_EARLY},
    [EVENT_REFUSED] = {[STATE_HEAD] = STATE_REFUSED,
                       [STATE_BODY] = STATE_REFUSED,
                       [STATE_DROP_LARGE] = STATE_REFUSED,
                       [STATE_DROP_NO_MEMORY] = STATE_REFUSED},
    [EVENT_TOO_LARGE] = {[STATE_BODY] = STATE_DROP_LARGE},
    [EVENT_NO_MEMORY] = {[STATE_BODY] = STATE_DROP_NO_MEMORY},
    [EVENT_BODY_DROPPED] = {[STATE_DROP_LARGE] = STATE_ANSWER, [STATE_DROP_NO_MEMORY] = STATE_ANSWER},
    [EVENT_SOLVED_HERE] = {[STATE_BODY] = STATE_ANSWER},
    [EVENT_OPENED_WHOLE] = {[STATE_BODY] = STATE_OPEN_WHOLE},
    [EVENT_PUSHED] = {[STATE_BODY] = STATE_SOLVE},
    [EVENT_OPENED] = {[STATE_SOLVE] = STATE_OPEN},
    [EVENT_SOLVED] = {[STATE_SOLVE] = STATE_ANSWER,
                      [STATE_OPEN] = STATE_OPEN_WHOLE,
                      [STATE_STREAM] = STATE_STREAM_WHOLE,
                      [STATE_STREAM_WAIT] = STATE_STREAM_WHOLE,
                      [STATE_CANCELLED] = STATE_CUT_OFF,
                      [STATE_CLOSED] = STATE_ENDED},
    [EVENT_SEND] = {[STATE_ANSWER] = STATE_SEND, [STATE_OPEN] = STATE_STREAM, [STATE_OPEN_WHOLE] = STATE_STREAM_WHOLE},
    [EVENT_NO_LINES] = {[STATE_STREAM] = STATE_STREAM_WAIT},
    [EVENT_LINES] = {[STATE_STREAM_WAIT] = STATE_STREAM},
    [EVENT_SENT] = {[STATE_STREAM_WHOLE] = STATE_SENT},
    [EVENT_HUNG_UP] = {[STATE_HEAD] = STATE_CUT_OFF,
                       [STATE_BODY] = STATE_CUT_OFF,
                       [STATE_DROP_LARGE] = STATE_CUT_OFF,
                       [STATE_DROP_NO_MEMORY] = STATE_CUT_OFF,
                       [STATE_SOLVE] = STATE_CANCELLED,
                       [STATE_OPEN] = STATE_CANCELLED,
                       [STATE_STREAM] = STATE_CANCELLED,
                       [STATE_STREAM_WAIT] = STATE_CANCELLED},
    [EVENT_TIMED_OUT] = {[STATE_HEAD] = STATE_CUT_OFF,
                         [STATE_ANSWER] = STATE_CUT_OFF,
                         [STATE_BODY] = STATE_CUT_OFF,
                         [STATE_DROP_LARGE] = STATE_CUT_OFF,
                         [STATE_DROP_NO_MEMORY] = STATE_CUT_OFF,
                         [STATE_SEND] = STATE_CUT_OFF,
                         [STATE_SEND_EARLY] = STATE_CUT_OFF,
                         [STATE_STREAM] = STATE_CANCELLED,
                         [STATE_STREAM_WAIT] = STATE_CANCELLED,
                         [STATE_STREAM_WHOLE] = STATE_CUT_OFF},
    [EVENT_DISMISSED] = {[STATE_SOLVE] = STATE_CANCELLED,
                         [STATE_OPEN] = STATE_CANCELLED,
                         [STATE_STREAM] = STATE_CANCELLED,
                         [STATE_STREAM_WAIT] = STATE_CANCELLED,
                         [STATE_STREAM_WHOLE] = STATE_CUT_OFF},
    [EVENT_MAKE_ROOM] =
        {[STATE_SEND] = STATE_CUT_OFF, [STATE_STREAM] = STATE_CANCELLED, [STATE_STREAM_WHOLE] = STATE_CUT_OFF},
    [EVENT_FAILED] = {[STATE_HEAD] = STATE_CUT_OFF,
                      [STATE_BODY] = STATE_CUT_OFF,
                      [STATE_DROP_LARGE] = STATE_CUT_OFF,
                      [STATE_DROP_NO_MEMORY] = STATE_CUT_OFF,
                      [STATE_ANSWER] = STATE_CUT_OFF,
                      [STATE_OPEN] = STATE_CANCELLED,
                      [STATE_OPEN_WHOLE] = STATE_CUT_OFF,
                      [STATE_STREAM] = STATE_CANCELLED,
                      [STATE_STREAM_WHOLE] = STATE_CUT_OFF},
    [EVENT_CLOSED] = {[STATE_HEAD] = STATE_ENDED,
                      [STATE_BODY] = STATE_ENDED,
                      [STATE_DROP_LARGE] = STATE_ENDED,
                      [STATE_DROP_NO_MEMORY] = STATE_ENDED,
                      [STATE_SOLVE] = STATE_CLOSED,
                      [STATE_ANSWER] = STATE_ENDED,
                      [STATE_SEND] = STATE_ENDED,
                      [STATE_SEND_EARLY] = STATE_ENDED,
                      [STATE_OPEN] = STATE_CLOSED,
                      [STATE_OPEN_WHOLE] = STATE_ENDED,
                      [STATE_STREAM] = STATE_CLOSED,
                      [STATE_STREAM_WHOLE] = STATE_ENDED,
                      [STATE_SENT] = STATE_ENDED,
                      [STATE_CANCELLED] = STATE_CLOSED,
                      [STATE_CUT_OFF] = STATE_ENDED,
                      [STATE_REFUSED] = STATE_ENDED},
};

enum state state_after(enum state state, enum event event) { return (enum state)table[event][state]; }

bool state_is_queued(enum state state) {
    return state == STATE_SOLVE || state == STATE_OPEN || state == STATE_STREAM || state == STATE_STREAM_WAIT ||
           state == STATE_CANCELLED || state == STATE_CLOSED;
}

bool state_is_body(enum state state) {
    return state == STATE_BODY || state == STATE_DROP_LARGE || state == STATE_DROP_NO_MEMORY;
}

bool state_is_stream(enum state state) {
    return state == STATE_STREAM || state == STATE_STREAM_WAIT || state == STATE_STREAM_WHOLE;
}

bool state_is_sending(enum state state) {
    return state == STATE_SEND || state == STATE_SEND_EARLY || state_is_stream(state);
}
