/* Why a request was refused or cut off: the words of the log and of the metrics. */
#pragma once

enum reason {
    REASON_NONE, /* it was answered */

    /* It was refused, or its answer could not be made or sent. */
    REASON_QUEUE_FULL,
    REASON_MEMORY_FULL, /* the account is exhausted */
    REASON_MEMORY,      /* the system has no memory, or a thread's workspace is too small */
    REASON_MAX_WAIT,
    REASON_TOO_LARGE, /* a body of unannounced length passed the limit */
    REASON_LEAVING,
    REASON_FRAMING,
    REASON_MAKE_ROOM, /* its reader was too slow for the memory that its answer holds */
    REASON_HEAD,      /* libmicrohttpd cannot parse it */

    /* The client took too long. */
    REASON_HEAD_TIMEOUT,
    REASON_BODY_TIMEOUT,
    REASON_SEND_TIMEOUT,

    /* The client closed or lost the connection. */
    REASON_CONNECTION_LOST, /* in the middle of its body */
    REASON_CLIENT_GONE,
    REASONS,
};

/* The name of each reason, such as "queue-full". NULL for REASON_NONE. */
extern const char *const reason_names[REASONS];
