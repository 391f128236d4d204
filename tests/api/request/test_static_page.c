/* Static pages: their two forms; and every allocation may fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/pack.h"
#include "api/request/static_page.h"

#include "../failing_memory.h"

#include <string.h>
#include <zlib.h>

static struct buffer text_of(size_t length) {
    struct buffer text;
    buffer_init(&text, SIZE_MAX, NULL);
    for (size_t i = 0; i < length; i++)
        buffer_put_char(&text, (char)('a' + i % 7));
    return text;
}

/* Check that the packed form unpacks to the plain one. */
static void check_forms(const struct static_page *page) {
    static unsigned char again[1 << 20];
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)page->packed.bytes;
    stream.avail_in = (unsigned)page->packed.length;
    stream.next_out = again;
    stream.avail_out = sizeof again;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(stream.total_out, page->plain.length);
    assert_memory_equal(again, page->plain.bytes, page->plain.length);
    inflateEnd(&stream);
}

static void check_tag(const char *tag) {
    assert_int_equal(strlen(tag), 18);
    assert_true(tag[0] == '"' && tag[17] == '"');
}

static void a_page_is_packed_from_1_kib_on(void **state) {
    (void)state;
    for (size_t length = 1; length < 3 * PACK_MIN; length += 341) {
        struct buffer text = text_of(length);
        struct static_page page;
        assert_true(static_page_write(&page, "a/b", 1, &text));
        assert_null(text.data);
        assert_string_equal(page.content_type, "a/b");
        assert_int_equal(page.plain.length, length);
        assert_memory_equal(page.plain.bytes, "abcdefg", length < 7 ? length : 7);
        assert_int_equal(page.packed.bytes != NULL, length >= PACK_MIN);
        if (length >= PACK_MIN)
            check_forms(&page);
        check_tag(page.plain.tag);
        assert_string_not_equal(page.plain.tag, page.packed.tag);
        static_page_clear(&page);
    }
}

static void every_allocation_may_fail(void **state) {
    bool good = false;
    long failing = 0;
    (void)state;
    for (; !good; failing++) {
        struct buffer text = text_of(2 * PACK_MIN);
        struct static_page page;
        assert_true(failing < 100);
        countdown = failing;
        good = static_page_write(&page, "a/b", 1, &text);
        countdown = -1;
        if (good)
            check_forms(&page);
        static_page_clear(&page);
    }
    assert_true(failing > 4);
    struct buffer bad = text_of(10);
    struct static_page page;
    bad.outcome = OUTCOME_NO_MEMORY;
    assert_false(static_page_write(&page, "a/b", 1, &bad));
    static_page_clear(&page);
}

static void check_hash(const struct embedded_form *form) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < form->length; i++)
        hash = (hash ^ (unsigned char)form->bytes[i]) * 0x100000001b3u;
    assert_true(hash == form->hash);
    assert_int_equal(form->bytes[form->length], 0);
}

static void check_file(const struct embedded *file) {
    check_hash(&file->plain);
    check_hash(&file->packed);
    struct static_page page = static_page_of_file(file, 1), same = static_page_of_file(file, 1),
                       other = static_page_of_file(file, 2);
    const char *tags[] = {page.plain.tag, other.plain.tag, page.packed.tag, other.packed.tag};
    assert_ptr_equal(page.plain.bytes, file->plain.bytes);
    assert_int_equal(page.packed.bytes != NULL, file->plain.length >= PACK_MIN);
    if (page.packed.bytes != NULL)
        check_forms(&page);
    for (int t = 0; t < (page.packed.bytes != NULL ? 4 : 2); t++) {
        check_tag(tags[t]);
        for (int u = 0; u < t; u++)
            assert_string_not_equal(tags[t], tags[u]);
    }
    assert_string_equal(same.plain.tag, page.plain.tag);
    assert_string_equal(same.packed.tag, page.packed.tag);
    static_page_clear(&page);
    static_page_clear(&same);
    static_page_clear(&other);
}

static void files_are_packed_and_have_tags_of_their_bytes_and_the_seed(void **state) {
    (void)state;
    assert_true(embedded_count > 2);
    for (size_t f = 0; f < embedded_count; f++) {
        assert_int_equal(embedded_files[f].path[0], '/');
        check_file(&embedded_files[f]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_packed_from_1_kib_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(files_are_packed_and_have_tags_of_their_bytes_and_the_seed),
    };
    return cmocka_run_group_tests_name("static_page", tests, NULL, NULL);
}
