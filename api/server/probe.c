#include "api/server/probe.h"

#include "api/answer/problem.h"
#include "api/request/pages.h"
#include "api/server/log.h"
#include "api/server/metrics.h"
#include "api/server/process.h"
#include "api/work/clock.h"
#include "api/work/queue.h"
#include "base/account.h"

static void respond_metrics(struct http_shared *shared, bool gzip, const struct response_cors *cors,
                            struct response *ret_response) {
    const struct gauges *gauges = &shared->gauges;
    struct queue_state queue = queue_read_state(shared->queue);
    struct metrics_loop loops[LOOP_MAX];
    for (size_t l = 0; l < shared->loop_count; l++) {
        const struct meter *meter = &shared->loops[l].loop.meter;
        loops[l] = (struct metrics_loop){meter_busy(meter), meter_longest(meter, clock_now_us())};
    }
    metrics_respond(shared->metrics,
                    &(struct metrics_snapshot){
                        .version = shared->version,
                        .commit = shared->commit,
                        .queue = queue,
                        .process = process_read_facts(),
                        .start_time = shared->start_time,
                        .inflight_bytes = shared->account->limit - account_free(shared->account),
                        .inflight_bytes_limit = shared->account->limit,
                        .memory_limit = shared->memory_limit,
                        .connections = gauge_get(&gauges->connections),
                        .connections_limit = shared->max_connections,
                        .connections_refused = gauge_get(&gauges->connections_refused),
                        .requests_in_flight = gauge_get(&gauges->in_flight),
                        .streams = gauge_get(&gauges->streams),
                        .states = queue.states + gauge_get(&gauges->states),
                        .log_lines_dropped = log_dropped(shared->log),
                        .ready = gauge_get(&gauges->unready) == 0,
                        .loops = loops,
                        .loop_count = shared->loop_count,
                    },
                    cors, ret_response);
    response_pack(ret_response, gzip);
}

void probe_respond(struct http_shared *shared, enum route_probe probe, bool gzip, const struct response_cors *cors,
                   struct response *ret_response) {
    if (probe == ROUTE_METRICS)
        respond_metrics(shared, gzip, cors, ret_response);
    else if (probe == ROUTE_READYZ && gauge_get(&shared->gauges.unready) != 0)
        problem_respond(PROBLEM_OVERLOADED, cors, ret_response, "the service is about to leave");
    else
        pages_respond_well(cors, ret_response);
}
