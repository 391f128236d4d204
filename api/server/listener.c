#include "api/server/listener.h"

#include "api/log/log.h"
#include "api/server/http_loop.h"
#include "api/server/socket.h"
#include "api/server/watch.h"
#include "base/assert.h"
#include "base/owner.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    AT_ONCE = 64, /* connections accepted in one round */
    AGAIN = 100,  /* milliseconds until the next attempt when descriptors or memory have run out */
    LOG_FULL = 0, /* kinds of log_limited */
    LOG_NO_DESCRIPTOR,
    LOG_CLIENT_FULL,
};

void listening_close(const struct listening *listening) {
    for (size_t s = 0; s < listening->count; s++)
        close(listening->sockets[s]);
}

/* Start (unless accepting has ended) or stop watching the listening sockets. While the connection limit is reached,
 * further connections wait in the kernel's queue. If one socket cannot be watched, none is. */
static void watch(struct listener *listener, bool on) {
    struct loop *loop = &listener->loops->loop;
    size_t watched = listener->is_watched ? listener->source_count : 0;
    if (listener->is_watched == on || (on && listener->is_ended))
        return;
    while (on && watched < listener->source_count && loop_watch(loop, &listener->sources[watched].source, EPOLLIN))
        watched++;
    listener->is_watched = on && watched == listener->source_count;
    while (!listener->is_watched && watched != 0)
        loop_unwatch(loop, &listener->sources[--watched].source);
}

/* ---- connections of each client ---- */

/* Connections from a trusted proxy are not counted, because they serve all of its clients. */
static bool is_counted(const struct listener *listener, const struct connection *connection) {
    return !peer_is_trusted(listener->loops->shared->proxies, &connection->peer);
}

/* Count a connection. Returns false if it must be refused. */
static bool count(struct listener *listener, const struct connection *connection) {
    struct http_shared *shared = listener->loops->shared;
    struct client_address client = peer_client(&connection->peer);
    char text[PEER_TEXT_SIZE];
    if (!is_counted(listener, connection))
        return true;
    if (listener->max_per_client == 0 || client_totals_of(&listener->clients, &client) < listener->max_per_client)
        return client_totals_add(&listener->clients, &client, 1);
    gauge_add(&shared->gauges.connections_refused, 1);
    peer_print(&connection->peer, text);
    log_limited(shared->log, LOG_LEVEL_WARN, LOG_CLIENT_FULL, "client-connections-full", "\"peer\":\"%s\"", text);
    return false;
}

/* ---- the end of a connection ---- */

static bool is_full(const struct listener *listener) { return listener->connections >= listener->max_connections; }

static void free_connection(struct message *message) {
    struct connection *connection = OWNER_OF(message, struct connection, message);
    struct listener *listener = connection->listener;
    ASSERT(listener->connections != 0);
    bool was_full = is_full(listener);
    listener->connections--;
    connection->loop->open--;
    gauge_add(&listener->loops->shared->gauges.connections, UINT64_MAX);
    if (is_counted(listener, connection)) {
        struct client_address client = peer_client(&connection->peer);
        client_totals_subtract(&listener->clients, &client, 1);
    }
    free(connection);
    if (was_full || !listener->timer.is_set)
        watch(listener, true);
}

void listener_take_back(struct connection *connection) {
    struct http_loop *first = connection->listener->loops;
    if (connection->loop == first) {
        free_connection(&connection->message);
        return;
    }
    connection->message.deliver = free_connection;
    mailbox_post(&first->loop.mailbox, &connection->message);
}

/* ---- the beginning of a connection ---- */

/* Hand a connection to libmicrohttpd, on the connection's loop. */
static void open_connection(struct connection *connection) {
    struct http_loop *loop = connection->loop;
    LIST_INSERT_HEAD(&loop->connections, connection, entry);
    loop->opening = connection;
    MHD_add_connection(loop->daemon, connection_socket(connection), &connection->address.any, connection->address_size);
    if (loop->opening == NULL)
        return; /* the connection callback has taken it, or returned it to the listener */
    loop->opening = NULL;
    LIST_REMOVE(connection, entry);
    listener_take_back(connection); /* libmicrohttpd has closed its socket */
}

static void open_here(struct message *message) {
    struct connection *connection = OWNER_OF(message, struct connection, message);
    if (connection->loop->daemon != NULL) {
        open_connection(connection);
        return;
    }
    close(connection_socket(connection));
    listener_take_back(connection);
}

static struct http_loop *find_least_loaded(const struct listener *listener) {
    size_t min = 0;
    for (size_t l = 1; l < listener->loop_count; l++)
        if (listener->loops[l].open < listener->loops[min].open)
            min = l;
    return &listener->loops[min];
}

/* Log that all connections are taken, and name the client that would lose one to another client. */
static void log_full(struct listener *listener) {
    struct log *log = listener->loops->shared->log;
    struct client_address client;
    char text[PEER_TEXT_SIZE] = "";
    if (log_wants(log, LOG_LEVEL_WARN) && !log_holds(log, LOG_FULL) &&
        client_totals_over_share(&listener->clients, listener->max_connections, &client))
        client_print(&client, text);
    bool is_known = *text != 0;
    log_limited(log, LOG_LEVEL_WARN, LOG_FULL, "connections-full", "\"connections\":%zu%s%s%s", listener->connections,
                is_known ? ",\"peer\":\"" : "", text, is_known ? "\"" : "");
}

static void take(struct listener *listener, struct connection *connection) {
    struct http_shared *shared = listener->loops->shared;
    struct http_loop *loop = find_least_loaded(listener);
    listener->connections++;
    loop->open++;
    gauge_add(&shared->gauges.connections, 1);
    if (is_full(listener))
        log_full(listener);
    connection->loop = loop;
    if (loop == listener->loops) {
        open_connection(connection);
        return;
    }
    connection->message.deliver = open_here;
    mailbox_post(&loop->loop.mailbox, &connection->message);
}

/* No further connection can be accepted. Try again after a pause, so that the loop does not spin. */
static void pause_listening(struct listener *listener) {
    watch(listener, false);
    loop_set_timer(&listener->loops->loop, &listener->timer, AGAIN);
}

/* Log that no descriptor or memory is available for another connection. */
static void log_lack(struct listener *listener) {
    log_limited(listener->loops->shared->log, LOG_LEVEL_WARN, LOG_NO_DESCRIPTOR, "no-descriptor", "\"connections\":%zu",
                listener->connections);
    pause_listening(listener);
}

/* Accept one connection. Returns false if none is waiting or none can be accepted. */
static bool accept_one(struct listener *listener, int listening) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        log_lack(listener);
        return false;
    }
    connection->address_size = sizeof connection->address;
    int socket = accept4(listening, &connection->address.any, &connection->address_size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
        int error = errno;
        free(connection);
        if (error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS)
            log_lack(listener);
        return error == ECONNABORTED || error == EINTR;
    }
    socket_bound_buffers(socket, listener->loops->shared->kernel_buffers);
    connection->source.descriptor = socket;
    connection->listener = listener;
    connection->peer = peer_of_socket(&connection->address.any);
    if (count(listener, connection)) {
        take(listener, connection);
    } else {
        close(socket);
        free(connection);
    }
    return listener->is_watched;
}

/* ---- room for another client ---- */

/* The eviction message is back on the first loop. The connection that it closed is on its way back, too. */
static void on_returned(struct message *message) {
    struct listener *listener = OWNER_OF(message, struct listener, eviction.message);
    listener->eviction.is_on_its_way = false;
    if (!listener->eviction.has_closed && is_full(listener) && !listener->is_ended)
        pause_listening(listener);
}

static void visit(struct message *message) {
    struct listener *listener = OWNER_OF(message, struct listener, eviction.message);
    struct eviction *eviction = &listener->eviction;
    eviction->has_closed = watch_close_one(&listener->loops[eviction->loop++], &eviction->client);
    bool is_over = eviction->has_closed || eviction->loop == listener->loop_count;
    struct http_loop *next = &listener->loops[is_over ? 0 : eviction->loop];
    eviction->message.deliver = is_over ? on_returned : visit;
    mailbox_post(&next->loop.mailbox, message);
}

/* All connections are taken and a client is waiting: close one. */
static void make_room(struct listener *listener) {
    struct eviction *eviction = &listener->eviction;
    watch(listener, false);
    if (eviction->is_on_its_way)
        return;
    if (!client_totals_over_share(&listener->clients, listener->max_connections, &eviction->client)) {
        pause_listening(listener);
        return;
    }
    eviction->is_on_its_way = true;
    eviction->loop = 0;
    visit(&eviction->message);
}

#ifndef __clang__ /* GCC doesn't see that free_connection frees what a message is part of */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif
static void on_ready(struct event_source *source, uint32_t events) {
    struct listener *listener = OWNER_OF(source, struct listener_source, source)->listener;
    (void)events;
    if (is_full(listener))
        make_room(listener);
    for (int n = 0; n < AT_ONCE && !is_full(listener) && accept_one(listener, source->descriptor); n++)
        ;
}
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

static void on_timer(struct timer *timer) { watch(OWNER_OF(timer, struct listener, timer), true); }

bool listener_begin(struct listener *listener, const struct listening *listening, struct http_loop *loops,
                    size_t loop_count, size_t max, size_t max_per_client) {
    *listener = (struct listener){.source_count = listening->count,
                                  .loops = loops,
                                  .loop_count = loop_count,
                                  .max_connections = max,
                                  .max_per_client = max_per_client,
                                  .timer = {.fire = on_timer}};
    for (size_t s = 0; s < listening->count; s++)
        listener->sources[s] = (struct listener_source){
            .source = {.descriptor = listening->sockets[s], .ready = on_ready}, .listener = listener};
    client_totals_init(&listener->clients);
    watch(listener, true);
    return listener->is_watched;
}

void listener_end(struct listener *listener) {
    listener->is_ended = true;
    loop_stop_timer(&listener->loops->loop, &listener->timer);
    watch(listener, false);
}

void listener_clear(struct listener *listener) {
    ASSERT(listener->connections == 0);
    client_totals_clear(&listener->clients);
}
