/* Shared by all fuzz targets: sends a request, and checks that the answer is plausible.
 *
 * There are two services, whose limits keep requests short: one that answers most small cases, and a tight one, whose
 * limits nearly every case exceeds. Memory never runs out, so 500 and 503 are bugs. A violated condition ends the
 * process with a message on standard error, where a fuzzer finds it. */
#pragma once

#include "api/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fuzz target, called by libFuzzer and by replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process unless the condition holds. */
#define INSIST(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ask_fail(__FILE__, __LINE__, #condition);                                                                  \
    } while (0)
_Noreturn void ask_fail(const char *file, int line, const char *sentence);

/* A request. If `type` or `accept` is NULL, the header is not sent. */
struct asked {
    const char *method, *target, *type, *accept;
    const char *body; /* `length` bytes; not changed */
    size_t length;
    bool tight;        /* sent to the tight service */
    size_t first_line; /* 0, or the line where this part of a longer body begins (api/request/admit.h) */
};

/* Get the answer from a single thread that processes one case after another, and check it. Clear the answer with
 * response_clear. */
struct response ask(const struct asked *asked);

/* Get the answer from several workers that take turns in an order determined by the seed, and check it. Budgets and
 * workspaces run out, both lanes are used, and lines are read in pieces. */
struct response ask_in_turns(const struct asked *asked, uint64_t seed);

/* Get the answer from a single thread, and check that workers taking turns give the same one. Clear it with
 * response_clear. */
struct response ask_both_ways(const struct asked *asked, uint64_t seed);

/* Send a request, and abandon it partway through. */
void ask_and_leave(const struct asked *asked, uint64_t seed);

/* Get the answer to a request with any head, from the service that is not tight, and check it. */
struct response ask_head(const struct request_head *head, const char *body, size_t length);
struct response ask_head_both_ways(const struct request_head *head, const char *body, size_t length, uint64_t seed);

/* Check that two answers are the same: status, headers and body. */
void ask_insist_same(const struct response *one, const struct response *other);

/* Check that the status of an answer is 200, and that its body is these bytes. */
void ask_insist_bytes(const struct response *response, const char *bytes, size_t length);

/* Is the status 200? Does the answer say that the body or the answer is too large, in bytes or in values? */
bool ask_is_good(const struct response *response);
bool ask_is_too_large(const struct response *response);

/* Does the body of an answer contain these bytes? */
bool ask_has(const struct response *response, const char *bytes);

/* Get the value of a header in the answer, or NULL. */
const char *ask_header(const struct response *response, const char *name);

/* Check that the memory account is empty. Call this after clearing all answers to an input. */
void ask_end(void);

/* Get the seed of an input: a hash of its bytes. */
uint64_t ask_seed(const uint8_t *data, size_t size);

/* The names of the games, and the media types of answers: JSON, text, lines, SVG. */
enum { ASK_GAMES = 3, ASK_ACCEPTS = 4 };
extern const char *const ask_targets[ASK_GAMES], *const ask_accepts[ASK_ACCEPTS];

#define ASK_JSON "application/json"
#define ASK_TEXT "text/plain"
#define ASK_LINES "application/x-ndjson"
#define ASK_SGF "application/x-go-sgf"

/* Get the choice that a letter stands for, where 'a' is the first one. Any byte is a valid choice. */
unsigned ask_choice(uint8_t letter, unsigned choices);

/* Make a request. The first byte of the input, a letter from 'a' on, selects the game, the format of the answer and the
 * service; the rest is the body. `size` is at least 1. */
struct asked ask_by_letter(const char *type, const uint8_t *data, size_t size);
