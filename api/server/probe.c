#include "api/server/probe.h"

static void respond_metrics(struct http *http, const struct response_cors *cors, struct response *ret_response) {
    struct queue_state queue = queue_look(http->queue);
    metrics_respond(http->metrics,
                    &(struct metrics_look){
                        .version = http->version,
                        .commit = http->commit,
                        .queue = queue,
                        .process = process_look(),
                        .start_time = http->start_time,
                        .inflight_bytes = http->account->limit - account_free(http->account),
                        .inflight_bytes_limit = http->account->limit,
                        .connections = atomic_load_explicit(&http->connections, memory_order_relaxed),
                        .connections_limit = http->most_connections,
                        .requests_in_flight = atomic_load(&http->in_flight),
                        .streams = atomic_load_explicit(&http->streams, memory_order_relaxed),
                        .states = queue.states + atomic_load_explicit(&http->states, memory_order_relaxed),
                        .log_lines_dropped = log_dropped(http->log),
                        .ready = !atomic_load(&http->unready),
                    },
                    cors, ret_response);
}

void probe_respond(struct http *http, enum route_probe probe, const struct response_cors *cors,
                   struct response *ret_response) {
    if (probe == ROUTE_METRICS)
        respond_metrics(http, cors, ret_response);
    else if (probe == ROUTE_READYZ && atomic_load(&http->unready))
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "the service is about to leave");
    else
        pages_respond_well(cors, ret_response);
}
