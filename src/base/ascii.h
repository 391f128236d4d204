/* Tests for ASCII characters and words. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool ascii_is_digit(char c) { return c >= '0' && c <= '9'; }

/* A space or a tab. */
static inline bool ascii_is_blank(char c) { return c == ' ' || c == '\t'; }

/* A blank or a line break: white space in JSON and in the contest format. */
static inline bool ascii_is_space(char c) { return ascii_is_blank(c) || c == '\n' || c == '\r'; }

/* Skip white space from `at` on. */
static inline const char *ascii_skip_space(const char *at, const char *end) {
    while (at < end && ascii_is_space(*at))
        at++;
    return at;
}

/* Get the plural ending of an English noun for this number: "s", or "" for 1. */
static inline const char *ascii_plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Do the `length` bytes equal the word? */
static inline bool ascii_equals(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}
