/* Messages from several threads to one: each is delivered exactly once, in the order in which its thread posted
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/loop.h"
#include "base/owner.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, MESSAGES = 20000, POSTS = 200000 };

static struct letter {
    struct message message;
    size_t thread, number, delivered;
} letters[THREADS][MESSAGES];

static struct mailbox mailbox;
static size_t expected[THREADS], delivered, again;

static void begin(void) {
    memset(letters, 0, sizeof letters);
    memset(expected, 0, sizeof expected);
    delivered = again = 0;
    assert_true(mailbox_init(&mailbox));
}

static bool is_readable(int timeout) {
    struct pollfd ready = {.fd = mailbox.descriptor, .events = POLLIN};
    return poll(&ready, 1, timeout) == 1;
}

static void on_letter(struct message *message) {
    struct letter *letter = OWNER_OF(message, struct letter, message);
    assert_int_equal(letter->number, expected[letter->thread]);
    expected[letter->thread]++;
    delivered++;
}

static void *post_all(void *argument) {
    for (size_t m = 0; m < MESSAGES; m++)
        mailbox_post(&mailbox, &((struct letter *)argument)[m].message);
    return NULL;
}

static void every_message_comes_in_the_order_of_its_thread(void **state) {
    pthread_t threads[THREADS];
    (void)state;
    begin();
    for (size_t t = 0; t < THREADS; t++)
        for (size_t m = 0; m < MESSAGES; m++)
            letters[t][m] = (struct letter){.message = {.deliver = on_letter}, .thread = t, .number = m};
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, post_all, letters[t]), 0);
    while (delivered < (size_t)THREADS * MESSAGES) {
        assert_true(is_readable(60000)); /* a message without a wake-up would never be delivered */
        mailbox_deliver(&mailbox);
    }
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    mailbox_deliver(&mailbox);
    assert_int_equal(delivered, THREADS * MESSAGES);
    assert_false(is_readable(0));
    mailbox_clear(&mailbox);
}

static void on_count(struct message *message) { OWNER_OF(message, struct letter, message)->delivered++; }

static void *post_on_and_on(void *argument) {
    for (size_t n = 0; n < POSTS; n++)
        mailbox_post(&mailbox, &((struct letter *)argument)->message);
    return NULL;
}

static void a_message_that_is_posted_again_comes_last(void **state) {
    pthread_t threads[THREADS];
    (void)state;
    begin();
    struct letter *letter = &letters[0][0];
    letter->message.deliver = on_count;
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, post_on_and_on, letter), 0);
    while (letter->delivered < 100 && is_readable(1000))
        mailbox_deliver(&mailbox);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    mailbox_deliver(&mailbox);
    letter->delivered = 0;
    mailbox_post(&mailbox, &letter->message);
    mailbox_post(&mailbox, &letter->message);
    assert_true(mailbox_has_messages(&mailbox));
    mailbox_deliver(&mailbox);
    assert_int_equal(letter->delivered, 1);
    assert_false(mailbox_has_messages(&mailbox));
    mailbox_clear(&mailbox);
}

static void on_again(struct message *message) {
    delivered++;
    if (again-- != 0)
        mailbox_post(&mailbox, message);
}

static void a_message_may_be_posted_while_it_is_delivered(void **state) {
    (void)state;
    begin();
    letters[0][0].message.deliver = on_again;
    again = 3;
    mailbox_post(&mailbox, &letters[0][0].message);
    for (size_t n = 1; n <= 4; n++) {
        assert_true(is_readable(0));
        mailbox_deliver(&mailbox);
        assert_int_equal(delivered, n); /* each delivery delivers it once */
    }
    assert_false(is_readable(0));
    mailbox_clear(&mailbox);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_comes_in_the_order_of_its_thread),
        cmocka_unit_test(a_message_that_is_posted_again_comes_last),
        cmocka_unit_test(a_message_may_be_posted_while_it_is_delivered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
