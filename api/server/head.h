/* The head of a request, on its way from libmicrohttpd to admission: headers, request id, client. */
#pragma once

#include "api/server/exchange.h"

#include <stdbool.h>

/* Begin an exchange at its request line. Refuses a target that libmicrohttpd could not handle (send_past). */
void head_begin(struct exchange *exchange);

/* Called from the log callback when libmicrohttpd is about to answer a head itself. If that head is complete (for
 * instance with a Content-Length that is not a number, or with more cookies than there is memory for), version 0.9
 * would send the head of its answer twice. In that case this function answers instead, and returns true. */
bool head_refuse_complete(struct http_loop *loop);

/* Decide what to do with a head, and record what the log needs from it. */
enum admit_action head_admit(struct exchange *exchange, const char *method, const char *version);
