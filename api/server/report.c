#include "api/server/report.h"

#include "api/server/http_loop.h"
#include "api/server/log.h"
#include "api/work/clock.h"

#include <string.h>

/* Find why the request has ended. */
static enum reason find_reason(const struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    if (exchange->reason != REASON_NONE)
        return exchange->reason;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK || exchange->state == STATE_SENT)
        return REASON_NONE;
    if (code == MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN || exchange->loop->phase == PHASE_ABORT)
        return REASON_LEAVING;
    return exchange_row(exchange)->timer == TIMER_BODY ? REASON_CONNECTION_LOST : REASON_CLIENT_GONE;
}

/* Get the client's address as text. The address of a socket is written once for all requests on it. */
static const char *peer_text(const struct exchange *exchange, char space[PEER_TEXT_SIZE]) {
    struct connection *connection = exchange->connection;
    bool is_socket = memcmp(exchange->peer.bytes, connection->peer.bytes, sizeof exchange->peer.bytes) == 0 &&
                     exchange->peer.ipv4 == connection->peer.ipv4;
    char *text = is_socket ? connection->peer_text : space;
    if (!is_socket || *text == 0)
        peer_print(&exchange->peer, text);
    return text;
}

/* Describe the request, all but its peer. */
static struct ended_request describe(const struct exchange *exchange, enum reason reason) {
    static const enum metrics_lane lanes[] = {[JOB_SHORT] = METRICS_SHORT, [JOB_LONG] = METRICS_LONG};
    struct ended_request ended = {
        .route = exchange->admission.route,
        .status = exchange->status,
        .reason = reason,
        .lane = exchange->solver == SOLVER_LOOP ? METRICS_IO : METRICS_NOWHERE,
        .took = exchange->began != 0 ? clock_now_us() - exchange->began : 0,
        .worked = exchange->worked,
        .bytes_in = exchange->bytes_in,
        .bytes_out = exchange->bytes_out,
        .id = exchange->id,
        .method = exchange->method,
        .trace = exchange->trace,
    };
    if (exchange->solver == SOLVER_QUEUE) {
        struct task_report report = queue_report(exchange->loop->shared->queue, &exchange->task);
        ended.lane = lanes[report.lane];
        ended.waited = report.waited;
        ended.worked += report.worked;
    }
    return ended;
}

void report_request(struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    struct http_shared *shared = exchange->loop->shared;
    char peer[PEER_TEXT_SIZE];
    if (shared->probed != shared) /* the port of the operators has neither a log nor counters */
        return;
    struct ended_request ended = describe(exchange, find_reason(exchange, code));
    ended.peer = peer_text(exchange, peer);
    metrics_count(shared->metrics, &ended);
    log_request(shared->log, &ended);
}
