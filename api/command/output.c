#include "api/command/output.h"

#include "api/answer/problem.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { WITH_FILE_AT_ONCE = 32 << 10 /* bytes */ };

void output_init(struct output *output, struct progress *progress, bool with_file, bool is_lint) {
    *output = (struct output){
        .progress = progress,
        .on_terminal = isatty(STDOUT_FILENO) == 1,
        .escape = {.keeps_line_ends = true},
        .with_file = with_file,
        .is_lint = is_lint,
    };
}

/* Write everything, even if another process has made the descriptor non-blocking. Returns 0 or errno. */
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

/* The same, escaping characters that could control a terminal. Line ends are kept. */
static int write_escaped(struct escape *escape, int descriptor, const char *bytes, size_t length) {
    char escaped[ESCAPE_BYTES];
    int error = 0;
    while (length != 0 && error == 0) {
        size_t written = message_escape(escape, &bytes, &length, escaped);
        error = write_all(descriptor, escaped, written);
    }
    return error;
}

static void write_bytes(struct output *output, const char *bytes, size_t length) {
    output->has_written |= length != 0;
    if (output->error == 0 && output->on_terminal) {
        progress_wipe(output->progress);
        output->error = write_escaped(&output->escape, STDOUT_FILENO, bytes, length);
    } else if (output->error == 0) {
        output->error = write_all(STDOUT_FILENO, bytes, length);
    }
}

/* Append the name of a file and a colon. The name is escaped, so that it cannot look like a line of its own. */
static void put_name(struct buffer *out, const char *file) {
    struct escape escape = {0};
    const char *pieces[] = {file, ":"};
    char escaped[ESCAPE_BYTES];
    for (int p = 0; p < 2; p++)
        for (size_t length = strlen(pieces[p]); length != 0;)
            buffer_put(out, escaped, message_escape(&escape, &pieces[p], &length, escaped));
}

/* Append lines, and add the name of the file to each. */
static void put_with_file(struct output *output, const char *file, const char *bytes, size_t length,
                          struct buffer *out) {
    while (length != 0) {
        const char *feed = memchr(bytes, '\n', length);
        size_t end = feed != NULL ? (size_t)(feed - bytes) + 1 : length;
        if (output->is_lint && !output->in_line)
            put_name(out, file);
        if (output->is_lint || output->in_line)
            buffer_put(out, bytes, end);
        else
            problem_put_with(out, "file", file, bytes, end);
        output->in_line = feed == NULL;
        bytes += end;
        length -= end;
    }
}

void output_write(struct output *output, const char *file, const char *bytes, size_t length) {
    if (!output->with_file && !output->is_lint) {
        write_bytes(output, bytes, length);
        return;
    }
    while (length != 0 && output->error == 0) {
        size_t piece = length < WITH_FILE_AT_ONCE ? length : WITH_FILE_AT_ONCE;
        struct buffer lines;
        buffer_init(&lines, SIZE_MAX, NULL);
        put_with_file(output, file, bytes, piece, &lines);
        if (lines.outcome == OUTCOME_DONE)
            write_bytes(output, lines.data, lines.length);
        else
            output->error = ENOMEM;
        buffer_clear(&lines);
        bytes += piece;
        length -= piece;
    }
}

void output_problem(struct output *output, const char *file, const char *document, size_t length) {
    struct escape escape = {.keeps_line_ends = true};
    struct buffer line;
    problem_init_document(&line);
    problem_put_with(&line, "file", file, document, length);
    progress_wipe(output->progress);
    /* If there is no memory for the name, the line is printed without it. */
    bool named = line.outcome == OUTCOME_DONE;
    write_escaped(&escape, STDERR_FILENO, named ? line.data : document, named ? line.length : length);
    buffer_clear(&line);
}

void output_message(struct output *output, const char *file, const char *what) {
    progress_wipe(output->progress);
    message_print("%s: %s", file, what);
}
