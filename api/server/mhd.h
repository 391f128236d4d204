/* libmicrohttpd: what must be known of it, its versions, how a loop runs it, and the answers that it gives by itself.
 *
 * libmicrohttpd 0.9.75 has these properties; the text after each says what follows from it here:
 *
 * - A response that is queued in the first call of on_request ends the connection. So an answer that needs no body
 *   waits for the end of the request, unless there is a body that is not wanted.
 * - In the middle of a body no response can be queued. A body that is too long is counted and dropped, and answered at
 *   its end, or cut off at twice the limit. One that is too slow is answered at once, with send_past.
 * - A suspended connection is not told of a hang-up (watch.h). A connection that is suspended when the end of its body
 *   is reported is read at its resume, and dropped without an answer if its client has closed its sending side. So it
 * is suspended in the next call (EVENT_ASKED), after which libmicrohttpd does not read.
 * - A hang-up that comes together with the last bytes that are read is overlooked, until the deadline (watch.h).
 * - It closes a connection whose request was answered by its head while the body is unread (connection_linger).
 * - It lets through two lengths, a length beside Transfer-Encoding, blanks in a header's name, two hosts. admit refuses
 *   these and closes.
 * - A line that begins with a colon ends the head, and what follows is the next request. The program is not shown this,
 *   so a proxy in front must not let such a line through; no known proxy does.
 * - A NUL byte in a head ends the value or target that it is in, also for the program: `Content-Length: 2\\09` is 2. A
 *   proxy must refuse it. HAProxy 2.6.12 lets it through in values of headers other than Content-Length;
 *   docker/haproxy.cfg refuses it there. No value in which a NUL remains decides where a request ends.
 * - Some broken heads and chunks it answers by itself, in HTML. It says so in its log, but not on which connection; the
 *   connections are found later (mhd_find_own_answers).
 * - It would answer a complete head that it cannot digest (a length that is no number, more cookies than memory) with
 *   its own head twice. on_log finds the exchange and answers 400 first.
 * - A target that leaves it no memory would get no answer before the deadline: such targets are refused when the
 *   request line is read.
 * - It copies each header of an answer. Without memory for that it ends the connection without an answer.
 * - When connections were resumed, the next MHD_run walks once over all suspended ones.
 * - A 304 carries `Content-Length: 0`, which RFC 9110 does not allow, and there is no public way to leave it out. From
 *   1.0 on it is sent without a length (send.c).
 *
 * Run from outside, without a thread of its own:
 *
 * - MHD_run, MHD_add_connection and MHD_stop_daemon must not be called from one of its callbacks. A connection may be
 *   suspended in the callbacks for it, and resumed outside of all callbacks. Before MHD_stop_daemon every suspended
 *   connection must be resumed.
 * - MHD_get_timeout after MHD_run: 0 means call MHD_run again without waiting.
 * - MHD_add_connection calls on_connection before it returns, so the connection that is being opened is found through
 *   its loop. Version 1.0 does so only with MHD_USE_NO_THREAD_SAFETY. When it fails it has closed the socket, whether
 *   or not it has called the callback.
 * - MHD_resume_connection wakes nothing, and MHD_get_timeout does not know of it: the connection goes on in the next
 *   MHD_run, for which the loop must not wait (has_resumed). A connection that was resumed and not run yet does not
 *   count as suspended for MHD_stop_daemon, which aborts if another one is.
 * - The callback for the end of a request comes before that for the end of its connection, and the socket is open in
 *   both: whatever watches the socket must stop there.
 * - It counts only its own connections, so the listener counts them.
 *
 * Versions from 1.0 on differ from 0.9.75 in what follows. The program must be built for the series that it runs with
 * (http_fits_library).
 *
 * - They refuse by themselves, in HTML, more of what admit refuses.
 * - 1.0.1 (Debian 13) counts the line feed after an extension of a chunk as data: such a chunk is answered 400, and
 *   after an extension of the last chunk it would take what follows for the next request. The strict reading, for which
 *   request.c asks, refuses that, folded headers and bare line feeds.
 * - 1.0.3 to 1.0.6 take it for the next request in their strict reading, too. So up to 1.0.9 the connection is closed
 *   after a chunked body (send.c), and nothing is read after it. 1.0.10 reads extensions as it should. */
#pragma once

#include "api/server/http_loop.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- versions ---- */

/* May this version find the end of a chunked body at the wrong byte? 1.0.3 to 1.0.6 take what follows an extension of
 * the last chunk for the next request, also in their strict reading. 1.0.10 does not; what lies between could not be
 * tried. So the answer is yes for all from 1.0.0 to 1.0.9. It is decided by the text, because the number in the headers
 * of 1.0.4 is that of 1.0.3. */
bool mhd_misreads_chunks(const char *version);

/* ---- in a loop ---- */

/* Without MHD_USE_NO_THREAD_SAFETY, version 1.0 opens a connection from MHD_add_connection only in the next MHD_run,
 * and does not report whether that failed. With the flag, and in 0.9, the connection is opened at once. */
#if MHD_VERSION >= 0x00097707
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_NO_THREAD_SAFETY)
#else
#define MHD_EPOLL_FLAGS (MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET)
#endif

/* Make a daemon, started with MHD_EPOLL_FLAGS, a source of a loop: its epoll descriptor. False when the system has no
 * memory for it. */
bool mhd_watch(struct loop *loop, struct event_source *source, struct MHD_Daemon *daemon);

/* Let a daemon do what it can do now. Returns the milliseconds until it has more to do. Called in each round. */
uint64_t mhd_run(struct MHD_Daemon *daemon);

/* ---- its own answers ---- */

/* A request, or a connection, ends. If libmicrohttpd has announced answers of its own (http_loop.own_answers), mark the
 * connections that have one, as far as they can be known. `code` is the reason that it gives for the end. */
void mhd_find_own_answers(struct connection *ending, enum MHD_RequestTerminationCode code);

/* Was the request that ends on this connection answered by libmicrohttpd itself? Asking takes the mark away. */
bool mhd_take_own_answer(struct connection *connection);
