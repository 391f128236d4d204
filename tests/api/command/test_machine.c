/* The number of processors that a container can use, read from file trees like the kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/command/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = 4 };

/* Some files on a system, and the processor limit that they set; 0 for no limit. */

struct tree {
    const char *path[MAX_FILES], *text[MAX_FILES];
    size_t limit;
};

#define CGROUP "/proc/self/cgroup"

static const struct tree systems[] = {
    {{NULL}, {NULL}, 0},
    /* cgroup v2, in a container with its own namespace. */
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "max 100000\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "100000 100000\n"}, 1},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "50000 100000\n"}, 1},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "100001 100000\n"}, 2},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "1 1000000\n"}, 1},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "200000 100000\n"}, 2},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "250000 100000\n"}, 3},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "6400000 100000\n"}, 64},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "9223372036854775807 100000\n"}, 92233720368548},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "1 9223372036854775807\n"}, 1},
    {{CGROUP, "/sys/fs/cgroup/cpu.max", "/sys/cpu.max"}, {"0::/../..\n", "500000 100000\n", "1 1\n"}, 5},
    /* In nested groups, the smallest limit applies. */
    {{CGROUP, "/sys/fs/cgroup/a.slice/b.service/cpu.max", "/sys/fs/cgroup/a.slice/cpu.max"},
     {"0::/a.slice/b.service\n", "max 100000", "790000 100000"},
     8},
    {{CGROUP, "/sys/fs/cgroup/a.slice/b.service/cpu.max", "/sys/fs/cgroup/a.slice/cpu.max"},
     {"0::/a.slice/b.service\n", "170000 100000", "300000 100000"},
     2},
    /* The path is as seen by the host, the file tree as seen by the container. */
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/docker/1234\n", "20000 100000\n"}, 1},
    /* cgroup v1. */
    {{CGROUP, "/sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us"},
     {"9:memory:/x\n4:cpu,cpuacct:/docker/1\n1:name=systemd:/y\n0::/\n", "50000\n", "100000\n"},
     1},
    {{CGROUP, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"},
     {"4:cpuacct,cpu:/\n", "-1\n", "100000\n"},
     0},
    {{CGROUP, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"}, {"4:cpu:/\n", "50000\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"},
     {"4:cpuset:/\n", "50000\n", "100000\n"},
     0},
    /* Files that cannot be read set no limit. */
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "many 100000\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "100000\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "100000 0\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", "-5 100000\n"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::/\n", ""}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"", "1 100000"}, 0},
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"\n:\n0:\n::\n0:x\n", "1 100000"}, 1}, /* "::" names the root of cgroup v2 */
    {{CGROUP, "/sys/fs/cgroup/cpu.max"}, {"0::no/slash\n", "1 100000"}, 1},
};

static void write_file(const char *root, const char *path, const char *text) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void the_least_of_the_readable_limits_counts(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof systems / sizeof *systems; s++) {
        char root[] = "/tmp/arbiter-machine-XXXXXX", remove[64];
        assert_non_null(mkdtemp(root));
        for (size_t f = 0; f < MAX_FILES && systems[s].path[f] != NULL; f++)
            write_file(root, systems[s].path[f], systems[s].text[f]);
        uint64_t expected = systems[s].limit != 0 ? systems[s].limit : UINT64_MAX,
                 found = machine_cgroup_processors(root);
        if (found != expected)
            fail_msg("system %zu allows %llu processors, not %llu", s, (unsigned long long)found,
                     (unsigned long long)expected);
        snprintf(remove, sizeof remove, "rm -r %s", root);
        assert_int_equal(system(remove), 0);
    }
}

static void no_more_processors_are_allowed_than_the_mask_has(void **state) {
    cpu_set_t all, one;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_in_range(machine_processors(), 1, CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(machine_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_of_the_readable_limits_counts),
        cmocka_unit_test(no_more_processors_are_allowed_than_the_mask_has),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
