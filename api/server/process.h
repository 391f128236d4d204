/* Facts that the system knows about this process, for the metrics. */
#pragma once

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
