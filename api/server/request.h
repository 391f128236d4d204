/* A request's way through libmicrohttpd: its callbacks, and the daemon of a loop that calls them.
 *
 *     open_target    the request line is read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at the body's end, and once more after a resume
 *     close_request  the answer has left, or the connection is gone
 *
 * They run in MHD_run, which the loop calls, and in MHD_stop_daemon. */
#pragma once

#include "api/server/http_loop.h"

/* Start a daemon that serves the connections of a loop. NULL when it cannot be started. */
struct MHD_Daemon *request_start_daemon(struct http_loop *loop);
