/* The most memory that the options allow: the table in OPERATIONS.md ("Memory"). */
#pragma once

#include "api/command/options.h"

#include <stdint.h>

enum memory_part {
    MEMORY_INFLIGHT,    /* bodies, answers and large trees */
    MEMORY_SOLVING,     /* workspaces of all threads that solve */
    MEMORY_READING,     /* what these threads read for their cases */
    MEMORY_CONNECTIONS, /* connections, in the program ... */
    MEMORY_KERNEL,      /* ... and in the kernel */
    MEMORY_OTHER,
    MEMORY_PARTS
};

/* In bytes. */
struct memory {
    uint64_t parts[MEMORY_PARTS], sum;
};

/* Compute it. At the largest limits the sum has fewer than 64 bits. */
struct memory memory_max(const struct options *options);
