/* An amount for each client, against a table, over random steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/tally.h"
#include "reference/random.h"

#include <stdlib.h>

enum { CLIENTS = 100, MOST = 1000, STEPS = 200000 };

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
static void check(const struct tally *tally, const size_t amounts[CLIENTS]) {
    size_t largest = 0, clients = 0;
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_int_equal(tally_of(tally, &address), amounts[number]);
        clients += amounts[number] != 0;
        largest = amounts[number] > largest ? amounts[number] : largest;
    }
    const struct tally_client *found = tally_largest(tally);
    assert_int_equal(found != NULL ? found->amount : 0, largest);
    assert_int_equal(tally->client_count, clients);
}

static void each_client_has_what_was_added(void **state) {
    struct tally tally = {0};
    struct reference_random random = {25};
    size_t amounts[CLIENTS] = {0};
    (void)state;
    for (size_t step = 0; step < STEPS; step++) {
        unsigned number = reference_random_below(&random, CLIENTS);
        struct client_address address = address_number(number);
        size_t amount = 1 + reference_random_below(&random, MOST);
        if (reference_random_chance(&random, 50)) {
            assert_true(tally_add(&tally, &address, amount));
            amounts[number] += amount;
        } else if (amounts[number] != 0) {
            amount = amount < amounts[number] ? amount : amounts[number];
            tally_subtract(&tally, &address, amount);
            amounts[number] -= amount;
        }
        if (step % 100 == 0)
            check(&tally, amounts);
    }
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        if (amounts[number] != 0)
            tally_subtract(&tally, &address, amounts[number]);
        amounts[number] = 0;
        check(&tally, amounts);
    }
    assert_null(tally.tree); /* who has nothing is forgotten */
    tally_clear(&tally);
}

static void all_are_forgotten(void **state) {
    struct tally tally = {0};
    (void)state;
    for (unsigned number = 0; number < CLIENTS; number++) {
        struct client_address address = address_number(number);
        assert_true(tally_add(&tally, &address, number + 1));
    }
    tally_clear(&tally); /* a sanitizer finds what is left */
    assert_null(tally.tree);
    assert_int_equal(tally.client_count, 0);
    assert_null(tally_largest(&tally));
}

static void without_memory_nothing_has_changed(void **state) {
    struct tally tally = {0};
    struct client_address one = address_number(1), other = address_number(2);
    (void)state;
    assert_true(tally_add(&tally, &one, 5));
    memory_fails = true;
    bool has_one = tally_add(&tally, &one, 1), has_other = tally_add(&tally, &other, 1);
    memory_fails = false;
    assert_true(has_one);
    assert_false(has_other);
    assert_int_equal(tally_of(&tally, &one), 6);
    assert_int_equal(tally_of(&tally, &other), 0);
    assert_int_equal(tally.client_count, 1);
    tally_clear(&tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_client_has_what_was_added),
        cmocka_unit_test(all_are_forgotten),
        cmocka_unit_test(without_memory_nothing_has_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
