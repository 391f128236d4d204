/* The functions that the WebAssembly module exports (script/wasm): requests and answers as bytes, as in HTTP.
 *
 *     module_new                an instance, with all limits at their defaults
 *     module_set_limit          changes a limit; before module_start
 *     module_start
 *     module_ask                takes a request: a head and a body
 *     module_step, module_read  as in local.h
 *     module_free               ends a request, whether or not it is answered
 *
 * A host allocates the head and the body with malloc, which the module also exports. Several requests can be in
 * progress at once. A call cannot be interrupted; to cancel a long case, the host drops the whole module.
 *
 * Lines end in a line feed. The head of a request is a line "METHOD TARGET" followed by one line "NAME: VALUE" for each
 * header, and the head of an answer is a line with the status, the lines of its headers, and an empty line. After that
 * comes the body. */
#pragma once

#include "api/local/local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct module;
struct module_request;

/* Create an instance. `hash_seed` should be random. Returns NULL when out of memory. An instance is never freed. */
struct module *module_new(uint64_t hash_seed);

/* Set a limit by its name, as in GET /limits. Returns false if there is none with this name, or if the value is not in
 * its range. */
bool module_set_limit(struct module *module, const char *name, uint64_t value);

/* Call it once, before the first request. Returns false when out of memory. */
bool module_start(struct module *module);

/* Begin a request. Takes ownership of `head`, which is terminated by a NUL, and of `body`, which may be NULL if
 * `length` is 0. Returns NULL, with both freed, when out of memory, or if the head has more than MODULE_HEADERS. */
struct module_request *module_ask(struct module *module, char *head, char *body, size_t length);
enum { MODULE_HEADERS = 32 };

/* Work on a request, for about 10 ms or, with a long case, longer. */
enum local_state module_step(struct module_request *request);

/* Copy the next bytes of the answer. Returns the number of bytes copied; 0 if none are ready. Once module_step has
 * returned LOCAL_DONE, a result below `size` means that this was all. */
size_t module_read(struct module_request *request, char *ret_bytes, size_t size);

/* Free a request. */
void module_free(struct module_request *request);
