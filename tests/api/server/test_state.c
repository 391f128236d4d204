/* The states of an exchange: every event in every state, compared with a list that was written by hand from the drawing
 * in state.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/state.h"

#include <string.h>

/* All transitions; other pairs are impossible. */
static const struct {
    enum state from;
    enum event event;
    enum state to;
} steps[] = {
    /* The head. */
    {STATE_HEAD, EVENT_WANT_BODY, STATE_BODY},
    {STATE_HEAD, EVENT_DECIDED, STATE_ANSWER},
    {STATE_HEAD, EVENT_DECIDED_EARLY, STATE_SEND_EARLY},
    {STATE_HEAD, EVENT_REFUSED, STATE_REFUSED},
    /* The body. */
    {STATE_BODY, EVENT_TOO_LARGE, STATE_DROP_LARGE},
    {STATE_BODY, EVENT_NO_MEMORY, STATE_DROP_NO_MEMORY},
    {STATE_BODY, EVENT_REFUSED, STATE_REFUSED},
    {STATE_DROP_LARGE, EVENT_REFUSED, STATE_REFUSED},
    {STATE_DROP_NO_MEMORY, EVENT_REFUSED, STATE_REFUSED},
    {STATE_DROP_LARGE, EVENT_BODY_DROPPED, STATE_ANSWER},
    {STATE_DROP_NO_MEMORY, EVENT_BODY_DROPPED, STATE_ANSWER},
    /* Solved here, or refused for now, or pushed. */
    {STATE_BODY, EVENT_SOLVED_HERE, STATE_ANSWER},
    {STATE_BODY, EVENT_OPENED_WHOLE, STATE_OPEN_WHOLE},
    {STATE_BODY, EVENT_PUSHED, STATE_SOLVE},
    /* Solved by workers. */
    {STATE_SOLVE, EVENT_SOLVED, STATE_ANSWER},
    {STATE_SOLVE, EVENT_OPENED, STATE_OPEN},
    {STATE_OPEN, EVENT_SOLVED, STATE_OPEN_WHOLE},
    {STATE_STREAM, EVENT_SOLVED, STATE_STREAM_WHOLE},
    {STATE_STREAM_WAIT, EVENT_SOLVED, STATE_STREAM_WHOLE},
    {STATE_CANCELLED, EVENT_SOLVED, STATE_CUT_OFF},
    {STATE_CLOSED, EVENT_SOLVED, STATE_ENDED},
    /* Sent. */
    {STATE_ANSWER, EVENT_SEND, STATE_SEND},
    {STATE_OPEN, EVENT_SEND, STATE_STREAM},
    {STATE_OPEN_WHOLE, EVENT_SEND, STATE_STREAM_WHOLE},
    {STATE_STREAM, EVENT_NO_LINES, STATE_STREAM_WAIT},
    {STATE_STREAM_WAIT, EVENT_LINES, STATE_STREAM},
    {STATE_STREAM_WHOLE, EVENT_SENT, STATE_SENT},
    /* Ended without the rest of the answer. */
    {STATE_HEAD, EVENT_HUNG_UP, STATE_CUT_OFF},
    {STATE_BODY, EVENT_HUNG_UP, STATE_CUT_OFF},
    {STATE_DROP_LARGE, EVENT_HUNG_UP, STATE_CUT_OFF},
    {STATE_DROP_NO_MEMORY, EVENT_HUNG_UP, STATE_CUT_OFF},
    {STATE_SOLVE, EVENT_HUNG_UP, STATE_CANCELLED},
    {STATE_OPEN, EVENT_HUNG_UP, STATE_CANCELLED},
    {STATE_STREAM, EVENT_HUNG_UP, STATE_CANCELLED},
    {STATE_STREAM_WAIT, EVENT_HUNG_UP, STATE_CANCELLED},
    {STATE_HEAD, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_BODY, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_DROP_LARGE, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_DROP_NO_MEMORY, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_ANSWER, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_SEND, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_SEND_EARLY, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_STREAM, EVENT_TIMED_OUT, STATE_CANCELLED},
    {STATE_STREAM_WAIT, EVENT_TIMED_OUT, STATE_CANCELLED},
    {STATE_STREAM_WHOLE, EVENT_TIMED_OUT, STATE_CUT_OFF},
    {STATE_SOLVE, EVENT_DISMISSED, STATE_CANCELLED},
    {STATE_OPEN, EVENT_DISMISSED, STATE_CANCELLED},
    {STATE_STREAM, EVENT_DISMISSED, STATE_CANCELLED},
    {STATE_STREAM_WAIT, EVENT_DISMISSED, STATE_CANCELLED},
    {STATE_STREAM_WHOLE, EVENT_DISMISSED, STATE_CUT_OFF},
    {STATE_SEND, EVENT_MAKE_ROOM, STATE_CUT_OFF},
    {STATE_STREAM, EVENT_MAKE_ROOM, STATE_CANCELLED},
    {STATE_STREAM_WHOLE, EVENT_MAKE_ROOM, STATE_CUT_OFF},
    {STATE_HEAD, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_BODY, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_DROP_LARGE, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_DROP_NO_MEMORY, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_ANSWER, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_OPEN, EVENT_FAILED, STATE_CANCELLED},
    {STATE_OPEN_WHOLE, EVENT_FAILED, STATE_CUT_OFF},
    {STATE_STREAM, EVENT_FAILED, STATE_CANCELLED},
    {STATE_STREAM_WHOLE, EVENT_FAILED, STATE_CUT_OFF},
    /* Closed. A suspended connection cannot be: in SOLVE and CANCELLED it need not be suspended. */
    {STATE_SOLVE, EVENT_CLOSED, STATE_CLOSED},
    {STATE_HEAD, EVENT_CLOSED, STATE_ENDED},
    {STATE_BODY, EVENT_CLOSED, STATE_ENDED},
    {STATE_DROP_LARGE, EVENT_CLOSED, STATE_ENDED},
    {STATE_DROP_NO_MEMORY, EVENT_CLOSED, STATE_ENDED},
    {STATE_ANSWER, EVENT_CLOSED, STATE_ENDED},
    {STATE_SEND, EVENT_CLOSED, STATE_ENDED},
    {STATE_SEND_EARLY, EVENT_CLOSED, STATE_ENDED},
    {STATE_OPEN, EVENT_CLOSED, STATE_CLOSED},
    {STATE_OPEN_WHOLE, EVENT_CLOSED, STATE_ENDED},
    {STATE_STREAM, EVENT_CLOSED, STATE_CLOSED},
    {STATE_STREAM_WHOLE, EVENT_CLOSED, STATE_ENDED},
    {STATE_SENT, EVENT_CLOSED, STATE_ENDED},
    {STATE_CANCELLED, EVENT_CLOSED, STATE_CLOSED},
    {STATE_CUT_OFF, EVENT_CLOSED, STATE_ENDED},
    {STATE_REFUSED, EVENT_CLOSED, STATE_ENDED},
};

enum { STEPS = sizeof steps / sizeof *steps };

static enum state expected(enum state state, enum event event) {
    for (size_t s = 0; s < STEPS; s++)
        if (steps[s].from == state && steps[s].event == event)
            return steps[s].to;
    return STATE_NONE;
}

static void every_event_leads_from_every_state_to_that_of_the_list(void **state) {
    (void)state;
    size_t possible = 0;
    for (enum state from = STATE_NONE; from < STATES; from++)
        for (enum event event = 0; event < EVENTS; event++) {
            enum state to = state_after(from, event);
            if (to != expected(from, event))
                fail_msg("%s in %s leads to %s", event_names[event], state_names[from], state_names[to]);
            possible += to != STATE_NONE;
        }
    assert_int_equal(possible, STEPS);
}

static void only_the_queue_takes_an_exchange_out_of_its_states(void **state) {
    (void)state;
    /* The queue has a job until it releases it: no other event may lead to a state in which it has not. */
    for (size_t s = 0; s < STEPS; s++) {
        bool lets_go = state_is_queued(steps[s].from) && !state_is_queued(steps[s].to);
        bool is_queues = steps[s].event == EVENT_SOLVED;
        assert_int_equal(lets_go, is_queues);
        assert_int_equal(!state_is_queued(steps[s].from) && state_is_queued(steps[s].to),
                         steps[s].event == EVENT_PUSHED);
    }
    for (enum state from = STATE_HEAD; from < STATES; from++)
        assert_int_equal(state_after(from, EVENT_SOLVED) != STATE_NONE, state_is_queued(from));
}

static void an_exchange_can_be_closed_unless_it_is_always_suspended(void **state) {
    (void)state;
    for (enum state from = STATE_HEAD; from < STATES; from++) {
        bool is_closed = from == STATE_CLOSED || from == STATE_ENDED;
        assert_int_equal(state_after(from, EVENT_CLOSED) != STATE_NONE, from != STATE_STREAM_WAIT && !is_closed);
    }
}

/* Mark all states that can be reached from `from`. */
static void reach(enum state from, bool reached[STATES]) {
    reached[from] = true;
    for (enum event event = 0; event < EVENTS; event++) {
        enum state to = state_after(from, event);
        if (to != STATE_NONE && !reached[to])
            reach(to, reached);
    }
}

static void every_state_comes_from_a_head_and_comes_to_an_end(void **state) {
    (void)state;
    bool from_head[STATES] = {false};
    reach(STATE_HEAD, from_head);
    for (enum state from = STATE_HEAD; from < STATES; from++) {
        bool reached[STATES] = {false};
        reach(from, reached);
        assert_true(from_head[from]);
        assert_true(reached[STATE_ENDED]);
    }
    for (enum event event = 0; event < EVENTS; event++)
        assert_int_equal(state_after(STATE_ENDED, event), STATE_NONE);
}

static void states_and_events_have_names_of_their_own(void **state) {
    (void)state;
    for (enum state a = STATE_NONE; a < STATES; a++) {
        assert_non_null(state_names[a]);
        for (enum state b = STATE_NONE; b < a; b++)
            assert_string_not_equal(state_names[a], state_names[b]);
    }
    for (enum event a = 0; a < EVENTS; a++) {
        assert_non_null(event_names[a]);
        for (enum event b = 0; b < a; b++)
            assert_string_not_equal(event_names[a], event_names[b]);
    }
}

static void a_stream_is_sent_and_a_body_is_not(void **state) {
    (void)state;
    for (enum state is = STATE_HEAD; is < STATES; is++) {
        bool is_stream = strncmp(state_names[is], "stream", 6) == 0, is_send = strncmp(state_names[is], "send", 4) == 0;
        assert_int_equal(state_is_stream(is), is_stream);
        assert_int_equal(state_is_sending(is), is_stream || is_send);
        assert_int_equal(state_is_body(is), is == STATE_BODY || strncmp(state_names[is], "drop", 4) == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_leads_from_every_state_to_that_of_the_list),
        cmocka_unit_test(only_the_queue_takes_an_exchange_out_of_its_states),
        cmocka_unit_test(an_exchange_can_be_closed_unless_it_is_always_suspended),
        cmocka_unit_test(every_state_comes_from_a_head_and_comes_to_an_end),
        cmocka_unit_test(states_and_events_have_names_of_their_own),
        cmocka_unit_test(a_stream_is_sent_and_a_body_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
