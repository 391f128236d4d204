#include "api/server/clients.h"

#include "base/assert.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct client {
    unsigned char bytes[16]; /* of its address */
    size_t connections;
};

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof((struct client *)0)->bytes); }

void clients_init(struct clients *clients, size_t most) { *clients = (struct clients){.most = most}; }

void clients_clear(struct clients *clients) { tdestroy(clients->tree, free); }

enum clients_result clients_connect(struct clients *clients, const struct peer *client) {
    struct client **node = NULL;
    if (clients->most == 0)
        return CLIENTS_COUNTED;
    struct client key;
    memcpy(key.bytes, client->bytes, sizeof key.bytes);
    node = tfind(&key, &clients->tree, compare);
    if (node != NULL) {
        if ((*node)->connections >= clients->most)
            return CLIENTS_FULL;
        (*node)->connections++;
        return CLIENTS_COUNTED;
    }
    struct client *record = malloc(sizeof *record);
    if (record == NULL)
        return CLIENTS_NO_MEMORY;
    *record = key;
    record->connections = 1;
    if (tsearch(record, &clients->tree, compare) != NULL)
        return CLIENTS_COUNTED;
    free(record);
    return CLIENTS_NO_MEMORY;
}

void clients_disconnect(struct clients *clients, const struct peer *client) {
    if (clients->most == 0)
        return;
    struct client **node = tfind(client->bytes, &clients->tree, compare);
    ASSERT(node != NULL && (*node)->connections != 0);
    struct client *record = *node;
    if (--record->connections != 0)
        return;
    tdelete(record, &clients->tree, compare);
    free(record);
}
