/* Client addresses, and per-client totals. */
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
 * the proxy names in X-Forwarded-For. None of these functions blocks, and only peer_proxies_new allocates. */

enum { PEER_TEXT_SIZE = INET6_ADDRSTRLEN };

/* A client's address. Two addresses are equal if their bytes are equal, whether they arrived as IPv4 or as IPv6. */
struct peer {
    unsigned char bytes[16]; /* in IPv6 form; IPv4 is ::ffff:a.b.c.d (RFC 4291, 2.5.5.2); all 0 if unknown */
    bool ipv4;               /* it arrived as IPv4, and is printed as IPv4 */
};

/* The proxies whose X-Forwarded-For header is trusted: addresses and networks. */
struct peer_proxies;

/* Returns true if `list` is a list of addresses and networks ("10.0.0.0/8, ::1"), separated by commas, with optional
 * blanks and tabs around them. Otherwise *ret_wrong and *ret_length give the first invalid element; a length of 0 means
 * an empty element. */
bool peer_check_proxies(const char *list, const char **ret_wrong, size_t *ret_length);

/* Parse a list that peer_check_proxies accepts; NULL trusts no proxy. Returns NULL when out of memory. */
struct peer_proxies *peer_proxies_new(const char *list);

/* Free the list. Accepts NULL. */
void peer_proxies_free(struct peer_proxies *proxies);

/* Returns true if this is the address of a trusted proxy. An IPv4 network also contains the IPv4 addresses that arrive
 * mapped into IPv6, but "::/0" contains no IPv4 address. */
bool peer_is_trusted(const struct peer_proxies *proxies, const struct peer *peer);

/* Get the peer address of a socket. `address` may be NULL. */
struct peer peer_of_socket(const struct sockaddr *address);

/* Get the address of the client. This is `socket`, unless that is a trusted proxy. In that case, all X-Forwarded-For
 * headers are read as one list, and the client is the rightmost element that is not a trusted proxy, without its port.
 * If that element is not an address, the client is `socket`; if every element is trusted, it is the leftmost. */
struct peer peer_of_request(const struct peer_proxies *proxies, const struct peer *socket, const struct header *headers,
                            size_t header_count);

/* Get the address or network that counts as one client: for IPv6 the first 64 bits, because one customer usually
 * controls a whole /64; for IPv4 the address itself. */
struct client_address peer_client(const struct peer *peer);

/* Print an address; an empty string if it is unknown. */
void peer_print(const struct peer *peer, char ret_text[PEER_TEXT_SIZE]);

/* Print the address of a client as it is counted; for an IPv6 network, its first address. */
void client_print(const struct client_address *client, char ret_text[PEER_TEXT_SIZE]);

/* ---- a total for each client ---- */

/* A total for each client: the number of its connections, or the bytes charged to the account for its answers while
 * they are being sent. Can be called from any thread. */

LIST_HEAD(client_total_list, client_total);

struct client_totals {
    pthread_mutex_t mutex;
    void *tree;                       /* the clients by address (tsearch) */
    struct client_total_list clients; /* the same clients as a list */
    size_t client_count;
};

/* Initialise without any clients. */
void client_totals_init(struct client_totals *totals);

/* Remove all clients. Accepts a zeroed struct. Must be initialised again before further use. */
void client_totals_clear(struct client_totals *totals);

/* Add `amount`, which must be greater than 0, to a client's total. Returns false and changes nothing when out of
 * memory, which can only happen if the client had no total. */
bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Subtract from a client's total at most what was added. */
void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount);

/* Get a client's total, or 0 if it has none. */
size_t client_totals_of(struct client_totals *totals, const struct client_address *address);

/* Find the client with the largest total. Returns false unless that total exceeds an equal share of `limit`, which is
 * divided among all clients with a total plus the one that was refused. */
bool client_totals_over_share(struct client_totals *totals, size_t limit, struct client_address *ret_client);
