#include "api/server/report.h"

#include "api/server/http_loop.h"
#include "api/server/log.h"
#include "api/work/clock.h"

#include <string.h>

enum { ROUTE_TEXT_SIZE = 32 };

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
    return *text != 0 ? text : NULL;
}

/* Get the path as in the request. */
static const char *route_text(const char *path, char space[ROUTE_TEXT_SIZE]) {
    if (path == NULL || *path == '/')
        return path;
    *space = '/';
    memccpy(space + 1, path, 0, ROUTE_TEXT_SIZE - 2);
    space[ROUTE_TEXT_SIZE - 1] = 0;
    return space;
}

static void log_end(const struct exchange *exchange, const struct metrics_request *ended) {
    char route[ROUTE_TEXT_SIZE], peer[PEER_TEXT_SIZE];
    if (!log_wants(exchange->loop->shared->log, ended->reason != REASON_NONE ? LOG_LEVEL_WARN : LOG_LEVEL_INFO))
        return;
    log_request(exchange->loop->shared->log,
                &(struct log_request){
                    .id = exchange->id,
                    .method = *exchange->method != 0 ? exchange->method : NULL,
                    .route = route_text(exchange->admission.route, route),
                    .peer = peer_text(exchange, peer),
                    .trace = *exchange->trace != 0 ? exchange->trace : NULL,
                    .status = ended->status,
                    .bytes_in = ended->bytes_in,
                    .bytes_out = ended->bytes_out,
                    .lane = ended->lane != METRICS_NOWHERE ? metrics_lanes[ended->lane] : NULL,
                    .waited_us = ended->waited,
                    .worked_us = ended->worked,
                    .reason = reason_names[ended->reason],
                });
}

/* Describe an ended request for the metrics. */
static struct metrics_request metrics_of(const struct exchange *exchange, enum reason reason) {
    static const enum metrics_lane lanes[] = {[JOB_SHORT] = METRICS_SHORT, [JOB_LONG] = METRICS_LONG};
    struct metrics_request ended = {
        .route = exchange->admission.route,
        .status = exchange->status,
        .reason = reason,
        .lane = exchange->solver == SOLVER_LOOP ? METRICS_IO : METRICS_NOWHERE,
        .took = exchange->began != 0 ? clock_now_us() - exchange->began : 0,
        .worked = exchange->worked,
        .bytes_in = exchange->bytes_in,
        .bytes_out = exchange->bytes_out,
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
    if (shared->probed != shared) /* the port of the operators has neither a log nor counters */
        return;
    struct metrics_request ended = metrics_of(exchange, find_reason(exchange, code));
    metrics_count(shared->metrics, &ended);
    log_end(exchange, &ended);
}
