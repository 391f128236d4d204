#include "api/server/report.h"

#include "api/log/log.h"
#include "api/server/http_loop.h"
#include "api/work/clock.h"

#include <string.h>

/* Determine why the request has ended. */
static enum reason find_reason(const struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    if (exchange->reason != REASON_NONE)
        return exchange->reason;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK || exchange->state == STATE_SENT)
        return REASON_NONE;
    if (code == MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN || exchange->loop->phase == PHASE_ABORT)
        return REASON_LEAVING;
    return exchange_row(exchange)->timer == TIMER_BODY ? REASON_CONNECTION_LOST : REASON_CLIENT_GONE;
}

/* Get the client's address as text. The address of a socket is printed only once for all of its requests. */
static const char *peer_text(const struct exchange *exchange, char space[PEER_TEXT_SIZE]) {
    struct connection *connection = exchange->connection;
    bool is_socket = connection != NULL &&
                     memcmp(exchange->peer.bytes, connection->peer.bytes, sizeof exchange->peer.bytes) == 0 &&
                     exchange->peer.ipv4 == connection->peer.ipv4;
    char *text = is_socket ? connection->peer_text : space;
    if (!is_socket || *text == 0)
        peer_print(&exchange->peer, text);
    return text;
}

/* Describe the request for the metrics. */
static struct ended_request describe(const struct exchange *exchange) {
    static const enum metrics_lane lanes[] = {[JOB_SHORT] = METRICS_SHORT, [JOB_LONG] = METRICS_LONG};
    struct ended_request ended = {
        .route = exchange->admission.route,
        .status = exchange->status,
        .reason = exchange->reason,
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

static void log_ended(const struct exchange *exchange, const struct ended_request *request) {
    struct log *log = exchange->loop->shared->log;
    enum log_level level = request->reason != REASON_NONE ? LOG_LEVEL_WARN : LOG_LEVEL_INFO;
    struct log_line line;
    char peer[PEER_TEXT_SIZE];
    if (!log_wants(log, level))
        return;
    log_begin(&line, level, "request");
    log_put_text(&line, ",\"request_id\":", exchange->id, 64);
    log_put_text(&line, ",\"method\":", exchange->method, 24);
    log_put_text(&line, ",\"route\":", request->route != NULL ? request->route : "", 100);
    log_put_number(&line, ",\"status\":", request->status);
    log_put_number(&line, ",\"bytes_in\":", request->bytes_in);
    log_put_number(&line, ",\"bytes_out\":", request->bytes_out);
    if (request->lane != METRICS_NOWHERE)
        log_put_text(&line, ",\"lane\":", metrics_lanes[request->lane], SIZE_MAX);
    log_put_milliseconds(&line, ",\"waited_ms\":", request->waited);
    log_put_milliseconds(&line, ",\"worked_ms\":", request->worked);
    log_put_text(&line, ",\"peer\":", peer_text(exchange, peer), 64);
    log_put_text(&line, ",\"trace_id\":", exchange->trace, 32);
    if (request->reason != REASON_NONE)
        log_put_text(&line, ",\"reason\":", reason_names[request->reason], SIZE_MAX);
    log_send(log, &line);
}

/* Count and log a request. */
static void report_request(const struct exchange *exchange) {
    struct http_shared *shared = exchange->loop->shared;
    if (http_is_ops(shared)) /* the ops port has neither a log nor counters */
        return;
    struct ended_request ended = describe(exchange);
    metrics_count(shared->metrics, &ended);
    log_ended(exchange, &ended);
}

void report_close(struct exchange *exchange, enum MHD_RequestTerminationCode code) {
    exchange->reason = find_reason(exchange, code);
    if (exchange_row(exchange)->queue == QUEUE_NONE || exchange->reason == REASON_NONE)
        report_request(exchange);
}

void report_release(const struct exchange *exchange) {
    if (exchange->reason != REASON_NONE)
        report_request(exchange);
}
