/* The files that are built into the program, as they are served. tools/embed.c makes the table from the lists in
 * meson.build of api/request, web and web/docs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct embedded_form {
    const char *bytes;
    size_t length;
    uint64_t hash; /* of the bytes (base/hash.h); the build computes it, because for 2 MB it would take some
                    * milliseconds at each start */
};

/* A file. All pointers live as long as the program. */
struct embedded {
    const char *path; /* the path of its URL: "/openapi.yaml", "/web/page/main.js" */
    const char *content_type;
    struct embedded_form plain, packed; /* packed: in gzip */
};

extern const struct embedded embedded_files[];
extern const size_t embedded_count;
