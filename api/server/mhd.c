#include "api/server/mhd.h"

#include "api/server/exchange.h"

#include <string.h>

/* ---- versions ---- */

bool mhd_misreads_chunks(const char *version) {
    static const char series[] = "1.0.";
    const size_t length = sizeof series - 1;
    return strncmp(version, series, length) == 0 && strspn(version + length, "0123456789") == 1;
}

/* ---- in a loop ---- */

/* Nothing to do here: MHD_run reads the descriptor itself. */
static void on_ready(struct event_source *source, uint32_t events) { (void)source, (void)events; }

bool mhd_watch(struct loop *loop, struct event_source *source, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    *source = (struct event_source){.descriptor = info->epoll_fd, .ready = on_ready};
    return loop_watch(loop, source, EPOLLIN);
}

/* A timeout of 0 means: call again, without waiting. */
uint64_t mhd_run(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout;
    MHD_run(daemon);
    return MHD_get_timeout(daemon, &timeout) == MHD_YES ? timeout : UINT64_MAX;
}

/* ---- its own answers ---- */

/* Has the current request of the connection an answer from us? */
static bool is_answered(const struct connection *connection) {
    const struct exchange *exchange = connection->exchange;
    return exchange != NULL && exchange->status != 0 && exchange->state != STATE_REFUSED;
}

/* One that is left was sent at once: it may be that of `ending`, unless that was answered by us, or ends because of its
 * client. */
void mhd_find_own_answers(struct connection *ending, enum MHD_RequestTerminationCode code) {
    struct http_loop *loop = ending->loop;
    struct connection *connection;
    if (loop->own_answers == 0)
        return;
    LIST_FOREACH(connection, &loop->connections, entry) {
        if (loop->own_answers == 0 || connection == ending || connection->is_own_answer || is_answered(connection) ||
            connection->mhd == NULL ||
            MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL)
            continue;
        connection->is_own_answer = true;
        loop->own_answers--;
    }
    if (loop->own_answers != 0 && !is_answered(ending) &&
        (code == MHD_REQUEST_TERMINATED_COMPLETED_OK || code == MHD_REQUEST_TERMINATED_WITH_ERROR)) {
        ending->is_own_answer = true;
        loop->own_answers--;
    }
}

bool mhd_take_own_answer(struct connection *connection) {
    bool is = connection->is_own_answer;
    connection->is_own_answer = false;
    return is;
}
