/* Probes and metrics, at whatever port they are asked for. */
#pragma once

#include "api/answer/response.h"
#include "api/request/routes.h"
#include "api/server/http_loop.h"

#include <stdbool.h>

/* Answer a probe, or with the metrics, in gzip where that is welcome. Any thread. */
void probe_respond(struct http_shared *shared, enum route_probe probe, bool gzip, const struct response_cors *cors,
                   struct response *ret_response);
