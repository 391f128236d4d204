/* The addresses of clients, and amounts that are counted for each client. */
#pragma once

#include "api/answer/response.h"
#include "api/work/schedule.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

/* ---- its address ---- */

/* The address of the client that sent a request: the address of the socket or, if that is a trusted proxy, the one that
 * the proxy names in X-Forwarded-For. No function here blocks, and only peer_proxies_new allocates. */

enum { PEER_TEXT_SIZE = INET6_ADDRSTRLEN };

/* The address of a client. Two addresses are equal if their bytes are equal, whether they came as IPv4 or IPv6. */
struct peer {
    unsigned char bytes[16]; /* of IPv6; IPv4 is ::ffff:a.b.c.d (RFC 4291, 2.5.5.2); all 0: the address is not known */
    bool ipv4;               /* it came as IPv4, and is written as IPv4 */
};

/* The proxies whose X-Forwarded-For is believed: addresses and networks. */
struct peer_proxies;

/* Is `list` a list of addresses and networks ("10.0.0.0/8, ::1"), separated by commas, with blanks and tabs around
 * them? If not, *ret_wrong and *ret_length are the first wrong element; a length of 0 is an empty one. */
bool peer_check_proxies(const char *list, const char **ret_wrong, size_t *ret_length);

/* Read a list that peer_check_proxies accepts; with NULL no proxy is trusted. Returns NULL when memory is exhausted. */
struct peer_proxies *peer_proxies_new(const char *list);

/* Accepts NULL. */
void peer_proxies_free(struct peer_proxies *proxies);

/* Is this the address of a trusted proxy? A network of IPv4 holds the IPv4 addresses that came in IPv6, too; "::/0"
 * holds none of IPv4. */
bool peer_is_trusted(const struct peer_proxies *proxies, const struct peer *peer);

/* Get the address of a socket's other end, which may be NULL. */
struct peer peer_of_socket(const struct sockaddr *address);

/* Get the address of the client. It is `socket`, unless that is a trusted proxy. Then all X-Forwarded-For headers
 * together are one list, and the client is the rightmost element that is no trusted proxy, without its port; if that is
 * no address, `socket`; if all elements are trusted, the leftmost. */
struct peer peer_of_request(const struct peer_proxies *proxies, const struct peer *socket, const struct header *headers,
                            size_t header_count);

/* Get the address or network that counts as one client. Of an IPv6 address it is the first 64 bits, because one
 * customer commonly has all addresses of such a network; an IPv4 address counts by itself. */
struct client_address peer_client(const struct peer *peer);

/* Write an address as text; an empty one when it is not known. */
void peer_print(const struct peer *peer, char ret_text[PEER_TEXT_SIZE]);

/* The same for what counts as one client. Of an IPv6 network it is the first address. */
void client_print(const struct client_address *client, char ret_text[PEER_TEXT_SIZE]);

/* ---- an amount for each client ---- */

/* An amount for each client: the number of its connections, or the bytes of the account that its answers hold while
 * they are sent. Any thread. */

LIST_HEAD(client_total_list, client_total);

struct client_totals {
    pthread_mutex_t mutex;
    void *tree;                       /* a tree of the clients, by address (tsearch) */
    struct client_total_list clients; /* a list of the same clients */
    size_t client_count;
};

/* Initialise it without any client. */
void client_totals_init(struct client_totals *totals);

/* Remove all clients; accepts a zeroed struct. It must be initialised before it is used again. */
void client_totals_clear(struct client_totals *totals);

/* Add to a client's amount; `amount` > 0. False when memory is exhausted; nothing has changed then. This happens only
 * if the client had no amount. */
bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Subtract from a client's amount. At most what was added may be subtracted. */
void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Get a client's amount; 0 if it has none. */
size_t client_totals_of(struct client_totals *totals, const struct client_address *address);

/* Get the client with the largest amount, if that is more than an equal share of `limit`; otherwise false. The shares
 * are those of all clients with an amount, and of one more, the client that was refused. */
bool client_totals_over_share(struct client_totals *totals, size_t limit, struct client_address *ret_client);
