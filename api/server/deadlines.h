/* Deadlines of connections.
 *
 * libmicrohttpd's own timeout is one of inactivity: a byte now and then keeps a request alive for ever. Here a head and
 * a body each have a time by which they must be complete; what is late has its socket shut down, which libmicrohttpd
 * sees as the client's hanging up.
 *
 * An answer has no such time, for it may be long; but its reader must take at least a KiB a second on average over the
 * time that is given for it, as long as there is something for it to take. So its connection is looked at several times
 * within that time: how many bytes the other side has acknowledged is known to the kernel.
 *
 * All deadlines of a kind have the same length, so each kind's connections stand in a list in the order in which they
 * are due. Arm and disarm from the I/O thread, expire from another. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum deadline_kind { DEADLINE_HEAD, DEADLINE_BODY, DEADLINE_SEND, DEADLINE_KINDS };

struct deadlines;

/* A connection; the caller holds it, zeroed but for `socket`. */
struct deadline {
    int socket;
    bool armed;
    bool silent;     /* its client had hung up when it was last looked at */
    bool open_ended; /* only the end of the connection ends its answer: it is reset where that must not be taken for it
                      */
    enum deadline_kind kind;
    uint64_t due;          /* milliseconds of the monotonic clock */
    uint64_t since, taken; /* DEADLINE_SEND: so many bytes had been acknowledged then; 0: nobody has looked */
    atomic_bool late;      /* it was shut down for being so */
    struct deadline *earlier, *later;
};

/* NULL when memory is exhausted. Lengths in milliseconds. */
struct deadlines *deadlines_new(uint64_t head, uint64_t body, uint64_t send);
void deadlines_free(struct deadlines *deadlines);

/* Start the time for a head or a body; one that was running is forgotten. */
void deadline_arm(struct deadlines *deadlines, struct deadline *deadline, enum deadline_kind kind);
void deadline_disarm(struct deadlines *deadlines, struct deadline *deadline);

/* Until the deadline is armed for something else: the end of the answer is that of the connection. */
void deadline_set_open_ended(struct deadlines *deadlines, struct deadline *deadline);

/* Disconnect the socket, so that the other side sees a reset. */
void deadline_reset(struct deadlines *deadlines, struct deadline *deadline);

/* The same for all that are open-ended. */
void deadlines_reset_open_ended(struct deadlines *deadlines);

/* Shut down what is late. Returns how many milliseconds it takes at least until something else can be. */
uint64_t deadlines_expire(struct deadlines *deadlines);

/* Shut down those whose clients are found hung up in the middle of a head or body in two calls in a row. libmicrohttpd
 * overlooks a hang-up that comes together with the last bytes of an unfinished head or body. Between the two calls
 * there must be time enough to read a request that is complete. */
void deadlines_drop_gone(struct deadlines *deadlines);
