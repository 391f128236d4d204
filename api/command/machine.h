/* The processors and memory that this program may use. A container or a processor mask can allow fewer than the machine
 * has.
 *
 * `root` is the directory that contains /proc and /sys: "", except in tests.
 *
 * Sources: the kernel's Documentation, admin-guide/cgroup-v2.rst (cpu.max, memory.max), scheduler/sched-bwc.rst
 * (cpu.cfs_quota_us, cpu.cfs_period_us), admin-guide/cgroup-v1/memory.rst (memory.limit_in_bytes). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns how many processors the program may keep busy according to the quotas of its cgroup and all its ancestors,
 * rounded up; UINT64_MAX if there is no limit or it cannot be read. */
uint64_t machine_cgroup_processors(const char *root);

/* Returns how many processors the program may keep busy, at least 1: the smallest of the numbers online, in its mask,
 * and allowed by its cgroup. */
size_t machine_processors(void);

/* Returns the least memory, in bytes, that its cgroup or any ancestor allows; UINT64_MAX if there is no limit or it
 * cannot be read. */
uint64_t machine_cgroup_memory(const char *root);

/* Returns the memory of the machine in bytes; UINT64_MAX if the system does not say. */
uint64_t machine_memory(void);
