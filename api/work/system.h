/* What workers ask of the system: less priority than other threads, and to take back memory. */
#pragma once

/* Give the calling thread a lower priority, the lower the more steps. Nothing happens if the system does not allow it.
 */
void system_lower_priority(int steps);

/* Give unused memory of all threads back to the system, which may take some 10 ms. */
void system_trim_memory(void);
