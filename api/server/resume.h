/* Suspended connections and how they go on.
 *
 * Two things make a crowd of them dear. Whenever one is resumed libmicrohttpd walks over all that are suspended: where
 * they are many, those that are to go on wait a moment for each other, and go on together. And who is refused because
 * the queue is full asks again at once, whatever Retry-After says, so that the I/O thread would do nothing but refuse:
 * such an answer is held for the second that Retry-After asks for. Neither costs more memory than the connection.
 *
 * Any thread may call these, but for resumer_run and resumer_release, which belong to the thread that waits. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

struct resumer;

/* A connection that is suspended, or is not; whoever calls holds it. Not touched any more once it goes on. */
struct resumable {
    struct MHD_Connection *connection;
    uint64_t due; /* milliseconds of the monotonic clock */
    struct resumable *behind;
};

/* `wake` is an eventfd that is written when there is something new for resumer_run. NULL when memory is exhausted. */
struct resumer *resumer_new(int wake);

/* Accepts NULL. */
void resumer_free(struct resumer *resumer);

/* In a callback for the connection: suspend it. */
void resumer_suspend(struct resumer *resumer, struct resumable *resumable);

/* A suspended connection may go on. */
void resumer_resume(struct resumer *resumer, struct resumable *resumable);

/* A suspended connection may go on in a second; after resumer_release at once. */
void resumer_hold(struct resumer *resumer, struct resumable *resumable);

/* Let go on whose time has come. Returns how many milliseconds it takes until somebody else's does; UINT64_MAX when
 * nobody waits. */
uint64_t resumer_run(struct resumer *resumer);

/* Let go on all that wait here, and from now on each at once. */
void resumer_release(struct resumer *resumer);
