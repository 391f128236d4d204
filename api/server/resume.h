/* How suspended connections go on.
 *
 * Whenever one is resumed libmicrohttpd walks over all that are suspended. Where they are many, those that are to go on
 * wait for each other for a moment, and go on together. */
#pragma once

#include "api/server/exchange.h"
#include "api/server/http_loop.h"

/* In a callback of libmicrohttpd for the exchange's connection: suspend it. */
void resume_suspend(struct exchange *exchange);

/* Let a suspended connection go on. */
void resume_exchange(struct exchange *exchange);

/* Let a suspended connection go on in a second, which its Retry-After asks for; at once if the service leaves. Who is
 * refused because the queue is full asks again at once, whatever Retry-After says, and the loop would do nothing but
 * refuse. The exchange is in STATE_HOLD. */
void resume_hold(struct exchange *exchange);

/* The loop leaves: let go on all that wait here. */
void resume_all(struct http_loop *loop);
