/* Deriving options from a given amount of memory: their total never exceeds it, whatever other options are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/command/machine.h"
#include "api/command/memory.h"
#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

static struct options options_at(uint64_t workers, bool public) {
    struct options options = options_default();
    options.workers = workers;
    options.long_workers = (workers + 1) / 2;
    if (!public)
        return options;
    options.profile = OPTIONS_PUBLIC;
    options.max_connections = 1024;
    for (size_t i = 0; i < options.limits.count; i++)
        options.limits.value[i] = limits_row(&options.limits, i)->public;
    return options;
}

/* Get a pointer to the value of an option that --memory derives. */
static uint64_t *value_of(struct options *options, size_t index) {
    static const char *const names[OPTIONS_DERIVED] = {
        "workers",        "long_workers",    "max_connections",  "max_inflight_bytes",
        "max_body_bytes", "max_json_values", "max_answer_bytes", "max_search_states"};
    return options_number(options, names[index]);
}

static uint64_t most_of(const struct options *options) {
    struct memory_part parts[MEMORY_PARTS];
    return memory_most(options, parts);
}

/* Fit the options and check the invariants. Options whose bit is set in `given` keep their value from `most`. */
static uint64_t fit(const struct options *most, uint64_t memory, unsigned given, struct options *ret_options) {
    struct options wanted = *most;
    *ret_options = *most;
    ret_options->memory = memory;
    for (size_t o = 0; o < OPTIONS_DERIVED; o++)
        if (!(given >> o & 1))
            *value_of(ret_options, o) = 0;
    uint64_t least = memory_derive(most, ret_options);
    if (least != 0) {
        assert_true(least > memory);
        return least;
    }
    assert_true(most_of(ret_options) <= memory);
    for (size_t o = 0; o < OPTIONS_DERIVED; o++) {
        uint64_t value = *value_of(ret_options, o), limit = *value_of(&wanted, o);
        assert_in_range(value, 1, limit);
        if (given >> o & 1)
            assert_true(value == limit);
    }
    return 0;
}

static void random_options_fit_or_the_least_that_would_do_is_told(void **state) {
    struct reference_random random = {43};
    int fits = 0, told = 0;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct options most = options_at(1 + reference_random_below(&random, round % 2 == 0 ? 4 : 100), round % 3 == 0),
                       options;
        unsigned given = round % 4 == 0 ? 0 : reference_random_below(&random, 1 << OPTIONS_DERIVED);
        uint64_t memory = (150 + reference_random_below(&random, 1 << reference_random_below(&random, 14))) * MIB;
        for (size_t o = 0; o < OPTIONS_DERIVED; o++)
            if (given >> o & 1)
                *value_of(&most, o) = 1 + *value_of(&most, o) * reference_random_below(&random, 300) / 100;
        if (!(given >> 1 & 1))
            most.long_workers = (most.workers + 1) / 2;
        uint64_t least = fit(&most, memory, given, &options);
        if (least == 0) {
            fits++;
            continue;
        }
        told++;
        assert_true(fit(&most, least, given, &options) == 0);
        assert_true(fit(&most, least - 1, given, &options) == least);
    }
    assert_true(fits > 500 && told > 100);
}

static void with_enough_memory_the_defaults_stay(void **state) {
    (void)state;
    for (int public = 0; public < 2; public ++) {
        const struct options most = options_at(8, public != 0);
        struct options options;
        assert_int_equal(fit(&most, most_of(&most), 0, &options), 0);
        options.memory = most.memory;
        assert_memory_equal(&options, &most, sizeof most);
    }
}

static void what_is_given_is_used(void **state) {
    const struct options most = options_at(4, false);
    (void)state;
    for (uint64_t memory = 256 * MIB; memory < 8192 * MIB; memory += 7 * MIB) {
        struct options options;
        assert_int_equal(fit(&most, memory, 0, &options), 0);
        uint64_t can = memory < most_of(&most) ? memory : most_of(&most);
        assert_true(can - most_of(&options) < 20 * MIB); /* lost to rounding: 4 KiB for each of 4,096 connections */
    }
}

/* A service with one or two workers runs in a container with 256 MB, as OPERATIONS.md promises. */
static void a_quarter_of_a_gibibyte_is_enough(void **state) {
    (void)state;
    for (uint64_t workers = 1; workers <= 128; workers *= 2) {
        const struct options most = options_at(workers, false);
        struct options options;
        assert_int_equal(fit(&most, 240 * MIB, 0, &options), 0);
        assert_true(*value_of(&options, 4) >= MIB);
        assert_true(options.max_connections >= 32);
    }
}

/* ---- what there is ---- */

static void write_file(const char *root, const char *folder, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s%s", root, folder);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void auto_is_the_limit_of_the_container_or_half_of_the_machine(void **state) {
    static const struct {
        const char *cgroup, *folder, *name, *limit;
        uint64_t available; /* 0 for half of the machine's memory */
    } systems[] = {
        {"0::/\n", "/sys/fs/cgroup", "memory.max", "536870912\n", 480 * MIB},
        {"0::/\n", "/sys/fs/cgroup", "memory.max", "max\n", 0},
        {"0::/\n", "/sys/fs/cgroup", "memory.max", "0\n", 0},
        {"0::/\n", "/sys/fs/cgroup", "memory.max", "1152921504606846976\n", 0},
        {"0::/a/b\n", "/sys/fs/cgroup/a", "memory.max", "268435456\n", 240 * MIB},
        {"7:memory:/d/1\n", "/sys/fs/cgroup/memory/d/1", "memory.limit_in_bytes", "268435456\n", 240 * MIB},
        {"7:memory:/d/1\n", "/sys/fs/cgroup/memory/d/1", "memory.limit_in_bytes", "9223372036854771712\n", 0},
        {"7:cpu:/d/1\n", "/sys/fs/cgroup/memory/d/1", "memory.limit_in_bytes", "268435456\n", 0},
    };
    (void)state;
    for (size_t s = 0; s < sizeof systems / sizeof *systems; s++) {
        char root[] = "/tmp/arbiter-memory-XXXXXX", remove[64];
        assert_non_null(mkdtemp(root));
        write_file(root, "/proc/self", "cgroup", systems[s].cgroup);
        write_file(root, systems[s].folder, systems[s].name, systems[s].limit);
        uint64_t available = memory_available(root);
        if (available != (systems[s].available != 0 ? systems[s].available : machine_memory() / 2))
            fail_msg("system %zu has %llu bytes", s, (unsigned long long)available);
        snprintf(remove, sizeof remove, "rm -r %s", root);
        assert_int_equal(system(remove), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_options_fit_or_the_least_that_would_do_is_told),
        cmocka_unit_test(with_enough_memory_the_defaults_stay),
        cmocka_unit_test(what_is_given_is_used),
        cmocka_unit_test(a_quarter_of_a_gibibyte_is_enough),
        cmocka_unit_test(auto_is_the_limit_of_the_container_or_half_of_the_machine),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
