#include "api/command/input.h"

#include "api/job/source.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_AT_ONCE = 64 << 10, /* bytes: the size of a pipe's buffer */
    FIRST_WORD = 64,         /* bytes: enough of a word to tell a number from a drawing */
};

void input_body_clear(struct input_body *body) {
    if (body->map != NULL)
        munmap(body->map, body->map_length);
    buffer_clear(&body->gathered);
    *body = (struct input_body){0};
}

/* Map the rest of a regular file and move its offset to the end. A file that appears to be empty, like those in /proc,
 * or that cannot be mapped, is read like a pipe. Returns false and sets errno if it cannot be read. */
static bool map_file(struct input *input) {
    struct stat status;
    if (fstat(input->descriptor, &status) != 0)
        return false;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!S_ISREG(status.st_mode) || status.st_size == 0)
        return true;
    size_t size = (size_t)status.st_size;
    off_t begin = lseek(input->descriptor, 0, SEEK_CUR);
    size_t from = begin > 0 ? (size_t)begin : 0;
    if (from >= size)
        return true;
    /* Private, because solving may overwrite numbers; only those pages are copied. */
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, input->descriptor, 0);
    if (map == MAP_FAILED)
        return true;
    lseek(input->descriptor, 0, SEEK_END); /* so that processes that share the descriptor see it as read */
    input->mapped =
        (struct input_body){.bytes = (char *)map + from, .length = size - from, .map = map, .map_length = size};
    input->size = size - from;
    input->ended = true;
    return true;
}

/* Begin without any bytes. A small input can be read even if the account is exhausted. */
static void begin_input(struct input *input, const char *name, struct account *account) {
    *input = (struct input){.name = name, .line = 1, .descriptor = -1, .account = account};
    buffer_init(&input->come, SIZE_MAX, account);
    input->come.uncharged = READ_AT_ONCE;
}

bool input_open(struct input *input, const char *name, struct account *account) {
    bool is_standard_input = strcmp(name, "-") == 0;
    begin_input(input, name, account);
    input->descriptor = is_standard_input ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (input->descriptor >= 0 && map_file(input))
        return true;
    int error = errno;
    input_close(input);
    errno = error;
    return false;
}

void input_open_text(struct input *input, const char *name, char *text, struct account *account) {
    begin_input(input, name, account);
    input->mapped = (struct input_body){.bytes = text, .length = strlen(text)};
    input->size = input->mapped.length;
    input->ended = true;
}

void input_close(struct input *input) {
    input_body_clear(&input->mapped);
    buffer_clear(&input->come);
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    input->descriptor = -1;
    input->ended = input->over = true;
}

static size_t skip_blanks(const char *bytes, size_t at, size_t end) {
    return at == end ? end : (size_t)(ascii_skip_space(bytes + at, bytes + end) - bytes); /* without bytes, NULL */
}

/* Get the length of the byte order mark at the beginning of the file, or 0. Returns false while that is not known
 * yet. */
static bool find_mark(const struct input *input, const char *bytes, size_t length, size_t *ret_mark) {
    static const char mark[] = "\xef\xbb\xbf";
    *ret_mark = utf8_mark_length(bytes, length);
    return input->ended || length >= sizeof mark - 1 || (length != 0 && memcmp(bytes, mark, length) != 0);
}

/* The bytes that have been read and are not part of a body yet. */
static struct input_line all_bytes(const struct input *input) {
    return input->mapped.bytes != NULL ? (struct input_line){input->mapped.bytes, input->mapped.length}
                                       : (struct input_line){input->come.data, input->come.length};
}

bool input_find_format(struct input *input, const struct game *game, enum format *ret_format) {
    struct input_line all = all_bytes(input);
    const char *bytes = all.bytes;
    size_t length = all.length, at = input->blank;
    if (at == 0 && !find_mark(input, bytes, length, &at))
        return false;
    input->blank = at = skip_blanks(bytes, at, length);
    if (at == length && !input->ended)
        return false;
    *ret_format = FORMAT_NONE;
    if (at == length)
        return true;
    size_t word = at;
    while (word < length && word < at + FIRST_WORD && !ascii_is_space(bytes[word]))
        word++;
    if (word == length && word < at + FIRST_WORD && !input->ended)
        return false;
    *ret_format = source_guess(game, SOURCE_SURE, bytes + at, length - at);
    if (*ret_format == FORMAT_NONE)
        *ret_format = FORMAT_TEXT;
    return true;
}

bool input_find_line(struct input *input, struct input_line *ret_line) {
    struct input_line all = all_bytes(input);
    size_t at = input->first > input->blank ? input->first : input->blank;
    const char *feed = at < all.length ? memchr(all.bytes + at, '\n', all.length - at) : NULL;
    input->first = feed != NULL ? (size_t)(feed - all.bytes) + 1 : all.length;
    if (feed == NULL && !input->ended)
        return false;
    bool is_last = input->ended && skip_blanks(all.bytes, input->first, all.length) == all.length;
    *ret_line = (struct input_line){all.bytes, is_last ? 0 : input->first};
    return true;
}

bool input_has_space(const struct input *input) {
    const struct buffer *come = &input->come;
    return !input->ended && (come->capacity - come->length >= READ_AT_ONCE ||
                             account_free(input->account) >= come->capacity + READ_AT_ONCE - come->uncharged);
}

bool input_read(struct input *input) {
    struct buffer *come = &input->come;
    ASSERT(!input->ended);
    if (!buffer_reserve(come, READ_AT_ONCE)) {
        errno = ENOBUFS;
        return false;
    }
    ssize_t got = read(input->descriptor, come->data + come->length, READ_AT_ONCE);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN; /* a signal, or a pipe that another process has made non-blocking */
    input->ended = got == 0;
    input->size += (size_t)got;
    const char *feed = got > 0 ? memrchr(come->data + come->length, '\n', (size_t)got) : NULL;
    come->length += (size_t)got;
    if (feed != NULL)
        input->cut = (size_t)(feed - come->data) + 1;
    return true;
}

/* ---- bodies ---- */

/* Drop the first `length` bytes. */
static void drop(struct input *input, size_t length) {
    struct buffer *come = &input->come;
    come->length -= length;
    input->cut -= length < input->cut ? length : input->cut;
    if (length != 0)
        memmove(come->data, come->data + length, come->length);
}

/* Drop a byte order mark at the beginning. Returns false while it is not known whether there is one. */
static bool begin(struct input *input) {
    size_t mark;
    if (!find_mark(input, input->come.data, input->come.length, &mark))
        return false;
    drop(input, mark);
    input->begun = true;
    return true;
}

static size_t count_lines(const char *bytes, size_t length) {
    size_t count = 0;
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(bytes + length - at))) != NULL; at++)
        count++;
    return count;
}

/* Turn the first `end` bytes, without the first `begin` of them, into a body, and keep the rest. */
static bool hand_out(struct input *input, size_t begin, size_t end, struct input_body *ret_body) {
    struct buffer rest;
    buffer_init_like(&rest, &input->come);
    if (end < input->come.length)
        buffer_put(&rest, input->come.data + end, input->come.length - end);
    if (rest.outcome != OUTCOME_DONE) {
        buffer_clear(&rest);
        errno = ENOBUFS;
        return false;
    }
    *ret_body = (struct input_body){.length = end - begin, .gathered = input->come};
    ret_body->bytes = ret_body->gathered.data != NULL ? ret_body->gathered.data + begin : NULL;
    input->come = rest;
    input->cut -= end < input->cut ? end : input->cut;
    input->handed = true;
    input->over = input->ended && rest.length == 0;
    return true;
}

/* Turn the first line into a body. The rest of the file is lines. */
static bool next_first(struct input *input, struct input_body *ret_body) {
    struct input_body *mapped = &input->mapped;
    if (mapped->bytes == NULL) {
        if (!hand_out(input, 0, input->first, ret_body))
            return false;
    } else {
        struct buffer copy; /* the map stays with the rest of the file */
        buffer_init_like(&copy, &input->come);
        buffer_put(&copy, mapped->bytes, input->first);
        if (copy.outcome != OUTCOME_DONE) {
            buffer_clear(&copy);
            errno = ENOBUFS;
            return false;
        }
        *ret_body = (struct input_body){.bytes = copy.data, .length = copy.length, .gathered = copy};
        mapped->bytes += input->first;
        mapped->length -= input->first;
    }
    input->line += count_lines(ret_body->bytes, ret_body->length);
    mapped->first_line = input->line;
    input->leads = false;
    input->in_slices = input->begun = true;
    return true;
}

/* Turn the complete lines that have arrived into a body, which must have at least one case. If the whole file has none,
 * its last line becomes a body, so that this is reported. */
static bool next_slice(struct input *input, struct input_body *ret_body) {
    if (!input->begun && !begin(input))
        return false;
    const char *bytes = input->come.data;
    size_t end = input->ended ? input->come.length : input->cut, text = skip_blanks(bytes, 0, end), begin = 0;
    const char *feed = text != 0 ? memrchr(bytes, '\n', text) : NULL;
    if (feed != NULL) {
        begin = (size_t)(feed - bytes) + 1; /* the start of the first line that is not blank */
        input->line += count_lines(bytes, begin);
    }
    if (text == end && (!input->ended || input->handed)) {
        drop(input, begin);
        input->over = input->ended;
        return false;
    }
    size_t first_line = input->line;
    if (!hand_out(input, begin, end, ret_body))
        return false;
    ret_body->first_line = first_line;
    input->line += count_lines(ret_body->bytes, ret_body->length);
    return true;
}

bool input_next(struct input *input, struct input_body *ret_body) {
    errno = 0;
    if (input->over)
        return false;
    if (input->leads)
        return next_first(input, ret_body);
    if (input->mapped.bytes != NULL) {
        *ret_body = input->mapped;
        input->mapped = (struct input_body){0};
        input->over = true;
        return true;
    }
    if (input->in_slices)
        return next_slice(input, ret_body);
    return input->ended && hand_out(input, 0, input->come.length, ret_body);
}
