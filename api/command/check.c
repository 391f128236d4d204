/* The memory is that of the table in ARCHITECTURE.md ("Memory"), with a line for each of its rows. At the largest
 * limits the sum has fewer than 64 bits. */
#include "api/command/check.h"

#include "api/command/environment.h"
#include "api/command/escape.h"
#include "api/command/message.h"
#include "api/command/start.h"
#include "api/server/http.h"
#include "api/server/socket.h"

#include <stdio.h>
#include <string.h>

enum {
    READING_BYTES = 4 << 20,      /* of a thread that solves */
    CONNECTION_BYTES = 224 << 10, /* of a connection */
    OTHER_BYTES = 64 << 20,
    MEBIBYTE = 1 << 20,
};

/* The value may be any text. It is escaped, so that it stays on its line and controls no terminal. */
static void print_option(const char *name, const char *value) {
    struct escape escape = {.keeps_line_ends = false};
    size_t left = strlen(value);
    printf("%s ", name);
    while (left != 0) {
        char text[ESCAPE_BYTES];
        size_t length = escape_next(&escape, &value, &left, text);
        fwrite(text, 1, length, stdout);
    }
    putchar('\n');
}

static void print_options(const struct options *options) {
    char digits[OPTIONS_DIGITS];
    const char *name, *value;
    for (size_t i = 0; (name = options_value(options, OPTIONS_SERVE, i, digits, &value)) != NULL; i++)
        print_option(name, value);
}

/* Print the sum as a limit of memory, as the files of systemd, compose and Kubernetes have it. It is rounded up. M and
 * m are 2^20 bytes there, too. */
static void print_memory_limits(uint64_t bytes) {
    unsigned long long mebibytes = (bytes + MEBIBYTE - 1) / MEBIBYTE;
    printf("systemd MemoryMax=%lluM\n", mebibytes);
    printf("compose mem_limit: %llum\n", mebibytes);
    printf("kubernetes limits: {memory: %lluMi}\n", mebibytes);
}

static void print_memory(const struct options *options) {
    const struct memory_limits *limits = limits_of(&options->limits, &memory_limits);
    uint64_t solving = options->workers * QUEUE_SHORT_WORKSPACE + options->io_threads * LOOP_WORKSPACE +
                       options->long_workers * service_most_solving_bytes(&options->limits);
    const struct {
        const char *name;
        uint64_t bytes;
    } rows[] = {
        {"inflight", limits->max_inflight_bytes},
        {"solving", solving},
        {"reading", (options->workers + options->long_workers + options->io_threads) * READING_BYTES},
        {"connections", options->max_connections * CONNECTION_BYTES},
        {"kernel", options->max_connections * SOCKET_KERNEL_BYTES},
        {"other", OTHER_BYTES},
    };
    uint64_t sum = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        printf("memory_%s_bytes %llu\n", rows[r].name, (unsigned long long)rows[r].bytes);
        sum += rows[r].bytes;
    }
    printf("memory_bytes %llu\n", (unsigned long long)sum);
    print_memory_limits(sum);
}

int check(const struct options *options) {
    struct options in_force = *options;
    struct log *log = log_new(options->log_level);
    if (log == NULL) {
        message_print("cannot start: out of memory or threads");
        return 1;
    }
    environment_warn(log);
    log_free(log);
    in_force.max_connections = http_most_connections(options->max_connections, (size_t)options->io_threads);
    print_options(&in_force);
    print_memory(&in_force);
    return fflush(stdout) == 0 ? 0 : 1;
}
