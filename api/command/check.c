#include "api/command/check.h"

#include "api/api.h"
#include "api/command/machine.h"
#include "api/command/memory.h"
#include "api/command/message.h"
#include "api/server/http.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the start ---- */

/* The options as they will be in force: the limit on descriptors may allow fewer connections. */
static struct options in_force(const struct options *options) {
    struct options result = *options;
    result.max_connections = http_max_connections(options->max_connections, (size_t)options->io_threads,
                                                  options->ops_port != OPTIONS_NO_PORT);
    return result;
}

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

/* Does Kubernetes set this variable for a Service called arbiter? It sets ARBITER_PORT, ARBITER_PORT_80_TCP_ADDR,
 * ARBITER_SERVICE_HOST and others. Only --port has such a name, and options_is_injected recognises its value. */
static bool is_of_service(const char *variable, const char *value) {
    return strncmp(variable, "ARBITER_SERVICE_", 16) == 0 || strncmp(variable, "ARBITER_PORT_", 13) == 0 ||
           options_is_injected(variable, value);
}

/* Warn about each variable that belongs to no option, and once about all variables that Kubernetes has set. */
static void check_variables(struct log *log) {
    char reason[512], name[201], of_service[201] = "";
    for (char **entry = environ; *entry != NULL; entry++) {
        char meant[OPTIONS_NAME] = "";
        const char *equals = strchr(*entry, '=');
        if (equals == NULL || strncmp(*entry, "ARBITER_", 8) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)min((size_t)(equals - *entry), sizeof name - 1), *entry);
        if (is_of_service(name, equals + 1)) {
            memcpy(of_service, name, sizeof name);
            continue;
        }
        const char *nearest =
            options_nearest(OPTIONS_SERVE | OPTIONS_HEALTH | OPTIONS_SOLVE, false, name + 8, strlen(name) - 8);
        if (nearest != NULL)
            options_format_name(nearest, false, meant);
        if (strcmp(meant, name) == 0)
            continue;
        snprintf(reason, sizeof reason, "%s is ignored, because no option uses this variable%s%s%s", name,
                 *meant != 0 ? "; did you mean " : "", meant, *meant != 0 ? "?" : "");
        log_text(log, LOG_LEVEL_WARN, "variable-ignored", "reason", reason);
    }
    if (*of_service == 0)
        return;
    snprintf(reason, sizeof reason,
             "%s and similar variables are ignored; Kubernetes sets them for a Service called arbiter, and they are "
             "harmless",
             of_service);
    log_text(log, LOG_LEVEL_WARN, "variable-ignored", "reason", reason);
}

/* ---- descriptors ---- */

/* Warn if the limit on descriptors allows fewer connections than the options. */
static void check_descriptors(const struct options *options, struct log *log) {
    uint64_t connections = in_force(options).max_connections;
    char reason[256];
    if (connections == options->max_connections)
        return;
    snprintf(
        reason, sizeof reason,
        "the limit on open files allows only %llu connections instead of %llu; raise it (ulimit -Hn, LimitNOFILE=)",
        (unsigned long long)connections, (unsigned long long)options->max_connections);
    log_text(log, LOG_LEVEL_WARN, "few-descriptors", "reason", reason);
}

bool check_start(const struct options *options, struct log *log) {
    char reason[HTTP_REASON_SIZE];
    check_variables(log);
    check_descriptors(options, log);
    bool fits = http_fits_library(sizeof reason, reason);
    if (!fits)
        log_text(log, LOG_LEVEL_ERROR, "cannot-start", "reason", reason);
    return fits;
}

/* ---- memory ---- */

uint64_t check_max_memory(const struct options *options) {
    const struct options actual = in_force(options);
    struct memory_part parts[MEMORY_PARTS];
    return memory_most(&actual, parts);
}

void check_memory(const struct options *options, struct log *log) {
    char reason[256];
    uint64_t most = check_max_memory(options), allowed = machine_cgroup_memory("");
    if (most <= allowed)
        return;
    snprintf(reason, sizeof reason,
             "the options allow %lluM of memory, but the container is killed if it uses more than %lluM; use "
             "--memory auto to stay within that",
             (unsigned long long)memory_mebibytes(most), (unsigned long long)allowed >> 20);
    log_text(log, LOG_LEVEL_WARN, "memory-exceeds-limit", "reason", reason);
}

/* Print the parts and their sum, which is also printed as a memory limit in the syntax of systemd, compose and
 * Kubernetes, rounded up. In the first two, M also means 2^20 bytes. With --memory, the limit includes the extra
 * sixteenth that --memory auto leaves to the kernel. */
static void print_memory(const struct options *options) {
    struct memory_part parts[MEMORY_PARTS];
    uint64_t sum = memory_most(options, parts);
    unsigned long long mebibytes = memory_mebibytes(options->memory != 0 ? memory_container(sum) : sum);
    printf("memory_derived ");
    for (size_t d = 0; options->derived[d] != NULL; d++)
        printf("%s%s", d == 0 ? "" : ",", options->derived[d]);
    puts(options->derived[0] == NULL ? "none" : "");
    printf("short_workspace_bytes %llu\nkernel_buffers_bytes %llu\n", (unsigned long long)options->short_workspace,
           (unsigned long long)options->kernel_buffers);
    for (int p = 0; p < MEMORY_PARTS; p++)
        printf("memory_%s_bytes %llu\n", parts[p].name, (unsigned long long)parts[p].bytes);
    printf("memory_bytes %llu\n", (unsigned long long)sum);
    printf("systemd MemoryMax=%lluM\ncompose mem_limit: %llum\nkubernetes limits: {memory: %lluMi}\n", mebibytes,
           mebibytes, mebibytes);
}

/* ---- --check ---- */

int check(const struct options *options) {
    const struct options actual = in_force(options);
    struct option_text text;
    struct log *log = log_new(options->log_level, STDERR_FILENO);
    if (log == NULL) {
        message_print("cannot start: not enough memory, or too many threads");
        return 1;
    }
    bool fits = check_start(options, log);
    check_memory(options, log);
    log_free(log);
    if (!fits)
        return 1;
    for (size_t i = 0; options_describe(&actual, OPTIONS_SERVE, &i, &text);) {
        printf("%s ", text.id);
        message_put_line(stdout, text.value, strlen(text.value)); /* escaped, because it can be any text */
    }
    print_memory(&actual);
    return message_flush_output() ? 0 : 1;
}
