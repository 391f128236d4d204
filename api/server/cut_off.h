/* Room for others: where the account has refused somebody, an answer that waits for a very slow reader is cut off.
 *
 * Of the client whose answers hold most of the account, beyond an equal share, it is the answer with the longest time
 * to go, if that is more than a minute. Streams are exempt: max_stream_bytes bounds them. Each loop looks at its own
 * connections; for one refusal one of the loops cuts one answer off. */
#pragma once

#include "api/server/http_loop.h"

/* Called in each round: if somebody was refused since the last look, look soon, in a moment at most. */
void cut_off_check_soon(struct http_loop *loop);
