#include "api/server/reason.h"

#include <stddef.h>

const char *const reason_names[REASONS] = {
    [REASON_NONE] = NULL,
    [REASON_QUEUE_FULL] = "queue-full",
    [REASON_MEMORY_FULL] = "memory-full",
    [REASON_MEMORY] = "memory",
    [REASON_MAX_WAIT] = "max-wait",
    [REASON_TOO_LARGE] = "too-large",
    [REASON_LEAVING] = "leaving",
    [REASON_FRAMING] = "framing",
    [REASON_MAKE_ROOM] = "make-room",
    [REASON_HEAD] = "head",
    [REASON_HEAD_TIMEOUT] = "head-timeout",
    [REASON_BODY_TIMEOUT] = "body-timeout",
    [REASON_SEND_TIMEOUT] = "send-timeout",
    [REASON_CONNECTION_LOST] = "connection-lost",
    [REASON_CLIENT_GONE] = "client-gone",
};
