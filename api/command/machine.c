/* A process finds its cgroups in /proc/self/cgroup, one per line:
 *
 *     0::/user.slice/app.service          v2: one tree, in /sys/fs/cgroup
 *     4:cpu,cpuacct:/docker/1234          v1: one tree per controller, in /sys/fs/cgroup/cpu
 *
 * In a container with its own cgroup namespace, the path is "/", and the mounted tree starts at the container's group.
 * If the path is the machine's but the tree is the container's, the path does not exist, and only the root of the tree
 * is read. */
#include "api/command/machine.h"

#include "api/server/process.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- the limits of one group ---- */

/* Reads the limit of the group in a directory. Returns UINT64_MAX if it has none. */
typedef uint64_t group_reader(const char *folder);

static bool read_file(const char *folder, const char *name, size_t size, char ret_text[size]) {
    char path[PATH_MAX];
    bool fits = snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX;
    return fits && kernel_file_read(path, ret_text, size);
}

/* Get quota / period, rounded up; UINT64_MAX if they set no limit. */
static uint64_t processors_of(long long quota, long long period) {
    return quota > 0 && period > 0 ? (uint64_t)(quota / period + (quota % period != 0)) : UINT64_MAX;
}

static uint64_t read_processors(const char *folder) {
    char text[128], period_text[128], *rest;
    if (read_file(folder, "cpu.max", sizeof text, text)) {
        long long quota = strtoll(text, &rest, 10); /* 0 for the text "max" */
        return processors_of(quota, strtoll(rest, NULL, 10));
    }
    bool good = read_file(folder, "cpu.cfs_quota_us", sizeof text, text) &&
                read_file(folder, "cpu.cfs_period_us", sizeof period_text, period_text);
    return good ? processors_of(strtoll(text, NULL, 10), strtoll(period_text, NULL, 10)) : UINT64_MAX;
}

/* Version 1 expresses "no limit" as the largest number of whole pages. */
static uint64_t read_memory(const char *folder) {
    char text[128];
    if (!read_file(folder, "memory.max", sizeof text, text) &&
        !read_file(folder, "memory.limit_in_bytes", sizeof text, text))
        return UINT64_MAX;
    long long bytes = strtoll(text, NULL, 10); /* 0 for the text "max" */
    return bytes > 0 && bytes < LLONG_MAX / 2 ? (uint64_t)bytes : UINT64_MAX;
}

/* ---- the groups of this process ---- */

/* Get the smallest limit of the group at `path` in the tree at `folder`, and of its ancestors. Modifies `path`. */
static uint64_t read_groups(group_reader *read, const char *folder, char *path) {
    uint64_t least = read(folder);
    for (char *end = path + strlen(path); end != NULL && end > path; end = strrchr(path, '/')) {
        char group[PATH_MAX];
        *end = 0;
        snprintf(group, sizeof group, "%s%s", folder, path);
        least = min(least, read(group));
    }
    return least;
}

/* Get the limit of the group that a line of /proc/self/cgroup names, if its tree is of version 2 or has this
 * controller. Modifies the line. */
static uint64_t read_line(group_reader *read, const char *controller, const char *root, char *line) {
    char folder[PATH_MAX];
    line[strcspn(line, "\n")] = 0;
    (void)strsep(&line, ":"); /* the number of the tree */
    char *controllers = strsep(&line, ":"), *path = line;
    if (path == NULL)
        return UINT64_MAX;
    bool is_v1 = *controllers != 0, has_it = false;
    while (controllers != NULL)
        has_it |= strcmp(strsep(&controllers, ","), controller) == 0;
    if (is_v1 && !has_it)
        return UINT64_MAX;
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%s", root, is_v1 ? "/" : "", is_v1 ? controller : "");
    /* A path outside the namespace cannot be read. */
    if (strstr(path, "..") != NULL)
        *path = 0;
    return read_groups(read, folder, path);
}

static uint64_t read_cgroup(group_reader *read, const char *controller, const char *root) {
    char path[PATH_MAX], *line = NULL;
    uint64_t least = UINT64_MAX;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &capacity, file) >= 0)
        least = min(least, read_line(read, controller, root, line));
    free(line);
    if (file != NULL)
        fclose(file);
    return least;
}

uint64_t machine_cgroup_processors(const char *root) { return read_cgroup(read_processors, "cpu", root); }

uint64_t machine_cgroup_memory(const char *root) { return read_cgroup(read_memory, "memory", root); }

/* ---- the machine ---- */

size_t machine_processors(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t least = min(online > 0 ? (uint64_t)online : 1, machine_cgroup_processors(""));
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        least = min(least, (uint64_t)CPU_COUNT(&mask));
    return least != 0 ? (size_t)least : 1;
}

/* Not from /proc/meminfo, which the systemd unit hides (ProcSubset=pid). */
uint64_t machine_memory(void) {
    struct sysinfo info;
    return sysinfo(&info) == 0 ? (uint64_t)info.totalram * info.mem_unit : UINT64_MAX;
}
