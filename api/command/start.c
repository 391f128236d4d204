#include "api/command/start.h"

#include "api/command/version.h"
#include "api/work/clock.h"

#include <malloc.h>
#include <sys/random.h>
#include <unistd.h>

static uint64_t random_seed(void) {
    uint64_t seed;
    return getrandom(&seed, sizeof seed, 0) == sizeof seed ? seed : (uint64_t)getpid() * clock_now_us();
}

struct service *start_service(const struct options *options, struct account *ret_account, bool reads_files,
                              const char *include) {
    /* Blocks above this size are returned to the system when they are freed, no matter by which thread: after a hundred
     * bodies of 20 MB, 13 MB are still held instead of 204 MB. */
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): it takes malloc's lock, and no thread of ours allocates yet */
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    service_init_account(&options->limits, ret_account);
    return service_new(&(struct service_config){
        .limits = options->limits,
        .cors_origins = options->cors_origin,
        .refuse_cross_site = options->refuse_cross_site,
        .version = ARBITER_VERSION,
        .commit = arbiter_commit,
        .profile = options_profile_names[options->profile],
        .account = ret_account,
        .hash_seed = random_seed(),
        .include = include,
        .reads_files = reads_files,
    });
}

struct queue_config start_workers(const struct options *options, struct account *account) {
    const struct queue_limits *limits = limits_of(&options->limits, &queue_limits);
    return (struct queue_config){
        .workers = (size_t)options->workers,
        .long_workers = (size_t)options->long_workers,
        .limit = (size_t)limits->queue,
        .max_wait = options->max_wait * 1000,
        .account = account,
        .short_solving = (size_t)options->short_workspace,
        .max_solving = service_max_solving_bytes(&options->limits),
    };
}
