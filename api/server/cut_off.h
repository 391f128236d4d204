/* Cuts off slow answers to free memory. When the account has refused memory, the answer of a very slow reader is ended.
 *
 * It is an answer of the client whose answers hold the most bytes, if that is more than an equal share of the account.
 * Of these answers it is the one that needs the most time for the rest, if that is more than a minute. Streams are
 * exempt, because max_stream_bytes bounds them. Each loop checks its own connections. For one refusal, one of the loops
 * cuts off one answer. */
#pragma once

#include "api/server/http_loop.h"

/* Called in each round. If the account has refused memory since the last check, the next check is scheduled. */
void cut_off_check_soon(struct http_loop *loop);
