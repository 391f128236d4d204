#include "api/server/cut_off.h"

#include "api/server/connection.h"
#include "api/server/deadline.h"
#include "api/server/exchange.h"
#include "api/work/clock.h"
#include "base/account.h"
#include "base/owner.h"

#include <string.h>

enum {
    PAUSE = 100,     /* milliseconds between two checks, each of which visits all connections */
    LONGEST = 60000, /* milliseconds: an answer that needs more may be cut off */
};

static bool wants_room(const struct http_loop *loop) {
    const struct account *account = loop->shared->account;
    return account_is_scarce(account) || loop->refusals != account_refusals(account);
}

static bool can_make_room(const struct exchange *exchange, const struct client_address *client) {
    return state_after(exchange->state, EVENT_MAKE_ROOM) != STATE_NONE && exchange->sending_bytes != 0 &&
           memcmp(exchange->task.client.bytes, client->bytes, sizeof client->bytes) == 0;
}

/* Get the client's answer that needs the most time to be sent; NULL if none needs more than LONGEST. */
static struct exchange *find_slowest(const struct http_loop *loop, const struct client_address *client) {
    struct connection *connection;
    struct exchange *slowest = NULL;
    uint64_t longest = LONGEST;
    LIST_FOREACH(connection, &loop->connections, entry) {
        struct exchange *exchange = connection->exchange;
        if (exchange == NULL || !can_make_room(exchange, client))
            continue;
        uint64_t time = deadline_time_to_go(connection);
        if (time <= longest)
            continue;
        longest = time;
        slowest = exchange;
    }
    return slowest;
}

static void on_timer(struct timer *timer) {
    struct http_loop *loop = OWNER_OF(timer, struct http_loop, cut_off_timer);
    struct http_shared *shared = loop->shared;
    struct client_address client;
    bool wanted = wants_room(loop); /* there may be room now */
    loop->refusals = account_refusals(shared->account);
    if (!wanted || !held_bytes_find_largest(&shared->held_bytes, shared->account->limit, &client))
        return;
    struct exchange *slowest = find_slowest(loop, &client);
    if (slowest == NULL || !gauge_claim_time(&shared->gauges.room_made, clock_now_ms(), PAUSE))
        return;
    exchange_cut_off(slowest, EVENT_MAKE_ROOM, REASON_MAKE_ROOM);
}

void cut_off_check_soon(struct http_loop *loop) {
    loop->cut_off_timer.fire = on_timer;
    if (wants_room(loop) && !loop->cut_off_timer.is_set)
        loop_set_timer(&loop->loop, &loop->cut_off_timer, PAUSE);
}
