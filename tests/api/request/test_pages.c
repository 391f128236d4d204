/* Pages in their plain and compressed forms. Any allocation can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/answer/pack.h"
#include "api/request/pages.h"

#include "../failing_memory.h"

#include <string.h>
#include <zlib.h>

/* Write the pages. The longer the commit, the longer the version page. */
static bool write_pages(struct pages *pages, size_t commit_length, uint64_t seed) {
    static const struct limits none = {0};
    char commit[4 * PACK_MIN];
    for (size_t i = 0; i < commit_length; i++)
        commit[i] = (char)('a' + i % 7);
    commit[commit_length] = 0;
    *pages = (struct pages){0};
    return pages_write(pages, &(struct pages_facts){&none, "1.2", commit, "trusted"}, seed);
}

static struct response ask(const struct pages *pages, size_t page, bool gzip) {
    const struct request_head head = {"GET", "/", "HTTP/1.1", NULL, 0};
    struct response response;
    pages_respond(pages, page, NULL, &head, gzip, &(struct response_cors){0}, &response);
    assert_int_equal(response.status, 200);
    assert_int_equal(strlen(response.tag), 18);
    assert_true(response.tag[0] == '"' && response.tag[17] == '"');
    return response;
}

/* Check that the packed form decompresses to the plain form. */
static void check_forms(const struct response *plain, const struct response *packed) {
    static unsigned char again[1 << 20];
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)packed->body;
    stream.avail_in = (unsigned)packed->length;
    stream.next_out = again;
    stream.avail_out = sizeof again;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    assert_int_equal(stream.total_out, plain->length);
    assert_memory_equal(again, plain->body, plain->length);
    inflateEnd(&stream);
}

/* Check a page in both forms. `others` has the same pages with another seed, and so with other tags. */
static void check_page(const struct pages *pages, const struct pages *others, size_t page) {
    struct response plain = ask(pages, page, false), packed = ask(pages, page, true);
    assert_string_not_equal(plain.tag, ask(others, page, false).tag);
    assert_string_equal(plain.tag, ask(pages, page, false).tag);
    if (plain.length < PACK_MIN) {
        assert_ptr_equal(plain.body, packed.body);
        assert_string_equal(plain.tag, packed.tag);
        return;
    }
    check_forms(&plain, &packed);
    assert_string_not_equal(plain.tag, packed.tag);
    assert_string_not_equal(packed.tag, ask(others, page, true).tag);
}

static void a_page_is_packed_from_1_kib_on(void **state) {
    size_t packed = 0, length = 0, count = 0;
    (void)state;
    for (; length < 3 * PACK_MIN; length += 341, count++) {
        struct pages pages, others;
        assert_true(write_pages(&pages, length, 1) && write_pages(&others, length, 2));
        packed += ask(&pages, PAGE_VERSION, true).header_count > ask(&pages, PAGE_VERSION, false).header_count;
        for (size_t page = 0; page < PAGES; page++)
            check_page(&pages, &others, page);
        pages_clear(&pages);
        pages_clear(&others);
    }
    assert_in_range(packed, count / 2, count - 3);
}

static void every_allocation_may_fail(void **state) {
    bool good = false;
    long failing = 0;
    (void)state;
    for (; !good; failing++) {
        struct pages pages;
        assert_true(failing < 1000);
        countdown = failing;
        good = write_pages(&pages, 2 * PACK_MIN, 1);
        countdown = -1;
        pages_clear(&pages);
    }
    assert_true(failing > 4 + PAGES);
}

static void check_hash(const struct embedded_form *form) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < form->length; i++)
        hash = (hash ^ (unsigned char)form->bytes[i]) * 0x100000001b3u;
    assert_true(hash == form->hash);
    assert_int_equal(form->bytes[form->length], 0);
}

static void files_are_packed_and_have_tags_of_their_bytes_and_the_seed(void **state) {
    const struct pages pages = {.seed = 1}, others = {.seed = 2};
    (void)state;
    assert_true(embedded_count > 2);
    for (size_t f = 0; f < embedded_count; f++) {
        assert_int_equal(embedded_files[f].path[0], '/');
        check_hash(&embedded_files[f].plain);
        check_hash(&embedded_files[f].packed);
        assert_ptr_equal(ask(&pages, PAGES + f, false).body, embedded_files[f].plain.bytes);
        check_page(&pages, &others, PAGES + f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_packed_from_1_kib_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(files_are_packed_and_have_tags_of_their_bytes_and_the_seed),
    };
    return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
