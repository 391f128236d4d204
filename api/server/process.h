/* Facts about this process, read from /proc and /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Read a text file into a string of at most `size` - 1 characters; the rest is ignored. Returns false, with an empty
 * string, if the file cannot be read. */
bool kernel_file_read(const char *path, char *ret_text, size_t size);

/* Get the time in seconds since 1970; 0 if the system does not say. */
double process_wall_clock(void);

/* In Prometheus units: seconds and bytes. A fact that the system does not provide is 0. */
struct process_facts {
    double cpu_seconds; /* used by all threads */
    double resident_bytes, virtual_bytes;
    double open_fds, max_fds, threads;
};

/* Read the facts. Takes about 50 us and briefly uses a file descriptor. */
struct process_facts process_read_facts(void);
