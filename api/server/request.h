/* A request's way through libmicrohttpd: its callbacks, and the daemon of a loop that calls them.
 *
 *     open_target    the request line is read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at its end, and until there is an answer
 *     close_request  the answer was sent, or the connection is closed
 *
 * They run in MHD_run and MHD_stop_daemon, which the loop calls. mhd.h says what must be known of libmicrohttpd. */
#pragma once

#include "api/server/http_loop.h"

/* Start a daemon that serves the connections of a loop. NULL when it cannot be started. */
struct MHD_Daemon *request_start_daemon(struct http_loop *loop);
