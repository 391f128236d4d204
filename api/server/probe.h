/* Answers probes and requests for metrics, on both ports. */
#pragma once

#include "api/answer/response.h"
#include "api/request/routes.h"
#include "api/server/http_loop.h"

#include <stdbool.h>

/* Answer a probe, or write the metrics; compressed if `gzip`, that is, if the client accepts it. Can be called from any
 * thread. */
void probe_respond(struct http_shared *shared, enum route_probe probe, bool gzip, const struct response_cors *cors,
                   struct response *ret_response);
