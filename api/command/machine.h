/* How many processors this program may use: fewer than the machine has, where a container or a mask of processors
 * limits it. */
#pragma once

#include <stddef.h>

/* Return how many processors the program may keep busy by the quotas of its cgroup and of all parents, rounded up;
 * SIZE_MAX when there is no limit or it cannot be read. `root` is the folder that has /proc and /sys: "", except in
 * tests.
 *
 * Source: cpu.max of cgroup v2, cpu.cfs_quota_us and cpu.cfs_period_us of v1 (the kernel's Documentation/
 * admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst). */
size_t processors_of_cgroup(const char *root);

/* Return how many processors the program may keep busy, at least 1: the smallest of those online, those in its mask,
 * and those of its cgroup. */
size_t processors_allowed(void);
