/* libmicrohttpd as a source of a loop of ours.
 *
 * It makes rules: MHD_run, MHD_add_connection and MHD_stop_daemon are never called from one of its callbacks; before
 * MHD_stop_daemon every suspended connection is resumed. */
#pragma once

#include "api/server/loop.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

/* Without MHD_USE_NO_THREAD_SAFETY version 1.0 keeps a connection that MHD_add_connection gets until the next MHD_run,
 * and does not say whether it could be opened; with it, and in 0.9, it is opened at once. */
#if MHD_VERSION >= 0x00097707
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_NO_THREAD_SAFETY)
#else
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET)
#endif

/* Make a daemon, which was started with MHD_EPOLL_FLAGS, a source of a loop. False when the system has no memory for
 * it. */
bool mhd_epoll_watch(struct loop *loop, struct source *source, struct MHD_Daemon *daemon);

/* Let a daemon do what it can do now. Returns the milliseconds after which it has more to do. Each round calls this. */
uint64_t mhd_epoll_run(struct MHD_Daemon *daemon);
