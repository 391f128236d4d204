/* A priority queue whose elements are nodes inside the caller's structs: a pairing heap.
 *
 * No function allocates, fails, or recurses. heap_add costs O(1); heap_remove costs O(log n) on average over all calls.
 *
 * Source: M. L. Fredman, R. Sedgewick, D. D. Sleator, R. E. Tarjan, "The pairing heap: a new form of self-adjusting
 * heap", Algorithmica 1 (1986). */
#pragma once

#include <stdint.h>

/* An element. The caller owns its memory and must not modify it while it is in a heap. */
struct heap_node {
    uint64_t key, second_key;       /* ordered by key; ties are broken by second_key */
    struct heap_node *child, *next; /* the first child, and the next sibling */
    struct heap_node *prev;         /* the previous sibling, or the parent of a first child */
};

/* A heap. Zeroed, it is empty. */
struct heap {
    struct heap_node *first; /* the element with the smallest keys; NULL if the heap is empty */
};

/* Add an element, which must not be in a heap, with its two keys. */
void heap_add(struct heap *heap, struct heap_node *node, uint64_t key, uint64_t second_key);

/* Remove an element, which must be in this heap. */
void heap_remove(struct heap *heap, struct heap_node *node);
