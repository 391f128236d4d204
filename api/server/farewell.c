#include "api/server/farewell.h"

#include "api/work/clock.h"
#include "base/assert.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TIME = 2000,       /* milliseconds */
    AT_ONCE = 64,      /* sockets that are looked at in one call */
    PIECE = 256 << 10, /* bytes that are thrown away of one of them */
};

/* In the order in which they are over, since all stay for the same time: from `oldest` on, `count` of a ring. */
struct farewell {
    pthread_mutex_t mutex; /* for all that follows */
    int epoll;
    size_t oldest, count;
    struct {
        int socket; /* -1: it is closed already */
        uint64_t until;
    } items[FAREWELL_MOST];
};

struct farewell *farewell_new(void) {
    struct farewell *farewell = calloc(1, sizeof *farewell);
    if (farewell == NULL)
        return NULL;
    farewell->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (farewell->epoll < 0) {
        free(farewell);
        return NULL;
    }
    pthread_mutex_init(&farewell->mutex, NULL);
    return farewell;
}

/* Close a socket, which leaves the epoll by that: nobody else has this descriptor. With the mutex. */
static void close_item(struct farewell *farewell, size_t item) {
    if (farewell->items[item].socket >= 0) {
        epoll_ctl(farewell->epoll, EPOLL_CTL_DEL, farewell->items[item].socket, NULL);
        close(farewell->items[item].socket);
    }
    farewell->items[item].socket = -1;
}

/* The oldest is over. With the mutex. */
static void drop_oldest(struct farewell *farewell) {
    ASSERT(farewell->count != 0);
    close_item(farewell, farewell->oldest);
    farewell->oldest = (farewell->oldest + 1) % FAREWELL_MOST;
    farewell->count--;
}

void farewell_free(struct farewell *farewell) {
    if (farewell == NULL)
        return;
    while (farewell->count != 0)
        drop_oldest(farewell);
    close(farewell->epoll);
    pthread_mutex_destroy(&farewell->mutex);
    free(farewell);
}

int farewell_descriptor(const struct farewell *farewell) { return farewell->epoll; }

void farewell_begin(struct farewell *farewell, int socket) {
    int kept = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (kept < 0)
        return;
    shutdown(kept, SHUT_WR);
    pthread_mutex_lock(&farewell->mutex);
    if (farewell->count == FAREWELL_MOST)
        drop_oldest(farewell);
    size_t item = (farewell->oldest + farewell->count) % FAREWELL_MOST;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = item};
    farewell->items[item].socket = kept;
    farewell->items[item].until = clock_now_ms() + TIME;
    farewell->count++;
    if (epoll_ctl(farewell->epoll, EPOLL_CTL_ADD, kept, &event) != 0)
        close_item(farewell, item);
    pthread_mutex_unlock(&farewell->mutex);
}

/* Throw away what a socket has; close it when its client has. With the mutex. */
static void throw_away(struct farewell *farewell, size_t item) {
    ssize_t length = 1;
    /* For TCP the kernel drops the bytes without copying them (tcp(7), MSG_TRUNC). */
    for (size_t all = 0; all < PIECE && length > 0; all += (size_t)length)
        /* cppcheck-suppress nullPointer; nothing is written with MSG_TRUNC */
        length = recv(farewell->items[item].socket, NULL, PIECE, MSG_TRUNC | MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN && errno != EINTR))
        close_item(farewell, item);
}

uint64_t farewell_look(struct farewell *farewell) {
    struct epoll_event events[AT_ONCE];
    uint64_t next = UINT64_MAX;
    pthread_mutex_lock(&farewell->mutex);
    int count = epoll_wait(farewell->epoll, events, AT_ONCE, 0);
    for (int e = 0; e < count; e++)
        throw_away(farewell, (size_t)events[e].data.u64);
    uint64_t now = clock_now_ms();
    while (farewell->count != 0 &&
           (farewell->items[farewell->oldest].socket < 0 || farewell->items[farewell->oldest].until <= now))
        drop_oldest(farewell);
    if (farewell->count != 0)
        next = farewell->items[farewell->oldest].until - now;
    pthread_mutex_unlock(&farewell->mutex);
    return next;
}
