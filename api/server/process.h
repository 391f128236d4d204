/* What the system knows of this process, for the metrics. */
#pragma once

/* In the units of Prometheus: seconds and bytes. What the system does not tell is 0. */
struct process_facts {
    double cpu_seconds; /* of all threads */
    double resident_bytes, virtual_bytes;
    double open_fds, max_fds, threads;
    double start_time; /* seconds since 1970 */
};

/* Ask. It takes some 50 us, and a descriptor meanwhile. */
struct process_facts process_look(void);
