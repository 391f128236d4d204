/* A process names its cgroups in /proc/self/cgroup, a line each:
 *
 *     0::/user.slice/app.service          v2: one tree, in /sys/fs/cgroup
 *     4:cpu,cpuacct:/docker/1234          v1: one tree for each controller, in /sys/fs/cgroup/cpu
 *
 * In a container with its own cgroup namespace the path is "/", and the mounted tree begins with the container's group.
 * If the path is that of the machine and the tree that of the container, the path does not exist. Then only the root of
 * the tree is read. */
#include "api/command/machine.h"

#include "api/server/process.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Get quota / period, rounded up; SIZE_MAX when they set no limit. */
static size_t processors_of(long long quota, long long period) {
    return quota > 0 && period > 0 ? (size_t)(quota / period + (quota % period != 0)) : SIZE_MAX;
}

/* Get the limit of the group in this folder; SIZE_MAX when it has none. */
static size_t read_group(const char *folder) {
    char path[PATH_MAX], text[128], period_text[128];
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (kernel_file_read(path, text, sizeof text)) {
        char *rest;
        long long quota = strtoll(text, &rest, 10); /* 0 for the text "max" */
        return processors_of(quota, strtoll(rest, NULL, 10));
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    bool good = kernel_file_read(path, text, sizeof text);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    good = good && kernel_file_read(path, period_text, sizeof period_text);
    return good ? processors_of(strtoll(text, NULL, 10), strtoll(period_text, NULL, 10)) : SIZE_MAX;
}

/* Get the smallest limit of the group at `path` in the tree at `folder`, and of its parents. `path` is cut. */
static size_t read_groups(const char *folder, char *path) {
    size_t min = read_group(folder);
    for (char *end = path + strlen(path); end != NULL && end > path; end = strrchr(path, '/')) {
        char group[PATH_MAX];
        *end = 0;
        snprintf(group, sizeof group, "%s%s", folder, path);
        size_t limit = read_group(group);
        min = limit < min ? limit : min;
    }
    return min;
}

/* Get the limit of the group that a line of /proc/self/cgroup names. The line is cut. */
static size_t read_line(const char *root, char *line) {
    char folder[PATH_MAX];
    line[strcspn(line, "\n")] = 0;
    (void)strsep(&line, ":"); /* the number of the tree */
    char *controllers = strsep(&line, ":"), *path = line;
    if (path == NULL)
        return SIZE_MAX;
    bool is_v1 = *controllers != 0, has_cpu = false;
    while (controllers != NULL)
        has_cpu |= strcmp(strsep(&controllers, ","), "cpu") == 0;
    if (is_v1 && !has_cpu)
        return SIZE_MAX;
    snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s", root, is_v1 ? "/cpu" : "");
    /* A path that leaves the namespace cannot be read. */
    if (strstr(path, "..") != NULL)
        *path = 0;
    return read_groups(folder, path);
}

size_t processors_of_cgroup(const char *root) {
    char path[PATH_MAX], *line = NULL;
    size_t min = SIZE_MAX, capacity = 0;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file != NULL && getline(&line, &capacity, file) >= 0) {
        size_t limit = read_line(root, line);
        min = limit < min ? limit : min;
    }
    free(line);
    if (file != NULL)
        fclose(file);
    return min;
}

size_t processors_allowed(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t min = online > 0 ? (size_t)online : 1, quota = processors_of_cgroup("");
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0 && (size_t)CPU_COUNT(&mask) < min)
        min = (size_t)CPU_COUNT(&mask);
    min = quota < min ? quota : min;
    return min != 0 ? min : 1;
}
