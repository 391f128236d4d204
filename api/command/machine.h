/* What this program may use: fewer processors and less memory than the machine has, where a container, or a mask of
 * processors, limits it.
 *
 * `root` is the folder that has /proc and /sys: "", except in tests.
 *
 * Sources: the kernel's Documentation, admin-guide/cgroup-v2.rst (cpu.max, memory.max), scheduler/sched-bwc.rst
 * (cpu.cfs_quota_us, cpu.cfs_period_us), admin-guide/cgroup-v1/memory.rst (memory.limit_in_bytes). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Return how many processors the program may keep busy by the quotas of its cgroup and of all parents, rounded up;
 * UINT64_MAX when there is no limit or it cannot be read. */
uint64_t machine_cgroup_processors(const char *root);

/* Return how many processors the program may keep busy, at least 1: the smallest of those online, those in its mask,
 * and those of its cgroup. */
size_t machine_processors(void);

/* Return the least memory in bytes that its cgroup and all parents allow; UINT64_MAX when there is no limit or it
 * cannot be read. */
uint64_t machine_cgroup_memory(const char *root);

/* Return the memory of the machine in bytes; UINT64_MAX when the system does not tell. */
uint64_t machine_memory(void);
