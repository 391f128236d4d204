/* What is left of a position in the deletion game once all that is known by theory is taken out: see reduce.c. Inside
 * the room; users call graph.h. */
#pragma once

#include "base/arena.h"
#include "mine/deletion.h"
#include "mine/small.h"

#include <stdbool.h>
#include <stddef.h>

/* Fill in `first` and `at` from the edges. `first` has room for vertices + 2. */
void mine_cluster_link(struct mine_cluster *cluster);

/* A part that cannot be reduced further, written down: its key. Equal keys are equal graphs but for the names of their
 * vertices, and so equal in value; what is alike has the same key most of the time. */
struct mine_part {
    size_t at;     /* of its key, in words */
    uint64_t hash; /* of its key */
    uint32_t words;
    uint32_t vertices, edges, loops;
};

/* Parts and their keys. */
struct mine_parts {
    struct mine_part *items;
    size_t count, capacity;
    uint64_t *words;
    size_t word_count, word_capacity;
};

/* Room for one more part whose key has at most so many words. False when memory is exhausted. */
bool mine_parts_reserve(struct mine_parts *parts, size_t words, struct arena *arena);

/* Add a part whose key has been written into the room, so many bits of it. */
void mine_parts_close(struct mine_parts *parts, struct mine_part part, size_t bits);

/* Add a copy of a part whose key is `words`. False when memory is exhausted. */
bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words, struct arena *arena);

/* The reduction of one position after another. Contents of the arrays mean nothing between calls, but for those that
 * hold the position. */
struct mine_reducer {
    unsigned shortcuts;
    struct mine_tally *tally;
    struct arena *arena;
    const struct mine_cluster *cluster;
    /* The position, and where it starts, of small clusters. */
    bool is_small;
    struct mine_small small, whole;
    /* The position of others: what stands of the cluster. A vertex that does not stand has no loop and no edge. */
    bool *vertex, *loop, *edge;
    /* By vertex. */
    uint32_t *degree;  /* edges that do not lead to peeled vertices */
    uint32_t *queue;   /* vertices to visit */
    uint32_t *child;   /* first of the branches hung on a vertex, by falling code; NONE */
    uint32_t *sibling; /* next of them */
    uint32_t *mark;
    uint32_t *weight;          /* vertices of the tree that is hung here, this one included */
    uint32_t *branch_loops;    /* loops of it */
    uint64_t *code;            /* of a peeled vertex with its branches: equal codes, equal trees */
    uint64_t *sign, *new_sign; /* what a vertex of the core looks like from afar */
    uint32_t *order;           /* the core's vertices in the order of their key */
    uint8_t *color;
    bool *peeled;
    /* What came out: the xor of the parts that are known by theory, and the others. */
    uint32_t value;
    struct mine_parts parts;
};

/* Room for clusters of so many vertices and edges. False when memory is exhausted. */
bool mine_reducer_init(struct mine_reducer *r, uint32_t vertices, uint32_t edges, unsigned shortcuts,
                       struct mine_tally *tally, struct arena *arena);

/* Turn to a cluster, which outlives its positions. */
void mine_reducer_open(struct mine_reducer *r, const struct mine_cluster *cluster);

/* Take the whole cluster as the position. */
void mine_reducer_take(struct mine_reducer *r);

/* Change the position by a move on piece number `which`. */
void mine_reducer_change(struct mine_reducer *r, enum mine_change change, uint32_t which);

/* Reduce the position, which is used up, to r->value and r->parts. False when memory is exhausted. */
bool mine_reduce(struct mine_reducer *r);

/* The graph that a key stands for, linked, into arrays with room for it. */
void mine_decode(const uint64_t *words, struct mine_cluster *ret_cluster);
