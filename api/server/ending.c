#include "api/server/ending.h"

#include "api/work/clock.h"

#include <poll.h>
#include <stdio.h>

/* libmicrohttpd gave up in the middle of a body: because of broken chunks, which it answers by itself? Then the client
 * is still there. A reset, which it tells by the same code, leaves nobody. */
static bool broke_chunks(const struct exchange *exchange, struct MHD_Connection *connection) {
    struct pollfd client = {.fd = exchange_socket(connection), .events = POLLRDHUP};
    return exchange->admission.chunked && poll(&client, 1, 0) == 0;
}

enum reason ending_reason(const struct exchange *exchange, struct MHD_Connection *connection, struct deadline *deadline,
                          enum MHD_RequestTerminationCode code) {
    bool body = exchange->stage == STAGE_BODY || exchange->stage == STAGE_DROP;
    bool cut_off = exchange->stage == STAGE_CUT_OFF || exchange->cut_off;
    if (exchange->reason != REASON_NONE)
        return exchange->reason;
    if (deadline != NULL && atomic_load(&deadline->late))
        return exchange->stage == STAGE_HEAD ? REASON_HEAD_TIMEOUT : body ? REASON_BODY_TIMEOUT : REASON_SEND_TIMEOUT;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK && !cut_off)
        return REASON_NONE;
    if (code == MHD_REQUEST_TERMINATED_DAEMON_SHUTDOWN || atomic_load(&exchange->http->dismissing))
        return REASON_LEAVING;
    if (body && !cut_off && code == MHD_REQUEST_TERMINATED_WITH_ERROR && broke_chunks(exchange, connection))
        return REASON_FRAMING;
    return body ? REASON_CONNECTION_LOST : REASON_CLIENT_GONE;
}

static void log_end(const struct exchange *exchange, const struct metrics_request *ended) {
    char route[32], peer[PEER_TEXT_SIZE];
    if (!log_wants(exchange->http->log, ended->reason != REASON_NONE ? LOG_LEVEL_WARN : LOG_LEVEL_INFO))
        return;
    peer_print(&exchange->peer, peer);
    const char *path = exchange->admission.route;
    if (path != NULL)
        snprintf(route, sizeof route, "%s%s", *path == '/' ? "" : "/", path);
    log_request(exchange->http->log, &(struct log_request){
                                         .id = exchange->id,
                                         .method = *exchange->method != 0 ? exchange->method : NULL,
                                         .route = path != NULL ? route : NULL,
                                         .peer = *peer != 0 ? peer : NULL,
                                         .trace = *exchange->trace != 0 ? exchange->trace : NULL,
                                         .status = ended->status,
                                         .bytes_in = exchange->bytes_in,
                                         .bytes_out = exchange->bytes_out,
                                         .lane = ended->lane != METRICS_NOWHERE ? metrics_lanes[ended->lane] : NULL,
                                         .waited_us = ended->waited,
                                         .worked_us = ended->worked,
                                         .reason = reason_names[ended->reason],
                                     });
}

/* What became of a request. */
static struct metrics_request look_back(const struct exchange *exchange, enum reason reason) {
    static const enum metrics_lane lanes[] = {[JOB_SHORT] = METRICS_SHORT, [JOB_LONG] = METRICS_LONG};
    struct task_report report = {0};
    if (exchange->queued)
        report = queue_report(exchange->http->queue, &exchange->task);
    return (struct metrics_request){
        .route = exchange->admission.route,
        .status = exchange->stage >= STAGE_SENT ? exchange->response.status : 0,
        .reason = reason,
        .lane = exchange->queued        ? lanes[report.lane]
                : exchange->solved_here ? METRICS_IO
                                        : METRICS_NOWHERE,
        .took = exchange->began != 0 ? clock_now_us() - exchange->began : 0,
        .waited = report.waited,
        .worked = exchange->worked + report.worked,
    };
}

void ending_note(const struct exchange *exchange, enum reason reason) {
    struct http *http = exchange->http;
    struct metrics_request ended = look_back(exchange, reason);
    metrics_count(http->metrics, &ended);
    log_end(exchange, &ended);
    if (exchange->streams && exchange->stage == STAGE_SENT)
        atomic_fetch_sub_explicit(&http->streams, 1, memory_order_relaxed);
}
