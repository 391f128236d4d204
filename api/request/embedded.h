/* The files that are built into the program, in the form in which they are served. tools/embed.c generates the table
 * from the lists in the meson.build files of api/request, web and web/docs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct embedded_form {
    const char *bytes;
    size_t length;
    uint64_t hash; /* the hash of the bytes (base/hash.h); computed during the build, because hashing 2 MB would take a
                    * few milliseconds at each start */
};

/* A file. All pointers live as long as the program. */
struct embedded {
    const char *path; /* the path in its URL: "/openapi.yaml", "/web/page/main.js" */
    const char *content_type;
    struct embedded_form plain, packed; /* packed: compressed with gzip */
};

extern const struct embedded embedded_files[];
extern const size_t embedded_count;
