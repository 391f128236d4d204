/* A build tool. `embed OUTPUT [PATH FILE]...` writes a C file with the table of the built-in files
 * (api/request/embedded.h). Each pair becomes a row: the path at which it is served, the content type according to the
 * file's extension, and its bytes, plain and compressed with gzip at the best level. The same files and the same zlib
 * produce the same output.
 *
 * web/ and web/docs/ list their files in meson.build. The route table (api/request/routes.c) has a row for each of
 * these folders, with the content security policy of its pages. Pages with a policy are meant for browsers, which
 * revalidate them each time by their ETag, so that a new page never runs with an old module. */
#include "base/hash.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const struct {
    const char *ending, *content_type;
} types[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".png", "image/png"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".ts", "text/plain; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".yaml", "application/yaml"},
};

/* Get the content type of a file. Returns NULL for an unknown extension. */
static const char *type_of(const char *file) {
    const char *ending = strrchr(file, '.');
    for (size_t t = 0; ending != NULL && t < sizeof types / sizeof *types; t++)
        if (strcmp(ending, types[t].ending) == 0)
            return types[t].content_type;
    return NULL;
}

/* Read a whole file into a block. Returns NULL if it cannot be read. */
static unsigned char *read_all(const char *file, size_t *ret_size) {
    FILE *in = fopen(file, "rb");
    unsigned char *bytes = NULL;
    size_t size = 0, capacity = 0, got;
    if (in == NULL)
        return NULL;
    do {
        if (size == capacity) {
            capacity = 2 * capacity + 4096;
            unsigned char *more = realloc(bytes, capacity);
            if (more == NULL)
                break;
            bytes = more;
        }
        size += got = fread(bytes + size, 1, capacity - size, in);
    } while (got != 0);
    bool good = !ferror(in) && feof(in);
    fclose(in);
    *ret_size = size;
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}

/* Compress bytes. Returns NULL when out of memory. */
static unsigned char *pack(const unsigned char *bytes, size_t size, size_t *ret_size) {
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t capacity = deflateBound(&stream, size);
    unsigned char *packed = malloc(capacity);
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (unsigned)size;
    stream.next_out = packed;
    stream.avail_out = (unsigned)capacity;
    if (packed != NULL && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(packed);
        packed = NULL;
    }
    *ret_size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

/* Write the bytes as a string, which compilers read thirty times faster than a list of numbers. Everything except plain
 * characters is written in octal, always with three digits; so is '?', because of trigraphs. */
static void write_form(FILE *out, const unsigned char *bytes, size_t size) {
    fputs("     {\"", out);
    for (size_t i = 0; i < size; i++) {
        if (i % 100 == 99)
            fputs("\"\n      \"", out);
        if (bytes[i] < ' ' || bytes[i] > '~' || strchr("\"\\?", bytes[i]) != NULL)
            fprintf(out, "\\%03o", bytes[i]);
        else
            fputc(bytes[i], out);
    }
    unsigned long long hash = hash_bytes(HASH_OF_NOTHING, bytes, size);
    fprintf(out, "\",\n      %zu, 0x%llxu},\n", size, hash);
}

/* Write the row of a file. Prints a message on standard error and returns false if that fails. */
static bool write_row(FILE *out, const char *path, const char *file) {
    const char *type = type_of(file);
    if (type == NULL) {
        fprintf(stderr, "%s: unknown file extension; add its content type to tools/embed.c\n", file);
        return false;
    }
    size_t size, packed_size;
    unsigned char *bytes = read_all(file, &size), *packed = bytes != NULL ? pack(bytes, size, &packed_size) : NULL;
    if (packed != NULL) {
        fprintf(out, "    {\"%s\", \"%s\",\n", path, type);
        write_form(out, bytes, size);
        write_form(out, packed, packed_size);
        fputs("    },\n", out);
    } else {
        fprintf(stderr, "%s: cannot read or compress this file\n", file);
    }
    free(packed);
    free(bytes);
    return packed != NULL;
}

int main(int count, char **arguments) {
    if (count < 4 || count % 2 != 0)
        return 2;
    FILE *out = fopen(arguments[1], "wb");
    if (out == NULL) {
        perror(arguments[1]);
        return 1;
    }
    bool good = true;
    fputs("#include \"api/request/embedded.h\"\n\nconst struct embedded embedded_files[] = {\n", out);
    for (int a = 2; good && a < count; a += 2)
        good = write_row(out, arguments[a], arguments[a + 1]);
    fputs("};\nconst size_t embedded_count = sizeof embedded_files / sizeof *embedded_files;\n", out);
    good &= ferror(out) == 0;
    return fclose(out) == 0 && good ? 0 : 1;
}
