#include "api/server/watch.h"

#include "base/assert.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { AT_ONCE = 64 };

struct watch {
    pthread_mutex_t mutex; /* also held while `gone` is called, so that nobody who is told is freed meanwhile */
    int epoll;
    struct watched *first;
};

struct watch *watch_new(void) {
    struct watch *watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return NULL;
    watch->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (watch->epoll < 0) {
        free(watch);
        return NULL;
    }
    pthread_mutex_init(&watch->mutex, NULL);
    return watch;
}

void watch_free(struct watch *watch) {
    if (watch == NULL)
        return;
    ASSERT(watch->first == NULL);
    close(watch->epoll);
    pthread_mutex_destroy(&watch->mutex);
    free(watch);
}

int watch_descriptor(const struct watch *watch) { return watch->epoll; }

void watch_begin(struct watch *watch, struct watched *watched) {
    /* Told once: a socket whose other side is closed stays so, and nobody would wait for anything else. */
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = watched};
    pthread_mutex_lock(&watch->mutex);
    ASSERT(!watched->is_watched);
    watched->is_watched = true;
    watched->before = NULL;
    watched->behind = watch->first;
    if (watch->first != NULL)
        watch->first->before = watched;
    watch->first = watched;
    /* Without memory for it the client is missed when the answer is sent. */
    ASSERT_ONLY int added = epoll_ctl(watch->epoll, EPOLL_CTL_ADD, watched->socket, &event);
    ASSERT(added == 0 || errno == ENOMEM || errno == ENOSPC);
    pthread_mutex_unlock(&watch->mutex);
}

/* The mutex is held. */
static void stop(struct watch *watch, struct watched *watched) {
    epoll_ctl(watch->epoll, EPOLL_CTL_DEL, watched->socket, NULL);
    *(watched->before != NULL ? &watched->before->behind : &watch->first) = watched->behind;
    if (watched->behind != NULL)
        watched->behind->before = watched->before;
    watched->is_watched = false;
}

void watch_end(struct watch *watch, struct watched *watched) {
    pthread_mutex_lock(&watch->mutex);
    if (watched->is_watched)
        stop(watch, watched);
    pthread_mutex_unlock(&watch->mutex);
}

void watch_look(struct watch *watch) {
    struct epoll_event events[AT_ONCE];
    int count;
    do {
        /* With the mutex held: what is told here is still watched. */
        pthread_mutex_lock(&watch->mutex);
        count = epoll_wait(watch->epoll, events, AT_ONCE, 0);
        for (int e = 0; e < count; e++) {
            struct watched *watched = events[e].data.ptr;
            watched->gone(watched);
        }
        pthread_mutex_unlock(&watch->mutex);
    } while (count == AT_ONCE);
}

void watch_dismiss(struct watch *watch) {
    pthread_mutex_lock(&watch->mutex);
    while (watch->first != NULL) {
        watch->first->gone(watch->first);
        stop(watch, watch->first);
    }
    pthread_mutex_unlock(&watch->mutex);
}
