#include "api/server/daemon.h"

#include "api/server/connection.h"
#include "api/server/cut_off.h"
#include "api/server/deadline.h"
#include "api/server/exchange.h"
#include "api/server/linger.h"
#include "api/server/mhd_epoll.h"
#include "api/server/request.h"
#include "api/server/resume.h"
#include "api/work/clock.h"
#include "base/assert.h"
#include "base/owner.h"

/* ---- phases ---- */

/* Cut off the requests that the queue has, and the streams whose end a client could take for a complete answer. */
static void abort_all(struct http_loop *loop) {
    struct connection *connection;
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        if (exchange != NULL && state_after(exchange->state, EVENT_DISMISSED) != STATE_NONE)
            exchange_cut_off(exchange, EVENT_DISMISSED, REASON_LEAVING);
    }
}

static void on_phase(struct message *message) {
    struct phase_message *phase = OWNER_OF(message, struct phase_message, message);
    struct http_loop *loop = phase->loop;
    ASSERT(phase->phase > loop->phase);
    loop->phase = phase->phase;
    resume_all(loop);
    if (loop->phase == PHASE_ABORT)
        abort_all(loop);
    mailbox_post(loop->reports, &phase->reached);
}

void daemon_enter_phase(struct http_loop *loop, enum phase phase) {
    mailbox_post(&loop->loop.mailbox, &loop->phases[phase].message);
}

/* ---- rounds ---- */

/* Called when the queue has finished all jobs. Every suspended connection is resumed or closed before libmicrohttpd
 * stops. */
static void stop_daemon(struct http_loop *loop) {
    loop_unwatch(&loop->loop, &loop->daemon_source);
    MHD_stop_daemon(loop->daemon);
    loop->daemon = NULL;
    loop_stop_timer(&loop->loop, &loop->trim_timer);
    loop_stop_timer(&loop->loop, &loop->cut_off_timer);
}

static bool can_stop_daemon(const struct http_loop *loop) {
    return loop->daemon != NULL && loop->phase >= PHASE_END && loop->queued == 0 && loop->suspended == 0 &&
           !loop->has_resumed;
}

/* The loop waits for lingering connections, so that their clients can read why they were refused. PHASE_ABORT does not
 * wait. */
static bool has_ended(const struct http_loop *loop) {
    return loop->daemon == NULL && (loop->phase == PHASE_ABORT || TAILQ_EMPTY(&loop->lingering));
}

/* One round without the wait. Returns the milliseconds until libmicrohttpd has more to do. */
static uint64_t run_round(struct http_loop *loop) {
    uint64_t pause = UINT64_MAX;
    loop->has_resumed = false;
    /* MHD_run comes before the timers, so that what has arrived in time is read before its deadline is checked, however
     * late this round is. */
    if (loop->daemon != NULL)
        pause = mhd_epoll_run(loop->daemon);
    loop_run_timers(&loop->loop);
    if (loop->daemon != NULL)
        cut_off_check_soon(loop);
    if (can_stop_daemon(loop))
        stop_daemon(loop);
    return loop->has_resumed ? 0 : pause;
}

void daemon_run(struct http_loop *loop) {
    clock_enter();
    for (;;) {
        uint64_t pause = run_round(loop);
        /* After the round, because its timers may have ended the last thing that the loop waits for. */
        if (has_ended(loop))
            break;
        loop_wait(&loop->loop, pause);
    }
    linger_end_all(loop);
    clock_leave();
}

/* ---- life ---- */

bool daemon_init(struct http_loop *loop, struct http_shared *shared, unsigned number, struct mailbox *reports) {
    *loop = (struct http_loop){.shared = shared, .number = number};
    if (!loop_init(&loop->loop))
        return false;
    loop->reports = reports;
    for (enum phase phase = PHASE_SERVE; phase < PHASES; phase++)
        loop->phases[phase] = (struct phase_message){.message = {.deliver = on_phase}, .loop = loop, .phase = phase};
    LIST_INIT(&loop->connections);
    STAILQ_INIT(&loop->resumed);
    TAILQ_INIT(&loop->lingering);
    workspace_init(&loop->workspace, shared->account, LOOP_WORKSPACE, false);
    loop->daemon = request_start_daemon(loop);
    if (loop->daemon != NULL && mhd_epoll_watch(&loop->loop, &loop->daemon_source, loop->daemon))
        return true;
    daemon_clear(loop);
    return false;
}

void daemon_clear(struct http_loop *loop) {
    if (loop->daemon != NULL)
        MHD_stop_daemon(loop->daemon);
    workspace_clear(&loop->workspace);
    loop_clear(&loop->loop);
}
