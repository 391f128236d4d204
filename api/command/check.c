#include "api/command/check.h"

#include "api/command/environment.h"
#include "api/command/memory.h"
#include "api/command/message.h"
#include "api/command/start.h"
#include "api/server/http.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20 };

/* The value may be any text. It is escaped, so that it stays on its line and controls no terminal. */
static void print_option(const char *name, const char *value) {
    struct escape escape = {.keeps_line_ends = false};
    size_t left = strlen(value);
    printf("%s ", name);
    while (left != 0) {
        char text[ESCAPE_BYTES];
        size_t length = message_escape(&escape, &value, &left, text);
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

/* Print the sum as a memory limit in the syntax of systemd, compose and Kubernetes, rounded up. In the first two M
 * means 2^20 bytes, too. */
static void print_memory_limits(uint64_t bytes) {
    unsigned long long mebibytes = (bytes + MEBIBYTE - 1) / MEBIBYTE;
    printf("systemd MemoryMax=%lluM\n", mebibytes);
    printf("compose mem_limit: %llum\n", mebibytes);
    printf("kubernetes limits: {memory: %lluMi}\n", mebibytes);
}

static void print_memory(const struct options *options) {
    static const char *const names[MEMORY_PARTS] = {
        [MEMORY_INFLIGHT] = "inflight",       [MEMORY_SOLVING] = "solving", [MEMORY_READING] = "reading",
        [MEMORY_CONNECTIONS] = "connections", [MEMORY_KERNEL] = "kernel",   [MEMORY_OTHER] = "other",
    };
    struct memory memory = memory_max(options);
    for (enum memory_part part = 0; part < MEMORY_PARTS; part++)
        printf("memory_%s_bytes %llu\n", names[part], (unsigned long long)memory.parts[part]);
    printf("memory_bytes %llu\n", (unsigned long long)memory.sum);
    print_memory_limits(memory.sum);
}

int check(const struct options *options) {
    struct options in_force = *options;
    struct log *log = log_new(options->log_level, STDERR_FILENO);
    if (log == NULL) {
        message_print("cannot start: out of memory or threads");
        return 1;
    }
    environment_warn(log);
    bool fits = start_fits_library(log);
    log_free(log);
    if (!fits)
        return 1;
    in_force.max_connections = http_max_connections(options->max_connections, (size_t)options->io_threads,
                                                    options->ops_port != OPTIONS_NO_PORT);
    print_options(&in_force);
    print_memory(&in_force);
    return fflush(stdout) == 0 ? 0 : 1;
}
