/* The states of an exchange. The transitions are compared with a list written by hand from the diagram in state.h. The
 * other columns of the state table must follow from rules, and changing any cell must break a rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/state.h"

#include <string.h>

/* All transitions except those by CUT_OFF and CLOSED, which are possible in almost every state. Other pairs of state
 * and event are impossible. */
static const struct {
    enum state from;
    enum event event;
    enum state to;
} steps[] = {
    /* The head. */
    {STATE_HEAD, EVENT_HEAD_READ, STATE_ADMIT},
    {STATE_HEAD, EVENT_SENT, STATE_SENT},
    {STATE_ADMIT, EVENT_WANT_BODY, STATE_BODY},
    {STATE_ADMIT, EVENT_ANSWERED, STATE_ANSWER},
    {STATE_ADMIT, EVENT_ANSWERED_EARLY, STATE_SEND_EARLY},
    /* The body. */
    {STATE_BODY, EVENT_DROP, STATE_DROP},
    {STATE_BODY, EVENT_SENT, STATE_SENT},
    {STATE_DROP, EVENT_SENT, STATE_SENT},
    {STATE_DROP, EVENT_ANSWERED, STATE_ANSWER},
    /* Answered by the loop itself, or pushed to the queue. */
    {STATE_BODY, EVENT_ANSWERED, STATE_ANSWER},
    {STATE_BODY, EVENT_OPENED, STATE_OPEN_WHOLE},
    {STATE_BODY, EVENT_PUSHED, STATE_SOLVE},
    /* Solved by workers. */
    {STATE_SOLVE, EVENT_ASKED, STATE_SOLVE_WAIT},
    {STATE_SOLVE, EVENT_SOLVED, STATE_ANSWER},
    {STATE_SOLVE, EVENT_OPENED, STATE_OPEN},
    {STATE_SOLVE_WAIT, EVENT_SOLVED, STATE_ANSWER},
    {STATE_SOLVE_WAIT, EVENT_OPENED, STATE_OPEN},
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
};

enum { STEPS = sizeof steps / sizeof *steps };

/* What a state waits for. If that is libmicrohttpd, it continues on its own. */
enum waits { WAITS_UNKNOWN, WAITS_CLIENT, WAITS_QUEUE, WAITS_LIBRARY };

static const enum waits waits[STATES] = {
    [STATE_HEAD] = WAITS_CLIENT,      [STATE_BODY] = WAITS_CLIENT,
    [STATE_DROP] = WAITS_CLIENT,      [STATE_SOLVE] = WAITS_LIBRARY,
    [STATE_SOLVE_WAIT] = WAITS_QUEUE, [STATE_ANSWER] = WAITS_LIBRARY,
    [STATE_SEND] = WAITS_CLIENT,      [STATE_SEND_EARLY] = WAITS_CLIENT,
    [STATE_OPEN] = WAITS_LIBRARY,     [STATE_OPEN_WHOLE] = WAITS_LIBRARY,
    [STATE_STREAM] = WAITS_CLIENT,    [STATE_STREAM_WAIT] = WAITS_CLIENT,
    [STATE_SENT] = WAITS_CLIENT,      [STATE_STREAM_WHOLE] = WAITS_CLIENT,
    [STATE_CANCELLED] = WAITS_QUEUE,  [STATE_CUT_OFF] = WAITS_LIBRARY,
    [STATE_CLOSED] = WAITS_CLIENT,    [STATE_ENDED] = WAITS_CLIENT, /* for the next head */
    [STATE_ADMIT] = WAITS_CLIENT,                                   /* for the body */
};

static bool has_ended(enum state state) { return state == STATE_CLOSED || state == STATE_ENDED; }

/* ---- transitions ---- */

static enum state expected(const struct state_row *rows, enum state state, enum event event) {
    if (event == EVENT_CUT_OFF && !has_ended(state))
        return rows[state].queue != QUEUE_NONE ? STATE_CANCELLED : STATE_CUT_OFF;
    if (event == EVENT_CLOSED && !has_ended(state) && !rows[state].suspended)
        return rows[state].queue != QUEUE_NONE ? STATE_CLOSED : STATE_ENDED;
    for (size_t s = 0; s < STEPS; s++)
        if (steps[s].from == state && steps[s].event == event)
            return steps[s].to;
    return STATE_NONE;
}

static void every_event_leads_from_every_state_to_that_of_the_list(void **state) {
    (void)state;
    for (enum event event = 0; event < EVENTS; event++) {
        assert_int_equal(state_after(STATE_NONE, event), STATE_NONE);
        for (enum state from = STATE_HEAD; from < STATES; from++)
            if (state_after(from, event) != expected(state_rows, from, event))
                fail_msg("%s in %s leads to %s", event_names[event], state_rows[from].name,
                         state_rows[state_after(from, event)].name);
    }
}

/* ---- what is in effect ---- */

/* Can this event lead to the state from another one? */
static bool begins_by(enum state state, enum event event) {
    for (enum state from = STATE_HEAD; from < STATES; from++)
        if (state_after(from, event) == state && from != state)
            return true;
    return false;
}

static enum state_timer right_timer(const struct state_row *rows, enum state state) {
    if (waits[state] != WAITS_CLIENT)
        return TIMER_NONE;
    if (rows[state].socket == SOCKET_FINISHED)
        return TIMER_LEAVE;
    if (begins_by(state, EVENT_WANT_BODY) || begins_by(state, EVENT_DROP))
        return TIMER_BODY;
    return rows[state].sends ? TIMER_READER : TIMER_HEAD;
}

static enum state_socket right_socket(const struct state_row *rows, enum state state) {
    if (has_ended(state))
        return SOCKET_OPEN; /* for the next request */
    if (begins_by(state, EVENT_CUT_OFF))
        return SOCKET_SHUT;
    if (begins_by(state, EVENT_SENT))
        return SOCKET_FINISHED;
    if (begins_by(state, EVENT_ANSWERED_EARLY))
        return SOCKET_LINGERS;
    return rows[state].streams ? SOCKET_ENDLESS : SOCKET_OPEN;
}

static enum state_queue right_queue(enum state state) {
    if (state_after(state, EVENT_SOLVED) == STATE_NONE)
        return QUEUE_NONE;
    return begins_by(state, EVENT_CUT_OFF) || begins_by(state, EVENT_CLOSED) ? QUEUE_DROPS : QUEUE_HAS;
}

/* Does the state keep the job? States in the queue and streams do. So do ADMIT and BODY, because the head may have
 * supplied the case of a link. */
static bool right_job(const struct state_row *rows, enum state state) {
    return rows[state].queue != QUEUE_NONE || rows[state].streams || begins_by(state, EVENT_HEAD_READ) ||
           begins_by(state, EVENT_WANT_BODY) || state_after(state, EVENT_SEND) == STATE_STREAM_WHOLE;
}

static bool right_streams(enum state state) {
    return state_after(state, EVENT_NO_LINES) != STATE_NONE || begins_by(state, EVENT_NO_LINES) ||
           (state_after(state, EVENT_SENT) != STATE_NONE && begins_by(state, EVENT_SEND));
}

/* Find the first state whose row breaks a rule, or STATE_NONE. */
static enum state find_wrong(const struct state_row *rows) {
    for (enum state is = STATE_HEAD; is < STATES; is++) {
        const struct state_row *row = &rows[is];
        bool sends = right_streams(is) || begins_by(is, EVENT_ANSWERED_EARLY) || is == STATE_SEND;
        bool suspended = begins_by(is, EVENT_ASKED) || begins_by(is, EVENT_NO_LINES);
        if (row->timer != right_timer(rows, is) || row->socket != right_socket(rows, is) ||
            row->queue != right_queue(is) || row->suspended != suspended || row->keeps_job != right_job(rows, is) ||
            row->in_flight != (is != STATE_HEAD && !has_ended(is)) || row->sends != sends ||
            row->streams != right_streams(is))
            return is;
    }
    return STATE_NONE;
}

static void every_row_follows_from_whom_its_state_waits_for(void **state) {
    (void)state;
    for (enum state is = STATE_HEAD; is < STATES; is++)
        assert_int_not_equal(waits[is], WAITS_UNKNOWN);
    enum state wrong = find_wrong(state_rows);
    if (wrong != STATE_NONE)
        fail_msg("the row of %s is wrong", state_rows[wrong].name);
}

/* Check that every other value of a cell breaks a rule. */
#define EXPECT_FOUND(cell, values)                                                                                     \
    do {                                                                                                               \
        for (int value = 0; value < (values); value++) {                                                               \
            memcpy(rows, state_rows, sizeof rows);                                                                     \
            if ((int)rows[is].cell == value)                                                                           \
                continue;                                                                                              \
            rows[is].cell = value;                                                                                     \
            mutants++;                                                                                                 \
            if (find_wrong(rows) == STATE_NONE)                                                                        \
                fail_msg("%s = %d of %s is not found", #cell, value, rows[is].name);                                   \
        }                                                                                                              \
    } while (0)

static void every_change_of_a_cell_breaks_a_rule(void **state) {
    struct state_row rows[STATES];
    int mutants = 0;
    (void)state;
    for (enum state is = STATE_HEAD; is < STATES; is++) {
        EXPECT_FOUND(timer, TIMER_LEAVE + 1);
        EXPECT_FOUND(queue, QUEUE_DROPS + 1);
        EXPECT_FOUND(socket, SOCKET_SHUT + 1);
        EXPECT_FOUND(suspended, 2);
        EXPECT_FOUND(keeps_job, 2);
        EXPECT_FOUND(in_flight, 2);
        EXPECT_FOUND(sends, 2);
        EXPECT_FOUND(streams, 2);
    }
    assert_int_equal(mutants, (STATES - 1) * (4 + 2 + 4 + 5));
}

static void who_waits_for_a_client_has_a_deadline(void **state) {
    (void)state;
    for (enum state is = STATE_HEAD; is < STATES; is++)
        assert_int_equal(state_rows[is].timer != TIMER_NONE, waits[is] == WAITS_CLIENT);
}

static void the_queue_takes_a_job_once_and_every_state_is_left_when_it_lets_go(void **state) {
    (void)state;
    for (enum state from = STATE_HEAD; from < STATES; from++) {
        enum state_queue had = state_rows[from].queue;
        assert_int_equal(state_after(from, EVENT_SOLVED) != STATE_NONE, had != QUEUE_NONE);
        for (enum event event = 0; event < EVENTS; event++) {
            enum state to = state_after(from, event);
            if (to == STATE_NONE)
                continue;
            enum state_queue has = state_rows[to].queue;
            assert_int_equal(had != QUEUE_NONE && has == QUEUE_NONE, event == EVENT_SOLVED);
            assert_int_equal(had == QUEUE_NONE && has != QUEUE_NONE, event == EVENT_PUSHED);
            assert_true(had != QUEUE_DROPS || has != QUEUE_HAS);
        }
    }
}

static void a_state_without_a_further_answer_has_its_socket_shut_down_until_the_end(void **state) {
    (void)state;
    for (enum state from = STATE_HEAD; from < STATES; from++)
        for (enum event event = 0; event < EVENTS; event++) {
            enum state to = state_after(from, event);
            if (to == STATE_NONE || event == EVENT_CLOSED || has_ended(from))
                continue;
            if (event == EVENT_CUT_OFF || state_rows[from].socket == SOCKET_SHUT)
                assert_int_equal(state_rows[to].socket, SOCKET_SHUT);
            if (state_rows[from].socket == SOCKET_FINISHED)
                assert_int_equal(event, EVENT_CUT_OFF);
        }
}

static void a_suspended_connection_is_never_closed_and_is_resumed_outside_of_callbacks(void **state) {
    (void)state;
    for (enum state from = STATE_HEAD; from < STATES; from++)
        for (enum event event = 0; event < EVENTS; event++) {
            enum state to = state_after(from, event);
            if (to == STATE_NONE)
                continue;
            bool by_message = event == EVENT_SOLVED || event == EVENT_OPENED || event == EVENT_LINES;
            /* After CUT_OFF, the queue's message that it has released the job wakes the loop. */
            if (state_rows[from].suspended)
                assert_true(by_message || (event == EVENT_CUT_OFF && state_rows[to].queue == QUEUE_DROPS));
            if (state_rows[to].suspended) /* libmicrohttpd allows this only in on_request and in the content reader */
                assert_true(event == EVENT_ASKED || event == EVENT_NO_LINES);
        }
}

/* Whatever happened before, the exchange ends once it has been cut off, the queue has released the job and
 * libmicrohttpd has closed the connection. */
static void every_exchange_ends(void **state) {
    (void)state;
    for (enum state from = STATE_HEAD; from < STATES; from++) {
        enum state is = has_ended(from) ? from : state_after(from, EVENT_CUT_OFF);
        for (int step = 0; step < 2 && is != STATE_ENDED; step++) {
            bool is_queued = state_rows[is].queue != QUEUE_NONE;
            assert_false(state_rows[is].suspended);
            is = state_after(is, is_queued ? EVENT_SOLVED : EVENT_CLOSED);
        }
        assert_int_equal(is, STATE_ENDED);
        is = has_ended(from) ? from : state_after(state_after(from, EVENT_CUT_OFF), EVENT_CLOSED);
        assert_int_equal(is == STATE_ENDED ? is : state_after(is, EVENT_SOLVED), STATE_ENDED);
    }
    for (enum event event = 0; event < EVENTS; event++)
        assert_int_equal(state_after(STATE_ENDED, event), STATE_NONE);
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

static void every_state_comes_from_a_head(void **state) {
    (void)state;
    bool from_head[STATES] = {false};
    reach(STATE_HEAD, from_head);
    for (enum state is = STATE_HEAD; is < STATES; is++)
        assert_true(from_head[is]);
}

static void states_and_events_have_names_of_their_own(void **state) {
    (void)state;
    for (enum state a = STATE_NONE; a < STATES; a++) {
        assert_non_null(state_rows[a].name);
        for (enum state b = STATE_NONE; b < a; b++)
            assert_string_not_equal(state_rows[a].name, state_rows[b].name);
    }
    for (enum event a = 0; a < EVENTS; a++) {
        assert_non_null(event_names[a]);
        for (enum event b = 0; b < a; b++)
            assert_string_not_equal(event_names[a], event_names[b]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_leads_from_every_state_to_that_of_the_list),
        cmocka_unit_test(every_row_follows_from_whom_its_state_waits_for),
        cmocka_unit_test(every_change_of_a_cell_breaks_a_rule),
        cmocka_unit_test(who_waits_for_a_client_has_a_deadline),
        cmocka_unit_test(the_queue_takes_a_job_once_and_every_state_is_left_when_it_lets_go),
        cmocka_unit_test(a_state_without_a_further_answer_has_its_socket_shut_down_until_the_end),
        cmocka_unit_test(a_suspended_connection_is_never_closed_and_is_resumed_outside_of_callbacks),
        cmocka_unit_test(every_exchange_ends),
        cmocka_unit_test(every_state_comes_from_a_head),
        cmocka_unit_test(states_and_events_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
