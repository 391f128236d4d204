/* A request's way through libmicrohttpd: its callbacks, and the daemon of a loop that calls them.
 *
 *     open_target    the request line is read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at its end, and until there is an answer
 *     close_request  the answer was sent, or the connection is closed
 *
 * They run in MHD_run and MHD_stop_daemon, which the loop calls.
 *
 * libmicrohttpd 0.9.75 has these properties; the text after each says what follows from it here:
 *
 * - A response that is queued in the first call of on_request ends the connection. So an answer that needs no body
 *   waits for the end of the request, unless there is a body that is not wanted.
 * - In the middle of a body no response can be queued. A body that is too long is counted and dropped, and answered at
 *   its end, or cut off at twice the limit. One that is too slow is answered at once, with send_past.
 * - A suspended connection is not told of a hang-up (watch.h). A connection that is suspended when the end of its body
 *   is reported is read at its resume, and dropped without an answer if its client has closed its sending side. So it
 *   is suspended in the next call (EVENT_ASKED), after which libmicrohttpd does not read.
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
 *   connections are found later (find_own_answers).
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

/* Start a daemon that serves the connections of a loop. NULL when it cannot be started. */
struct MHD_Daemon *request_start_daemon(struct http_loop *loop);
