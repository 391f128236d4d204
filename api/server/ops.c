/* Here there are no logs, no deadlines of ours and no counters: who asks is a prober or Prometheus, in a network where
 * nobody else is. What anybody else could do is bounded by the number of connections and libmicrohttpd's timeout. */
#include "api/server/ops.h"

#include "api/request/routes.h"
#include "api/server/probe.h"
#include "api/server/send.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nobody alone can take them all, so that others are answered whatever one does. */
enum { CONNECTIONS = 64, OF_ONE_ADDRESS = 16, IDLE = 30 /* seconds */ };

struct ops {
    struct http *http;
    struct MHD_Daemon *daemon;
    int listening;
};

static bool is_method(const char *method, const char *word) { return strcmp(method, word) == 0; }

/* What is answered to a method and a path. */
static void respond(struct ops *ops, const char *method, const char *path, struct response *ret_response) {
    const struct response_cors none = {0};
    struct route route;
    if (!route_find(path, strlen(path), &route) || route.kind != ROUTE_PROBE) {
        problem_respond(PROBLEM_NOT_FOUND, &none, ret_response,
                        "at this port there are /metrics, /livez and /readyz only");
    } else if (is_method(method, MHD_HTTP_METHOD_GET) || is_method(method, MHD_HTTP_METHOD_HEAD)) {
        probe_respond(ops->http, route.probe, &none, ret_response);
    } else {
        problem_respond(PROBLEM_METHOD_NOT_ALLOWED, &none, ret_response, "the methods here are GET and HEAD");
        response_add_header(ret_response, "Allow", "GET, HEAD");
    }
}

static enum MHD_Result send_answer(struct ops *ops, struct MHD_Connection *connection, const char *method,
                                   const char *path) {
    struct response response;
    respond(ops, method, path, &response);
    struct MHD_Response *sent = send_hand_over(&response);
    enum MHD_Result result = MHD_NO;
    if (sent != NULL && send_add_headers(sent, &response))
        result = MHD_queue_response(connection, response.status, sent);
    if (sent != NULL)
        MHD_destroy_response(sent);
    response_clear(&response);
    return result;
}

/* A request is answered at its end, so that its connection lives on. A body means nothing here. */
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

struct ops *ops_start(struct http *http, int listening) {
    struct ops *ops = malloc(sizeof *ops);
    if (ops == NULL) {
        close(listening);
        return NULL;
    }
    *ops = (struct ops){.http = http, .listening = listening};
    ops->daemon =
        MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, ops, MHD_OPTION_LISTEN_SOCKET,
                         listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
                         MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned)OF_ONE_ADDRESS, MHD_OPTION_CONNECTION_TIMEOUT,
                         (unsigned)IDLE, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (ops->daemon != NULL)
        return ops;
    close(listening);
    free(ops);
    return NULL;
}

void ops_stop(struct ops *ops) {
    if (ops == NULL)
        return;
    MHD_stop_daemon(ops->daemon); /* which closes the socket too */
    free(ops);
}
