/* A build tool: embed NAME INPUT OUTPUT writes a C file with the bytes of INPUT as `NAME` and their count as
 * `NAME_size`, and the same in gzip, packed as small as can be, as `NAME_gz` and `NAME_gz_size`. The same input gives
 * the same output with one zlib. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/* All of a file; NULL when it cannot be read. */
static unsigned char *read_all(FILE *in, size_t *ret_size) {
    unsigned char *bytes = NULL;
    size_t size = 0, room = 0, got;
    do {
        if (size == room) {
            room = 2 * room + 4096;
            unsigned char *more = realloc(bytes, room);
            if (more == NULL)
                break;
            bytes = more;
        }
        size += got = fread(bytes + size, 1, room - size, in);
    } while (got != 0);
    *ret_size = size;
    if (!ferror(in) && feof(in))
        return bytes;
    free(bytes);
    return NULL;
}

/* NULL when memory is exhausted. */
static unsigned char *pack(const unsigned char *bytes, size_t size, size_t *ret_size) {
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t room = deflateBound(&stream, size);
    unsigned char *packed = malloc(room);
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (unsigned)size;
    stream.next_out = packed;
    stream.avail_out = (unsigned)room;
    if (packed != NULL && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        free(packed);
        packed = NULL;
    }
    *ret_size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static void write_array(FILE *out, const char *name, const char *suffix, const unsigned char *bytes, size_t size) {
    fprintf(out, "extern const char %s%s[];\nextern const size_t %s%s_size;\nconst char %s%s[] = {", name, suffix, name,
            suffix, name, suffix);
    for (size_t i = 0; i < size; i++)
        /* Whether char has a sign is the processor's choice. */
        fprintf(out, bytes[i] < 128 ? "%s%d," : "%s(char)%d,", i % 24 == 0 ? "\n" : "", bytes[i]);
    fprintf(out, "0};\nconst size_t %s%s_size = %zu;\n", name, suffix, size);
}

int main(int count, char **arguments) {
    if (count != 4)
        return 2;
    FILE *in = fopen(arguments[2], "rb"), *out = fopen(arguments[3], "wb");
    if (in == NULL || out == NULL) {
        perror(in == NULL ? arguments[2] : arguments[3]);
        return 1;
    }
    size_t size, packed_size;
    unsigned char *bytes = read_all(in, &size), *packed = bytes != NULL ? pack(bytes, size, &packed_size) : NULL;
    fclose(in);
    if (packed == NULL) {
        fprintf(stderr, "%s cannot be read or packed\n", arguments[2]);
        return 1;
    }
    fputs("#include <stddef.h>\n", out);
    write_array(out, arguments[1], "", bytes, size);
    write_array(out, arguments[1], "_gz", packed, packed_size);
    free(packed);
    free(bytes);
    return fclose(out) == 0 ? 0 : 1;
}
