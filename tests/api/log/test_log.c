/* The log, writing to a pipe that is read, is not read, or fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/log/log.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Controls the log's writer. While held, it gets no chance to write, as on a busy machine; it continues when the log
 * polls whether the reader accepts more. Once the space is used up, a write fails with `error`, as on a full disk. The
 * linker redirects write and poll to the functions below. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t go_on;
    bool held;
    size_t space; /* bytes */
    int error;
} writer = {.mutex = PTHREAD_MUTEX_INITIALIZER, .go_on = PTHREAD_COND_INITIALIZER, .space = SIZE_MAX};

static void set_space(size_t space, int error) {
    pthread_mutex_lock(&writer.mutex);
    writer.space = space;
    writer.error = error;
    pthread_mutex_unlock(&writer.mutex);
}

static void hold_writer(bool held) {
    pthread_mutex_lock(&writer.mutex);
    writer.held = held;
    pthread_cond_broadcast(&writer.go_on);
    pthread_mutex_unlock(&writer.mutex);
}

ssize_t __real_write(int descriptor, const void *bytes, size_t length);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t length);
int __real_poll(struct pollfd *descriptors, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *descriptors, nfds_t count, int timeout);

ssize_t __wrap_write(int descriptor, const void *bytes, size_t length) {
    pthread_mutex_lock(&writer.mutex);
    while (writer.held)
        pthread_cond_wait(&writer.go_on, &writer.mutex);
    size_t space = writer.space, taken = length < space ? length : space;
    writer.space -= space == SIZE_MAX ? 0 : taken;
    int error = writer.error;
    pthread_mutex_unlock(&writer.mutex);
    if (taken == 0) {
        errno = error;
        return -1;
    }
    return __real_write(descriptor, bytes, taken);
}

int __wrap_poll(struct pollfd *descriptors, nfds_t count, int timeout) {
    int ready = __real_poll(descriptors, count, timeout);
    hold_writer(false);
    return ready;
}

/* A log, its pipe, and what was read from the pipe. */
struct scene {
    int ends[2];
    struct log *log;
    FILE *reader;
    char line[PIPE_BUF + 2];
    cJSON *json; /* the line, parsed */
};

static void begin(struct scene *scene, enum log_level level, int flags) {
    *scene = (struct scene){0};
    set_space(SIZE_MAX, 0);
    assert_int_equal(pipe2(scene->ends, O_CLOEXEC), 0);
    assert_true(fcntl(scene->ends[1], F_SETPIPE_SZ, 4096) > 0);
    assert_int_equal(fcntl(scene->ends[1], F_SETFL, flags), 0);
    scene->reader = fdopen(scene->ends[0], "r");
    scene->log = log_new(level, scene->ends[1]);
    assert_non_null(scene->reader);
    assert_non_null(scene->log);
}

/* Read a complete line. Returns false at the end of the pipe. */
static bool read_line(struct scene *scene) {
    cJSON_Delete(scene->json);
    scene->json = NULL;
    if (fgets(scene->line, sizeof scene->line, scene->reader) == NULL)
        return false;
    size_t length = strlen(scene->line);
    assert_true(length <= PIPE_BUF);
    assert_int_equal(scene->line[length - 1], '\n');
    scene->json = cJSON_Parse(scene->line);
    if (scene->json == NULL)
        fail_msg("no line: %s", scene->line);
    assert_non_null(cJSON_GetObjectItem(scene->json, "time"));
    return true;
}

static const char *text(const struct scene *scene, const char *member) {
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(scene->json, member));
    return value != NULL ? value : "(none)";
}

static double number(const struct scene *scene, const char *member) {
    const cJSON *item = cJSON_GetObjectItem(scene->json, member);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* Close the log, and check that everything was read. */
static void end(struct scene *scene) {
    log_free(scene->log);
    close(scene->ends[1]);
    assert_false(read_line(scene));
    fclose(scene->reader);
}

/* Get the part of the line after its timestamp. */
static const char *after_time(const struct scene *scene) {
    assert_memory_equal(scene->line, "{\"time\":\"20", 11);
    assert_memory_equal(scene->line + 32, "Z\",", 3);
    return scene->line + 35;
}

static void every_level_is_written_as_far_as_it_is_wanted(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_WARN, 0);
    assert_true(log_wants(scene.log, LOG_LEVEL_ERROR));
    assert_false(log_wants(scene.log, LOG_LEVEL_INFO));
    log_event(scene.log, LOG_LEVEL_INFO, "unseen", "\"a\":%d", 1);
    log_text(scene.log, LOG_LEVEL_DEBUG, "unseen", "a", "b");
    log_limited(scene.log, LOG_LEVEL_INFO, 0, "unseen", "\"a\":%d", 1);
    log_event(scene.log, LOG_LEVEL_WARN, "seen", "\"a\":%d", 1);
    log_announce(scene.log, "listening", "\"port\":%d", 80);
    log_event(scene.log, LOG_LEVEL_ERROR, "bare", "%s", "");
    assert_true(read_line(&scene));
    assert_string_equal(after_time(&scene), "\"level\":\"warn\",\"event\":\"seen\",\"a\":1}\n");
    assert_true(read_line(&scene));
    assert_string_equal(after_time(&scene), "\"level\":\"info\",\"event\":\"listening\",\"port\":80}\n");
    assert_true(read_line(&scene));
    assert_string_equal(after_time(&scene), "\"level\":\"error\",\"event\":\"bare\"}\n");
    end(&scene);
}

static void a_line_has_the_members_that_are_put_into_it(void **state) {
    struct scene scene;
    struct log_line line;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    log_begin(&line, LOG_LEVEL_WARN, "request");
    log_put_text(&line, ",\"id\":", "a1", 64);
    log_put_text(&line, ",\"cut\":", "0123456789", 4);
    log_put_text(&line, ",\"escaped\":", "GE\"T\n", 64);
    log_put_text(&line, ",\"empty\":", "", 64);
    log_put_number(&line, ",\"most\":", UINT64_MAX);
    log_put_number(&line, ",\"least\":", 0);
    log_put_milliseconds(&line, ",\"waited_ms\":", 1234);
    log_put_milliseconds(&line, ",\"worked_ms\":", 7000012);
    log_send(scene.log, &line);
    assert_true(read_line(&scene));
    assert_string_equal(after_time(&scene), "\"level\":\"warn\",\"event\":\"request\",\"id\":\"a1\",\"cut\":\"0123\","
                                            "\"escaped\":\"GE\\\"T\\u000a\",\"most\":18446744073709551615,\"least\":0,"
                                            "\"waited_ms\":1.234,\"worked_ms\":7000.012}\n");
    end(&scene);
}

/* Includes bytes that are escaped, and so take up to six bytes each. */
static void texts_of_any_length_and_bytes_make_whole_lines(void **state) {
    struct scene scene;
    char bytes[256], *texts[] = {calloc(1, 10001), calloc(1, 10001)};
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    for (int i = 0; i < 255; i++)
        bytes[i] = (char)(i + 1);
    bytes[255] = 0;
    log_text(scene.log, LOG_LEVEL_INFO, "bytes", "text", bytes);
    assert_true(read_line(&scene));
    for (int i = 1, at = 0; i < 256; i++) { /* cJSON decodes the escapes to UTF-8 */
        const unsigned char *read = (const unsigned char *)text(&scene, "text");
        int code = read[at] < 0x80 ? read[at] : (read[at] & 31) << 6 | (read[at + 1] & 63);
        assert_int_equal(code, i);
        at += i < 0x80 ? 1 : 2;
    }
    for (int t = 0; t < 2; t++) {
        memset(texts[t], t == 0 ? 'a' : 0xff, 10000);
        log_text(scene.log, LOG_LEVEL_INFO, "long", "text", texts[t]);
        const char *a = texts[t];
        struct log_line line;
        log_begin(&line, LOG_LEVEL_INFO, "many");
        for (int member = 0; member < 4; member++)
            log_put_text(&line, ",\"text\":", a, 64);
        log_put_text(&line, ",\"rest\":", a, SIZE_MAX);
        log_send(scene.log, &line);
        log_event(scene.log, LOG_LEVEL_INFO, "long", "\"text\":\"%s\"", a);
        assert_true(read_line(&scene));
        assert_true(strlen(scene.line) > 4000);
        assert_true(read_line(&scene));
        assert_string_equal(text(&scene, "event"), "many");
        assert_true(read_line(&scene));
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(scene.json, "cut")));
        free(texts[t]);
    }
    end(&scene);
}

enum { MANY = 20000, THREADS = 4 };

static void log_number(struct log *log, int thread, unsigned i) {
    char id[32];
    snprintf(id, sizeof id, "%d", thread);
    struct log_line line;
    log_begin(&line, LOG_LEVEL_INFO, "request");
    log_put_text(&line, ",\"request_id\":", id, 64);
    log_put_text(&line, ",\"filler\":", "some sixty bytes, so that a line is about as long as a real one", 64);
    log_put_number(&line, ",\"status\":", i);
    log_send(log, &line);
}

/* Read the numbered lines of one thread, in order, up to the line that says how many of the MANY lines were dropped. */
static void read_flood(struct scene *scene) {
    unsigned seen = 0;
    while (read_line(scene) && strcmp(text(scene, "event"), "request") == 0)
        assert_int_equal((unsigned)number(scene, "status"), seen++);
    assert_string_equal(text(scene, "event"), "log-lines-dropped");
    assert_string_equal(text(scene, "level"), "warn");
    assert_int_equal((unsigned)number(scene, "count"), MANY - seen);
    assert_true(seen > LOG_RING_BYTES / 256 && seen < MANY / 2);
}

/* Flush repeatedly until all lines are written. On a busy machine, a single flush can time out before the writer
 * runs. */
static bool is_flushed(struct log *log) {
    bool flushed = false;
    for (int patience = 0; patience < 100 && !flushed; patience++)
        flushed = log_flush(log);
    return flushed;
}

static void logging_never_waits_for_a_reader(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < MANY; i++)
            log_number(scene.log, 0, i);
        assert_false(log_flush(scene.log));
        read_flood(&scene);
        log_event(scene.log, LOG_LEVEL_INFO, "after", "%s", "");
        assert_true(read_line(&scene));
        assert_string_equal(text(&scene, "event"), "after");
    }
    assert_true(is_flushed(scene.log));
    end(&scene);
}

static void an_end_does_not_wait_for_a_reader_and_tears_no_line(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    for (unsigned i = 0; i < MANY; i++)
        log_number(scene.log, 0, i);
    log_free(scene.log);
    /* The pipe holds complete lines. The rest is written by the abandoned thread once the pipe is read. */
    read_flood(&scene);
    fclose(scene.reader); /* the other end stays open, because that thread may still use it */
    cJSON_Delete(scene.json);
}

static void a_flush_waits_for_a_writer_that_has_not_run_yet(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    hold_writer(true);
    log_number(scene.log, 0, 7);
    bool flushed = log_flush(scene.log);
    hold_writer(false);
    assert_true(flushed);
    assert_true(read_line(&scene));
    assert_int_equal((unsigned)number(&scene, "status"), 7);
    end(&scene);
}

static void a_descriptor_that_does_not_block_loses_nothing(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, O_NONBLOCK);
    for (unsigned i = 0; i < 500; i++)
        log_number(scene.log, 0, i);
    for (unsigned i = 0; i < 500; i++) {
        assert_true(read_line(&scene));
        assert_int_equal((unsigned)number(&scene, "status"), i);
    }
    end(&scene);
}

static void a_full_disk_loses_no_line_for_which_the_ring_has_space(void **state) {
    enum { LINES = 50 };
    static const int errors[] = {ENOSPC, EFBIG, EIO};
    (void)state;
    for (size_t space = 0; space < 400; space += 13) { /* the space ends in the middle of a line or between two lines */
        struct scene scene;
        begin(&scene, LOG_LEVEL_INFO, 0);
        assert_true(fcntl(scene.ends[1], F_SETPIPE_SZ, 65536) > 0); /* enough for all lines */
        assert_int_equal(fcntl(scene.ends[0], F_SETFL, O_NONBLOCK), 0);
        set_space(space, errors[space % 3]);
        for (unsigned i = 0; i < LINES / 2; i++)
            log_number(scene.log, 0, i);
        assert_false(log_flush(scene.log));
        assert_false(log_flush(scene.log));
        for (unsigned i = LINES / 2; i < LINES; i++)
            log_number(scene.log, 0, i);
        set_space(SIZE_MAX, 0);
        assert_true(is_flushed(scene.log));
        for (unsigned i = 0; i < LINES; i++) {
            assert_true(read_line(&scene));
            assert_int_equal((unsigned)number(&scene, "status"), i);
        }
        assert_int_equal(log_dropped(scene.log), 0);
        end(&scene);
    }
}

static void lines_that_a_full_disk_loses_are_counted_and_the_log_says_so_later(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    set_space(1000, ENOSPC);
    for (unsigned i = 0; i < MANY; i++)
        log_number(scene.log, 0, i);
    assert_false(log_flush(scene.log));
    uint64_t dropped = log_dropped(scene.log);
    assert_true(dropped > MANY / 2 && dropped < MANY);
    set_space(SIZE_MAX, 0);
    assert_false(log_flush(scene.log)); /* the pipe is full */
    read_flood(&scene);
    assert_int_equal((unsigned)number(&scene, "count"), dropped);
    assert_true(is_flushed(scene.log));
    end(&scene);
}

static void a_log_on_a_full_disk_ends(void **state) {
    (void)state;
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_true(full >= 0);
    struct log *log = log_new(LOG_LEVEL_INFO, full);
    for (unsigned i = 0; i < MANY; i++)
        log_number(log, 0, i);
    assert_false(log_flush(log));
    assert_true(log_dropped(log) > 0);
    log_free(log);
    close(full);
}

static void a_pipe_without_a_reader_delays_nobody_and_loses_no_count(void **state) {
    struct scene scene;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    cJSON_Delete(scene.json);
    fclose(scene.reader);
    for (unsigned i = 0; i < MANY; i++)
        log_number(scene.log, 0, i);
    assert_false(log_flush(scene.log));
    assert_true(log_dropped(scene.log) > 0);
    log_free(scene.log);
    close(scene.ends[1]);
    struct log *nowhere = log_new(LOG_LEVEL_INFO, -1);
    log_number(nowhere, 0, 1);
    assert_false(log_flush(nowhere));
    log_free(nowhere);
    log_free(NULL);
}

/* One of several threads that log at the same time. */
struct logger {
    struct log *log;
    int name;
    pthread_t thread;
};

static void *log_many(void *cls) {
    const struct logger *logger = cls;
    for (unsigned i = 0; i < MANY; i++)
        log_number(logger->log, logger->name, i);
    return NULL;
}

static void lines_of_several_threads_are_whole_and_all_are_accounted_for(void **state) {
    struct scene scene;
    struct logger loggers[THREADS];
    unsigned next[THREADS] = {0}, seen = 0, dropped = 0;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    for (int t = 0; t < THREADS; t++) {
        loggers[t] = (struct logger){.log = scene.log, .name = t};
        assert_int_equal(pthread_create(&loggers[t].thread, NULL, log_many, &loggers[t]), 0);
    }
    while (seen + dropped < MANY * THREADS && read_line(&scene)) {
        if (strcmp(text(&scene, "event"), "request") != 0) {
            dropped += (unsigned)number(&scene, "count");
            continue;
        }
        unsigned i = (unsigned)number(&scene, "status"), t = (unsigned)atoi(text(&scene, "request_id"));
        assert_true(t < THREADS && i >= next[t]);
        next[t] = i + 1;
        seen++;
    }
    assert_int_equal(seen + dropped, MANY * THREADS);
    for (int t = 0; t < THREADS; t++)
        pthread_join(loggers[t].thread, NULL);
    end(&scene);
}

static void an_event_can_be_held_down_to_one_line_a_second(void **state) {
    struct scene scene;
    unsigned others = 0, calls = 0;
    (void)state;
    begin(&scene, LOG_LEVEL_INFO, 0);
    log_limited(scene.log, LOG_LEVEL_WARN, 1, "first", "\"a\":%d", 1);
    log_limited(scene.log, LOG_LEVEL_WARN, 2, "other", "%s", "");
    assert_true(read_line(&scene));
    assert_string_equal(after_time(&scene), "\"level\":\"warn\",\"event\":\"first\",\"a\":1,\"suppressed\":0}\n");
    assert_true(read_line(&scene));
    assert_string_equal(text(&scene, "event"), "other");
    /* Repeat the event until it is written again. */
    assert_int_equal(fcntl(scene.ends[0], F_SETFL, O_NONBLOCK), 0);
    do {
        log_limited(scene.log, LOG_LEVEL_WARN, 1, "first", "%s", "");
        calls++;
        clearerr(scene.reader);
    } while (!read_line(&scene));
    assert_int_equal(fcntl(scene.ends[0], F_SETFL, 0), 0);
    assert_string_equal(text(&scene, "event"), "first");
    others = (unsigned)number(&scene, "suppressed");
    assert_true(others > 0 && others < calls);
    end(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_is_written_as_far_as_it_is_wanted),
        cmocka_unit_test(a_line_has_the_members_that_are_put_into_it),
        cmocka_unit_test(texts_of_any_length_and_bytes_make_whole_lines),
        cmocka_unit_test(logging_never_waits_for_a_reader),
        cmocka_unit_test(an_end_does_not_wait_for_a_reader_and_tears_no_line),
        cmocka_unit_test(a_flush_waits_for_a_writer_that_has_not_run_yet),
        cmocka_unit_test(a_descriptor_that_does_not_block_loses_nothing),
        cmocka_unit_test(a_full_disk_loses_no_line_for_which_the_ring_has_space),
        cmocka_unit_test(lines_that_a_full_disk_loses_are_counted_and_the_log_says_so_later),
        cmocka_unit_test(a_log_on_a_full_disk_ends),
        cmocka_unit_test(a_pipe_without_a_reader_delays_nobody_and_loses_no_count),
        cmocka_unit_test(lines_of_several_threads_are_whole_and_all_are_accounted_for),
        cmocka_unit_test(an_event_can_be_held_down_to_one_line_a_second),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
