#include "api/server/hang_up.h"

#include "api/server/exchange.h"
#include "api/server/http_loop.h"
#include "api/server/socket.h"
#include "base/owner.h"

enum {
    HALF_CLOSED = 1000 /* milliseconds that a request may still take after its client has closed its sending side */
};

static void set(struct connection *connection, uint64_t pause) {
    loop_set_timer(&connection->loop->loop, &connection->hang_up_timer, pause);
}

/* Is nothing in progress, not even an answer of libmicrohttpd's own? */
static bool is_idle(const struct connection *connection) {
    return connection->exchange == NULL &&
           MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL;
}

/* The client has closed its sending side, and the time for what was in progress is over. */
static void end(struct connection *connection) {
    struct exchange *exchange = connection->exchange;
    int socket = connection_socket(connection);
    bool can_end = exchange != NULL && state_after(exchange->state, EVENT_HUNG_UP) != STATE_NONE;
    if (can_end && state_is_queued(exchange->state))
        exchange_cut_off(exchange, EVENT_HUNG_UP, REASON_CLIENT_GONE);
    else if (is_idle(connection) && socket_is_hung_up(socket))
        socket_shut_down(socket);
    else if (can_end && socket_is_hung_up(socket))
        exchange_cut_off(exchange, EVENT_HUNG_UP, REASON_CONNECTION_LOST);
    else
        set(connection, HALF_CLOSED); /* an answer is being sent, or libmicrohttpd has not read everything */
}

static void on_timer(struct timer *timer) { end(OWNER_OF(timer, struct connection, hang_up_timer)); }

/* A reset ends the work at once. */
static void on_hung_up(struct event_source *source, uint32_t events) {
    struct connection *connection = OWNER_OF(source, struct connection, source);
    if ((events & (EPOLLERR | EPOLLHUP)) != 0)
        end(connection);
    else
        set(connection, connection->exchange != NULL ? HALF_CLOSED : 0);
}

void hang_up_watch(struct connection *connection) {
    connection->source.ready = on_hung_up;
    connection->hang_up_timer.fire = on_timer;
    loop_watch(&connection->loop->loop, &connection->source, EPOLLRDHUP | EPOLLET);
}

void hang_up_unwatch(struct connection *connection) {
    loop_unwatch(&connection->loop->loop, &connection->source);
    loop_stop_timer(&connection->loop->loop, &connection->hang_up_timer);
}

void hang_up_check(struct connection *connection) {
    if (connection->hang_up_timer.is_set)
        set(connection, 0);
}
