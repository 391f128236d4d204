/* What all fuzz targets do with an input: ask, and look whether the answer can be one.
 *
 * There are two services, whose limits keep a request short: a roomy one that has answers for most small cases, and a
 * tight one, of which nearly every case passes some limit. Memory is never short, so that 500 and 503 are faults of
 * ours. What must hold and does not ends the process with a sentence on standard error, where a fuzzer finds it. */
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

/* A request. Of `type` and `accept` each may be NULL: there is no such header. */
struct asked {
    const char *method, *target, *type, *accept;
    const char *body; /* `length` bytes; not changed */
    size_t length;
    bool tight;        /* it goes to the tight service */
    size_t first_line; /* 0, or the line of a whole at which these lines begin (api/request/admit.h) */
};

/* The answer when it is done in one go, one case after the other. It was looked at; response_clear frees it. */
struct response ask(const struct asked *asked);

/* The answer when it is done as threads do it, in an order that the seed chooses: cases taken by several hands, work
 * and rooms that give out, lanes, lines read in pieces. It was looked at. */
struct response ask_in_turns(const struct asked *asked, uint64_t seed);

/* The answer in one go, which was found to be the same in turns. It was looked at; response_clear frees it. */
struct response ask_both_ways(const struct asked *asked, uint64_t seed);

/* Leave a request in the middle. */
void ask_and_leave(const struct asked *asked, uint64_t seed);

/* The same for any head, of which `tight` is false. */
struct response ask_head(const struct request_head *head, const char *body, size_t length);
struct response ask_head_both_ways(const struct request_head *head, const char *body, size_t length, uint64_t seed);

/* Two answers are the same: status, headers, bytes. */
void ask_insist_same(const struct response *one, const struct response *other);

/* It is a good answer, and has these bytes. */
void ask_insist_bytes(const struct response *response, const char *bytes, size_t length);

/* Is it a good answer? One that says that it would be too large, by its bytes or by its values? */
bool ask_is_good(const struct response *response);
bool ask_is_too_large(const struct response *response);

/* Does the body of an answer have these bytes? */
bool ask_has(const struct response *response, const char *bytes);

/* The value of an answer's header; NULL: it has none. */
const char *ask_header(const struct response *response, const char *name);

/* All answers of this input are cleared: nothing may be left in the account. */
void ask_end(void);

/* What an input has for a seed: a hash of its bytes. */
uint64_t ask_seed(const uint8_t *data, size_t size);

/* The names of the games, and of the formats of answers: JSON, text, lines, SVG. */
enum { ASK_GAMES = 3, ASK_ACCEPTS = 4 };
extern const char *const ask_targets[ASK_GAMES], *const ask_accepts[ASK_ACCEPTS];

#define ASK_JSON "application/json"
#define ASK_TEXT "text/plain"
#define ASK_LINES "application/x-ndjson"
#define ASK_SGF "application/x-go-sgf"

/* Which of so many choices a letter stands for, from 'a' on; any byte stands for one. */
unsigned ask_choice(uint8_t letter, unsigned choices);

/* A request of which the first byte of the input chooses the game, the answer's format and the service, one letter for
 * each choice from 'a' on; what follows is the body. `size` is at least 1. */
struct asked ask_by_letter(const char *type, const uint8_t *data, size_t size);
