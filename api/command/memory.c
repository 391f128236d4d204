#include "api/command/memory.h"

#include "api/api.h"
#include "api/command/machine.h"
#include "api/command/message.h"
#include "api/server/http.h"
#include "api/server/socket.h"
#include "base/assert.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KIBIBYTE = 1 << 10, PAGE = 4 << 10, MEBIBYTE = 1 << 20 };

/* ---- the most that the options allow ---- */

enum {
    READING_BYTES = 4 * MEBIBYTE,      /* for each thread that solves */
    CONNECTION_BYTES = 224 * KIBIBYTE, /* for each connection */
    OTHER_BYTES = 64 * MEBIBYTE,
};

uint64_t memory_most(const struct options *options, struct memory_part ret_parts[MEMORY_PARTS]) {
    const struct memory_limits *limits = limits_of(&options->limits, &memory_limits);
    uint64_t connections = options->max_connections, sum = 0;
    const struct memory_part parts[MEMORY_PARTS] = {
        {"inflight", limits->max_inflight_bytes}, /* bodies, answers and large trees */
        /* the workspaces of all threads that solve, and what these threads read for their cases */
        {"solving", options->workers * options->short_workspace + options->io_threads * LOOP_WORKSPACE +
                        options->long_workers * service_max_solving_bytes(&options->limits)},
        {"reading", (options->workers + options->long_workers + options->io_threads) * READING_BYTES},
        {"connections", connections * CONNECTION_BYTES},   /* in the program ... */
        {"kernel", connections * options->kernel_buffers}, /* ... and in the kernel */
        {"other", OTHER_BYTES},
    };
    memcpy(ret_parts, parts, sizeof parts);
    for (int p = 0; p < MEMORY_PARTS; p++)
        sum += parts[p].bytes;
    return sum;
}

static uint64_t sum(const struct options *options) {
    struct memory_part parts[MEMORY_PARTS];
    return memory_most(options, parts);
}

/* ---- the available memory ---- */

uint64_t memory_available(const char *root) {
    uint64_t allowed = machine_cgroup_memory(root), machine = machine_memory();
    return allowed < machine ? allowed - allowed / 16 : machine == UINT64_MAX ? 0 : machine / 2;
}

uint64_t memory_container(uint64_t bytes) { return bytes + (bytes - 1) / 15 + 1; }

/* ---- options that fit ---- */

/* The minimum for each option, and what one request may ask for as a fraction of the bytes in flight: by default a
 * sixteenth each for a body and for an answer. */
enum {
    LEAST_CONNECTIONS = 32,
    LEAST_STATES = 100000,
    PART_OF_BYTES = 16,
    PART_OF_VALUES = 256,
};
#define LEAST_WORKSPACE ((uint64_t)16 * MEBIBYTE)
#define LEAST_INFLIGHT ((uint64_t)16 * MEBIBYTE)
#define LEAST_KERNEL_BUFFERS ((uint64_t)64 * KIBIBYTE)

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Raise a value as far as possible while the sum stays within `bytes`: to `most`, or to a multiple of `step`. */
static void raise(const struct options *options, uint64_t *value, uint64_t most, uint64_t step, uint64_t bytes) {
    const uint64_t least = *value, wanted = most;
    while (*value < most) {
        uint64_t before = *value;
        *value = before + (most - before + 1) / 2;
        if (sum(options) <= bytes)
            continue;
        most = *value - 1;
        *value = before;
    }
    if (*value != wanted && *value - *value % step >= least)
        *value -= *value % step;
}

/* An option and its maximum: if it was given rather than derived, the maximum is its value. */
struct knob {
    uint64_t *value, most;
};

/* Unless the option was given, start with the least that it needs, and at least 1. */
static struct knob begin(uint64_t *value, uint64_t most, uint64_t least) {
    if (*value != 0)
        most = *value;
    else
        *value = min(least != 0 ? least : 1, most);
    return (struct knob){value, most};
}

/* The same for a limit. */
static struct knob begin_limit(struct options *options, const struct options *most, const char *name, uint64_t least) {
    struct options copy = *most;
    return begin(options_number(options, name), *options_number(&copy, name), least);
}

/* Add workers and, unless they were given, half as many long workers. */
static void add_workers(struct options *options, uint64_t most, bool has_long, uint64_t bytes) {
    struct options more = *options;
    for (; more.workers <= most; more.workers++) {
        if (!has_long)
            more.long_workers = (more.workers + 1) / 2;
        if (sum(&more) > bytes)
            break;
        *options = more;
    }
    if (!has_long) /* in case workers were given, but there was no room for half as many */
        raise(options, &options->long_workers, (options->workers + 1) / 2, 1, bytes);
}

uint64_t memory_derive(const struct options *most, struct options *options) {
    bool has_long = options->long_workers != 0;
    const uint64_t all = options->memory;
    const struct knob workers = begin(&options->workers, most->workers, 1),
                      states = begin_limit(options, most, "max_search_states", LEAST_STATES),
                      connections = begin(&options->max_connections, most->max_connections, LEAST_CONNECTIONS),
                      inflight = begin_limit(options, most, "max_inflight_bytes", LEAST_INFLIGHT);
    begin(&options->long_workers, most->long_workers, 1);
    options->short_workspace = LEAST_WORKSPACE;
    options->kernel_buffers = LEAST_KERNEL_BUFFERS;
    uint64_t least = sum(options);
    if (least > all)
        return least;
    add_workers(options, workers.most, has_long, all / 2);
    raise(options, states.value, states.most, 1000, all / 2);
    raise(options, &options->short_workspace, most->short_workspace, MEBIBYTE, all / 2);
    raise(options, inflight.value, inflight.most, MEBIBYTE, sum(options) + (all - sum(options)) / 2);
    raise(options, connections.value, connections.most, 1, all);
    raise(options, &options->kernel_buffers, most->kernel_buffers, PAGE, all);
    raise(options, states.value, states.most, 1000, all);
    raise(options, &options->short_workspace, most->short_workspace, MEBIBYTE, all);
    raise(options, inflight.value, inflight.most, MEBIBYTE, all);
    begin_limit(options, most, "max_body_bytes", *inflight.value / PART_OF_BYTES);
    begin_limit(options, most, "max_answer_bytes", *inflight.value / PART_OF_BYTES);
    begin_limit(options, most, "max_json_values", *inflight.value / PART_OF_VALUES);
    ASSERT(sum(options) <= all);
    return 0;
}

/* ---- the options of the program ---- */

enum { SIZE_TEXT = 64 };

/* Format a size as --memory accepts it, rounded up, because less would not be enough. */
static void format_size(uint64_t bytes, char ret_text[SIZE_TEXT]) {
    bool is_small = bytes < MEBIBYTE;
    snprintf(ret_text, SIZE_TEXT, is_small ? "%llu bytes" : "%lluM",
             (unsigned long long)(is_small ? bytes : memory_mebibytes(bytes)));
}

/* The same for the memory that is needed; with --memory auto, also as the limit of a container. */
static void format_least(uint64_t bytes, bool is_auto, char ret_text[SIZE_TEXT]) {
    char limit[SIZE_TEXT];
    format_size(bytes, ret_text);
    if (!is_auto)
        return;
    format_size(memory_container(bytes), limit);
    size_t length = strlen(ret_text);
    snprintf(ret_text + length, SIZE_TEXT - length, " (a container of %s)", limit);
}

/* Find the given option without which the program would need the least memory, and how much that is. Returns NULL if
 * none makes a difference. */
static const char *find_greediest(const struct options *most, const struct options *asked, uint64_t *least) {
    static const char *const names[] = {"workers", "long_workers", "max_connections", "max_inflight_bytes",
                                        "max_search_states"};
    const char *greediest = NULL;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct options without = *asked;
        without.memory = 0; /* so that whatever is needed is too much, and is returned */
        *options_number(&without, names[n]) = 0;
        uint64_t bytes = memory_derive(most, &without);
        if (bytes >= *least)
            continue;
        *least = bytes;
        greediest = names[n];
    }
    return greediest;
}

/* `asked`: the options before anything was derived. */
static void print_too_little(const struct options *most, const struct options *asked, bool is_auto, uint64_t least) {
    char size[SIZE_TEXT], least_size[SIZE_TEXT], rest_size[SIZE_TEXT], option[OPTIONS_NAME], variable[OPTIONS_NAME];
    uint64_t rest = least;
    const char *name = find_greediest(most, asked, &rest);
    format_size(asked->memory, size);
    format_least(least, is_auto, least_size);
    if (name == NULL) {
        message_print("--memory is %s%s%s; with these options, the server needs at least %s", is_auto ? "auto (" : "",
                      size, is_auto ? " here)" : "", least_size);
        return;
    }
    format_least(rest, is_auto, rest_size);
    options_format_name(name, true, option);
    options_format_name(name, false, variable);
    message_print("--memory is %s%s%s; with these options, the server needs at least %s, or %s without %s (%s)",
                  is_auto ? "auto (" : "", size, is_auto ? " here)" : "", least_size, rest_size, option, variable);
}

bool memory_fit(struct options *options) {
    const struct options most = *options;
    bool is_auto = options->memory == OPTIONS_MEMORY_AUTO;
    if (is_auto)
        options->memory = memory_available("");
    if (options->memory == 0)
        return true;
    for (size_t d = 0; options->derived[d] != NULL; d++)
        *options_number(options, options->derived[d]) = 0;
    const struct options asked = *options;
    uint64_t least = memory_derive(&most, options);
    if (least != 0)
        print_too_little(&most, &asked, is_auto, least);
    return least == 0;
}
