/* Tells the service manager about the state of the program, by the protocol of sd_notify(3). */
#pragma once

/* Send a state, such as "READY=1", to the socket that NOTIFY_SOCKET names. Nothing happens where that is not set, or
 * the socket cannot be reached, or its queue is full: the program serves all the same, and never waits. */
void notify(const char *state);
