/* A whole request as text: METHOD TARGET VERSION, then headers, one per line, an empty line, and the body.
 *
 *     POST /go?ko=none HTTP/1.1
 *     Content-Type: application/x-go-sgf
 *
 *     (;SZ[3];B[aa])
 *
 * A header line without a colon has no value. The answer must be the same from one thread and from workers taking
 * turns, and a compressed answer must be the same as the uncompressed one. */
#include "fuzz/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

enum { MAX_HEADERS = 40 };

/* A request whose parts point into the text that was split. */
struct cut {
    struct request_head head;
    struct header headers[MAX_HEADERS];
    const char *body;
    size_t length;
};

/* Terminate the string at `text` before the next stop character. Returns what follows it. */
static char *cut_at(char *text, const char *stops) {
    size_t length = strcspn(text, stops);
    bool ended = text[length] == 0;
    text[length] = 0;
    return text + length + !ended;
}

/* Split `size` bytes, which are followed by a NUL. */
static void cut(char *text, size_t size, struct cut *ret_cut) {
    char *end = text + size, *at = cut_at(text, "\n"), *target = cut_at(text, " "), *version = cut_at(target, " ");
    *ret_cut = (struct cut){.head = {text, target, version, ret_cut->headers, 0}};
    while (at < end && *at != '\n' && ret_cut->head.header_count < MAX_HEADERS) {
        char *next = cut_at(at, "\n"), *value = memchr(at, ':', (size_t)(next - at));
        if (value != NULL) {
            *value++ = 0;
            value += strspn(value, " \t");
        }
        ret_cut->headers[ret_cut->head.header_count++] = (struct header){at, value};
        at = next;
    }
    ret_cut->body = at < end ? at + 1 : end;
    ret_cut->length = (size_t)(end - ret_cut->body);
}

/* Check that a compressed answer decompresses to the answer for a client that does not accept gzip. */
static void insist_same_plain(const struct cut *cut, const struct response *packed) {
    struct request_head plain = cut->head;
    struct header headers[MAX_HEADERS];
    plain.headers = headers;
    plain.header_count = 0;
    for (size_t h = 0; h < cut->head.header_count; h++)
        if (strcasecmp(cut->headers[h].name, "accept-encoding") != 0)
            headers[plain.header_count++] = cut->headers[h];
    struct response response = ask_head(&plain, cut->body, cut->length);
    unsigned char *bytes = malloc(response.length + 1);
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed->body,
                       .avail_in = (unsigned)packed->length,
                       .next_out = bytes,
                       .avail_out = (unsigned)response.length + 1};
    INSIST(bytes != NULL && inflateInit2(&stream, 15 + 16) == Z_OK);
    INSIST(inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0);
    INSIST(stream.total_out == response.length && memcmp(bytes, response.body, response.length) == 0);
    inflateEnd(&stream);
    free(bytes);
    response_clear(&response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cut parts;
    char *text = malloc(size + 1);
    INSIST(text != NULL);
    if (size != 0)
        memcpy(text, data, size);
    text[size] = 0;
    cut(text, size, &parts);
    struct response response = ask_head_both_ways(&parts.head, parts.body, parts.length, ask_seed(data, size));
    if (ask_header(&response, "Content-Encoding") != NULL && response.status != 304)
        insist_same_plain(&parts, &response);
    response_clear(&response);
    free(text);
    ask_end();
    return 0;
}
