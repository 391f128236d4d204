/* The files that are built into the program, as they are served. The table is made by tools/embed.c from the lists in
 * meson.build. */
#pragma once

#include <stddef.h>

/* Strings live as long as the program. */
struct embedded {
    const char *path; /* of the request: "/openapi.yaml", "/web/page/main.js" */
    const char *content_type;
    const char *bytes;
    size_t length;
    const char *packed; /* the same in gzip */
    size_t packed_length;
};

extern const struct embedded embedded_files[];
extern const size_t embedded_count;
