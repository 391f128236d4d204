/* Reads SGF records for the tests, writes the result as text, and checks the invariants of every reading. */
#pragma once

#include "api/go/sgf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of reading one game of a record. */
struct reading {
    enum outcome outcome;
    bool good;
    struct go_case the_case;
    struct sgf_fault fault;
    uint64_t games;
    size_t variations;
    uint64_t units;  /* units of work used */
    char text[8192]; /* the case, as written by describe() */
};

enum { PLENTY = 1 << 30, MAX_MOVES = 100000 };

/* Write a case as text, as much as fits into `size` bytes. For example, "9 Bc0 {Ea0-b1} W- /B..,...,..." gives the
 * size, then each move as its colour, column and row (or a dash for a pass), then the rows of the set-up board. A
 * change of the board is in braces, after the move that it follows. */
void describe(const struct go_case *c, char *text, size_t size);

/* Read game `number` (counting from 1) of a record the way a request does: first the survey, then the game. */
void read_game(const struct sgf_record *record, uint64_t number, uint64_t max_moves, struct arena *arena,
               struct work *work, struct reading *r);

/* Read the first game of a record with limits on its moves, its memory (in bytes) and its work, and check the
 * invariants of a reading. The record is copied to a block of exactly its length, so that AddressSanitizer reports
 * reads past its end. */
struct reading read_with(const char *sgf, size_t length, uint64_t max_moves, size_t cap, uint64_t units);

/* Read the first game of a record with limits that are large enough not to matter. */
struct reading read_bytes(const char *sgf, size_t length);

/* A record and the text of its first game. */
struct good {
    const char *sgf, *text;
};

/* Fails the test unless the first game of the record (or of every record) reads as this text. */
void assert_reads(const char *sgf, size_t length, const char *text);
void assert_all_read(const struct good *records, size_t count);

/* The same for a string literal that contains zero bytes. */
#define READS_BYTES(literal, text) assert_reads(literal, sizeof literal - 1, text)

#define ALL_READ(...)                                                                                                  \
    do {                                                                                                               \
        static const struct good records[] = {__VA_ARGS__};                                                            \
        assert_all_read(records, sizeof records / sizeof *records);                                                    \
    } while (0)

/* A record and its fault. A tilde marks where the fault is; it is removed before the record is read. */
struct bad {
    const char *sgf;
    enum fault_code code;
    const char *detail; /* NULL to accept any detail */
};

/* Fails the test unless every record is refused with its fault. */
void assert_all_refused(const struct bad *records, size_t count);

#define ALL_REFUSED(...)                                                                                               \
    do {                                                                                                               \
        static const struct bad records[] = {__VA_ARGS__};                                                             \
        assert_all_refused(records, sizeof records / sizeof *records);                                                 \
    } while (0)

/* Draw a number below `below` from a fixed sequence (xorshift). */
uint32_t draw(uint64_t *seed, uint32_t below);
