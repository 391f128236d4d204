#include "api/server/process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

bool kernel_file_read(const char *path, char *ret_text, size_t size) {
    FILE *file = fopen(path, "re");
    ret_text[0] = 0;
    if (file == NULL)
        return false;
    size_t length = fread(ret_text, 1, size - 1, file);
    bool good = ferror(file) == 0;
    fclose(file);
    ret_text[good ? length : 0] = 0;
    return good;
}

static double seconds(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + (double)time.tv_nsec / 1e9 : 0;
}

/* Count the entries of a directory in /proc. */
static double count_entries(const char *path) {
    DIR *folder = opendir(path);
    double count = 0;
    if (folder == NULL)
        return 0;
    /* cppcheck-suppress readdirCalled; glibc's readdir is safe if each thread has its own stream */
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

double process_wall_clock(void) { return seconds(CLOCK_REALTIME); }

struct process_facts process_read_facts(void) {
    struct process_facts facts = {.cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID),
                                  .open_fds = count_entries("/proc/self/fd"),
                                  .threads = count_entries("/proc/self/task")};
    struct rlimit limit;
    char text[128];
    kernel_file_read("/proc/self/statm", text, sizeof text);
    char *rest; /* if no number follows, strtoull returns 0 here and below */
    facts.virtual_bytes = (double)strtoull(text, &rest, 10) * (double)sysconf(_SC_PAGESIZE);
    facts.resident_bytes = (double)strtoull(rest, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        facts.max_fds = (double)limit.rlim_cur;
    return facts;
}
