#include "api/server/process.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + (double)time.tv_nsec / 1e9 : 0;
}

/* Read a short file of /proc as a string; an empty one when it cannot be read. */
static void read_file(const char *path, char *ret_text, size_t size) {
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(ret_text, 1, size - 1, file) : 0;
    ret_text[length] = 0;
    if (file != NULL)
        fclose(file);
}

/* How many entries has a folder of /proc? */
static double count_entries(const char *path) {
    DIR *folder = opendir(path);
    double count = 0;
    if (folder == NULL)
        return 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* When this process began: proc(5) has it in ticks since the machine began. */
static double start_time(void) {
    char text[1024];
    uint64_t ticks;
    read_file("/proc/self/stat", text, sizeof text);
    const char *behind_name = strrchr(text, ')'); /* the name may hold anything */
    /* Field 22, of which the name is the second. */
    if (behind_name == NULL ||
        sscanf(behind_name + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64,
               &ticks) != 1)
        return 0;
    return seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

struct process_facts process_look(void) {
    struct process_facts facts = {.cpu_seconds = seconds(CLOCK_PROCESS_CPUTIME_ID),
                                  .open_fds = count_entries("/proc/self/fd"),
                                  .threads = count_entries("/proc/self/task"),
                                  .start_time = start_time()};
    uint64_t virtual_pages, resident_pages;
    struct rlimit limit;
    char text[128];
    read_file("/proc/self/statm", text, sizeof text);
    if (sscanf(text, "%" SCNu64 " %" SCNu64, &virtual_pages, &resident_pages) == 2) {
        facts.virtual_bytes = (double)virtual_pages * (double)sysconf(_SC_PAGESIZE);
        facts.resident_bytes = (double)resident_pages * (double)sysconf(_SC_PAGESIZE);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        facts.max_fds = (double)limit.rlim_cur;
    return facts;
}
