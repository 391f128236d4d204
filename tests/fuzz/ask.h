/* The common part of all fuzz targets: send a request, and check that the answer is possible.
 *
 * There are two services, whose limits keep a request short: one with answers for most small cases, and a tight one,
 * whose limits nearly every case exceeds. Memory is never short, so that 500 and 503 are bugs. A violated condition
 * ends the process with a sentence on standard error, where a fuzzer finds it. */
#pragma once

#include "api/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fuzz target: libFuzzer calls it, and replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process unless the condition holds. */
#define INSIST(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ask_fail(__FILE__, __LINE__, #condition);                                                                  \
    } while (0)
_Noreturn void ask_fail(const char *file, int line, const char *sentence);

/* A request. `type` and `accept` may be NULL: then there is no such header. */
struct asked {
    const char *method, *target, *type, *accept;
    const char *body; /* `length` bytes; not changed */
    size_t length;
    bool tight;        /* it goes to the tight service */
    size_t first_line; /* 0, or the line of a longer body at which these lines begin (api/request/admit.h) */
};

/* Get the answer of one thread that does one case after the other. It was checked; response_clear frees it. */
struct response ask(const struct asked *asked);

/* Get the answer of several threads, in an order that the seed chooses: cases are taken by several workers, budgets and
 * workspaces are exhausted, both lanes are used, and lines are read in pieces. It was checked. */
struct response ask_in_turns(const struct asked *asked, uint64_t seed);

/* Get the answer of one thread, which was the same in turns. It was checked; response_clear frees it. */
struct response ask_both_ways(const struct asked *asked, uint64_t seed);

/* Abandon a request in the middle. */
void ask_and_leave(const struct asked *asked, uint64_t seed);

/* The same for any head, with `tight` false. */
struct response ask_head(const struct request_head *head, const char *body, size_t length);
struct response ask_head_both_ways(const struct request_head *head, const char *body, size_t length, uint64_t seed);

/* Check that two answers are the same: status, headers, bytes. */
void ask_insist_same(const struct response *one, const struct response *other);

/* Check that an answer is 200, and has these bytes. */
void ask_insist_bytes(const struct response *response, const char *bytes, size_t length);

/* Is the status 200? Does the answer say that it would be too large, in bytes or in values? */
bool ask_is_good(const struct response *response);
bool ask_is_too_large(const struct response *response);

/* Does the body of an answer have these bytes? */
bool ask_has(const struct response *response, const char *bytes);

/* Get the value of an answer's header; NULL: it has none. */
const char *ask_header(const struct response *response, const char *name);

/* All answers of this input are cleared: check that the account is empty. */
void ask_end(void);

/* Get the seed of an input: a hash of its bytes. */
uint64_t ask_seed(const uint8_t *data, size_t size);

/* The names of the games, and of the formats of answers: JSON, text, lines, SVG. */
enum { ASK_GAMES = 3, ASK_ACCEPTS = 4 };
extern const char *const ask_targets[ASK_GAMES], *const ask_accepts[ASK_ACCEPTS];

#define ASK_JSON "application/json"
#define ASK_TEXT "text/plain"
#define ASK_LINES "application/x-ndjson"
#define ASK_SGF "application/x-go-sgf"

/* Get the choice of a letter, from 'a' on; any byte is a choice. */
unsigned ask_choice(uint8_t letter, unsigned choices);

/* Make a request. The first byte of the input chooses the game, the answer's format and the service, one letter for
 * each choice from 'a' on; the rest is the body. `size` is at least 1. */
struct asked ask_by_letter(const char *type, const uint8_t *data, size_t size);
