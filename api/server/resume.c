#include "api/server/resume.h"

#include "api/server/deadlines.h"
#include "api/work/clock.h"
#include "base/assert.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>

enum {
    CROWD = 256,    /* suspended connections, from which on those that may go on wait for each other */
    TOGETHER = 5,   /* milliseconds between two goings on then */
    HOLD = 1000,    /* milliseconds that a refusal is held: Retry-After */
    HOLD_STEP = 50, /* milliseconds: refusals go on together too */
};

/* In the order of their times. */
struct line {
    struct resumable *first, *last;
};

struct resumer {
    int wake;
    atomic_size_t suspended;
    pthread_mutex_t mutex; /* for what follows */
    struct line ready, held;
    uint64_t next; /* milliseconds: when `ready` may go on */
    bool released;
};

struct resumer *resumer_new(int wake) {
    struct resumer *resumer = calloc(1, sizeof *resumer);
    if (resumer == NULL)
        return NULL;
    resumer->wake = wake;
    atomic_init(&resumer->suspended, 0);
    pthread_mutex_init(&resumer->mutex, NULL);
    return resumer;
}

void resumer_free(struct resumer *resumer) {
    if (resumer == NULL)
        return;
    ASSERT(resumer->ready.first == NULL && resumer->held.first == NULL);
    pthread_mutex_destroy(&resumer->mutex);
    free(resumer);
}

/* Put it at the end of a line; true when it is the first there. The mutex is held. */
static bool append(struct line *line, struct resumable *resumable) {
    bool first = line->first == NULL;
    resumable->behind = NULL;
    *(first ? &line->first : &line->last->behind) = resumable;
    line->last = resumable;
    return first;
}

void resumer_suspend(struct resumer *resumer, struct resumable *resumable) {
    atomic_fetch_add(&resumer->suspended, 1);
    MHD_suspend_connection(resumable->connection);
}

static void go_on(struct resumer *resumer, struct resumable *resumable) {
    struct MHD_Connection *connection = resumable->connection;
    atomic_fetch_sub(&resumer->suspended, 1);
    MHD_resume_connection(connection);
}

void resumer_resume(struct resumer *resumer, struct resumable *resumable) {
    if (atomic_load(&resumer->suspended) < CROWD) {
        go_on(resumer, resumable);
        return;
    }
    pthread_mutex_lock(&resumer->mutex);
    bool released = resumer->released, wake = !released && append(&resumer->ready, resumable);
    pthread_mutex_unlock(&resumer->mutex);
    if (released)
        go_on(resumer, resumable);
    else if (wake)
        eventfd_write(resumer->wake, 1);
}

void resumer_hold(struct resumer *resumer, struct resumable *resumable) {
    pthread_mutex_lock(&resumer->mutex);
    resumable->due = (clock_now_ms() + HOLD) / HOLD_STEP * HOLD_STEP + HOLD_STEP;
    bool released = resumer->released, wake = !released && append(&resumer->held, resumable);
    pthread_mutex_unlock(&resumer->mutex);
    if (released)
        go_on(resumer, resumable);
    else if (wake)
        eventfd_write(resumer->wake, 1);
}

static void let_go_on(struct resumer *resumer, struct resumable *first) {
    while (first != NULL) {
        struct resumable *behind = first->behind; /* `first` may be gone at once */
        go_on(resumer, first);
        first = behind;
    }
}

uint64_t resumer_run(struct resumer *resumer) {
    uint64_t now = clock_now_ms(), pause = UINT64_MAX;
    struct resumable *ready = NULL, *due = NULL, *last = NULL;
    pthread_mutex_lock(&resumer->mutex);
    if (resumer->ready.first != NULL && resumer->next <= now) {
        ready = resumer->ready.first;
        resumer->ready = (struct line){0};
        resumer->next = now + TOGETHER;
    } else if (resumer->ready.first != NULL) {
        pause = resumer->next - now;
    }
    due = resumer->held.first;
    for (struct resumable *held = due; held != NULL && held->due <= now; held = held->behind)
        last = held;
    if (last != NULL) {
        resumer->held.first = last->behind;
        last->behind = NULL;
    } else {
        due = NULL;
    }
    if (resumer->held.first != NULL && resumer->held.first->due - now < pause)
        pause = resumer->held.first->due - now;
    pthread_mutex_unlock(&resumer->mutex);
    let_go_on(resumer, ready);
    let_go_on(resumer, due);
    return pause;
}

void resumer_release(struct resumer *resumer) {
    pthread_mutex_lock(&resumer->mutex);
    struct resumable *ready = resumer->ready.first, *held = resumer->held.first;
    resumer->ready = resumer->held = (struct line){0};
    resumer->released = true;
    pthread_mutex_unlock(&resumer->mutex);
    let_go_on(resumer, ready);
    let_go_on(resumer, held);
}
