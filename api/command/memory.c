#include "api/command/memory.h"

#include "api/api.h"
#include "api/server/http.h"
#include "api/server/socket.h"

enum {
    READING_BYTES = 4 << 20,      /* for each thread that solves */
    CONNECTION_BYTES = 224 << 10, /* for each connection */
    OTHER_BYTES = 64 << 20,
};

struct memory memory_max(const struct options *options) {
    const struct memory_limits *limits = limits_of(&options->limits, &memory_limits);
    uint64_t connections = http_max_connections(options->max_connections, (size_t)options->io_threads,
                                                options->ops_port != OPTIONS_NO_PORT);
    struct memory memory = {
        .parts = {
            [MEMORY_INFLIGHT] = limits->max_inflight_bytes,
            [MEMORY_SOLVING] = options->workers * QUEUE_SHORT_WORKSPACE + options->io_threads * LOOP_WORKSPACE +
                               options->long_workers * service_max_solving_bytes(&options->limits),
            [MEMORY_READING] = (options->workers + options->long_workers + options->io_threads) * READING_BYTES,
            [MEMORY_CONNECTIONS] = connections * CONNECTION_BYTES,
            [MEMORY_KERNEL] = connections * SOCKET_KERNEL_BYTES,
            [MEMORY_OTHER] = OTHER_BYTES,
        }};
    for (enum memory_part part = 0; part < MEMORY_PARTS; part++)
        memory.sum += memory.parts[part];
    return memory;
}
