#include "api/server/resume.h"

#include "api/server/connection.h"
#include "base/assert.h"
#include "base/owner.h"

enum {
    MANY_SUSPENDED = 256, /* from this number of suspended connections on, resumes are collected */
    TOGETHER = 5,         /* milliseconds that the first of them waits */
};

void resume_suspend(struct exchange *exchange) {
    ASSERT(exchange->connection->suspension == CONNECTION_RUNS);
    exchange->connection->suspension = CONNECTION_SUSPENDED;
    exchange->loop->suspended++;
    MHD_suspend_connection(exchange->connection->mhd);
}

static void go_on(struct connection *connection) {
    struct http_loop *loop = connection->loop;
    ASSERT(loop->suspended != 0 && connection->suspension != CONNECTION_RUNS);
    connection->suspension = CONNECTION_RUNS;
    loop->suspended--;
    loop->has_resumed = true;
    MHD_resume_connection(connection->mhd);
}

static void resume_together(struct http_loop *loop) {
    struct connection *connection;
    while ((connection = STAILQ_FIRST(&loop->resumed)) != NULL) {
        STAILQ_REMOVE_HEAD(&loop->resumed, resumed_entry);
        go_on(connection);
    }
}

static void on_timer(struct timer *timer) { resume_together(OWNER_OF(timer, struct http_loop, resume_timer)); }

void resume_exchange(struct exchange *exchange) {
    struct http_loop *loop = exchange->loop;
    struct connection *connection = exchange->connection;
    if (connection->suspension != CONNECTION_SUSPENDED)
        return; /* libmicrohttpd is about to go on with it anyway, or will be when the others are resumed */
    if (loop->suspended < MANY_SUSPENDED || loop->phase >= PHASE_REFUSE) {
        go_on(connection);
        return;
    }
    connection->suspension = CONNECTION_RESUMING;
    STAILQ_INSERT_TAIL(&loop->resumed, connection, resumed_entry);
    loop->resume_timer.fire = on_timer;
    if (!loop->resume_timer.is_set)
        loop_set_timer(&loop->loop, &loop->resume_timer, TOGETHER);
}

void resume_all(struct http_loop *loop) {
    loop_stop_timer(&loop->loop, &loop->resume_timer);
    resume_together(loop);
}
