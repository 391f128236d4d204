/* How libmicrohttpd is started that runs in a loop of ours. */
#pragma once

#include <microhttpd.h>

/* Without MHD_USE_NO_THREAD_SAFETY version 1.0 keeps a connection that MHD_add_connection gets until the next MHD_run,
 * and does not say whether it could be opened; with it, and in 0.9, it is opened at once. */
#if MHD_VERSION >= 0x00097707
#define DAEMON_IN_A_LOOP (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_NO_THREAD_SAFETY)
#else
#define DAEMON_IN_A_LOOP (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET)
#endif
