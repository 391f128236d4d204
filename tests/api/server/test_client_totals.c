/* A total for each client, compared with a plain table after random steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/client.h"
#include "reference/random.h"

#include <stdlib.h>

enum { CLIENTS = 100, MAX = 1000, STEPS = 200000 };

static bool memory_fails;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) { return memory_fails ? NULL : __real_malloc(size); }

static struct client_address address_number(unsigned number) {
    struct client_address address = {.bytes = {[10] = 0xff, [11] = 0xff, [12] = 10}};
    address.bytes[7] = (unsigned char)(number / 16);
    address.bytes[15] = (unsigned char)(number % 16);
    return address;
}

/* Compare the totals with the table. */
static void check(struct client_totals *totals, const size_t amounts[CLIENTS]) {
    size_t largest = 0, clients = 0;
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_int_equal(client_totals_of(totals, &address), amounts[number]);
        clients += amounts[number] != 0;
        largest = amounts[number] > largest ? amounts[number] : largest;
    }
    struct client_address found;
    /* A client's share is the limit divided by the number of clients plus one. */
    for (size_t share = 0; share <= largest; share += 1 + largest / 3) {
        assert_true(share == largest || client_totals_over_share(totals, share * (clients + 1), &found));
        assert_true(share == largest || client_totals_of(totals, &found) == largest);
    }
    assert_false(client_totals_over_share(totals, largest * (clients + 1), &found));
    assert_int_equal(totals->client_count, clients);
}

static void each_client_has_what_was_added(void **state) {
    struct client_totals totals;
    struct reference_random random = {25};
    size_t amounts[CLIENTS] = {0};
    (void)state;
    client_totals_init(&totals);
    for (size_t step = 0; step < STEPS; step++) {
        unsigned number = reference_random_below(&random, CLIENTS);
        struct client_address address = address_number(number);
        size_t amount = 1 + reference_random_below(&random, MAX);
        if (reference_random_chance(&random, 50)) {
            assert_true(client_totals_add(&totals, &address, amount));
            amounts[number] += amount;
        } else if (amounts[number] != 0) {
            amount = amount < amounts[number] ? amount : amounts[number];
            client_totals_subtract(&totals, &address, amount);
            amounts[number] -= amount;
        }
        if (step % 100 == 0)
            check(&totals, amounts);
    }
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        if (amounts[number] != 0)
            client_totals_subtract(&totals, &address, amounts[number]);
        amounts[number] = 0;
        check(&totals, amounts);
    }
    assert_null(totals.tree); /* a client with an amount of 0 is removed */
    client_totals_clear(&totals);
}

static void all_are_forgotten(void **state) {
    struct client_totals totals;
    (void)state;
    client_totals_init(&totals);
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_true(client_totals_add(&totals, &address, number + 1));
    }
    client_totals_clear(&totals); /* LeakSanitizer reports anything that is not freed */
    assert_null(totals.tree);
    assert_int_equal(totals.client_count, 0);
}

static void without_memory_nothing_has_changed(void **state) {
    struct client_totals totals;
    struct client_address one = address_number(1), other = address_number(2);
    (void)state;
    client_totals_init(&totals);
    assert_true(client_totals_add(&totals, &one, 5));
    memory_fails = true;
    bool has_one = client_totals_add(&totals, &one, 1), has_other = client_totals_add(&totals, &other, 1);
    memory_fails = false;
    assert_true(has_one);
    assert_false(has_other);
    assert_int_equal(client_totals_of(&totals, &one), 6);
    assert_int_equal(client_totals_of(&totals, &other), 0);
    assert_int_equal(totals.client_count, 1);
    client_totals_clear(&totals);
}

static pthread_barrier_t all_run;

static void *add_and_subtract(void *totals) {
    pthread_barrier_wait(&all_run);
    for (unsigned step = 0; step < STEPS; step++) {
        struct client_address address = address_number(step % 3);
        assert_true(client_totals_add(totals, &address, 1));
        if (step % 2 == 1)
            client_totals_subtract(totals, &address, 1);
    }
    return NULL;
}

static void threads_add_at_the_same_time(void **state) {
    enum { THREADS = 4 };
    struct client_totals totals;
    pthread_t threads[THREADS];
    size_t sum = 0;
    (void)state;
    client_totals_init(&totals);
    pthread_barrier_init(&all_run, NULL, THREADS);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, add_and_subtract, &totals), 0);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&all_run);
    for (unsigned number = 0; number < 3; number++) {
        struct client_address address = address_number(number);
        sum += client_totals_of(&totals, &address);
    }
    assert_int_equal(sum, THREADS * STEPS / 2);
    assert_int_equal(totals.client_count, 3);
    client_totals_clear(&totals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_client_has_what_was_added),
        cmocka_unit_test(all_are_forgotten),
        cmocka_unit_test(without_memory_nothing_has_changed),
        cmocka_unit_test(threads_add_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
