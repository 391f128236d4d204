/* Probes and metrics, at whatever port they are asked for. */
#pragma once

#include "api/server/exchange.h"

/* Answer a probe, or with the metrics. Any thread, from http_start until http_stop. */
void probe_respond(struct http *http, enum route_probe probe, const struct response_cors *cors,
                   struct response *ret_response);
