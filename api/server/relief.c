#include "api/server/relief.h"

#include "api/server/connection.h"
#include "api/server/deadline.h"
#include "api/server/exchange.h"
#include "base/account.h"
#include "base/owner.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAUSE = 100,     /* milliseconds between two looks, which go over all connections */
    LONGEST = 60000, /* milliseconds that an answer may still take */
};

/* What an exchange holds of the account. */
struct holding {
    struct exchange *exchange;
    size_t bytes;
};

static size_t charged(const struct exchange *exchange) {
    return buffer_charged(&exchange->body) + buffer_charged(&exchange->response.owned) + exchange->sending;
}

static int compare(const void *a, const void *b) {
    const struct holding *one = a, *other = b;
    return memcmp(&one->exchange->task.client, &other->exchange->task.client, sizeof one->exchange->task.client);
}

/* List what the exchanges of a loop hold, client by client. NULL when nobody holds anything, or without memory. */
static struct holding *list_holdings(const struct http_loop *loop, size_t *ret_count) {
    struct connection *connection;
    size_t most = 0, count = 0;
    LIST_FOREACH(connection, &loop->connections, entry)
    most++;
    struct holding *holdings = malloc((most + 1) * sizeof *holdings);
    if (holdings == NULL)
        return NULL;
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        size_t bytes = exchange != NULL ? charged(exchange) : 0;
        if (bytes != 0)
            holdings[count++] = (struct holding){exchange, bytes};
    }
    qsort(holdings, count, sizeof *holdings, compare);
    *ret_count = count;
    return holdings;
}

/* The client that holds most: its holdings are from *ret_first on. Returns how many; 0 when it has no more than an
 * equal share. Who was refused counts as one more client. */
static size_t find_greediest(const struct holding *holdings, size_t count, size_t limit, size_t *ret_first) {
    size_t clients = 1, most_bytes = 0, found = 0;
    for (size_t first = 0, end; first < count; first = end, clients++) {
        size_t bytes = 0;
        for (end = first; end < count && compare(&holdings[first], &holdings[end]) == 0; end++)
            bytes += holdings[end].bytes;
        if (bytes <= most_bytes)
            continue;
        most_bytes = bytes;
        *ret_first = first;
        found = end - first;
    }
    return most_bytes > limit / clients ? found : 0;
}

static struct exchange *find_slowest(const struct holding *holdings, size_t count) {
    struct exchange *slowest = NULL;
    uint64_t longest = LONGEST;
    for (size_t h = 0; h < count; h++) {
        struct exchange *exchange = holdings[h].exchange;
        uint64_t time = exchange->state == STATE_SEND ? deadline_time_to_go(exchange->connection) : 0;
        if (time <= longest)
            continue;
        longest = time;
        slowest = exchange;
    }
    return slowest;
}

static void on_timer(struct timer *timer) {
    struct http_loop *loop = OWNER_OF(timer, struct http_loop, relief_timer);
    struct account *account = loop->shared->account;
    size_t refusals = account_refusals(account), count, first = 0;
    loop->refusals = refusals;
    struct holding *holdings = list_holdings(loop, &count);
    if (holdings == NULL)
        return;
    size_t greedy = find_greediest(holdings, count, account->limit, &first);
    struct exchange *slowest = greedy != 0 ? find_slowest(holdings + first, greedy) : NULL;
    free(holdings);
    if (slowest == NULL || !account_relieve(account, refusals))
        return;
    exchange_cut_off(slowest, EVENT_MAKE_ROOM, REASON_MAKE_ROOM);
    deadline_disconnect(slowest->connection);
}

void relief_look_soon(struct http_loop *loop) {
    loop->relief_timer.fire = on_timer;
    if (loop->refusals != account_refusals(loop->shared->account) && !loop->relief_timer.is_set)
        loop_set_timer(&loop->loop, &loop->relief_timer, PAUSE);
}
