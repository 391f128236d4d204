/* Cuts off slow answers to free memory. While less than 1/16 of the account is free, and after each refusal for lack of
 * memory, the answer of a very slow reader is ended, one at a time.
 *
 * It is an answer of the client whose answers hold the most bytes, if that is more than an equal share of the account.
 * Of these answers it is the one that needs the most time for the rest, if that is more than a minute. Each loop checks
 * its own connections. */
#pragma once

#include "api/server/http_loop.h"

/* Called in each round. If the account is scarce, or has refused memory since the last check, the next check is
 * scheduled. */
void cut_off_check_soon(struct http_loop *loop);
