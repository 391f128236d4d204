/* Answers that bypass libmicrohttpd, written to the socket directly: to a head that it would answer wrongly, and in the
 * middle of a body, where it cannot queue a response. They are the last answers of their connections. */
#pragma once

#include "api/server/exchange.h"

/* Send the response of the exchange, and note its status and length for the log. Returns false, and
 * notes nothing, if memory is exhausted or the kernel does not take all of it: it may still hold earlier answers that
 * the client has not read. */
bool bypass_send(struct exchange *exchange);
