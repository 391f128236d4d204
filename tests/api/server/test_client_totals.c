/* An amount for each client, against a table, over random steps. */
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

/* Compare with the table. */
static void check(const struct client_totals *totals, const size_t amounts[CLIENTS]) {
    size_t largest = 0, clients = 0;
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_int_equal(client_totals_of(totals, &address), amounts[number]);
        clients += amounts[number] != 0;
        largest = amounts[number] > largest ? amounts[number] : largest;
    }
    const struct client_total *found = client_totals_largest(totals);
    assert_int_equal(found != NULL ? found->amount : 0, largest);
    assert_int_equal(totals->client_count, clients);
}

static void each_client_has_what_was_added(void **state) {
    struct client_totals totals = {0};
    struct reference_random random = {25};
    size_t amounts[CLIENTS] = {0};
    (void)state;
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
    struct client_totals totals = {0};
    (void)state;
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_true(client_totals_add(&totals, &address, number + 1));
    }
    client_totals_clear(&totals); /* LeakSanitizer reports what is left */
    assert_null(totals.tree);
    assert_int_equal(totals.client_count, 0);
    assert_null(client_totals_largest(&totals));
}

static void without_memory_nothing_has_changed(void **state) {
    struct client_totals totals = {0};
    struct client_address one = address_number(1), other = address_number(2);
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_client_has_what_was_added),
        cmocka_unit_test(all_are_forgotten),
        cmocka_unit_test(without_memory_nothing_has_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
