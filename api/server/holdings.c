#include "api/server/holdings.h"

#include "base/assert.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct holder {
    struct client_address client;
    size_t bytes;
};

static int compare(const void *a, const void *b) {
    const struct holder *one = a, *other = b;
    return memcmp(one->client.bytes, other->client.bytes, sizeof one->client.bytes);
}

void holdings_init(struct holdings *holdings) {
    *holdings = (struct holdings){.tree = NULL};
    pthread_mutex_init(&holdings->mutex, NULL);
}

void holdings_clear(struct holdings *holdings) {
    tdestroy(holdings->tree, free);
    pthread_mutex_destroy(&holdings->mutex);
}

/* The holder of a client; a new one without bytes where there is none, or NULL without memory. The mutex is held. */
static struct holder *find_or_make(struct holdings *holdings, const struct client_address *client) {
    struct holder key = {.client = *client}, **node = tfind(&key, &holdings->tree, compare);
    if (node != NULL)
        return *node;
    struct holder *holder = malloc(sizeof *holder);
    if (holder == NULL)
        return NULL;
    *holder = key;
    if (tsearch(holder, &holdings->tree, compare) == NULL) {
        free(holder);
        return NULL;
    }
    holdings->clients++;
    return holder;
}

bool holdings_add(struct holdings *holdings, const struct client_address *client, size_t bytes) {
    pthread_mutex_lock(&holdings->mutex);
    struct holder *holder = find_or_make(holdings, client);
    if (holder != NULL)
        holder->bytes += bytes;
    pthread_mutex_unlock(&holdings->mutex);
    return holder != NULL;
}

void holdings_subtract(struct holdings *holdings, const struct client_address *client, size_t bytes) {
    struct holder key = {.client = *client};
    pthread_mutex_lock(&holdings->mutex);
    struct holder **node = tfind(&key, &holdings->tree, compare), *holder = *node;
    ASSERT(holder->bytes >= bytes);
    holder->bytes -= bytes;
    if (holder->bytes == 0) {
        tdelete(holder, &holdings->tree, compare);
        free(holder);
        holdings->clients--;
    }
    pthread_mutex_unlock(&holdings->mutex);
}

static void keep_greediest(const void *node, VISIT visit, void *greediest) {
    const struct holder *holder = *(const struct holder *const *)node, **most = greediest;
    if ((visit == postorder || visit == leaf) && (*most == NULL || holder->bytes > (*most)->bytes))
        *most = holder;
}

bool holdings_find_greediest(struct holdings *holdings, size_t limit, struct client_address *ret_client) {
    const struct holder *most = NULL;
    pthread_mutex_lock(&holdings->mutex);
    twalk_r(holdings->tree, keep_greediest, &most);
    bool is_greedy = most != NULL && most->bytes > limit / (holdings->clients + 1);
    if (is_greedy)
        *ret_client = most->client;
    pthread_mutex_unlock(&holdings->mutex);
    return is_greedy;
}
