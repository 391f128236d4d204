/* Answers probes and requests for metrics, at both ports. */
#pragma once

#include "api/answer/response.h"
#include "api/request/routes.h"
#include "api/server/http_loop.h"

#include <stdbool.h>

/* Answer a probe, or with the metrics; in gzip if the client accepts it. Any thread. */
void probe_respond(struct http_shared *shared, enum route_probe probe, bool gzip, const struct response_cors *cors,
                   struct response *ret_response);
