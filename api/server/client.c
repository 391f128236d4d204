/* Addresses are compared as 128 bits. An IPv4 address occupies the last 32 of them, after the prefix ::ffff:0:0/96, so
 * it compares equal whether it arrived over IPv4 or mapped into IPv6. */
#include "api/server/client.h"

#include "base/ascii.h"
#include "base/assert.h"

#include <arpa/inet.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

enum { ADDRESS_BITS = 128, MAPPED_BITS = 8 * sizeof mapped };

struct network {
    struct peer first;
    unsigned bits; /* the length of the common prefix of its addresses */
};

struct peer_proxies {
    size_t count;
    struct network networks[];
};

static struct peer peer_of_ipv4(const void *bytes) {
    struct peer peer = {.ipv4 = true};
    memcpy(peer.bytes, mapped, sizeof mapped);
    memcpy(peer.bytes + sizeof mapped, bytes, 4);
    return peer;
}

static bool is_known(const struct peer *peer) {
    static const unsigned char unknown[sizeof peer->bytes];
    return memcmp(peer->bytes, unknown, sizeof unknown) != 0;
}

static bool is_ipv4(const struct peer *peer) { return memcmp(peer->bytes, mapped, sizeof mapped) == 0; }

/* Parse an address; the text must contain nothing else. */
static bool read_address(const char *text, size_t length, struct peer *ret_peer) {
    char address[PEER_TEXT_SIZE];
    unsigned char bytes[16];
    if (length >= sizeof address || memchr(text, 0, length) != NULL)
        return false;
    memcpy(address, text, length);
    address[length] = 0;
    if (inet_pton(AF_INET, address, bytes) == 1) {
        *ret_peer = peer_of_ipv4(bytes);
        return true;
    }
    if (inet_pton(AF_INET6, address, bytes) != 1)
        return false;
    *ret_peer = (struct peer){0};
    memcpy(ret_peer->bytes, bytes, sizeof bytes);
    return true;
}

/* Read a decimal number of at most `digits` digits. */
static bool read_number(const char *text, size_t length, size_t digits, unsigned *ret_number) {
    unsigned number = 0;
    if (length == 0 || length > digits)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        number = 10 * number + (unsigned)(text[i] - '0');
    }
    *ret_number = number;
    return true;
}

/* Find the last element of the first `*left` bytes of a comma-separated list, without surrounding blanks. Sets *left to
 * the length of the list before that element's comma, or to SIZE_MAX if it is the first element. */
static const char *previous_element(const char *list, size_t *left, size_t *ret_length) {
    size_t end = *left, begin = end;
    while (begin > 0 && list[begin - 1] != ',')
        begin--;
    *left = begin > 0 ? begin - 1 : SIZE_MAX;
    while (end > begin && ascii_is_blank(list[end - 1]))
        end--;
    while (begin < end && ascii_is_blank(list[begin]))
        begin++;
    *ret_length = end - begin;
    return list + begin;
}

/* ---- proxies ---- */

/* Parse an address, or a network in the form address/bits. */
static bool read_network(const char *text, size_t length, struct network *ret_network) {
    const char *slash = memchr(text, '/', length);
    size_t address = slash != NULL ? (size_t)(slash - text) : length;
    struct network network = {.bits = ADDRESS_BITS};
    if (!read_address(text, address, &network.first))
        return false;
    unsigned before = network.first.ipv4 ? MAPPED_BITS : 0;
    if (slash != NULL) {
        if (!read_number(slash + 1, length - address - 1, 3, &network.bits))
            return false;
        network.bits += before;
    }
    *ret_network = network;
    return network.bits <= ADDRESS_BITS;
}

bool peer_check_proxies(const char *list, const char **ret_wrong, size_t *ret_length) {
    bool good = true;
    for (size_t left = strlen(list); left != SIZE_MAX;) {
        struct network network;
        size_t length;
        const char *element = previous_element(list, &left, &length);
        if (read_network(element, length, &network))
            continue;
        good = false;
        *ret_wrong = element; /* after the last iteration, the first wrong element */
        *ret_length = length;
    }
    return good;
}

struct peer_proxies *peer_proxies_new(const char *list) {
    size_t max = list != NULL;
    for (const char *c = list; c != NULL && *c != 0; c++)
        max += *c == ',';
    struct peer_proxies *proxies = malloc(sizeof *proxies + max * sizeof *proxies->networks);
    if (proxies == NULL)
        return NULL;
    proxies->count = 0;
    for (size_t left = list != NULL ? strlen(list) : SIZE_MAX; left != SIZE_MAX;) {
        size_t length;
        const char *element = previous_element(list, &left, &length);
        proxies->count += read_network(element, length, &proxies->networks[proxies->count]);
    }
    return proxies;
}

void peer_proxies_free(struct peer_proxies *proxies) { free(proxies); }

static bool holds(const struct network *network, const struct peer *peer) {
    size_t whole = network->bits / 8;
    unsigned rest = network->bits % 8;
    if (is_ipv4(peer) != is_ipv4(&network->first))
        return false;
    return memcmp(network->first.bytes, peer->bytes, whole) == 0 &&
           (rest == 0 || (network->first.bytes[whole] ^ peer->bytes[whole]) >> (8 - rest) == 0);
}

bool peer_is_trusted(const struct peer_proxies *proxies, const struct peer *peer) {
    for (size_t n = 0; n < proxies->count; n++)
        if (holds(&proxies->networks[n], peer))
            return true;
    return false;
}

/* ---- the client ---- */

struct peer peer_of_socket(const struct sockaddr *address) {
    struct peer peer = {0};
    if (address != NULL && address->sa_family == AF_INET)
        return peer_of_ipv4(&((const struct sockaddr_in *)address)->sin_addr);
    if (address != NULL && address->sa_family == AF_INET6)
        memcpy(peer.bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, sizeof peer.bytes);
    return peer;
}

/* Read an element of X-Forwarded-For: an address, or one with a port ("192.0.2.1:80", "[2001:db8::1]:80"). */
static bool read_forwarded(const char *text, size_t length, struct peer *ret_peer) {
    const char *colon = memrchr(text, ':', length);
    unsigned port;
    if (read_address(text, length, ret_peer))
        return is_known(ret_peer);
    if (colon != NULL && read_number(colon + 1, (size_t)(text + length - colon) - 1, 5, &port))
        length = (size_t)(colon - text);
    bool brackets = length > 2 && *text == '[' && text[length - 1] == ']';
    size_t around = brackets ? 1 : 0;
    return read_address(text + around, length - 2 * around, ret_peer) && ret_peer->ipv4 != brackets &&
           is_known(ret_peer);
}

struct peer peer_of_request(const struct peer_proxies *proxies, const struct peer *socket, const struct header *headers,
                            size_t header_count) {
    struct peer client = *socket;
    if (!peer_is_trusted(proxies, socket))
        return *socket;
    for (size_t h = header_count; h-- > 0;) {
        if (strcasecmp(headers[h].name, "x-forwarded-for") != 0)
            continue;
        const char *list = headers[h].value;
        for (size_t left = strlen(list); left != SIZE_MAX;) {
            size_t length;
            const char *element = previous_element(list, &left, &length);
            if (!read_forwarded(element, length, &client))
                return *socket;
            if (!peer_is_trusted(proxies, &client))
                return client;
        }
    }
    return client;
}

struct client_address peer_client(const struct peer *peer) {
    struct client_address client = {{0}};
    memcpy(client.bytes, peer->bytes, is_ipv4(peer) ? sizeof client.bytes : sizeof client.bytes / 2);
    return client;
}

void peer_print(const struct peer *peer, char ret_text[PEER_TEXT_SIZE]) {
    int family = peer->ipv4 ? AF_INET : AF_INET6;
    const void *bytes = peer->bytes + (peer->ipv4 ? sizeof mapped : 0);
    if (!is_known(peer) || inet_ntop(family, bytes, ret_text, PEER_TEXT_SIZE) == NULL)
        *ret_text = 0;
}

void client_print(const struct client_address *client, char ret_text[PEER_TEXT_SIZE]) {
    struct peer peer;
    memcpy(peer.bytes, client->bytes, sizeof peer.bytes);
    peer.ipv4 = is_ipv4(&peer);
    peer_print(&peer, ret_text);
}

/* ---- a total for each client ---- */

/* A client and its total, which is never 0 while the mutex is free. */
struct client_total {
    struct client_address address;
    size_t amount;
    LIST_ENTRY(client_total) entry;
};

static int compare_clients(const void *a, const void *b) {
    const struct client_total *one = a, *other = b;
    return memcmp(one->address.bytes, other->address.bytes, sizeof one->address.bytes);
}

static struct client_total *find_client(const struct client_totals *totals, const struct client_address *address) {
    const struct client_total key = {.address = *address};
    struct client_total *const *node = tfind(&key, &totals->tree, compare_clients);
    return node != NULL ? *node : NULL;
}

/* Add a client with a total of 0. Returns NULL when out of memory. */
static struct client_total *add_client(struct client_totals *totals, const struct client_address *address) {
    struct client_total *client = malloc(sizeof *client);
    if (client == NULL)
        return NULL;
    *client = (struct client_total){.address = *address};
    if (tsearch(client, &totals->tree, compare_clients) == NULL) {
        free(client);
        return NULL;
    }
    LIST_INSERT_HEAD(&totals->clients, client, entry);
    totals->client_count++;
    return client;
}

static void remove_client(struct client_totals *totals, struct client_total *client) {
    tdelete(client, &totals->tree, compare_clients);
    LIST_REMOVE(client, entry);
    totals->client_count--;
    free(client);
}

void client_totals_init(struct client_totals *totals) {
    *totals = (struct client_totals){.tree = NULL};
    pthread_mutex_init(&totals->mutex, NULL);
}

void client_totals_clear(struct client_totals *totals) {
    while (!LIST_EMPTY(&totals->clients))
        remove_client(totals, LIST_FIRST(&totals->clients));
    pthread_mutex_destroy(&totals->mutex);
}

bool client_totals_add(struct client_totals *totals, const struct client_address *address, size_t amount) {
    ASSERT(amount != 0);
    pthread_mutex_lock(&totals->mutex);
    struct client_total *client = find_client(totals, address);
    if (client == NULL)
        client = add_client(totals, address);
    if (client != NULL)
        client->amount += amount;
    pthread_mutex_unlock(&totals->mutex);
    return client != NULL;
}

void client_totals_subtract(struct client_totals *totals, const struct client_address *address, size_t amount) {
    pthread_mutex_lock(&totals->mutex);
    struct client_total *client = find_client(totals, address);
    ASSERT(client != NULL && client->amount >= amount);
    if (client != NULL)
        client->amount -= amount;
    if (client != NULL && client->amount == 0)
        remove_client(totals, client);
    pthread_mutex_unlock(&totals->mutex);
}

size_t client_totals_of(struct client_totals *totals, const struct client_address *address) {
    pthread_mutex_lock(&totals->mutex);
    const struct client_total *client = find_client(totals, address);
    size_t amount = client != NULL ? client->amount : 0;
    pthread_mutex_unlock(&totals->mutex);
    return amount;
}

bool client_totals_over_share(struct client_totals *totals, size_t limit, struct client_address *ret_client) {
    const struct client_total *client;
    pthread_mutex_lock(&totals->mutex);
    size_t largest = limit / (totals->client_count + 1);
    bool found = false;
    LIST_FOREACH(client, &totals->clients, entry)
        if (client->amount > largest) {
            largest = client->amount;
            *ret_client = client->address;
            found = true;
        }
    pthread_mutex_unlock(&totals->mutex);
    return found;
}
