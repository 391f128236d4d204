/* There is no log and there are no counters here: the clients are probes and Prometheus. No address can take all
 * places: a head must be complete in time, even if bytes of it keep coming, and if all places are taken, the address
 * that has the most of them loses its oldest connection. */
#include "api/server/ops.h"

#include "api/answer/problem.h"
#include "api/request/negotiate.h"
#include "api/request/routes.h"
#include "api/server/client.h"
#include "api/server/mhd_epoll.h"
#include "api/server/probe.h"
#include "api/server/send.h"
#include "api/server/socket.h"
#include "api/work/clock.h"
#include "base/owner.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OF_ONE_ADDRESS = 16,
    TIME = 30000, /* milliseconds for a request and its answer, and between two requests */
    AGAIN = 100,  /* milliseconds until the next try, after a lack of descriptors */
};

struct ops_connection {
    struct timer timer;
    int socket;
    struct peer client;
    TAILQ_ENTRY(ops_connection) entry;
};

TAILQ_HEAD(ops_list, ops_connection);

struct ops {
    struct http_shared *shared;
    struct loop loop;
    struct MHD_Daemon *daemon;
    struct event_source daemon_source, listening;
    struct timer again;          /* runs while the listening socket is not watched */
    struct ops_list connections; /* connections, the oldest first */
    size_t count;
    struct ops_connection *opening; /* the connection that is being given to libmicrohttpd; else NULL */
    struct message stop;
    bool is_stopped;
    pthread_t thread;
};

/* ---- requests ---- */

static bool is_method(const char *method, const char *word) { return strcmp(method, word) == 0; }

/* Answer a method and a path. */
static void respond(struct ops *ops, const char *method, const char *path, bool gzip, struct response *ret_response) {
    const struct response_cors none = {0};
    struct route route;
    if (!route_find(path, strlen(path), &route) || route.kind != ROUTE_PROBE) {
        problem_respond(PROBLEM_NOT_FOUND, &none, ret_response,
                        "at this port there are /metrics, /livez and /readyz only");
    } else if (is_method(method, MHD_HTTP_METHOD_GET) || is_method(method, MHD_HTTP_METHOD_HEAD)) {
        probe_respond(ops->shared, route.probe, gzip, &none, ret_response);
    } else {
        problem_respond(PROBLEM_METHOD_NOT_ALLOWED, &none, ret_response, "the methods here are GET and HEAD");
        response_add_header(ret_response, "Allow", "GET, HEAD");
    }
}

static enum MHD_Result send_answer(struct ops *ops, struct MHD_Connection *connection, const char *method,
                                   const char *path) {
    const char *encodings = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    const struct header header = {MHD_HTTP_HEADER_ACCEPT_ENCODING, encodings};
    struct response response;
    respond(ops, method, path, encodings != NULL && negotiate_gzip(&header, 1), &response);
    struct MHD_Response *sent = send_make_response(&response);
    enum MHD_Result result = MHD_NO;
    if (sent != NULL && send_add_headers(sent, &response))
        result = MHD_queue_response(connection, response.status, sent);
    if (sent != NULL)
        MHD_destroy_response(sent);
    response_clear(&response);
    return result;
}

/* A request is answered at its end, so that its connection is kept. A body is ignored. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *length, void **context) {
    struct ops *ops = cls;
    (void)version, (void)bytes;
    if (*context == NULL) {
        *context = ops;
        return MHD_YES;
    }
    if (*length != 0) {
        *length = 0;
        return MHD_YES;
    }
    return send_answer(ops, connection, method, path);
}

/* ---- connections ---- */

static void on_late(struct timer *timer) { socket_shut_down(OWNER_OF(timer, struct ops_connection, timer)->socket); }

static void on_completed(void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code) {
    struct ops *ops = cls;
    struct ops_connection *connection =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    (void)context, (void)code;
    loop_set_timer(&ops->loop, &connection->timer, TIME);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct ops *ops = cls;
    struct ops_connection *connection = code == MHD_CONNECTION_NOTIFY_STARTED ? ops->opening : *context;
    (void)mhd;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        ops->opening = NULL;
        *context = connection;
        TAILQ_INSERT_TAIL(&ops->connections, connection, entry);
        ops->count++;
        loop_set_timer(&ops->loop, &connection->timer, TIME);
        return;
    }
    *context = NULL;
    loop_stop_timer(&ops->loop, &connection->timer);
    TAILQ_REMOVE(&ops->connections, connection, entry);
    ops->count--;
    free(connection);
}

static bool is_same(const struct peer *a, const struct peer *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static size_t count_of(const struct ops *ops, const struct peer *client) {
    const struct ops_connection *connection;
    size_t count = 0;
    TAILQ_FOREACH(connection, &ops->connections, entry)
        count += is_same(&connection->client, client);
    return count;
}

/* Is there a place for a client? If all are taken, the oldest connection of the client with the most of them is closed,
 * if that client has more than this one. */
static bool has_place(struct ops *ops, const struct peer *client) {
    struct ops_connection *connection, *oldest = NULL;
    size_t own = count_of(ops, client), max = own;
    if (own >= OF_ONE_ADDRESS)
        return false;
    if (ops->count < OPS_CONNECTIONS)
        return true;
    TAILQ_FOREACH(connection, &ops->connections, entry) {
        size_t count = count_of(ops, &connection->client);
        if (count <= max)
            continue;
        max = count;
        oldest = connection;
    }
    if (oldest != NULL)
        socket_shut_down(oldest->socket);
    return oldest != NULL;
}

/* Give an accepted connection to libmicrohttpd, or close it. */
static void open_connection(struct ops *ops, int socket, const struct sockaddr *address, socklen_t size) {
    struct peer peer = peer_of_socket(address), client = peer_client(&peer);
    struct ops_connection *connection = has_place(ops, &client) ? calloc(1, sizeof *connection) : NULL;
    if (connection == NULL) {
        close(socket);
        return;
    }
    *connection = (struct ops_connection){.timer = {.fire = on_late}, .socket = socket, .client = client};
    ops->opening = connection;
    MHD_add_connection(ops->daemon, socket, address, size);
    if (ops->opening != NULL) /* libmicrohttpd did not begin it, and has closed the socket */
        free(connection);
    ops->opening = NULL;
}

/* Accept one connection in each round, so that a connection that has lost its place is closed before the next. */
static void on_client(struct event_source *source, uint32_t events) {
    struct ops *ops = OWNER_OF(source, struct ops, listening);
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    (void)events;
    int socket = accept4(source->descriptor, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
        open_connection(ops, socket, (struct sockaddr *)&address, size);
    } else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        loop_unwatch(&ops->loop, source);
        loop_set_timer(&ops->loop, &ops->again, AGAIN);
    }
}

static void on_again(struct timer *timer) {
    struct ops *ops = OWNER_OF(timer, struct ops, again);
    if (!loop_watch(&ops->loop, &ops->listening, EPOLLIN))
        loop_set_timer(&ops->loop, timer, AGAIN);
}

/* ---- life cycle ---- */

static void on_stop(struct message *message) { OWNER_OF(message, struct ops, stop)->is_stopped = true; }

static void *run(void *argument) {
    struct ops *ops = argument;
    clock_enter();
    while (!ops->is_stopped) {
        loop_run_timers(&ops->loop);
        uint64_t pause = mhd_epoll_run(ops->daemon);
        loop_wait(&ops->loop, pause);
    }
    clock_leave();
    return NULL;
}

static struct MHD_Daemon *start_daemon(struct ops *ops) {
    return MHD_start_daemon(MHD_EPOLL_FLAGS, 0, NULL, NULL, on_request, ops, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
                            ops, MHD_OPTION_NOTIFY_CONNECTION, on_connection, ops, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)(2 * OPS_CONNECTIONS), MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

static bool begin(struct ops *ops) {
    ops->daemon = start_daemon(ops);
    return ops->daemon != NULL && mhd_epoll_watch(&ops->loop, &ops->daemon_source, ops->daemon) &&
           loop_watch(&ops->loop, &ops->listening, EPOLLIN) && pthread_create(&ops->thread, NULL, run, ops) == 0;
}

static void end(struct ops *ops) {
    if (ops->daemon != NULL)
        MHD_stop_daemon(ops->daemon);
    loop_clear(&ops->loop);
    close(ops->listening.descriptor);
    free(ops);
}

struct ops *ops_start(struct http_shared *shared, int listening) {
    struct ops *ops = calloc(1, sizeof *ops);
    if (ops == NULL || !loop_init(&ops->loop)) {
        close(listening);
        free(ops);
        return NULL;
    }
    ops->shared = shared;
    ops->listening = (struct event_source){.descriptor = listening, .ready = on_client};
    ops->stop.deliver = on_stop;
    ops->again.fire = on_again;
    TAILQ_INIT(&ops->connections);
    if (begin(ops))
        return ops;
    end(ops);
    return NULL;
}

void ops_stop(struct ops *ops) {
    if (ops == NULL)
        return;
    mailbox_post(&ops->loop.mailbox, &ops->stop);
    pthread_join(ops->thread, NULL);
    end(ops);
}
