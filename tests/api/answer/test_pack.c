/* gzip: compressed bytes decompress to the original bytes, whatever their number, and any allocation can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/pack.h"
#include "reference/random.h"

#include "../failing_memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum kind { ZEROS, ROWS, NOISE, KINDS };

static char *make(enum kind kind, size_t length) {
    struct reference_random random = {kind + length};
    char *bytes = malloc(length + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = kind == ZEROS  ? 0
                   : kind == ROWS ? ".*123,\"\n"[reference_random_below(&random, 8)]
                                  : (char)reference_random_below(&random, 256);
    return bytes;
}

/* Check that the packed bytes are one complete gzip member, with no timestamp and no file name. */
static void check(const struct buffer *packed, size_t from, const char *bytes, size_t length) {
    const unsigned char *head = (const unsigned char *)packed->data + from;
    assert_true(packed->length - from >= 18);
    assert_memory_equal(head, "\x1f\x8b\x08\0\0\0\0\0", 8);
    char *again = malloc(length + 1);
    z_stream stream = {0};
    stream.next_in = (Bytef *)packed->data + from;
    stream.avail_in = (unsigned)(packed->length - from);
    stream.next_out = (Bytef *)again;
    stream.avail_out = (unsigned)length + 1;
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(stream.total_out, length);
    assert_int_equal(inflateEnd(&stream), Z_OK);
    assert_memory_equal(again, bytes, length);
    free(again);
}

static const size_t sizes[] = {0,     1,     2,     100,   255,   256,    1023,    1024,
                               1025,  4096,  8191,  8192,  16383, 16384,  16385,   32767,
                               32768, 65535, 65536, 65537, 99999, 262144, 1000003, (size_t)10 << 20};

static void a_compressed_answer_decompresses_to_the_same_bytes(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (enum kind kind = ZEROS; kind < KINDS; kind++) {
            struct account account;
            struct buffer packed, twice;
            char *bytes = make(kind, sizes[s]);
            account_init(&account, SIZE_MAX / 2);
            buffer_init(&packed, SIZE_MAX, &account);
            buffer_init(&twice, SIZE_MAX, NULL);
            assert_true(pack_gzip(bytes, sizes[s], &packed));
            check(&packed, 0, bytes, sizes[s]);
            assert_true(packed.length <= sizes[s] + sizes[s] / 400 + 25);
            assert_true(kind == NOISE || sizes[s] < 1024 || packed.length < sizes[s] / 4 * 3);
            assert_int_equal(atomic_load(&account.used), packed.capacity);
            /* Also append to a buffer that is not empty: packing the same input again must give the same bytes. */
            buffer_put_literal(&twice, "before");
            assert_true(pack_gzip(bytes, sizes[s], &twice));
            assert_memory_equal(twice.data, "before", 6);
            assert_int_equal(twice.length - 6, packed.length);
            assert_memory_equal(twice.data + 6, packed.data, packed.length);
            buffer_clear(&packed);
            buffer_clear(&twice);
            assert_int_equal(atomic_load(&account.used), 0);
            free(bytes);
        }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char *bytes = make(NOISE, sizes[s]);
        bool good = false;
        long failing = 0;
        for (; !good; failing++) {
            struct buffer packed;
            assert_true(failing < 100);
            buffer_init(&packed, SIZE_MAX, NULL);
            buffer_put_literal(&packed, "before");
            countdown = failing;
            good = pack_gzip(bytes, sizes[s], &packed);
            countdown = -1;
            if (good)
                check(&packed, 6, bytes, sizes[s]);
            assert_true(good || packed.length == 6);
            buffer_clear(&packed);
        }
        assert_true(failing > 4);
        free(bytes);
    }
}

static void an_answer_without_memory_for_packing_is_sent_as_it_is(void **state) {
    char *bytes = make(NOISE, 10000);
    struct account account;
    (void)state;
    for (size_t max = 0; max < 11000; max += 100) {
        struct buffer bounded, charged;
        account_init(&account, max);
        buffer_init(&bounded, max, NULL);
        buffer_init(&charged, SIZE_MAX, &account);
        bool good = pack_gzip(bytes, 10000, &bounded);
        assert_int_equal(good, max > 10000);
        assert_int_equal(good ? OUTCOME_DONE : OUTCOME_TOO_LARGE, bounded.outcome);
        assert_int_equal(good || bounded.length == 0, true);
        good = pack_gzip(bytes, 10000, &charged);
        assert_true(good ? max > 10000 : charged.length == 0 && charged.outcome == OUTCOME_NO_MEMORY);
        buffer_clear(&bounded);
        buffer_clear(&charged);
        assert_int_equal(atomic_load(&account.used), 0);
    }
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compressed_answer_decompresses_to_the_same_bytes),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(an_answer_without_memory_for_packing_is_sent_as_it_is),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
