/* Finds the word that somebody probably meant. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Find the word that is nearest to `length` bytes: one that is spelt almost the same, in any case, or of which they are
 * a known synonym. `words` ends with NULL. Returns NULL if none is near. Takes about 1 us for each word.
 *
 * "Almost the same" is a distance of at most a quarter of the longer word's length, rounded up: the number of bytes to
 * insert, delete or replace, and of neighbours to exchange (Damerau 1964; optimal string alignment). */
const char *nearest_word(const char *const *words, const char *text, size_t length);

/* The same for words that are not in one list, without synonyms: is this word near, and nearer than those before?
 * *best must be SIZE_MAX at first. */
bool nearest_so_far(const char *word, const char *text, size_t length, size_t *best);

/* Is the text a known synonym of this word? */
bool nearest_is_synonym(const char *word, const char *text, size_t length);
