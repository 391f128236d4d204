/* What the kernel tells about this process, in /proc and /sys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Read a text file into a string of at most `size` - 1 characters; the rest of the file is not read. False, with an
 * empty string, when the file cannot be read. */
bool kernel_file_read(const char *path, char *ret_text, size_t size);

/* Get when this process began, in seconds since 1970; 0 if the system does not tell. Call it once: the clock of the
 * time of day is adjusted, so the result differs a little from call to call. */
double process_start_time(void);

/* In the units of Prometheus: seconds and bytes. A fact that the system does not tell is 0. */
struct process_facts {
    double cpu_seconds; /* of all threads */
    double resident_bytes, virtual_bytes;
    double open_fds, max_fds, threads;
};

/* Read the facts. It takes some 50 us, and uses a descriptor meanwhile. */
struct process_facts process_read_facts(void);
