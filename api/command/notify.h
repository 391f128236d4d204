/* Tells the service manager about the state of the program, by the protocol of sd_notify(3). */
#pragma once

/* Send a state, such as "READY=1", to the socket that NOTIFY_SOCKET names. Nothing happens when the variable is not
 * set, the socket cannot be reached, or its queue is full. Never blocks. */
void notify(const char *state);
