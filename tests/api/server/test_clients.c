/* The connections of each client, against a table, over random steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/clients.h"
#include "reference/random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 100, MOST = 5, STEPS = 100000 };

static bool memory_fails;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) { return memory_fails ? NULL : __real_malloc(size); }

static struct peer peer_number(unsigned number) {
    struct peer peer = {.bytes = {[10] = 0xff, [11] = 0xff, [12] = 10}};
    peer.bytes[7] = (unsigned char)(number / 16);
    peer.bytes[15] = (unsigned char)(number % 16);
    return peer;
}

static void nobody_has_more_than_the_limit(void **state) {
    struct clients clients;
    struct reference_random random = {25};
    size_t counts[CLIENTS] = {0}, full = 0;
    (void)state;
    clients_init(&clients, MOST);
    for (size_t step = 0; step < STEPS; step++) {
        unsigned number = reference_random_below(&random, CLIENTS);
        struct peer peer = peer_number(number);
        if (reference_random_chance(&random, 55)) {
            enum clients_result result = clients_connect(&clients, &peer);
            assert_int_equal(result, counts[number] == MOST ? CLIENTS_FULL : CLIENTS_COUNTED);
            full += result == CLIENTS_FULL;
            counts[number] += result == CLIENTS_COUNTED;
        } else if (counts[number] != 0) {
            clients_disconnect(&clients, &peer);
            counts[number]--;
        }
    }
    assert_true(full > STEPS / 100);
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct peer peer = peer_number(number);
        while (counts[number]-- != 0)
            clients_disconnect(&clients, &peer);
    }
    assert_null(clients.tree); /* who has left is forgotten */
    clients_clear(&clients);
}

static void without_a_limit_nothing_is_counted(void **state) {
    struct clients clients;
    struct peer peer = peer_number(1);
    (void)state;
    clients_init(&clients, 0);
    for (size_t n = 0; n < 1000; n++)
        assert_int_equal(clients_connect(&clients, &peer), CLIENTS_COUNTED);
    clients_disconnect(&clients, &peer);
    assert_null(clients.tree);
    clients_clear(&clients);
}

static void without_memory_a_new_client_is_refused(void **state) {
    struct clients clients;
    struct peer one = peer_number(1), other = peer_number(2);
    (void)state;
    clients_init(&clients, 2);
    assert_int_equal(clients_connect(&clients, &one), CLIENTS_COUNTED);
    memory_fails = true;
    enum clients_result of_one = clients_connect(&clients, &one), of_other = clients_connect(&clients, &other);
    memory_fails = false;
    assert_int_equal(of_one, CLIENTS_COUNTED);
    assert_int_equal(of_other, CLIENTS_NO_MEMORY);
    assert_int_equal(clients_connect(&clients, &other), CLIENTS_COUNTED);
    clients_clear(&clients);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_has_more_than_the_limit),
        cmocka_unit_test(without_a_limit_nothing_is_counted),
        cmocka_unit_test(without_memory_a_new_client_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
