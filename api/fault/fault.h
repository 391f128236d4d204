/* Faults: the places in a request where something is wrong, each with a code and a sentence.
 *
 * A list stores the first FAULTS_LISTED faults, and counts all of them. Faults are plain text here; how they appear in
 * an answer is decided where the answer is written. */
#pragma once

#include "base/buffer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

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

/* The codes as they appear in answers. */
extern const char *const fault_code_names[FAULT_CODES];

/* A place in a JSON body, as a chain of structs on the stack, from the innermost outwards. The body itself has no
 * parent. In a body that is not JSON but is decoded like it, a place has a line instead of a parent. */
struct place {
    const struct place *parent;
    const char *member; /* the name of a member; NULL: an element of an array ... */
    size_t index;       /* ... with this index */
    bool is_parent;     /* the member's value stands where its object should be, so it has the parent's place */
    size_t line;        /* counting from 1; 0: the place is in JSON */
};

/* A cell, point or square of a board. Row and column are counted from 0 at the top left. */
struct fault_cell {
    unsigned row, col;
};

enum { FAULTS_LISTED = 20 };

/* The faults of one case, or of the part of a request outside its cases. Owned by the caller (fault_list_init /
 * fault_list_clear). Used by one thread at a time. */
struct fault_list {
    struct buffer bytes; /* the stored faults; read them with fault_list_next */
    size_t id;           /* where the id of the case that all of them are in begins in `bytes`, behind them; 0: none */
    size_t count;        /* the number of all faults */
    const char *parameter; /* the query parameter that all of them are in; NULL: they are in the body */
    size_t line;           /* the line of the body that all of them are in; 0: each has its own */
};

/* A stored fault. Its strings are terminated, and valid until the list is changed or cleared. */
struct fault {
    enum fault_code code;
    const char *id;         /* the id of the case, in JSON; NULL: none */
    const char *parameter;  /* the query parameter; NULL: none */
    const char *pointer;    /* JSON Pointer (RFC 6901); NULL: none */
    size_t line, column;    /* counted from 1, the column in bytes; 0: none; there can be a line without a column */
    const char *detail;     /* one sentence without a full stop: what is wrong, and what would be right */
    bool has_cell;          /* the fault is about exactly one cell of the board, ... */
    struct fault_cell cell; /* ... this one */
};

/* Initialise an empty list. The memory for stored faults comes from `account`, which may be NULL. */
void fault_list_init(struct fault_list *faults, struct account *account);

/* Append all faults of another list, with their id. */
void fault_list_append(struct fault_list *faults, const struct fault_list *others);

/* Append text to the detail of the fault added last, if it was stored. */
void fault_list_add_advice(struct fault_list *faults, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Record the one cell that the fault added last is about. It must be on the board. If the place of the fault is a line
 * of the body, the cell determines the column. Does nothing if the fault was not stored. */
void fault_list_add_cell(struct fault_list *faults, struct fault_cell cell);

/* Remove all faults and the id, and free their memory. `parameter` and `line` are kept. */
void fault_list_clear(struct fault_list *faults);

/* Read the stored faults in order; *at must initially be 0. Returns false, and writes nothing, after the last one. */
bool fault_list_next(const struct fault_list *faults, size_t *at, struct fault *ret_fault);

/* Was there memory for all faults that had to be stored, and for the id? */
bool fault_list_is_whole(const struct fault_list *faults);

/* Add a fault at a place in a JSON body. The format string gives the detail: one sentence without a full stop. */
void fault_at(struct fault_list *faults, const struct place *place, enum fault_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A place in a text, counted from 1, with the column in bytes. Lines end with LF, CRLF or CR. */
struct fault_line {
    size_t line, column;
};

/* Find the place of text[offset], given that `from` is the place of text[0]. */
struct fault_line fault_find_line(const char *text, size_t offset, struct fault_line from);

/* The place of the first byte. */
#define FAULT_FIRST_BYTE ((struct fault_line){1, 1})

/* Add a fault at a line and a column: in the body or, if `place` is not NULL, in the text of the JSON member at that
 * place. */
void fault_in_line(struct fault_list *faults, const struct place *place, struct fault_line line, enum fault_code code,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Add a fault in a query parameter. The name has `length` bytes. */
void fault_in_query(struct fault_list *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Input as quoted in a detail: at most FAULT_QUOTED characters, then dots. A character that a reader could overlook or
 * mistake for another is written as its code (<U+041E>), and so is a byte that is not part of UTF-8 (<byte FF>).
 * Terminated. */
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

/* Ask about an unknown word: `; did you mean "board"?`. The question is empty if none of the words (NULL after the
 * last) is near, and if the fault would not be stored, because finding a word takes a while. */
struct fault_question {
    char text[96];
};
struct fault_question fault_ask(const struct fault_list *faults, const char *const *words, const char *text,
                                size_t length);

/* Add the fault that a `kind` of word is unknown, at its place or, if that is a member with a long name, at the object
 * around it. The detail ends with that question or, if no word is near, with all words after `has`: "a batch has". */
void fault_unknown(struct fault_list *faults, const struct place *place, enum fault_code code, const char *kind,
                   const char *text, const char *const *words, const char *has);
