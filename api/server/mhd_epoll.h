/* Runs libmicrohttpd in an event loop, as a source: its epoll descriptor.
 *
 * Rules of libmicrohttpd: MHD_run, MHD_add_connection and MHD_stop_daemon must not be called from one of its callbacks.
 * Before MHD_stop_daemon every suspended connection must be resumed. */
#pragma once

#include "api/server/loop.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

/* Without MHD_USE_NO_THREAD_SAFETY, version 1.0 opens a connection from MHD_add_connection only in the next MHD_run,
 * and does not report whether that failed. With the flag, and in 0.9, the connection is opened at once. */
#if MHD_VERSION >= 0x00097707
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_NO_THREAD_SAFETY)
#else
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET)
#endif

/* Make a daemon, started with MHD_EPOLL_FLAGS, a source of a loop. False when the system has no memory for it. */
bool mhd_epoll_watch(struct loop *loop, struct event_source *source, struct MHD_Daemon *daemon);

/* Let a daemon do what it can do now. Returns the milliseconds until it has more to do. Called in each round. */
uint64_t mhd_epoll_run(struct MHD_Daemon *daemon);
