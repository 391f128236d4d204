/* Known words: the one that somebody probably meant, and lists of them for a sentence. All arrays end with NULL. */
#pragma once

#include <stddef.h>

/* Get the index of a word, or -1 if it is not there. */
int words_find(const char *const *words, const char *text, size_t length);

/* Find the word that is nearest to `length` bytes: one that is spelt almost the same, in any case and with - or _, or
 * of which they are a known synonym. Returns NULL if none is near. Takes about 1 us for each word.
 *
 * "Almost the same" is a distance of at most a quarter of the longer word's length, rounded up: the number of bytes to
 * insert, delete or replace, and of neighbours to exchange (Damerau 1964; optimal string alignment). */
const char *words_nearest(const char *const *words, const char *text, size_t length);

/* Words in a sentence; more than fit are cut off. */
struct words {
    char text[256];
};

/* List words, each between two quotes (which may be ""), with a conjunction such as " or " before the last one. */
struct words words_list(const char *const *words, const char *quote, const char *conjunction);
