/* Detecting the versions of libmicrohttpd that can misplace the end of a chunked body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/server/send.h"

static void the_versions_that_misread_chunks_are_1_0_0_to_1_0_9(void **state) {
    static const struct {
        const char *version;
        bool misreads;
    } rows[] = {
        {"0.9.75", false}, {"0.9.77", false}, {"1.0.0", true},     {"1.0.1", true},   {"1.0.3", true},
        {"1.0.4", true},   {"1.0.6", true},   {"1.0.9", true},     {"1.0.10", false}, {"1.0.19", false},
        {"1.0.99", false}, {"1.1.0", false},  {"1.0.6-rc1", true}, {"2.0.5", false},  {"11.0.5", false},
        {"1.0.", false},   {"1.0", false},    {"1.0.100", false},  {"", false},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (send_misreads_chunks(rows[r].version) != rows[r].misreads)
            fail_msg("%s should be %d", rows[r].version, rows[r].misreads);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_versions_that_misread_chunks_are_1_0_0_to_1_0_9)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
