/* The most memory that the options allow, and options that fit into a given amount (--memory). */
#pragma once

#include "api/command/options.h"

#include <stdbool.h>
#include <stdint.h>

/* A part of that memory, as --check prints it. The table in docs/sizing.md ("Memory") explains each part. */
struct memory_part {
    const char *name;
    uint64_t bytes;
};
enum { MEMORY_PARTS = 6 };

/* Get the most memory that the options allow, in bytes: the sum of all parts. Even with the largest limits, it fits
 * into 64 bits. */
uint64_t memory_most(const struct options *options, struct memory_part ret_parts[MEMORY_PARTS]);

/* Get the memory for --memory auto, in bytes: what the cgroup allows, less a sixteenth for what the kernel counts in
 * addition to the process's own memory; if the cgroup sets no limit, half of the machine's memory. `root` is the
 * directory that contains /proc and /sys: "", except in tests. 0 if neither is known. */
uint64_t memory_available(const char *root);

/* Convert a number of bytes greater than 0 to MiB, rounded up. */
static inline uint64_t memory_mebibytes(uint64_t bytes) { return ((bytes - 1) >> 20) + 1; }

/* Get the limit of a container in which memory_available is at least `bytes`, which must be greater than 0. */
uint64_t memory_container(uint64_t bytes);

/* Derive the options that are 0 from options->memory, so that memory_most does not exceed it. No option gets more than
 * in `most`, the options as they would be without --memory, and none gets less than it needs. The memory is shared out
 * in this order:
 *
 *     half of the memory      workers; positions of a Minesweeper search; workspaces of the short workers
 *     half of what is left    bytes in flight, and with them what one request can ask for
 *     the rest                connections; their buffers in the kernel; whatever of the above can use it
 *
 * Returns 0, or the least memory in bytes with which the given options would work. */
uint64_t memory_derive(const struct options *most, struct options *options);

/* Do that for options that have been read: resolve --memory auto, and derive the options that were not given. Changes
 * nothing without --memory. Prints a message and returns false if the memory is too little. */
bool memory_fit(struct options *options);
