#include "api/server/connection.h"

#include "api/server/http_loop.h"
#include "api/server/socket.h"
#include "base/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIME = 2000 /* milliseconds that a socket can linger */ };

struct lingering {
    struct event_source source;
    struct timer timer;
    struct http_loop *loop;
    TAILQ_ENTRY(lingering) entry;
};

static void end(struct lingering *lingering) {
    struct http_loop *loop = lingering->loop;
    TAILQ_REMOVE(&loop->lingering, lingering, entry);
    loop->lingering_count--;
    loop_stop_timer(&loop->loop, &lingering->timer);
    loop_unwatch(&loop->loop, &lingering->source);
    close(lingering->source.descriptor);
    free(lingering);
}

static void on_timer(struct timer *timer) { end(OWNER_OF(timer, struct lingering, timer)); }

/* Discard received data without copying it (MSG_TRUNC, tcp(7)), a bounded amount per round. Stop once the client has
 * closed the connection. */
static void on_ready(struct event_source *source, uint32_t events) {
    char piece[64 << 10]; /* MSG_TRUNC writes nothing here, but ThreadSanitizer assumes that it does */
    (void)events;
    ssize_t length = recv(source->descriptor, piece, sizeof piece, MSG_DONTWAIT | MSG_TRUNC);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
        end(OWNER_OF(source, struct lingering, source));
}

void connection_linger(const struct connection *connection) {
    struct http_loop *loop = connection->loop;
    int kept = fcntl(connection_socket(connection), F_DUPFD_CLOEXEC, 0);
    struct lingering *lingering = kept >= 0 ? malloc(sizeof *lingering) : NULL;
    if (lingering == NULL) {
        if (kept >= 0)
            close(kept);
        return;
    }
    socket_end_sending(kept);
    *lingering = (struct lingering){
        .source = {.descriptor = kept, .ready = on_ready}, .timer = {.fire = on_timer}, .loop = loop};
    if (loop->lingering_count == LINGER_MAX)
        end(TAILQ_FIRST(&loop->lingering));
    TAILQ_INSERT_TAIL(&loop->lingering, lingering, entry);
    loop->lingering_count++;
    loop_set_timer(&loop->loop, &lingering->timer, TIME);
    if (!loop_watch(&loop->loop, &lingering->source, EPOLLIN))
        end(lingering);
}

void connection_end_lingering(struct http_loop *loop) {
    while (!TAILQ_EMPTY(&loop->lingering))
        end(TAILQ_FIRST(&loop->lingering));
}
