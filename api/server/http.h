/* The HTTP shell: libmicrohttpd on one I/O thread, the small lane on it, everything else to the queue.
 *
 * Life cycle: http_start; http_leave when no new connections are wanted; http_stop when http_in_flight is 0 or nobody
 * wants to wait any longer. */
#pragma once

#include "api/api.h"
#include "api/command/config.h"
#include "api/server/deadlines.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct http;

/* Serve on a listening socket, which http_stop closes. `stop` ends computations; `wake` is an eventfd that is written
 * when, after http_leave, nothing is in flight any more, and when there will be something for http_tidy. NULL when it
 * cannot be started. */
struct http *http_start(const struct config *config, const struct api *api, struct account *account, int listening,
                        const struct log *log, const atomic_bool *stop, int wake);

struct deadlines *http_deadlines(struct http *http);

/* GET /readyz turns 503. */
void http_set_unready(struct http *http);

/* Refuse new connections; answer further requests on open ones with 503. */
void http_leave(struct http *http);

/* Requests whose heads are complete and that are not answered. */
size_t http_in_flight(const struct http *http);

/* Give memory that lies idle back to the system, when no large request has ended for a second. Returns how many
 * milliseconds it takes at least until there is something to give; UINT64_MAX when nothing is. For the thread that
 * waits: it may take some 10 ms. */
uint64_t http_tidy(struct http *http);

/* Finish what the workers have (with the stop flag set: end it at once), close everything, free. */
void http_stop(struct http *http);
