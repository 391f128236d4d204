/* Reading SGF records in tests: one reading, as text, and what holds of every reading. */
#pragma once

#include "api/go/sgf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading of a record. */
struct reading {
    enum work_outcome outcome;
    bool good;
    struct go_case the_case;
    struct sgf_fault fault;
    uint64_t games;
    size_t variations;
    uint64_t units;  /* of work */
    char text[8192]; /* the case as "SIZE MOVES /SETUP": see describe */
};

enum { PLENTY = 1 << 30, MOST_MOVES = 100000 };

/* "9 Bc0 W- /B..,...,..." : size, moves as colour, column, row (or a dash), and the set-up's rows; changes of the board
 * stand between the moves. As much as fits. */
void describe(const struct go_case *c, char *text, size_t room);

/* Read game `number` of a record, as a request would. */
void read_game(const struct sgf_record *record, uint64_t number, uint64_t most_moves, struct arena *arena,
               struct work *work, struct reading *r);

/* Read a copy that ends where its block ends, so that a byte too far is seen by AddressSanitizer. */
struct reading read_with(const char *sgf, size_t length, uint64_t most_moves, size_t cap, uint64_t units);

struct reading read_bytes(const char *sgf, size_t length);

/* A record, and what it is read as. */
struct good {
    const char *sgf, *text;
};

void assert_reads(const char *sgf, size_t length, const char *text);

void assert_all_read(const struct good *records, size_t count);

/* A literal with zero bytes in it. */
#define READS_BYTES(literal, text) assert_reads(literal, sizeof literal - 1, text)

#define ALL_READ(...)                                                                                                  \
    do {                                                                                                               \
        static const struct good records[] = {__VA_ARGS__};                                                            \
        assert_all_read(records, sizeof records / sizeof *records);                                                    \
    } while (0)

/* A record with its fault, whose place a tilde marks (the tilde is taken out before). */
struct bad {
    const char *sgf;
    enum fault_code code;
    const char *detail; /* NULL: any */
};

void assert_all_refused(const struct bad *records, size_t count);

#define ALL_REFUSED(...)                                                                                               \
    do {                                                                                                               \
        static const struct bad records[] = {__VA_ARGS__};                                                             \
        assert_all_refused(records, sizeof records / sizeof *records);                                                 \
    } while (0)

/* A fixed sequence of numbers (xorshift). */
uint32_t draw(uint64_t *seed, uint32_t below);
