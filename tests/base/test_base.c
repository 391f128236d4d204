/* src/base: arenas, buffers, accounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/account.h"
#include "base/arena.h"
#include "base/bits.h"
#include "base/buffer.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/utf8.h"
#include "base/work.h"

#include <stdlib.h>
#include <string.h>

static void allocations_are_aligned_and_apart(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    unsigned char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        blocks[i] = arena_alloc(&arena, i * 37);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        memset(blocks[i], (int)i, i * 37);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i * 37; k++)
            assert_int_equal(blocks[i][k], i);
    arena_clear(&arena);
}

static void the_cap_is_never_passed(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 1000);
    assert_non_null(arena_alloc(&arena, 900));
    assert_null(arena_alloc(&arena, 200));
    assert_non_null(arena_alloc(&arena, 64));
    assert_null(arena_alloc(&arena, SIZE_MAX));
    assert_null(arena_array(&arena, SIZE_MAX / 2, 3));
    arena_reset(&arena);
    assert_non_null(arena_alloc(&arena, 900));
    arena_clear(&arena);
}

static void the_newest_block_can_be_freed(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    void *kept = arena_alloc(&arena, 10), *newest = arena_alloc(&arena, 100);
    size_t used = arena.used;
    arena_give_back(&arena, kept);
    assert_int_equal(arena.used, used);
    arena_give_back(&arena, newest);
    assert_true(arena.used < used);
    assert_ptr_equal(arena_alloc(&arena, 100), newest);
    arena_give_back(&arena, NULL);
    arena_clear(&arena);
}

/* The largest chunk is kept for reuse, even if smaller ones were allocated before and after it. */
static void the_largest_chunk_stays(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    for (int round = 0; round < 2; round++) {
        assert_non_null(arena_alloc(&arena, 100));
        struct arena_mark mark = arena_mark(&arena);
        assert_non_null(arena_alloc(&arena, 200000));
        char *large = arena_alloc(&arena, 500000);
        assert_non_null(arena_alloc(&arena, ARENA_WATERMARK / 4));
        char *largest = arena_alloc(&arena, ARENA_WATERMARK / 2);
        arena_rewind(&arena, mark);
        assert_ptr_equal(arena_alloc(&arena, ARENA_WATERMARK / 2), largest);
        assert_ptr_not_equal(large, largest);
        arena_reset(&arena);
        assert_ptr_equal(arena_alloc(&arena, 100), largest);
        arena_clear(&arena);
    }
}

static void a_rewind_ends_what_came_after_the_mark(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    struct arena_mark empty = arena_mark(&arena);
    char *kept = arena_alloc(&arena, 100);
    memset(kept, 'k', 100);
    struct arena_mark mark = arena_mark(&arena);
    size_t used = arena.used;
    for (int i = 0; i < 100; i++)
        memset(arena_alloc(&arena, 10000), 'x', 10000);
    arena_rewind(&arena, mark);
    assert_int_equal(arena.used, used);
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 'k');
    memset(arena_alloc(&arena, 50000), 'y', 50000);
    arena_rewind(&arena, empty);
    assert_int_equal(arena.used, 0);
    arena_clear(&arena);
}

static void an_arena_charges_its_memory_above_the_free_amount(void **state) {
    enum { FREE = 64 << 10, LIMIT = 32 << 20 };
    struct account account;
    struct arena arena;
    (void)state;
    account_init(&account, LIMIT);
    arena_init_charged(&arena, FREE, &account);
    assert_non_null(arena_alloc(&arena, 100));
    assert_int_equal(atomic_load(&account.used), 0);
    struct arena_mark mark = arena_mark(&arena);
    size_t large = 0;
    while (arena_alloc(&arena, 10000) != NULL)
        large += 10000;
    /* Nearly the whole limit is usable, except for the ends of some chunks, and it is never exceeded. */
    assert_true(large > LIMIT - LIMIT / 100);
    assert_int_equal(atomic_load(&account.used), arena.held - FREE);
    assert_true(arena.held - FREE <= LIMIT);
    arena_rewind(&arena, mark);
    assert_true(arena.held < ((size_t)5 << 20));
    assert_int_equal(atomic_load(&account.used), arena.held - FREE);
    assert_non_null(arena_alloc(&arena, 20 << 20));
    assert_null(arena_alloc(&arena, 20 << 20));
    arena_reset(&arena);
    assert_true(arena.held <= ARENA_WATERMARK);
    assert_int_equal(atomic_load(&account.used), arena.held - FREE);
    arena_clear(&arena);
    assert_int_equal(arena.held, 0);
    assert_int_equal(atomic_load(&account.used), 0);
}

static void an_arena_takes_little_when_there_is_little(void **state) {
    struct account account;
    struct arena arena;
    (void)state;
    account_init(&account, 3000);
    arena_init_charged(&arena, 0, &account);
    /* A first chunk of the usual size would exceed the limit. */
    assert_non_null(arena_alloc(&arena, 1000));
    assert_non_null(arena_alloc(&arena, 1000));
    assert_null(arena_alloc(&arena, 1000));
    assert_null(arena_alloc(&arena, SIZE_MAX - 64));
    assert_int_equal(atomic_load(&account.used), arena.held);
    arena_clear(&arena);
    assert_int_equal(atomic_load(&account.used), 0);
    /* A large allocation gets a chunk of its own size. */
    account_init(&account, 100 << 20);
    arena_init_charged(&arena, 0, &account);
    assert_non_null(arena_alloc(&arena, 40 << 20));
    assert_non_null(arena_alloc(&arena, 1000));
    assert_true(arena.held <= ((size_t)44 << 20) + 256);
    arena_clear(&arena);
}

/* Otherwise malloc's header would be in it. That is written before large pages are asked for, so the page would be a
 * small one. */
static void large_chunks_begin_with_a_large_page(void **state) {
    enum { LARGE_PAGE = 2 << 20 };
    struct arena arena;
    (void)state;
    arena_init(&arena, ARENA_NO_CAP);
    size_t large = 0;
    for (unsigned allocations = 0; allocations < 4000; allocations++) {
        assert_non_null(arena_alloc(&arena, 10000));
        if (arena.first->size >= LARGE_PAGE) {
            assert_int_equal((uintptr_t)arena.first % LARGE_PAGE, 0);
            large++;
        }
    }
    assert_true(large > 0);
    arena_clear(&arena);
}

static void the_zero_bytes_of_a_word_are_found_next_to_any_bytes(void **state) {
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    (void)state;
    assert_true(bits_load("\x01\x02\x03\x04\x05\x06\x07\xff") == 0xff07060504030201u);
    for (unsigned k = 0; k < 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5; k++) {
        char bytes[8];
        uint64_t zero = 0;
        for (unsigned b = 0, rest = k; b < 8; b++, rest /= 5) {
            bytes[b] = (char)values[rest % 5];
            zero |= (uint64_t)(bytes[b] == 0) << (8 * b + 7);
        }
        assert_true(bits_zero_bytes(bits_load(bytes)) == zero);
    }
}

static void a_buffer_grows_to_its_bound_and_no_further(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer, 1000, NULL);
    for (int i = 0; i < 1000; i++)
        buffer_put_char(&buffer, (char)('a' + i % 26));
    assert_int_equal(buffer.outcome, OUTCOME_DONE);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(buffer.data[i], 'a' + i % 26);
    buffer_put_char(&buffer, '!');
    assert_int_equal(buffer.outcome, OUTCOME_TOO_LARGE);
    assert_int_equal(buffer.length, 1000);
    buffer_clear(&buffer);
    assert_int_equal(buffer.outcome, OUTCOME_DONE);
}

static void the_first_failure_of_a_buffer_sticks(void **state) {
    (void)state;
    struct buffer buffer;
    buffer_init(&buffer, 10, NULL);
    buffer_put(&buffer, "12345678901", 11);
    buffer_put_char(&buffer, 'x');
    assert_int_equal(buffer.outcome, OUTCOME_TOO_LARGE);
    assert_int_equal(buffer.length, 0);
    buffer_clear(&buffer);
}

static void integers_print_as_printf_prints_them(void **state) {
    (void)state;
    static const int64_t values[] = {0, 1, -1, 9, 10, 99, 100, INT64_MAX, INT64_MIN, 1234567890123};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct buffer ours, theirs;
        buffer_init(&ours, 100, NULL);
        buffer_init(&theirs, 100, NULL);
        buffer_put_integer(&ours, values[i]);
        buffer_printf(&theirs, "%lld", (long long)values[i]);
        assert_int_equal(ours.length, theirs.length);
        assert_memory_equal(ours.data, theirs.data, ours.length);
        buffer_clear(&ours);
        buffer_clear(&theirs);
    }
}

static void a_long_text_is_printed_whole(void **state) {
    (void)state;
    char text[5000];
    struct buffer buffer;
    for (size_t length = 500; length < sizeof text; length += 479) {
        memset(text, 'x', length);
        text[length] = 0;
        buffer_init(&buffer, length + 2, NULL); /* exactly enough */
        buffer_printf(&buffer, "<%s>", text);
        assert_int_equal(buffer.outcome, OUTCOME_DONE);
        assert_int_equal(buffer.length, length + 2);
        assert_memory_equal(buffer.data + 1, text, length);
        buffer_clear(&buffer);
        buffer_init(&buffer, length + 1, NULL);
        buffer_printf(&buffer, "<%s>", text);
        assert_int_equal(buffer.outcome, OUTCOME_TOO_LARGE);
        buffer_clear(&buffer);
    }
}

static void the_first_bytes_of_a_buffer_may_be_uncharged(void **state) {
    (void)state;
    struct account account;
    struct buffer buffer;
    account_init(&account, 10000);
    buffer_init(&buffer, 100000, &account);
    buffer.uncharged = 4096;
    for (int k = 0; k < 4096; k++)
        buffer_put_char(&buffer, 'x');
    assert_int_equal(buffer.outcome, OUTCOME_DONE);
    assert_int_equal(account_free(&account), 10000);
    buffer_put_char(&buffer, 'x');
    assert_int_equal(account_free(&account), 10000 - (buffer.capacity - 4096));
    assert_int_equal(buffer_charged(&buffer), buffer.capacity - 4096);
    buffer_clear(&buffer);
    assert_int_equal(account_free(&account), 10000);
}

static void buffers_draw_from_their_account_and_give_back(void **state) {
    (void)state;
    struct account account;
    struct buffer first, second;
    account_init(&account, 1000);
    buffer_init(&first, SIZE_MAX, &account);
    buffer_init(&second, SIZE_MAX, &account);
    assert_true(buffer_reserve(&first, 700));
    assert_false(buffer_reserve(&second, 301));
    assert_int_equal(second.outcome, OUTCOME_NO_MEMORY);
    buffer_clear(&second);
    assert_true(buffer_reserve(&second, 300));
    buffer_clear(&first);
    buffer_clear(&second);
    assert_int_equal(atomic_load(&account.used), 0);
}

static void an_account_of_work_pays_until_it_is_empty_or_stopped(void **state) {
    (void)state;
    atomic_bool stop = false;
    struct work work = {.left = 10, .stop = &stop}, unbounded = {.left = WORK_UNBOUNDED, .stop = &stop};
    assert_true(work_charge(&work, 7));
    assert_false(work_charge(&work, 4));
    assert_true(work_charge(&work, 3));
    assert_false(work_charge(&work, 1));
    assert_true(work_charge(&unbounded, UINT64_MAX));
    assert_true(work_charge(&unbounded, UINT64_MAX));
    atomic_store(&stop, true);
    assert_false(work_charge(&unbounded, 0));
}

static void sizes_that_do_not_fit_are_reported(void **state) {
    (void)state;
    size_t result = 7;
    assert_false(checked_mul(SIZE_MAX, 2, &result));
    assert_false(checked_add(SIZE_MAX, 1, &result));
    assert_int_equal(result, 7);
    assert_true(checked_mul(3, 4, &result));
    assert_int_equal(result, 12);
}

static void an_array_is_extended_with_its_elements_or_is_unchanged(void **state) {
    (void)state;
    struct arena arena;
    arena_init(&arena, 4096);
    uint32_t *numbers = NULL;
    size_t capacity = 0, moves = 0, count = 0;
    for (;; count++) {
        size_t before = capacity;
        uint32_t *place = arena_extend(&arena, numbers, count, count + 1, &capacity, sizeof *numbers);
        if (place == NULL) {
            assert_int_equal(capacity, before);
            break;
        }
        moves += place != numbers;
        assert_true(place == numbers || capacity >= 2 * before);
        numbers = place;
        numbers[count] = (uint32_t)count;
    }
    assert_true(count > 100 && moves > 1 && moves < 10);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(numbers[k], k);
    assert_null(arena_extend(&arena, numbers, count, SIZE_MAX, &capacity, sizeof *numbers));
    arena_clear(&arena);
}

/* Test vectors published by the authors of FNV. */
static void a_hash_is_that_of_fnv_1a(void **state) {
    (void)state;
    assert_true(hash_bytes(HASH_OF_NOTHING, "", 0) == 0xcbf29ce484222325u);
    assert_true(hash_bytes(HASH_OF_NOTHING, "a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_bytes(HASH_OF_NOTHING, "foobar", 6) == 0x85944171f73967e8u);
    assert_true(hash_bytes(HASH_OF_NOTHING, "\xff", 1) == hash_step(HASH_OF_NOTHING, 0xff));
}

/* Values from Sebastiano Vigna's reference implementation. */
static void numbers_are_those_of_splitmix64(void **state) {
    (void)state;
    static const uint64_t of_seed_0[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu};
    static const uint64_t of_seed_1234567[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u};
    for (uint64_t n = 1; n <= 3; n++) {
        assert_true(splitmix_number(0, n) == of_seed_0[n - 1]);
        assert_true(splitmix_number(1234567, n) == of_seed_1234567[n - 1]);
    }
}

/* Compare with the definition: of all numbers x of 32 bits, x * bound / 2^32 has each value equally often if those
 * whose product has a lower half below 2^32 mod bound are drawn again. */
static void numbers_below_a_bound_are_drawn_from_those_that_are_equally_many(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 19, 361, 1000000, 0x80000001u, 0xc0000000u, UINT32_MAX};
    unsigned drawn_again = 0;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        struct random random = {.seed = 7}, model = {.seed = 7};
        for (unsigned n = 0; n < 1000; n++) {
            uint32_t number = random_below(&random, bounds[b]);
            uint64_t product;
            while ((product = (random_next(&model) >> 32) * bounds[b],
                    (uint32_t)product < ((uint64_t)1 << 32) % bounds[b]))
                drawn_again++;
            assert_int_equal(number, product >> 32);
            assert_true(number < bounds[b]);
        }
        assert_true(random.drawn == model.drawn);
    }
    assert_true(drawn_again > 500);
}

/* 100,000 choices of 3 of 6: each of the 20 subsets is expected 5,000 times, with a standard deviation of 69. */
static void every_subset_is_chosen_equally_often(void **state) {
    (void)state;
    unsigned times[1 << 6] = {0}, subsets = 0;
    struct random random = {.seed = 1};
    for (unsigned n = 0; n < 100000; n++) {
        uint32_t wanted = 3;
        unsigned chosen = 0;
        for (uint32_t left = 6; left > 0; left--)
            chosen |= (unsigned)random_choose(&random, left, &wanted) << (left - 1);
        assert_int_equal(wanted, 0);
        times[chosen]++;
    }
    for (unsigned set = 0; set < 1 << 6; set++) {
        subsets += times[set] != 0;
        assert_true(times[set] == 0 || (times[set] > 4700 && times[set] < 5300));
    }
    assert_int_equal(subsets, 20);
}

static void utf16_is_known_by_its_mark_or_by_its_zero_bytes(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        enum utf16_look look;
    } texts[] = {
        {"\xff\xfe", 2, UTF16_MARKED}, {"\xfe\xff\0(", 4, UTF16_MARKED},
        {"(\0;\0", 4, UTF16_UNMARKED}, {"\0(\0;", 4, UTF16_UNMARKED},
        {"", 0, UTF16_NONE},           {"\xff", 1, UTF16_NONE},
        {"(\0;", 3, UTF16_NONE},       {"(;B[", 4, UTF16_NONE},
        {"(\0\0;", 4, UTF16_NONE},     {"\0\0\0\0", 4, UTF16_NONE},
        {"(\0;B", 4, UTF16_NONE},      {"\xef\xbb\xbf(", 4, UTF16_NONE},
    };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        assert_int_equal(utf16_look(texts[t].bytes, texts[t].length), texts[t].look);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_aligned_and_apart),
        cmocka_unit_test(the_cap_is_never_passed),
        cmocka_unit_test(the_newest_block_can_be_freed),
        cmocka_unit_test(the_largest_chunk_stays),
        cmocka_unit_test(a_rewind_ends_what_came_after_the_mark),
        cmocka_unit_test(an_arena_charges_its_memory_above_the_free_amount),
        cmocka_unit_test(an_arena_takes_little_when_there_is_little),
        cmocka_unit_test(large_chunks_begin_with_a_large_page),
        cmocka_unit_test(the_zero_bytes_of_a_word_are_found_next_to_any_bytes),
        cmocka_unit_test(a_buffer_grows_to_its_bound_and_no_further),
        cmocka_unit_test(the_first_failure_of_a_buffer_sticks),
        cmocka_unit_test(integers_print_as_printf_prints_them),
        cmocka_unit_test(a_long_text_is_printed_whole),
        cmocka_unit_test(the_first_bytes_of_a_buffer_may_be_uncharged),
        cmocka_unit_test(buffers_draw_from_their_account_and_give_back),
        cmocka_unit_test(an_account_of_work_pays_until_it_is_empty_or_stopped),
        cmocka_unit_test(sizes_that_do_not_fit_are_reported),
        cmocka_unit_test(an_array_is_extended_with_its_elements_or_is_unchanged),
        cmocka_unit_test(a_hash_is_that_of_fnv_1a),
        cmocka_unit_test(numbers_are_those_of_splitmix64),
        cmocka_unit_test(numbers_below_a_bound_are_drawn_from_those_that_are_equally_many),
        cmocka_unit_test(every_subset_is_chosen_equally_often),
        cmocka_unit_test(utf16_is_known_by_its_mark_or_by_its_zero_bytes),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
