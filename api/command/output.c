#include "api/command/output.h"

#include "api/answer/problem.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

void output_init(struct output *output, struct progress *progress) {
    *output = (struct output){.progress = progress, .on_terminal = isatty(STDOUT_FILENO) == 1};
}

/* Write all of it, also where others have made the descriptor one that does not wait. errno; 0 when it is written. */
static int write_all(int descriptor, const char *bytes, size_t length) {
    while (length != 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

void output_write(struct output *output, const char *bytes, size_t length) {
    if (output->error != 0)
        return;
    if (output->on_terminal)
        progress_wipe(output->progress);
    output->error = write_all(STDOUT_FILENO, bytes, length);
}

void output_problem(struct output *output, const char *file, const char *document, size_t length) {
    struct buffer line;
    problem_init_document(&line);
    problem_put_with(&line, "file", file, document, length);
    progress_wipe(output->progress);
    /* Without memory for the name it is told without it. */
    if (line.state == BUFFER_GOOD)
        write_all(STDERR_FILENO, line.data, line.length);
    else
        write_all(STDERR_FILENO, document, length);
    buffer_clear(&line);
}

void output_say(struct output *output, const char *file, const char *what) {
    progress_wipe(output->progress);
    dprintf(STDERR_FILENO, "arbiter: %s: %s\n", file, what);
}
