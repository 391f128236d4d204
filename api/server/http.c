/* A request's way through libmicrohttpd 0.9.75 and back.
 *
 *     open_target    the request line is read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at the body's end, and once more after a resume
 *       take_head      HEAD: decided by the head alone, or a body is wanted
 *       gather         BODY: pieces into one buffer; past the limit they are counted and dropped
 *       solve          body complete: done here if it is small, else suspend and push
 *     on_finished    on a worker: the response is ready, resume
 *     close_exchange the answer has left, or the connection is gone
 *
 * What libmicrohttpd needs to be told: a suspended connection must be resumed before the daemon stops; a response must
 * not be queued in the middle of a body; a quiesced listening socket is closed after the stop, and shut down at once,
 * so that nobody connects to a socket that nobody serves. */
#include "api/server/http.h"

#include "api/work/arenas.h"
#include "api/work/queue.h"
#include "base/assert.h"

#include <malloc.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    SMALL_BODY = 4096, /* bytes: what is larger goes to the queue unseen */
    SMALL_WORK = 3000, /* units of some 10 ns: what needs more goes to the queue */
    TIDY_AFTER = 1000, /* milliseconds without the end of a request that was in the queue */
    REQUEST_ID_SIZE = 65,
};

struct http {
    struct MHD_Daemon *daemon;
    const struct service *service;
    struct account *account;
    const struct log *log;
    struct deadlines *deadlines;
    struct queue *queue;
    struct arenas *arenas;
    struct arena scratch; /* the I/O thread's */
    int listening, wake;
    atomic_bool unready, leaving;
    atomic_size_t in_flight;
    atomic_uint_fast64_t untidy_since; /* when a request that was in the queue ended last; 0: all is tidy */
    uint64_t id_seed, id_count;        /* the I/O thread's */
};

enum stage {
    STAGE_HEAD,    /* nothing was decided */
    STAGE_BODY,    /* the body is read */
    STAGE_DROP,    /* the body is read and dropped; `refusal` is the answer */
    STAGE_SOLVE,   /* with the workers, the connection is suspended */
    STAGE_ANSWER,  /* the response is ready, not yet queued */
    STAGE_CUT_OFF, /* there will be no answer */
    STAGE_SENT,    /* the response is queued */
};

/* One request. */
struct exchange {
    struct task task; /* first: a task is its exchange */
    struct http *http;
    struct MHD_Connection *connection;
    enum stage stage;
    bool counted; /* in in_flight */
    enum { REFUSE_TOO_LARGE, REFUSE_OVERLOADED } refusal;
    uint64_t dropped; /* bytes */
    struct admission admission;
    struct buffer body;
    struct arena *arena; /* the job's */
    struct response response;
    char id[REQUEST_ID_SIZE];
    char target[];
};

/* ---- the ends of an exchange ---- */

static void *open_target(void *cls, const char *target, struct MHD_Connection *connection) {
    size_t size = strlen(target) + 1;
    struct exchange *exchange = calloc(1, sizeof *exchange + size);
    if (exchange == NULL)
        return NULL;
    exchange->http = cls;
    exchange->connection = connection;
    memcpy(exchange->target, target, size);
    return exchange;
}

/* The job is of no use any more. */
static void release_job(struct exchange *exchange) {
    job_clear(exchange->task.job);
    exchange->task.job = NULL;
    arenas_put(exchange->http->arenas, exchange->arena);
    exchange->arena = NULL;
    buffer_clear(&exchange->body);
}

static struct deadline *deadline_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static void leave_flight(struct http *http) {
    ASSERT(atomic_load(&http->in_flight) > 0);
    if (atomic_fetch_sub(&http->in_flight, 1) == 1 && atomic_load(&http->leaving))
        eventfd_write(http->wake, 1);
}

static void close_exchange(void *cls, struct MHD_Connection *connection, void **context,
                           enum MHD_RequestTerminationCode code) {
    struct http *http = cls;
    struct exchange *exchange = *context;
    struct deadline *deadline = deadline_of(connection);
    (void)code;
    if (deadline != NULL)
        deadline_arm(http->deadlines, deadline, DEADLINE_HEAD);
    if (exchange == NULL)
        return;
    bool counted = exchange->counted, queued = exchange->task.finished != NULL;
    release_job(exchange);
    response_clear(&exchange->response);
    free(exchange);
    *context = NULL;
    if (counted)
        leave_flight(http);
    if (queued && atomic_exchange(&http->untidy_since, deadlines_now()) == 0)
        eventfd_write(http->wake, 1);
}

/* ---- answers ---- */

static void free_block(void *cls) {
    struct buffer *block = cls;
    buffer_clear(block);
    free(block);
}

/* The response in libmicrohttpd's hands; it owns the body from here on. NULL when memory is exhausted. */
static struct MHD_Response *hand_over(struct response *response) {
    if (response->owned.data == NULL)
        return MHD_create_response_from_buffer(response->length, (void *)(uintptr_t)response->body,
                                               MHD_RESPMEM_PERSISTENT);
    struct buffer *block = malloc(sizeof *block);
    if (block == NULL)
        return NULL;
    *block = response->owned;
    struct MHD_Response *sent = MHD_create_response_from_buffer_with_free_callback_cls(
        response->length, (void *)(uintptr_t)response->body, free_block, block);
    if (sent == NULL)
        free(block); /* the bytes are still the response's */
    else
        response->owned = (struct buffer){0};
    return sent;
}

/* Queue the exchange's response. */
static enum MHD_Result send_response(struct exchange *exchange) {
    struct http *http = exchange->http;
    struct response *response = &exchange->response;
    ASSERT(exchange->stage != STAGE_SENT && exchange->stage != STAGE_SOLVE);
    ASSERT(response->header_count <= RESPONSE_HEADERS);
    struct MHD_Response *sent = hand_over(response);
    if (sent == NULL)
        return MHD_NO;
    bool good = true;
#if MHD_VERSION >= 0x00097701 /* 1.0, the first release that can do so */
    /* The length in a 304, if there is one, must be that of the 200 (RFC 9110, 8.6), and here it would be 0. */
    if (response->status == MHD_HTTP_NOT_MODIFIED)
        good &= MHD_set_response_options(sent, MHD_RF_HEAD_ONLY_RESPONSE, MHD_RO_END) == MHD_YES;
#endif
    for (size_t h = 0; h < response->header_count; h++)
        good &= MHD_add_response_header(sent, response->headers[h].name, response->headers[h].value) == MHD_YES;
    good &= MHD_add_response_header(sent, "X-Request-Id", exchange->id) == MHD_YES;
    if (response->closes || atomic_load(&http->leaving))
        good &= MHD_add_response_header(sent, "Connection", "close") == MHD_YES;
    enum MHD_Result result = good ? MHD_queue_response(exchange->connection, response->status, sent) : MHD_NO;
    MHD_destroy_response(sent);
    exchange->stage = STAGE_SENT;
    if (http->log->level >= LOG_LEVEL_DEBUG)
        log_event(http->log, LOG_LEVEL_DEBUG, "answered", "\"request_id\":\"%s\",\"status\":%u", exchange->id,
                  response->status);
    return result;
}

static enum MHD_Result refuse_overloaded(struct exchange *exchange, const char *detail) {
    problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "%s", detail);
    return send_response(exchange);
}

/* ---- solving ---- */

/* On a worker, when a job is complete. */
static void on_finished(struct task *task) {
    struct exchange *exchange = (struct exchange *)task;
    ASSERT(exchange->stage == STAGE_SOLVE);
    if (task->cut_off) {
        exchange->stage = STAGE_CUT_OFF;
    } else {
        job_finish(task->job, &exchange->response);
        exchange->stage = STAGE_ANSWER;
    }
    release_job(exchange);
    MHD_resume_connection(exchange->connection);
}

/* Try the whole job on this thread; false when it needs more work than that. */
static bool solve_small(struct exchange *exchange) {
    struct work work = {.left = SMALL_WORK};
    struct task *task = &exchange->task;
    if (exchange->body.length > SMALL_BODY || job_begin(task->job, &work) == WORK_EXHAUSTED)
        return false;
    task->begun = true;
    for (; task->next_case < job_case_count(task->job); task->next_case++)
        if (job_case(task->job, task->next_case, &exchange->http->scratch, &work) == WORK_EXHAUSTED)
            return false;
    return true;
}

static enum MHD_Result solve(struct exchange *exchange) {
    struct http *http = exchange->http;
    exchange->arena = arenas_take(http->arenas);
    if (exchange->arena != NULL)
        exchange->task.job =
            job_new(http->service, &exchange->admission, exchange->body.data, exchange->body.length, exchange->arena);
    if (exchange->task.job == NULL)
        return refuse_overloaded(exchange, "memory is exhausted");
    if (solve_small(exchange)) {
        job_finish(exchange->task.job, &exchange->response);
        release_job(exchange);
        return send_response(exchange);
    }
    if (queue_is_full(http->queue)) {
        release_job(exchange);
        return refuse_overloaded(exchange, "the queue is full");
    }
    exchange->stage = STAGE_SOLVE;
    exchange->task.finished = on_finished;
    MHD_suspend_connection(exchange->connection);
    if (!queue_push(http->queue, &exchange->task)) {
        exchange->stage = STAGE_CUT_OFF;
        MHD_resume_connection(exchange->connection);
    }
    return MHD_YES;
}

/* ---- the body ---- */

static enum MHD_Result gather(struct exchange *exchange, const char *bytes, size_t length) {
    uint64_t most = exchange->http->service->request->max_body_bytes;
    ASSERT(exchange->stage == STAGE_BODY || exchange->stage == STAGE_DROP);
    /* A link has its case in the head, and a body that comes with it means nothing. */
    if (exchange->stage == STAGE_BODY && !exchange->admission.link) {
        bool too_large = length > most - exchange->body.length;
        if (!too_large) {
            buffer_put(&exchange->body, bytes, length);
            if (exchange->body.state == BUFFER_GOOD)
                return MHD_YES;
        }
        exchange->refusal = too_large ? REFUSE_TOO_LARGE : REFUSE_OVERLOADED;
        exchange->dropped = exchange->body.length;
        buffer_clear(&exchange->body);
        exchange->stage = STAGE_DROP;
    }
    exchange->dropped += length;
    /* Past twice the limit the client is not worth listening to. */
    return exchange->dropped / 2 > most ? MHD_NO : MHD_YES;
}

static enum MHD_Result end_body(struct exchange *exchange, struct MHD_Connection *connection) {
    struct deadline *deadline = deadline_of(connection);
    if (deadline != NULL)
        deadline_disarm(exchange->http->deadlines, deadline);
    if (exchange->stage == STAGE_BODY)
        return solve(exchange);
    if (exchange->refusal == REFUSE_OVERLOADED)
        return refuse_overloaded(exchange, "too many bytes are in flight");
    admit_respond_too_large(exchange->http->service, &exchange->admission, &exchange->response);
    return send_response(exchange);
}

/* ---- the head ---- */

/* The caller's request id, or a new one. */
static void choose_id(struct exchange *exchange, struct MHD_Connection *connection) {
    static const char digits[] = "0123456789abcdef";
    struct http *http = exchange->http;
    const char *given = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Request-Id");
    /* Blanks behind a value are no part of it, and libmicrohttpd leaves them there. */
    size_t length = given != NULL ? strcspn(given, " \t") : 0;
    if (length != 0 && length < sizeof exchange->id && given[length + strspn(given + length, " \t")] == 0) {
        memcpy(exchange->id, given, length);
        exchange->id[length] = 0;
        if (head_request_id_is_good(exchange->id))
            return;
    }
    /* A mix that maps different counts to different ids (splitmix64). */
    uint64_t z = http->id_seed + ++http->id_count * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    for (int i = 0; i < 16; i++)
        exchange->id[i] = digits[z >> (4 * i) & 15];
    exchange->id[16] = 0;
}

struct header_list {
    struct header *headers;
    size_t count, room;
};

static enum MHD_Result collect_header(void *cls, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct header_list *list = cls;
    (void)kind;
    if (list->count < list->room)
        list->headers[list->count++] = (struct header){name, value != NULL ? value : ""};
    return MHD_YES;
}

/* Decide on the head. The headers are libmicrohttpd's and are looked at during this call only. */
static enum admit_action decide(struct exchange *exchange, struct MHD_Connection *connection, const char *method,
                                const char *version) {
    struct header few[48];
    struct header_list list = {few, 0, sizeof few / sizeof *few};
    int count = MHD_get_connection_values(connection, MHD_HEADER_KIND, NULL, NULL);
    if (count > (int)list.room) {
        list.room = (size_t)count;
        list.headers = malloc(list.room * sizeof *list.headers);
        if (list.headers == NULL) {
            problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "memory is exhausted");
            return ADMIT_ANSWER;
        }
    }
    MHD_get_connection_values(connection, MHD_HEADER_KIND, collect_header, &list);
    struct request_head head = {method, exchange->target, version, list.headers, list.count};
    enum admit_action action =
        admit(exchange->http->service, &head, &exchange->admission, &exchange->response, &exchange->body);
    if (list.headers != few)
        free(list.headers);
    return action;
}

static void answer_probe(struct exchange *exchange) {
    const struct http *http = exchange->http;
    if (exchange->admission.probe == ROUTE_READYZ && atomic_load(&http->unready))
        problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "%s",
                        "the service is about to leave");
    else
        page_well(&exchange->admission.cors, &exchange->response);
}

/* Send what the head decided. A response that is queued before the body is read ends the connection: so it is when
 * there is a body, or none can be found safely; otherwise the answer waits for the end of the request, and the
 * connection lives on. */
static enum MHD_Result send_from_head(struct exchange *exchange) {
    const struct admission *admission = &exchange->admission;
    if (exchange->response.closes || admission->chunked || admission->content_length != 0)
        return send_response(exchange);
    exchange->stage = STAGE_ANSWER;
    return MHD_YES;
}

static enum MHD_Result take_head(struct exchange *exchange, struct MHD_Connection *connection, const char *method,
                                 const char *version) {
    struct http *http = exchange->http;
    struct deadline *deadline = deadline_of(connection);
    if (deadline != NULL)
        deadline_disarm(http->deadlines, deadline);
    exchange->counted = true;
    atomic_fetch_add(&http->in_flight, 1);
    choose_id(exchange, connection);
    log_text(http->log, LOG_LEVEL_DEBUG, "request", "target", exchange->target);
    enum admit_action action = decide(exchange, connection, method, version);
    bool refused = action == ADMIT_ANSWER && exchange->response.status >= 400;
    if (atomic_load(&http->leaving) && !refused) {
        response_clear(&exchange->response);
        return refuse_overloaded(exchange, "the service is about to leave");
    }
    if (action == ADMIT_ANSWER)
        return send_from_head(exchange);
    if (action == ADMIT_PROBE) {
        answer_probe(exchange);
        return send_from_head(exchange);
    }
    if (action == ADMIT_READ_BODY) {
        buffer_init(&exchange->body, (size_t)http->service->request->max_body_bytes, http->account);
        if (!buffer_reserve(&exchange->body, (size_t)exchange->admission.content_length))
            return refuse_overloaded(exchange, "too many bytes are in flight");
    }
    exchange->stage = STAGE_BODY;
    if (deadline != NULL)
        deadline_arm(http->deadlines, deadline, DEADLINE_BODY);
    return MHD_YES;
}

/* ---- libmicrohttpd's callbacks ---- */

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *bytes, size_t *length, void **context) {
    struct exchange *exchange = *context;
    (void)cls, (void)path;
    if (exchange == NULL)
        return MHD_NO;
    switch (exchange->stage) {
    case STAGE_HEAD:
        return take_head(exchange, connection, method, version);
    case STAGE_BODY:
    case STAGE_DROP:
        if (*length == 0)
            return end_body(exchange, connection);
        if (gather(exchange, bytes, *length) != MHD_YES)
            return MHD_NO;
        *length = 0;
        return MHD_YES;
    case STAGE_ANSWER:
        return send_response(exchange);
    case STAGE_SOLVE:
    case STAGE_SENT:
        return MHD_YES;
    case STAGE_CUT_OFF:
        break;
    }
    return MHD_NO;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct http *http = cls;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        struct deadline *deadline = info != NULL ? calloc(1, sizeof *deadline) : NULL;
        if (deadline == NULL)
            return; /* libmicrohttpd's own timeout remains */
        deadline->socket = info->connect_fd;
        deadline_arm(http->deadlines, deadline, DEADLINE_HEAD);
        *context = deadline;
    } else if (*context != NULL) {
        deadline_disarm(http->deadlines, *context);
        free(*context);
        *context = NULL;
    }
}

static void on_log(void *cls, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

static void on_log(void *cls, const char *format, va_list arguments) {
    const struct http *http = cls;
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    log_text(http->log, LOG_LEVEL_DEBUG, "libmicrohttpd", "message", text);
}

/* ---- life cycle ---- */

/* Have as many descriptors as are allowed; how many connections that makes, less some for ourselves. */
static unsigned raise_connection_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 900;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > 20064 ? 20000 : limit.rlim_cur > 128 ? (unsigned)limit.rlim_cur - 64 : 64;
}

static struct MHD_Daemon *start_daemon(struct http *http, const struct http_config *config) {
    uint64_t idle = config->head_timeout > config->body_timeout ? config->head_timeout : config->body_timeout;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, http,
        MHD_OPTION_EXTERNAL_LOGGER, on_log, http, MHD_OPTION_LISTEN_SOCKET, http->listening,
        MHD_OPTION_URI_LOG_CALLBACK, open_target, http, MHD_OPTION_NOTIFY_COMPLETED, close_exchange, http,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_CONNECTION_LIMIT, raise_connection_limit(),
#if MHD_VERSION >= 0x00097701
        /* 1.0.1 takes what follows an extension of the last chunk for the next request. Strict, it refuses that. */
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
        /* For who does not read his answer; heads and bodies have deadlines of their own. */
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)idle, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

struct http *http_start(const struct http_config *config) {
    struct http *http = calloc(1, sizeof *http);
    if (http == NULL) {
        close(config->listening);
        return NULL;
    }
    http->service = config->service;
    http->account = config->account;
    http->log = config->log;
    http->listening = config->listening;
    http->wake = config->wake;
    arena_init(&http->scratch, ARENA_NO_CAP);
    if (getrandom(&http->id_seed, sizeof http->id_seed, 0) != sizeof http->id_seed)
        http->id_seed = (uint64_t)getpid();
    http->deadlines = deadlines_new(config->head_timeout * 1000, config->body_timeout * 1000);
    http->arenas = arenas_new();
    http->queue = queue_start(config->workers, config->queue, config->stop);
    if (http->deadlines != NULL && http->arenas != NULL && http->queue != NULL)
        http->daemon = start_daemon(http, config);
    if (http->daemon == NULL) {
        http_stop(http);
        return NULL;
    }
    return http;
}

struct deadlines *http_deadlines(struct http *http) {
    return http->deadlines;
}

void http_set_unready(struct http *http) { atomic_store(&http->unready, true); }

void http_leave(struct http *http) {
    atomic_store(&http->leaving, true);
    MHD_quiesce_daemon(http->daemon);
    shutdown(http->listening, SHUT_RDWR);
}

size_t http_in_flight(const struct http *http) { return atomic_load(&http->in_flight); }

/* Blocks below the threshold of mmap that different threads have freed lie between others that live, and the C library
 * keeps them all: 220 MB instead of 18 after 24 clients with 100 games each (script/bench memory). */
uint64_t http_tidy(struct http *http) {
    uint_fast64_t since = atomic_load(&http->untidy_since);
    uint64_t quiet = deadlines_now() - since;
    if (since == 0)
        return UINT64_MAX;
    if (quiet < TIDY_AFTER)
        return TIDY_AFTER - quiet;
    if (!atomic_compare_exchange_strong(&http->untidy_since, &since, 0))
        return TIDY_AFTER; /* one has just ended */
    malloc_trim(0);
    return UINT64_MAX;
}

void http_stop(struct http *http) {
    if (http == NULL)
        return;
    /* Once the workers have ended nothing is suspended, and a body that is complete only now is cut off. */
    if (http->queue != NULL)
        queue_stop(http->queue);
    if (http->daemon != NULL)
        MHD_stop_daemon(http->daemon);
    queue_free(http->queue);
    close(http->listening);
    deadlines_free(http->deadlines);
    arenas_free(http->arenas);
    arena_clear(&http->scratch);
    free(http);
}
