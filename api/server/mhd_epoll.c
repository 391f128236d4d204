#include "api/server/mhd_epoll.h"

/* Nothing to do here: MHD_run reads the descriptor itself. */
static void on_ready(struct event_source *source, uint32_t events) { (void)source, (void)events; }

bool mhd_epoll_watch(struct loop *loop, struct event_source *source, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    *source = (struct event_source){.descriptor = info->epoll_fd, .ready = on_ready};
    return loop_watch(loop, source, EPOLLIN);
}

/* A timeout of 0 means: call again, without waiting. */
uint64_t mhd_epoll_run(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout;
    MHD_run(daemon);
    return MHD_get_timeout(daemon, &timeout) == MHD_YES ? timeout : UINT64_MAX;
}
