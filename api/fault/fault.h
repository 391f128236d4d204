/* Faults: the places in a request at which something is wrong, each with a code and a sentence.
 *
 * A list stores the first FAULTS_LISTED faults, and counts all. Faults are plain text here; the form of a fault in an
 * answer is chosen where the answer is written. */
#pragma once

#include "base/buffer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of faults. */
enum fault_code {
    FAULT_SYNTAX,
    FAULT_TYPE,
    FAULT_MISSING,
    FAULT_UNKNOWN_MEMBER,
    FAULT_DUPLICATE_MEMBER,
    FAULT_RANGE,
    FAULT_VALUE,
    FAULT_LENGTH,
    FAULT_COUNT,
    FAULT_CONFLICT,
    FAULT_LIBERTY,
    FAULT_CODES,
};

/* The codes in answers. */
extern const char *const fault_code_names[FAULT_CODES];

/* A place in a JSON body, from the inside out: a chain of structs on the stack. The body itself has no parent. */
struct place {
    const struct place *parent;
    const char *member; /* the name of a member; NULL: an element of an array, ... */
    size_t index;       /* ... with this index */
};

/* A cell, point or square of a board, from 0 at the top left. */
struct fault_cell {
    unsigned row, col;
};

enum { FAULTS_LISTED = 20 };

/* The faults of one case, or of the part of a request outside of cases. The caller holds the struct (fault_list_init /
 * fault_list_clear). A list belongs to one thread at a time. */
struct fault_list {
    struct buffer bytes;   /* the stored faults; read them with fault_list_next */
    size_t count;          /* the number of all */
    const char *parameter; /* the parameter of the query that all of them are in; NULL: they are in the body */
    size_t line;           /* the line of the body that all of them are in; 0: each has its own */
};

/* A stored fault. Its strings are terminated, and live in the list until that is cleared or changed. */
struct fault {
    enum fault_code code;
    const char *id;         /* the id of the case, in JSON; NULL: none */
    const char *parameter;  /* of the query; NULL: none */
    const char *pointer;    /* JSON Pointer (RFC 6901); NULL: none */
    size_t line, column;    /* from 1, the column in bytes; 0: none. There may be a line without a column */
    const char *detail;     /* one sentence without a full stop: what is wrong, and what would be right */
    bool has_cell;          /* it is about exactly one cell of the board, ... */
    struct fault_cell cell; /* ... this one */
};

/* Start empty. The stored faults draw their memory from `account`, which may be NULL. */
void fault_list_init(struct fault_list *faults, struct account *account);

/* Append all faults of another list. */
void fault_list_append(struct fault_list *faults, const struct fault_list *others);

/* Give all faults the id of their case, a value in JSON. None of them may have one yet. */
void fault_list_add_id(struct fault_list *faults, const char *id);

/* Extend the sentence of the fault that was added last, if it was stored. */
void fault_list_add_advice(struct fault_list *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Give the fault that was added last the one cell that it is about, which must be on the board. Nothing happens if it
 * was not stored. */
void fault_list_add_cell(struct fault_list *faults, struct fault_cell cell);

/* Remove all faults, and free their memory. `parameter` and `line` stay. */
void fault_list_clear(struct fault_list *faults);

/* Read the stored faults in order: *at is 0 at first. False, and nothing is written, after the last. */
bool fault_list_next(const struct fault_list *faults, size_t *at, struct fault *ret_fault);

/* Was there memory for all faults that had to be stored? */
bool fault_list_is_whole(const struct fault_list *faults);

/* Add a fault at a place of a JSON body. The format gives the detail: one sentence without a full stop. */
void fault_at(struct fault_list *faults, const struct place *place, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A place in a text, from 1; the column in bytes. A line ends with LF, CRLF or CR. */
struct fault_line {
    size_t line, column;
};

/* Find the place of text[offset] when `from` is that of text[0]. */
struct fault_line fault_find_line(const char *text, size_t offset, struct fault_line from);

/* Add a fault at a byte of a text. Line and column are counted from the beginning of the text. */
void fault_in_text(struct fault_list *faults, const char *text, size_t offset, enum fault_code code, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));

/* Add a fault at a line and a column, both from 1: of the body, or of the text that is the member of a JSON body at
 * `place`, which is NULL otherwise. */
void fault_in_line(struct fault_list *faults, const struct place *place, size_t line, size_t column,
                   enum fault_code code, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Add a fault of a parameter of the query. The name has `length` bytes. */
void fault_in_query(struct fault_list *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Input as a detail quotes it: at most FAULT_QUOTED characters, then dots. A character that a reader would not see, or
 * take for another, is named: <U+041E>; a byte that is not part of UTF-8, too: <byte FF>. Terminated. */
enum { FAULT_QUOTED = 40 };
struct fault_quote {
    char text[FAULT_QUOTED * 10 + 4];
};

/* Quote `length` bytes. */
struct fault_quote fault_quote(const char *input, size_t length);

/* Quote a terminated string. */
struct fault_quote fault_quote_string(const char *string);

/* Quote the first character only. `length` > 0. */
struct fault_quote fault_quote_character(const char *input, size_t length);

/* Words in a sentence: "a", "b" or "c". */
struct fault_words {
    char text[256];
};

/* List words in quotes, NULL after the last, with a conjunction before the last. */
struct fault_words fault_list_words(const char *const *words, const char *conjunction);

/* Get the ending of a noun after this number. */
static inline const char *fault_plural(uint64_t count) { return count == 1 ? "" : "s"; }
