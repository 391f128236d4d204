#include "api/command/progress.h"

#include "api/work/clock.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const progress_words[] = {
    [PROGRESS_AUTO] = "auto", [PROGRESS_ALWAYS] = "always", [PROGRESS_NEVER] = "never", NULL};

enum { SHOW_EVERY = 200 /* milliseconds */, MAX_SECONDS = 100 * 3600 };

/* Move to the first column and erase the rest of the line (ECMA-48). */
static const char wipe[] = "\r\x1b[K";

/* Ignores errors. */
static void put(const char *text, size_t length) {
    ssize_t unused = write(STDERR_FILENO, text, length);
    (void)unused;
}

/* Is standard output a regular file, or /dev/null? */
static bool is_output_quiet(void) {
    struct stat output, null;
    if (fstat(STDOUT_FILENO, &output) != 0)
        return false;
    bool is_device = S_ISCHR(output.st_mode) && stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode);
    return S_ISREG(output.st_mode) || (is_device && output.st_rdev == null.st_rdev);
}

void progress_begin(struct progress *progress, enum progress_when when) {
    *progress = (struct progress){.begun = clock_now_ms()};
    progress->on =
        when == PROGRESS_ALWAYS || (when == PROGRESS_AUTO && isatty(STDERR_FILENO) == 1 && is_output_quiet());
    progress->next_show = progress->begun + SHOW_EVERY;
}

int progress_pause(const struct progress *progress) {
    uint64_t now = clock_now_ms();
    if (!progress->on)
        return -1;
    return now < progress->next_show ? (int)(progress->next_show - now) : 0;
}

void progress_show(struct progress *progress, const struct progress_state *state) {
    char line[160];
    uint64_t now = clock_now_ms();
    double seconds = (double)(now - progress->begun) / 1000;
    int length = snprintf(line, sizeof line, "%s%zu %s, %.0f per second", wipe, state->cases,
                          state->cases == 1 ? "case" : "cases", (double)state->cases / seconds);
    double left = state->bytes != 0 && state->all != 0
                      ? seconds * (double)(state->all - state->bytes) / (double)state->bytes
                      : MAX_SECONDS;
    if (left < MAX_SECONDS)
        length += snprintf(line + length, sizeof line - (size_t)length, ", %.0f s left", left);
    put(line, (size_t)length);
    progress->shown = true;
    progress->next_show = now + SHOW_EVERY;
}

void progress_wipe(struct progress *progress) {
    if (progress->shown)
        put(wipe, sizeof wipe - 1);
    progress->shown = false;
}
