/* A request's way through libmicrohttpd: its callbacks, and the daemon of a loop, which calls them.
 *
 *     open_target    the request line has been read: an exchange begins
 *     on_request     called for the head, for each piece of the body, at its end, and until there is an answer
 *     close_request  the answer was sent, or the connection is closed
 *
 * They run in MHD_run and MHD_stop_daemon, which the loop calls.
 *
 * libmicrohttpd 0.9.75 behaves as follows; each item also says what we do about it:
 *
 * - A response that is queued in the first call of on_request ends the connection. So an answer that needs no body
 * waits for the end of the request, unless there is a body that is not wanted.
 * - No response can be queued in the middle of a body. A body that is too long is counted and dropped, and answered at
 *   its end, or cut off at twice the limit. A body that is too slow is answered immediately, with send_past.
 * - A suspended connection is not notified of a hang-up (watch.h). If a connection is suspended when the end of its
 * body is reported, libmicrohttpd reads from it when it is resumed, and drops it without an answer if its client has
 * closed its sending side. So the connection is suspended in the next call (EVENT_ASKED), after which libmicrohttpd
 * does not read.
 * - A hang-up that arrives together with the last bytes read is overlooked until the deadline (watch.h).
 * - It closes a connection whose request was answered from its head while the body is still unread (connection_linger).
 * - It accepts two lengths, a length next to Transfer-Encoding, blanks in a header's name, and two hosts. admit refuses
 *   these and closes the connection.
 * - A line that begins with a colon ends the head, and what follows is the next request. We cannot see this, so a proxy
 *   in front must not let such a line through; no known proxy does.
 * - A NUL byte in a head ends the value or target that it is in, for us as well: `Content-Length: 2\\09` is 2. A proxy
 *   must refuse it. HAProxy 2.6.12 lets it through in the values of headers other than Content-Length;
 *   docker/haproxy.cfg refuses it there. No value that can still contain a NUL decides where a request ends.
 * - It answers some malformed heads and chunks by itself, in HTML. Its log says so, but not on which connection; the
 *   connections are identified later (find_own_answers).
 * - If it cannot process a complete head (a length that is not a number, or more cookies than it has memory for), it
 *   would answer with its own head twice. on_log finds the exchange and answers 400 first.
 * - A target that uses up its memory would get no answer before the deadline. Such targets are refused when the request
 *   line is read.
 * - It copies each header of an answer. If it has no memory for that, it ends the connection without an answer.
 * - After connections were resumed, the next MHD_run walks once over all suspended ones.
 * - A 304 has `Content-Length: 0`, which RFC 9110 does not allow, and there is no public way to leave it out. From 1.0
 *   on, it is sent without a length (send.c).
 *
 * When it is run from outside, without a thread of its own:
 *
 * - MHD_run, MHD_add_connection and MHD_stop_daemon must not be called from one of its callbacks. A connection may be
 *   suspended in its own callbacks, and resumed outside all callbacks. Every suspended connection must be resumed
 * before MHD_stop_daemon.
 * - If MHD_get_timeout returns 0 after MHD_run, MHD_run must be called again without waiting.
 * - MHD_add_connection calls on_connection before it returns, so the connection being opened is found through its loop.
 *   Version 1.0 does so only with MHD_USE_NO_THREAD_SAFETY. If it fails, it has closed the socket, whether or not it
 * has called the callback.
 * - MHD_resume_connection wakes nothing, and MHD_get_timeout does not take it into account: the connection continues in
 *   the next MHD_run, so a message must wake the loop (`apply` in exchange.c). MHD_stop_daemon does not count a
 * connection that was resumed and has not run yet as suspended; it aborts if another one is.
 * - The callback for the end of a request comes before that for the end of its connection, and the socket is open in
 *   both, so whatever watches the socket must stop there.
 * - It counts only its own connections, so the listener counts them.
 *
 * Versions from 1.0 on differ from 0.9.75 as follows. The program must be built for the series that it runs with
 * (http_fits_library).
 *
 * - More of the requests that admit refuses are answered by libmicrohttpd itself, in HTML.
 * - 1.0.1 (Debian 13) counts the line feed after a chunk extension as data: such a chunk is answered with 400, and
 * after an extension of the last chunk, it would read what follows as the next request. The strict mode, which
 * request.c requests, refuses such requests, folded headers and bare line feeds.
 * - 1.0.3 to 1.0.6 read it as the next request even in strict mode. So up to 1.0.9, the connection is closed after a
 *   chunked body (send.c), and nothing is read after it. 1.0.10 reads extensions correctly. */
#pragma once

#include "api/server/http_loop.h"

/* Start a daemon that serves the connections of a loop. NULL when it cannot be started. */
struct MHD_Daemon *request_start_daemon(struct http_loop *loop);
