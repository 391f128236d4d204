/* The head of a request, from libmicrohttpd to admission: its headers, its id, its client. */
#pragma once

#include "api/server/exchange.h"

#include <stdbool.h>

/* Begin an exchange at its request line. A target that libmicrohttpd could not handle is refused (send_past). */
void head_begin(struct exchange *exchange);

/* Called from the log callback when libmicrohttpd is about to answer a head itself. If the head is complete (a length
 * that is no number, more cookies than it has memory for), version 0.9 would send the head of its answer twice. So the
 * head is answered here, and true is returned. */
bool head_refuse_complete(struct http_loop *loop);

/* Decide on a head, and note what the log needs of it. */
enum admit_action head_admit(struct exchange *exchange, const char *method, const char *version);
