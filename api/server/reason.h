/* Why requests were refused or ended without their answer: the words of the log, and what the metrics count. */
#pragma once

enum reason {
    REASON_NONE, /* it was answered */

    /* It was refused, or its answer could not be made or sent. */
    REASON_QUEUE_FULL,
    REASON_MEMORY_FULL, /* the account has no room */
    REASON_MEMORY,      /* the system has none, or a thread's workspace is too small */
    REASON_MAX_WAIT,
    REASON_TOO_LARGE, /* a body that did not announce its length */
    REASON_LEAVING,
    REASON_FRAMING,
    REASON_MAKE_ROOM, /* its reader was too slow for the memory that its answer holds */
    REASON_HEAD,      /* libmicrohttpd cannot digest it */

    /* The client took too long. */
    REASON_HEAD_TIMEOUT,
    REASON_BODY_TIMEOUT,
    REASON_SEND_TIMEOUT,

    /* The client went away. */
    REASON_CONNECTION_LOST, /* in the middle of its body */
    REASON_CLIENT_GONE,
    REASONS,
};

/* What a reason is called: "queue-full". NULL for REASON_NONE. */
extern const char *const reason_names[REASONS];
