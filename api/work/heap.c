#include "api/work/heap.h"

#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_less(const struct heap_node *a, const struct heap_node *b) {
    return a->key != b->key ? a->key < b->key : a->second_key < b->second_key;
}

/* Join two trees, either of which may be NULL. The root with the greater keys becomes a child of the other. */
static struct heap_node *meld(struct heap_node *a, struct heap_node *b) {
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    struct heap_node *parent = is_less(b, a) ? b : a, *child = parent == a ? b : a;
    ASSERT(parent->next == NULL && parent->prev == NULL && child->next == NULL && child->prev == NULL);
    child->next = parent->child;
    child->prev = parent;
    if (parent->child != NULL)
        parent->child->prev = child;
    parent->child = child;
    return parent;
}

/* Join the children of a removed node: first in pairs from left to right, and then all pairs. */
static struct heap_node *meld_children(struct heap_node *child) {
    struct heap_node *pairs = NULL, *tree = NULL;
    while (child != NULL) {
        struct heap_node *a = child, *b = a->next;
        child = b != NULL ? b->next : NULL;
        a->next = a->prev = NULL;
        if (b != NULL)
            b->next = b->prev = NULL;
        a = meld(a, b);
        a->next = pairs;
        pairs = a;
    }
    while (pairs != NULL) {
        struct heap_node *pair = pairs;
        pairs = pair->next;
        pair->next = NULL;
        tree = meld(tree, pair);
    }
    return tree;
}

void heap_add(struct heap *heap, struct heap_node *node, uint64_t key, uint64_t second_key) {
    *node = (struct heap_node){.key = key, .second_key = second_key};
    heap->first = meld(heap->first, node);
}

void heap_remove(struct heap *heap, struct heap_node *node) {
    struct heap_node *children = meld_children(node->child);
    if (node == heap->first) {
        heap->first = children;
        return;
    }
    ASSERT(node->prev != NULL);
    *(node->prev->child == node ? &node->prev->child : &node->prev->next) = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    heap->first = meld(heap->first, children);
}
