/* Compression with gzip (RFC 1952), as used in Content-Encoding. */
#pragma once

#include "base/buffer.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef ARBITER_WITHOUT_ZLIB
enum { PACK_MIN = 1024 /* bytes: shorter answers fit into one packet anyway */ };
#else
enum { PACK_MIN = INT_MAX }; /* the WebAssembly module compresses nothing */
#endif

/* Append `length` bytes compressed with gzip, at a fast level: 10 us for 1 KiB, 30 to 150 us for 16 KiB, 3 to 9 ms for
 * 1 MB. The result is a quarter to a third as long. It depends only on the bytes and the version of zlib, because it
 * contains no time and no name. Incompressible data grows by about 20 bytes, and always by less than 1 byte in 400.
 *
 * Uses 54 KiB of memory, or 262 KiB for more than 16 KiB of data. This is not charged to an account, because each
 * thread packs one answer at a time. If memory or the limit of `out` is exhausted, returns false and leaves the length
 * of `out` unchanged. Can be called from any thread. */
#ifndef ARBITER_WITHOUT_ZLIB
bool pack_gzip(const char *bytes, size_t length, struct buffer *out);
#else
static inline bool pack_gzip(const char *bytes, size_t length, struct buffer *out) {
    return (void)bytes, (void)length, (void)out, false;
}
#endif
