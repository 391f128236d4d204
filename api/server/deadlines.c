#include "api/server/deadlines.h"

#include "api/work/clock.h"
#include "base/assert.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

struct deadlines {
    pthread_mutex_t mutex;
    struct {
        uint64_t length;
        struct deadline *first, *last;
    } list[DEADLINE_KINDS];
    uint64_t send; /* over which a reader's average is taken */
};

enum { LOOKS = 4 /* at a reader, within that time */ };

struct deadlines *deadlines_new(uint64_t head, uint64_t body, uint64_t send) {
    struct deadlines *deadlines = calloc(1, sizeof *deadlines);
    if (deadlines == NULL)
        return NULL;
    pthread_mutex_init(&deadlines->mutex, NULL);
    deadlines->list[DEADLINE_HEAD].length = head;
    deadlines->list[DEADLINE_BODY].length = body;
    deadlines->list[DEADLINE_SEND].length = send > LOOKS ? send / LOOKS : 1;
    deadlines->send = send;
    return deadlines;
}

void deadlines_free(struct deadlines *deadlines) {
    if (deadlines == NULL)
        return;
    pthread_mutex_destroy(&deadlines->mutex);
    free(deadlines);
}

/* Take it out of its list. The mutex is held. */
static void take_out(struct deadlines *deadlines, struct deadline *deadline) {
    if (!deadline->armed)
        return;
    ASSERT((deadline->earlier == NULL) == (deadlines->list[deadline->kind].first == deadline));
    ASSERT((deadline->later == NULL) == (deadlines->list[deadline->kind].last == deadline));
    if (deadline->earlier != NULL)
        deadline->earlier->later = deadline->later;
    else
        deadlines->list[deadline->kind].first = deadline->later;
    if (deadline->later != NULL)
        deadline->later->earlier = deadline->earlier;
    else
        deadlines->list[deadline->kind].last = deadline->earlier;
    deadline->armed = false;
}

/* Put it at the end of its list. The mutex is held. */
static void put_in(struct deadlines *deadlines, struct deadline *deadline, enum deadline_kind kind) {
    deadline->armed = true;
    deadline->silent = false;
    deadline->kind = kind;
    deadline->due = clock_now_ms() + deadlines->list[kind].length;
    deadline->later = NULL;
    deadline->earlier = deadlines->list[kind].last;
    if (deadline->earlier != NULL)
        deadline->earlier->later = deadline;
    else
        deadlines->list[kind].first = deadline;
    deadlines->list[kind].last = deadline;
}

void deadline_arm(struct deadlines *deadlines, struct deadline *deadline, enum deadline_kind kind) {
    pthread_mutex_lock(&deadlines->mutex);
    take_out(deadlines, deadline);
    deadline->since = deadline->taken = 0;
    deadline->open_ended = false;
    put_in(deadlines, deadline, kind);
    pthread_mutex_unlock(&deadlines->mutex);
}

void deadline_disarm(struct deadlines *deadlines, struct deadline *deadline) {
    pthread_mutex_lock(&deadlines->mutex);
    take_out(deadlines, deadline);
    pthread_mutex_unlock(&deadlines->mutex);
}

/* A socket that is disconnected sends a reset. */
static void disconnect(const struct deadline *deadline) {
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    (void)connect(deadline->socket, &nowhere, sizeof nowhere);
}

void deadline_set_open_ended(struct deadlines *deadlines, struct deadline *deadline) {
    pthread_mutex_lock(&deadlines->mutex);
    deadline->open_ended = true;
    pthread_mutex_unlock(&deadlines->mutex);
}

void deadline_reset(struct deadlines *deadlines, struct deadline *deadline) {
    pthread_mutex_lock(&deadlines->mutex);
    disconnect(deadline);
    pthread_mutex_unlock(&deadlines->mutex);
}

void deadlines_reset_open_ended(struct deadlines *deadlines) {
    pthread_mutex_lock(&deadlines->mutex);
    for (struct deadline *deadline = deadlines->list[DEADLINE_SEND].first; deadline != NULL; deadline = deadline->later)
        if (deadline->open_ended)
            disconnect(deadline);
    pthread_mutex_unlock(&deadlines->mutex);
}

/* Shut it down. The mutex is held: it keeps the socket from being closed and its number used again meanwhile. */
static void cut_off(struct deadlines *deadlines, struct deadline *deadline) {
    atomic_store(&deadline->late, true); /* before anybody notices */
    if (deadline->open_ended)
        disconnect(deadline);
    else
        shutdown(deadline->socket, SHUT_RDWR);
    take_out(deadlines, deadline);
}

/* How many bytes the other side has acknowledged, and whether it has all that was sent. */
static uint64_t look_at_reader(int socket, bool *ret_has_all) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    int unsent = 0;
    *ret_has_all = ioctl(socket, SIOCOUTQ, &unsent) != 0 || unsent == 0;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_acked : 0;
}

/* Is a reader too slow? Where it is waited for it must take a byte a millisecond and a bit more. The mutex is held. */
static bool is_too_slow(const struct deadlines *deadlines, struct deadline *deadline, uint64_t now) {
    bool has_all;
    uint64_t taken = look_at_reader(deadline->socket, &has_all);
    bool good = deadline->since == 0 || has_all || taken - deadline->taken >= deadlines->send * 1024 / 1000;
    if (!good)
        return now - deadline->since >= deadlines->send;
    deadline->since = now;
    deadline->taken = taken;
    return false;
}

/* Shut one down whose time is over; a reader that is quick enough is looked at again later. The mutex is held. */
static void expire(struct deadlines *deadlines, struct deadline *deadline, uint64_t now) {
    if (deadline->kind != DEADLINE_SEND || is_too_slow(deadlines, deadline, now)) {
        cut_off(deadlines, deadline);
        return;
    }
    take_out(deadlines, deadline);
    put_in(deadlines, deadline, DEADLINE_SEND);
}

void deadlines_drop_gone(struct deadlines *deadlines) {
    pthread_mutex_lock(&deadlines->mutex);
    for (enum deadline_kind kind = DEADLINE_HEAD; kind <= DEADLINE_BODY; kind++) {
        struct deadline *later;
        for (struct deadline *deadline = deadlines->list[kind].first; deadline != NULL; deadline = later) {
            char byte;
            bool gone = recv(deadline->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
            later = deadline->later;
            if (gone && deadline->silent)
                cut_off(deadlines, deadline);
            deadline->silent = gone;
        }
    }
    pthread_mutex_unlock(&deadlines->mutex);
}

uint64_t deadlines_expire(struct deadlines *deadlines) {
    pthread_mutex_lock(&deadlines->mutex);
    uint64_t now = clock_now_ms(), pause = UINT64_MAX;
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *first;
        while ((first = deadlines->list[kind].first) != NULL && first->due <= now)
            expire(deadlines, first, now);
        uint64_t until = first != NULL ? first->due - now : deadlines->list[kind].length;
        if (until < pause)
            pause = until;
    }
    pthread_mutex_unlock(&deadlines->mutex);
    return pause;
}
