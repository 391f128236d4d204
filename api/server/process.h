/* What the system knows of this process, for the metrics. */
#pragma once

/* When this process began, in seconds since 1970; 0 when the system does not tell. To be asked once: with the clock
 * that is set to the time of day it would differ a little from call to call. */
double process_start_time(void);

/* In the units of Prometheus: seconds and bytes. What the system does not tell is 0. */
struct process_facts {
    double cpu_seconds; /* of all threads */
    double resident_bytes, virtual_bytes;
    double open_fds, max_fds, threads;
};

/* Ask. It takes some 50 us, and a descriptor meanwhile. */
struct process_facts process_read_facts(void);
