/* A request's way through libmicrohttpd 0.9.75 and back: the stages stand in exchange.h.
 *
 *     open_target    the request line is read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at the body's end, and once more after a resume
 *       take_head      HEAD: decided by the head alone, or a body is wanted
 *       gather         BODY: pieces into one buffer; past the limit they are counted and dropped
 *       solve          body complete: done here if it is small, else suspend and push
 *     on_progress    on a worker: a stream may begin, or has more
 *     on_finished    on a worker: the response is ready, resume
 *     close_exchange the answer has left, or the connection is gone
 *
 * What libmicrohttpd needs to be told: a suspended connection must be resumed before the daemon stops; a response must
 * not be queued in the middle of a body; a quiesced listening socket is closed after the stop, and shut down at once,
 * so that nobody connects to a socket that nobody serves. */
#include "api/server/http.h"

#include "api/server/ending.h"
#include "api/server/exchange.h"
#include "api/server/heads.h"
#include "api/server/probe.h"
#include "api/server/send.h"
#include "api/work/clock.h"
#include "base/assert.h"

#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    KEPT_BODY = 65536, /* likewise: what is larger is refused before it is sent, which ends the connection */
    SMALL_WORK = 3000, /* units of some 10 ns: what needs more goes to the queue */
    TIDY_AFTER = 1000, /* milliseconds without the end of a request that was in the queue */
    OWN_DESCRIPTORS = 32 + FAREWELL_MOST, /* beside those of connections */
    ACCEPT_AGAIN = 10000000,              /* nanoseconds, when there is no descriptor for anybody */
    LOG_FULL = 0,                         /* kinds of log_limited */
    LOG_NO_DESCRIPTOR,
};

static const char too_many_bytes[] = "too many bytes are in flight", queue_full[] = "the queue is full",
                  no_memory[] = "memory is exhausted";

/* ---- the ends of an exchange ---- */

static void *open_target(void *cls, const char *target, struct MHD_Connection *connection) {
    size_t size = strlen(target) + 1;
    struct exchange *exchange = malloc(sizeof *exchange + size); /* which is quicker than calloc */
    if (exchange == NULL)
        return NULL;
    memset(exchange, 0, sizeof *exchange);
    exchange->http = cls;
    exchange->connection = connection;
    exchange->resumable.connection = connection;
    atomic_init(&exchange->holders, 1);
    memcpy(exchange->target, target, size);
    heads_begin(exchange);
    return exchange;
}

/* Read at once: in libmicrohttpd 1.0 the next question to the connection is answered in the same place. */
int exchange_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

struct deadline *exchange_deadline(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

/* The job is of no use any more. */
static void release_job(struct exchange *exchange) {
    job_free(exchange->task.job);
    exchange->task.job = NULL;
    buffer_clear(&exchange->body);
}

void exchange_let_go(struct exchange *exchange) {
    if (atomic_fetch_sub(&exchange->holders, 1) != 1)
        return;
    release_job(exchange);
    response_clear(&exchange->response);
    if (exchange->streams || exchange->queued)
        pthread_mutex_destroy(&exchange->task.mutex);
    free(exchange);
}

static void leave_flight(struct http *http) {
    ASSERT(atomic_load(&http->in_flight) > 0);
    if (atomic_fetch_sub(&http->in_flight, 1) == 1 && atomic_load(&http->leaving))
        eventfd_write(http->wake, 1);
}

/* A stream's connection is closed: what is still solved for it is of no use. Nobody else writes to its `reason` and
 * `cut_off` any more. */
static void abandon(struct exchange *exchange) {
    struct task *task = &exchange->task;
    pthread_mutex_lock(&task->mutex);
    exchange->connection = NULL;
    exchange->suspended = false;
    pthread_mutex_unlock(&task->mutex);
    if (exchange->queued) {
        watch_end(exchange->http->watch, &exchange->watched);
        queue_cancel(exchange->http->queue, task);
    }
}

static void close_exchange(void *cls, struct MHD_Connection *connection, void **context,
                           enum MHD_RequestTerminationCode code) {
    struct http *http = cls;
    struct exchange *exchange = *context;
    struct deadline *deadline = exchange_deadline(connection);
    if (exchange != NULL && exchange->streams)
        abandon(exchange);
    enum reason reason = exchange != NULL ? ending_reason(exchange, connection, deadline, code) : REASON_NONE;
    if (deadline != NULL)
        deadline_arm(http->deadlines, deadline, DEADLINE_HEAD);
    if (exchange == NULL)
        return;
    *context = NULL;
    heads_end(exchange);
    if (exchange->early && code == MHD_REQUEST_TERMINATED_COMPLETED_OK) {
        farewell_begin(http->farewell, exchange_socket(connection));
        eventfd_write(http->wake, 1);
    }
    bool counted = exchange->counted, queued = exchange->queued;
    /* A head that is not complete is nobody's loss, unless it came too slowly. */
    if (counted || exchange->stage == STAGE_REFUSED || (deadline != NULL && atomic_load(&deadline->late)))
        ending_note(exchange, reason);
    exchange_let_go(exchange);
    if (counted)
        leave_flight(http);
    if (queued && atomic_exchange(&http->untidy_since, clock_now_ms()) == 0)
        eventfd_write(http->wake, 1);
}

/* ---- solving ---- */

/* Write the answer of a request that is answered 503. */
static void overload(struct exchange *exchange, enum reason reason, const char *detail) {
    exchange->reason = reason;
    problem_respond(PROBLEM_OVERLOADED, &exchange->admission.cors, &exchange->response, "%s", detail);
}

static enum MHD_Result refuse_overloaded(struct exchange *exchange, enum reason reason, const char *detail) {
    overload(exchange, reason, detail);
    return send_response(exchange);
}

/* What the api answers 503 by itself it refuses for want of memory. */
static void note_refusal(struct exchange *exchange) {
    if (exchange->response.status == problem_table[PROBLEM_OVERLOADED].status)
        exchange->reason = REASON_MEMORY;
}

/* The queue is full, and the request is read: the connection is kept, and the answer held. */
static enum MHD_Result refuse_for_now(struct exchange *exchange) {
    struct http *http = exchange->http;
    struct deadline *deadline = exchange_deadline(exchange->connection);
    if (deadline != NULL)
        deadline_disarm(http->deadlines, deadline);
    release_job(exchange);
    overload(exchange, REASON_QUEUE_FULL, queue_full);
    exchange->stage = STAGE_ANSWER;
    if (atomic_load(&http->leaving))
        return send_response(exchange);
    resumer_suspend(http->resumer, &exchange->resumable);
    resumer_hold(http->resumer, &exchange->resumable);
    return MHD_YES;
}

/* The client has hung up. */
static void on_gone(struct watched *watched) {
    struct exchange *exchange = (struct exchange *)((char *)watched - offsetof(struct exchange, watched));
    queue_cancel(exchange->http->queue, &exchange->task);
}

/* On a worker, with the task's mutex held: a stream is open, or there are more lines. */
static void on_progress(struct task *task) {
    struct exchange *exchange = (struct exchange *)task;
    if (exchange->streams) {
        send_more(exchange);
    } else if (job_is_stream(task->job)) {
        job_finish(task->job, &exchange->response);
        exchange->streams = true;
        exchange->stage = STAGE_ANSWER;
        resumer_resume(exchange->http->resumer, &exchange->resumable);
    }
}

/* Called once nothing is left to do: the stream has all its lines, or will have no more. */
static void finish_stream(struct exchange *exchange) {
    struct task *task = &exchange->task;
    pthread_mutex_lock(&task->mutex);
    if (exchange->connection != NULL) {
        exchange->cut_off = atomic_load(&task->stop);
        send_more(exchange);
    }
    pthread_mutex_unlock(&task->mutex);
}

/* The answer is known. */
static void finish_job(struct exchange *exchange) {
    job_finish(exchange->task.job, &exchange->response);
    note_refusal(exchange);
}

static void finish_answer(struct exchange *exchange) {
    struct http *http = exchange->http;
    struct task *task = &exchange->task;
    exchange->stage = STAGE_ANSWER;
    if (task->refusal == TASK_DISPLACED)
        overload(exchange, REASON_QUEUE_FULL, queue_full);
    else if (task->refusal == TASK_TIMED_OUT)
        overload(exchange, REASON_MAX_WAIT, "the request has waited for too long");
    else if (atomic_load(&task->stop))
        exchange->stage = STAGE_CUT_OFF;
    else
        finish_job(exchange);
    release_job(exchange);
    if (task->refusal == TASK_DISPLACED)
        resumer_hold(http->resumer, &exchange->resumable);
    else
        resumer_resume(http->resumer, &exchange->resumable);
}

static void on_finished(struct task *task) {
    struct exchange *exchange = (struct exchange *)task;
    watch_end(exchange->http->watch, &exchange->watched);
    if (exchange->streams)
        finish_stream(exchange);
    else
        finish_answer(exchange);
    exchange_let_go(exchange);
}

/* Try the whole job on this thread; false when it needs more work than that. */
static bool solve_small(struct exchange *exchange) {
    struct work work = {.left = SMALL_WORK};
    struct task *task = &exchange->task;
    struct room *room = &exchange->http->room;
    struct job_turn turn;
    enum work_outcome outcome;
    if (exchange->body.length > ADMIT_SMALL_BODY || job_begin(task->job, room, &work) == WORK_EXHAUSTED)
        return false;
    task->begun = true;
    bool exhausted = false;
    while (!exhausted && job_take(task->job, JOB_SHORT, room, &work, &turn, &outcome)) {
        exhausted = job_do(task->job, &turn, room, &work) == WORK_EXHAUSTED;
        if (exhausted)
            job_put_back(task->job, &turn, JOB_SHORT);
        else
            job_deliver(task->job, &turn);
    }
    atomic_fetch_add_explicit(&exchange->http->states, work.states, memory_order_relaxed);
    return !exhausted && job_is_done(task->job) && !job_is_heavy(task->job);
}

/* The queue did not take the task. */
static enum MHD_Result take_back(struct exchange *exchange, enum queue_push_result result) {
    watch_end(exchange->http->watch, &exchange->watched);
    atomic_fetch_sub(&exchange->holders, 1);
    exchange->queued = false;
    if (result == QUEUE_NO_MEMORY)
        exchange->reason = REASON_MEMORY;
    if (exchange->streams)
        return MHD_NO;
    pthread_mutex_destroy(&exchange->task.mutex);
    exchange->stage = STAGE_CUT_OFF;
    if (result == QUEUE_NO_MEMORY) {
        exchange->stage = STAGE_ANSWER;
        overload(exchange, REASON_MEMORY, no_memory);
    }
    resumer_resume(exchange->http->resumer, &exchange->resumable);
    return MHD_YES;
}

/* Hand the job over to the workers. */
static enum MHD_Result push(struct exchange *exchange) {
    struct http *http = exchange->http;
    struct task *task = &exchange->task;
    if (queue_is_full(http->queue, &exchange->task.client))
        return refuse_for_now(exchange);
    struct deadline *deadline = exchange_deadline(exchange->connection);
    if (deadline != NULL)
        deadline_disarm(http->deadlines, deadline);
    exchange->watched = (struct watched){.socket = exchange_socket(exchange->connection), .gone = on_gone};
    exchange->stage = STAGE_SOLVE;
    exchange->queued = true;
    pthread_mutex_init(&task->mutex, NULL);
    task->finished = on_finished;
    task->progressed = on_progress;
    if (task->begun && job_is_stream(task->job)) {
        /* Its first lines may be known: it is open before anybody else looks at it. */
        job_finish(task->job, &exchange->response);
        exchange->streams = true;
        exchange->stage = STAGE_ANSWER;
    }
    bool streams = exchange->streams;
    atomic_fetch_add(&exchange->holders, 1);
    watch_begin(http->watch, &exchange->watched);
    if (!streams)
        resumer_suspend(http->resumer, &exchange->resumable);
    enum queue_push_result result = queue_push(http->queue, task);
    if (result != QUEUE_PUSHED)
        return take_back(exchange, result);
    if (atomic_load(&http->dismissing))
        on_gone(&exchange->watched);
    return streams ? send_stream(exchange) : MHD_YES;
}

static enum MHD_Result solve(struct exchange *exchange) {
    struct http *http = exchange->http;
    if (exchange->body.length > ADMIT_SMALL_BODY && queue_is_full(http->queue, &exchange->task.client))
        return refuse_for_now(exchange);
    uint64_t began = clock_now_us();
    exchange->task.job = job_new(http->service, &exchange->admission, exchange->body.data, exchange->body.length);
    if (exchange->task.job == NULL)
        return refuse_overloaded(exchange, REASON_MEMORY, no_memory);
    bool solved = solve_small(exchange);
    exchange->worked = clock_now_us() - began;
    if (!solved)
        return push(exchange);
    exchange->solved_here = true;
    finish_job(exchange);
    if (job_is_stream(exchange->task.job)) {
        pthread_mutex_init(&exchange->task.mutex, NULL);
        exchange->streams = true;
        exchange->stage = STAGE_ANSWER;
        return send_stream(exchange);
    }
    release_job(exchange);
    return send_response(exchange);
}

/* ---- the body ---- */

static enum MHD_Result gather(struct exchange *exchange, const char *bytes, size_t length) {
    uint64_t most = exchange->http->service->request->max_body_bytes;
    ASSERT(exchange->stage == STAGE_BODY || exchange->stage == STAGE_DROP);
    exchange->bytes_in += length;
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
    if (exchange->dropped / 2 <= most)
        return MHD_YES;
    exchange->reason = exchange->refusal == REFUSE_TOO_LARGE ? REASON_TOO_LARGE : REASON_MEMORY_FULL;
    return MHD_NO;
}

static enum MHD_Result end_body(struct exchange *exchange) {
    if (exchange->stage == STAGE_BODY)
        return solve(exchange);
    if (exchange->refusal == REFUSE_OVERLOADED)
        return refuse_overloaded(exchange, REASON_MEMORY_FULL, too_many_bytes);
    exchange->reason = REASON_TOO_LARGE;
    admit_respond_too_large(exchange->http->service, &exchange->admission, &exchange->response);
    return send_response(exchange);
}

/* ---- the head ---- */

static void answer_probe(struct exchange *exchange) {
    const struct admission *admission = &exchange->admission;
    if (admission->probe == ROUTE_METRICS && exchange->http->metrics_elsewhere)
        problem_respond(PROBLEM_NOT_FOUND, &admission->cors, &exchange->response,
                        "the metrics are answered at the port of --ops-port only");
    else
        probe_respond(exchange->http, admission->probe, &admission->cors, &exchange->response);
    if (admission->probe != ROUTE_READYZ) /* which has another one for its 503 */
        note_refusal(exchange);
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

/* A body is wanted: is there room for it? It is charged as it arrives. What is refused is refused here, where it costs
 * least; small requests always have their room. */
static enum MHD_Result expect_body(struct exchange *exchange) {
    struct http *http = exchange->http;
    uint64_t length = exchange->admission.content_length, most = http->service->request->max_body_bytes;
    bool small = length <= ADMIT_SMALL_BODY && !exchange->admission.chunked;
    buffer_init(&exchange->body, (size_t)(length != 0 ? length : most), http->account);
    exchange->body.free_of_charge = ADMIT_SMALL_BODY;
    if (length > KEPT_BODY && queue_is_full(http->queue, &exchange->task.client))
        return refuse_overloaded(exchange, REASON_QUEUE_FULL, queue_full);
    if (!small && length > account_free(http->account))
        return refuse_overloaded(exchange, REASON_MEMORY_FULL, too_many_bytes);
    if (small && !buffer_reserve(&exchange->body, (size_t)length))
        return refuse_overloaded(exchange, REASON_MEMORY, no_memory);
    return MHD_YES;
}

static enum MHD_Result take_head(struct exchange *exchange, struct MHD_Connection *connection, const char *method,
                                 const char *version) {
    struct http *http = exchange->http;
    struct deadline *deadline = exchange_deadline(connection);
    if (deadline != NULL)
        deadline_arm(http->deadlines, deadline, DEADLINE_BODY);
    exchange->counted = true;
    exchange->began = clock_now_us();
    atomic_fetch_add(&http->in_flight, 1);
    /* In this order: whoever has said so and then finds nothing in flight can rely on it. */
    if (atomic_load(&http->closing)) {
        exchange->counted = false;
        leave_flight(http);
        return MHD_NO;
    }
    enum admit_action action = heads_decide(exchange, connection, method, version);
    bool refused = action == ADMIT_ANSWER && exchange->response.status >= 400;
    note_refusal(exchange);
    if (atomic_load(&http->leaving) && !refused) {
        response_clear(&exchange->response);
        return refuse_overloaded(exchange, REASON_LEAVING, "the service is about to leave");
    }
    if (exchange->response.closes)
        exchange->reason = REASON_FRAMING;
    if (action == ADMIT_PROBE)
        answer_probe(exchange);
    if (action == ADMIT_ANSWER || action == ADMIT_PROBE)
        return send_from_head(exchange);
    if (action == ADMIT_READ_BODY && (expect_body(exchange) != MHD_YES || exchange->stage == STAGE_SENT))
        return exchange->stage == STAGE_SENT ? MHD_YES : MHD_NO;
    exchange->stage = STAGE_BODY;
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
    case STAGE_HEAD: {
        enum MHD_Result result = take_head(exchange, connection, method, version);
        exchange->early = exchange->stage == STAGE_SENT;
        return result;
    }
    case STAGE_BODY:
    case STAGE_DROP:
        if (*length == 0)
            return end_body(exchange);
        if (gather(exchange, bytes, *length) != MHD_YES)
            return MHD_NO;
        *length = 0;
        return MHD_YES;
    case STAGE_ANSWER:
        return exchange->streams ? send_stream(exchange) : send_response(exchange);
    case STAGE_SOLVE:
    case STAGE_SENT:
        return MHD_YES;
    case STAGE_CUT_OFF:
    case STAGE_REFUSED:
        break;
    }
    return MHD_NO;
}

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    struct http *http = cls;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        unsigned connections = atomic_fetch_add_explicit(&http->connections, 1, memory_order_relaxed) + 1;
        if (connections >= http->most_connections)
            log_limited(http->log, LOG_LEVEL_WARN, LOG_FULL, "connections-full", "\"connections\":%u", connections);
        int socket = exchange_socket(connection);
        struct deadline *deadline = socket >= 0 ? calloc(1, sizeof *deadline) : NULL;
        if (deadline == NULL)
            return; /* libmicrohttpd's own timeout remains */
        deadline->socket = socket;
        deadline_arm(http->deadlines, deadline, DEADLINE_HEAD);
        *context = deadline;
        return;
    }
    atomic_fetch_sub_explicit(&http->connections, 1, memory_order_relaxed);
    if (*context == NULL)
        return;
    deadline_disarm(http->deadlines, *context);
    free(*context);
    *context = NULL;
}

static void on_log(void *cls, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Does a message of libmicrohttpd begin so? */
static bool is_message(const char *format, const char *begin) { return strncmp(format, begin, strlen(begin)) == 0; }

/* What libmicrohttpd says of itself, in its thread; of some things it tells nobody in another way. */
static void on_log(void *cls, const char *format, va_list arguments) {
    const struct timespec moment = {.tv_nsec = ACCEPT_AGAIN};
    struct http *http = cls;
    char text[512];
    if (log_wants(http->log, LOG_LEVEL_DEBUG)) {
        vsnprintf(text, sizeof text, format, arguments);
        log_text(http->log, LOG_LEVEL_DEBUG, "libmicrohttpd", "message", text);
    }
    if (is_message(format, "Error processing request ("))
        heads_refuse_complete(http);
    if (!is_message(format, "Hit process or system resource limit"))
        return;
    unsigned connections = atomic_load(&http->connections);
    log_limited(http->log, LOG_LEVEL_WARN, LOG_NO_DESCRIPTOR, "no-descriptor", "\"connections\":%u", connections);
    /* With no connection that could end it tries again at once, and for ever. */
    if (connections == 0)
        nanosleep(&moment, NULL);
}

/* ---- life cycle ---- */

unsigned http_most_connections(uint64_t wanted) {
    struct rlimit limit;
    rlim_t most = 1024;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
        most = limit.rlim_cur;
    }
    most = most > (rlim_t)2 * OWN_DESCRIPTORS ? most - OWN_DESCRIPTORS : most / 2;
    return (unsigned)(wanted < most ? wanted : most);
}

static struct MHD_Daemon *start_daemon(struct http *http, const struct http_config *config) {
    uint64_t idle = config->head_timeout > config->body_timeout ? config->head_timeout : config->body_timeout;
    idle = idle > 2 * config->send_timeout ? idle : 2 * config->send_timeout;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, http,
        MHD_OPTION_EXTERNAL_LOGGER, on_log, http, MHD_OPTION_LISTEN_SOCKET, http->listening,
        MHD_OPTION_URI_LOG_CALLBACK, open_target, http, MHD_OPTION_NOTIFY_COMPLETED, close_exchange, http,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_CONNECTION_LIMIT, http->most_connections,
#if MHD_VERSION >= 0x00097701
        /* 1.0.1 takes what follows an extension of the last chunk for the next request. Strict, it refuses that. */
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#endif
        /* For connections without a deadline of ours, for which there was no memory. */
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
    http->version = config->version;
    http->commit = config->commit;
    http->metrics_elsewhere = config->metrics_elsewhere;
    http->most_connections = http_most_connections(config->max_connections);
    room_init(&http->room, http->account, QUEUE_SHORT_ROOM, false);
    if (getrandom(&http->id_seed, sizeof http->id_seed, 0) != sizeof http->id_seed)
        http->id_seed = (uint64_t)getpid();
    http->deadlines =
        deadlines_new(config->head_timeout * 1000, config->body_timeout * 1000, config->send_timeout * 1000);
    http->watch = watch_new();
    http->farewell = farewell_new();
    http->resumer = resumer_new(http->wake);
    http->metrics = metrics_new();
    http->start_time = process_start_time();
    http->proxies = peer_proxies_new(config->trusted_proxy);
    http->queue = queue_start(&config->queue);
    if (http->deadlines != NULL && http->watch != NULL && http->farewell != NULL && http->resumer != NULL &&
        http->metrics != NULL && http->proxies != NULL && http->queue != NULL)
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

struct watch *http_watch(struct http *http) {
    return http->watch;
}

struct farewell *http_farewell(struct http *http) {
    return http->farewell;
}

uint64_t http_resume(struct http *http) { return resumer_run(http->resumer); }

uint64_t http_expire(struct http *http) { return queue_expire(http->queue); }

void http_set_unready(struct http *http) { atomic_store(&http->unready, true); }

void http_leave(struct http *http) {
    atomic_store(&http->leaving, true);
    resumer_release(http->resumer);
    MHD_quiesce_daemon(http->daemon);
    shutdown(http->listening, SHUT_RDWR);
}

void http_close(struct http *http) { atomic_store(&http->closing, true); }

size_t http_in_flight(const struct http *http) { return atomic_load(&http->in_flight); }

/* Blocks below the threshold of mmap that different threads have freed lie between others that live, and the C library
 * keeps them all: 220 MB instead of 18 after 24 clients with 100 games each (script/bench memory). */
uint64_t http_tidy(struct http *http) {
    uint_fast64_t since = atomic_load(&http->untidy_since);
    uint64_t quiet = clock_now_ms() - since;
    if (since == 0)
        return UINT64_MAX;
    if (quiet < TIDY_AFTER)
        return TIDY_AFTER - quiet;
    if (!atomic_compare_exchange_strong(&http->untidy_since, &since, 0))
        return TIDY_AFTER; /* one has just ended */
    malloc_trim(0);
    return UINT64_MAX;
}

void http_dismiss(struct http *http) {
    atomic_store(&http->dismissing, true);
    watch_dismiss(http->watch);
    deadlines_reset_open_ended(http->deadlines);
}

/* Wait for those who have been refused and still send, so that they read why; they have two seconds at most. */
static void hear_out(struct http *http) {
    if (http->farewell == NULL || atomic_load(&http->dismissing))
        return;
    struct pollfd ready = {.fd = farewell_descriptor(http->farewell), .events = POLLIN};
    for (uint64_t left = farewell_look(http->farewell); left != UINT64_MAX; left = farewell_look(http->farewell))
        poll(&ready, 1, clock_poll_timeout(clock_now_ms(), left));
}

void http_stop(struct http *http) {
    if (http == NULL)
        return;
    /* Once the workers have ended nothing is suspended, and a body that is complete only now is cut off. */
    if (http->queue != NULL)
        queue_stop(http->queue);
    if (http->resumer != NULL)
        resumer_release(http->resumer);
    if (http->daemon != NULL)
        MHD_stop_daemon(http->daemon);
    hear_out(http);
    queue_free(http->queue);
    close(http->listening);
    watch_free(http->watch);
    farewell_free(http->farewell);
    resumer_free(http->resumer);
    deadlines_free(http->deadlines);
    metrics_free(http->metrics);
    peer_proxies_free(http->proxies);
    room_clear(&http->room);
    free(http);
}
