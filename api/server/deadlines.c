#include "api/server/deadlines.h"

#include "base/assert.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

struct deadlines {
    pthread_mutex_t mutex;
    struct {
        uint64_t length;
        struct deadline *first, *last;
    } list[DEADLINE_KINDS];
};

uint64_t deadlines_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

struct deadlines *deadlines_new(uint64_t head, uint64_t body) {
    struct deadlines *deadlines = calloc(1, sizeof *deadlines);
    if (deadlines == NULL)
        return NULL;
    pthread_mutex_init(&deadlines->mutex, NULL);
    deadlines->list[DEADLINE_HEAD].length = head;
    deadlines->list[DEADLINE_BODY].length = body;
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

void deadline_arm(struct deadlines *deadlines, struct deadline *deadline, enum deadline_kind kind) {
    pthread_mutex_lock(&deadlines->mutex);
    take_out(deadlines, deadline);
    deadline->armed = true;
    deadline->silent = false;
    deadline->kind = kind;
    deadline->due = deadlines_now() + deadlines->list[kind].length;
    deadline->later = NULL;
    deadline->earlier = deadlines->list[kind].last;
    if (deadline->earlier != NULL)
        deadline->earlier->later = deadline;
    else
        deadlines->list[kind].first = deadline;
    deadlines->list[kind].last = deadline;
    pthread_mutex_unlock(&deadlines->mutex);
}

void deadline_disarm(struct deadlines *deadlines, struct deadline *deadline) {
    pthread_mutex_lock(&deadlines->mutex);
    take_out(deadlines, deadline);
    pthread_mutex_unlock(&deadlines->mutex);
}

/* Shut it down. The mutex is held: it keeps the socket from being closed and its number used again meanwhile. */
static void cut_off(struct deadlines *deadlines, struct deadline *deadline) {
    shutdown(deadline->socket, SHUT_RDWR);
    take_out(deadlines, deadline);
}

void deadlines_drop_gone(struct deadlines *deadlines) {
    pthread_mutex_lock(&deadlines->mutex);
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
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
    uint64_t now = deadlines_now(), pause = UINT64_MAX;
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        struct deadline *first;
        while ((first = deadlines->list[kind].first) != NULL && first->due <= now)
            cut_off(deadlines, first);
        uint64_t until = first != NULL ? first->due - now : deadlines->list[kind].length;
        if (until < pause)
            pause = until;
    }
    pthread_mutex_unlock(&deadlines->mutex);
    return pause;
}
