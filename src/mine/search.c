/* The Grundy value of a graph in the deletion game.
 *
 * A position is the set of pieces (vertices, loops, edges) that are left, one bit each; a move clears one bit, or those
 * of a vertex and all that hangs on it. Before a position is searched it is simplified:
 *
 *   split      it falls into connected parts, whose values are xored (Sprague, 1935; Grundy, 1939);
 *   vertex     a single vertex is worth 1, with a loop 2 (its moves lead to 0, and with a loop to 1 as well);
 *   bipartite  a connected bipartite part without loops is worth (V mod 2) + 2 (E mod 2). Every move changes this pair.
 *              Degrees sum to 2E, so for odd V some vertex has even degree; those of one colour class sum to E, so for
 *              odd E some vertex has odd degree: with these every smaller value is reached;
 *   mirrors    if an automorphism of order two moves some pieces, and every edge with a moved end is itself moved, the
 *              value is that of what stays fixed: the second player answers in the mirror. (Khandhawit and Ye, 'Chomp
 *              on Graphs and Subsets', arXiv 1101.2718, have the lemma in general form.) Two kinds are looked for:
 *              equal branches, which are trees hung on the same vertex, and twins, which are vertices that are not
 *              joined, with the same neighbours, equal loops and equal branches.
 *
 * What is left of each part is irreducible. Its value is the mex of the values of its options, found depth first with a
 * stack of our own, and kept in a memo under the whole set of its pieces: a hash finds the place and never decides.
 *
 *     frame:  position | values seen among the options | next move to try
 *             the newest frame tries moves until one leads to a part that is not in the memo; that part gets a frame.
 *             A frame with no moves left puts its mex into the memo and goes. */
#include "mine/search.h"

#include <string.h>

enum { NONE = UINT32_MAX };

/* Arrays by vertex that a simplification needs; contents mean nothing between calls. */
struct desk {
    uint32_t *degree;  /* number of edges left that do not lead to peeled vertices */
    uint32_t *queue;   /* vertices to visit */
    uint32_t *child;   /* first of the branches hung on a vertex, sorted by falling code; NONE */
    uint32_t *sibling; /* next of them */
    uint32_t *code;    /* of a peeled vertex with its branches: equal codes, equal trees */
    uint32_t *sample;  /* by code: a vertex that has it; it may have been cancelled since */
    uint32_t *mark;
    uint8_t *color; /* 0: not visited */
    bool *loop;     /* as it was when peeling began */
    bool *peeled;
};

struct memo {
    uint64_t *keys; /* [capacity][words] */
    uint32_t *values;
    uint32_t *slots; /* number of a key + 1; 0: free */
    size_t count, capacity, slot_count;
};

struct search {
    const struct mine_cluster *cluster;
    unsigned shortcuts;
    struct arena *arena;
    struct work *work;
    struct mine_tally *tally;
    size_t pieces, words;
    struct desk desk;
    struct memo memo;
    /* Parts that a simplification still has to look at, or has found irreducible: [count][words]. */
    struct parts {
        uint64_t *sets;
        size_t count, capacity;
    } open, irreducible;
};

static inline bool has(const uint64_t *set, size_t piece) { return set[piece / 64] >> piece % 64 & 1; }
static inline void clear(uint64_t *set, size_t piece) { set[piece / 64] &= ~((uint64_t)1 << piece % 64); }
static inline void add(uint64_t *set, size_t piece) { set[piece / 64] |= (uint64_t)1 << piece % 64; }

static inline size_t loop_piece(const struct search *s, uint32_t vertex) { return s->cluster->vertices + vertex; }
static inline size_t edge_piece(const struct search *s, uint32_t edge) {
    return 2 * (size_t)s->cluster->vertices + edge;
}

/* Visit the edges left at `vertex`; `end` points to each. */
#define FOR_EACH_END(s, set, vertex, end)                                                                              \
    for (const struct mine_end *end = (s)->cluster->at + (s)->cluster->first[vertex],                                  \
                               *stop_ = (s)->cluster->at + (s)->cluster->first[(vertex) + 1];                          \
         end < stop_; end++)                                                                                           \
        if (has(set, edge_piece(s, end->edge)))

/* Take a vertex with all that hangs on it out of a position. */
static void remove_vertex(const struct search *s, uint64_t *set, uint32_t vertex) {
    clear(set, vertex);
    clear(set, loop_piece(s, vertex));
    FOR_EACH_END(s, set, vertex, end)
        clear(set, edge_piece(s, end->edge));
}

/* Room for one more set of pieces; NULL when memory is exhausted. The set is not cleared. */
static uint64_t *parts_push(struct search *s, struct parts *parts) {
    if (parts->count == parts->capacity) {
        size_t capacity = 2 * parts->capacity + 4;
        uint64_t *sets = arena_array(s->arena, capacity, s->words * sizeof *sets);
        if (sets == NULL)
            return NULL;
        if (parts->count != 0)
            memcpy(sets, parts->sets, parts->count * s->words * sizeof *sets);
        parts->sets = sets;
        parts->capacity = capacity;
    }
    return parts->sets + parts->count++ * s->words;
}

/* Move the pieces connected with `vertex` from `set` to `part`. */
static void take_component(struct search *s, uint64_t *set, uint32_t vertex, uint64_t *part) {
    uint32_t *queue = s->desk.queue;
    size_t head = 0, tail = 0;
    memset(part, 0, s->words * sizeof *part);
    queue[tail++] = vertex;
    add(part, vertex);
    while (head < tail) {
        uint32_t v = queue[head++];
        if (has(set, loop_piece(s, v)))
            add(part, loop_piece(s, v));
        FOR_EACH_END(s, set, v, end) {
            add(part, edge_piece(s, end->edge));
            if (!has(part, end->neighbour)) {
                add(part, end->neighbour);
                queue[tail++] = end->neighbour;
            }
        }
    }
    for (size_t w = 0; w < s->words; w++)
        set[w] &= ~part[w];
}

static uint32_t next_vertex(const struct search *s, const uint64_t *set, uint32_t from) {
    while (from < s->cluster->vertices && !has(set, from))
        from++;
    return from;
}

/* If the part is connected and a formula gives its value, write it and return true. The empty part is worth 0. */
static bool formula(struct search *s, const uint64_t *set, uint32_t *ret_value) {
    uint32_t start = next_vertex(s, set, 0), vertices = 0, ends = 0, reached = 0;
    bool loop = false, odd_cycle = false;
    if (start == s->cluster->vertices) {
        *ret_value = 0;
        return true;
    }
    for (uint32_t v = start; v < s->cluster->vertices; v = next_vertex(s, set, v + 1)) {
        vertices++;
        s->desk.color[v] = 0;
        loop |= has(set, loop_piece(s, v));
    }
    if (vertices == 1) {
        *ret_value = loop ? 2 : 1;
        s->tally->vertex += (s->shortcuts & MINE_FORMULA_VERTEX) != 0;
        return (s->shortcuts & MINE_FORMULA_VERTEX) != 0;
    }
    if (loop || !(s->shortcuts & MINE_FORMULA_BIPARTITE))
        return false;
    uint32_t *queue = s->desk.queue;
    uint8_t *color = s->desk.color;
    queue[reached++] = start;
    color[start] = 1;
    for (uint32_t head = 0; head < reached; head++)
        FOR_EACH_END(s, set, queue[head], end) {
            ends++;
            if (color[end->neighbour] == 0) {
                color[end->neighbour] = (uint8_t)(3 - color[queue[head]]);
                queue[reached++] = end->neighbour;
            } else if (color[end->neighbour] == color[queue[head]]) {
                odd_cycle = true;
            }
        }
    *ret_value = vertices % 2 + 2 * (ends / 2 % 2);
    bool applies = reached == vertices && !odd_cycle;
    s->tally->bipartite += applies;
    return applies;
}

/* Remove a peeled vertex with all branches hung on it. */
static void remove_branch(struct search *s, uint64_t *set, uint32_t vertex) {
    /* The queue of peeling is in use: thread the branches still to remove through `mark`. */
    uint32_t pending = vertex;
    s->desk.mark[vertex] = NONE;
    while (pending != NONE) {
        uint32_t v = pending;
        pending = s->desk.mark[v];
        for (uint32_t c = s->desk.child[v]; c != NONE; c = s->desk.sibling[c]) {
            s->desk.mark[c] = pending;
            pending = c;
        }
        remove_vertex(s, set, v);
    }
}

/* Do two vertices carry equal loops and equal branches? */
static bool same_load(const struct desk *desk, uint32_t a, uint32_t b) {
    uint32_t x = desk->child[a], y = desk->child[b];
    while (x != NONE && y != NONE && desk->code[x] == desk->code[y]) {
        x = desk->sibling[x];
        y = desk->sibling[y];
    }
    return x == NONE && y == NONE && desk->loop[a] == desk->loop[b];
}

/* Hang the peeled `branch` on `vertex`; an equal one that hangs there already goes with it. */
static bool hang(struct search *s, uint64_t *set, uint32_t vertex, uint32_t branch) {
    struct desk *desk = &s->desk;
    uint32_t *link = &desk->child[vertex];
    while (*link != NONE && desk->code[*link] > desk->code[branch])
        link = &desk->sibling[*link];
    if (*link != NONE && desk->code[*link] == desk->code[branch]) {
        uint32_t twin = *link;
        *link = desk->sibling[twin];
        remove_branch(s, set, twin);
        remove_branch(s, set, branch);
        return true;
    }
    desk->sibling[branch] = *link;
    *link = branch;
    return false;
}

/* Peel leaves off until only the core is left, giving equal trees equal codes and cancelling equal branches. */
static uint64_t cancel_branches(struct search *s, uint64_t *set) {
    struct desk *desk = &s->desk;
    uint64_t cancelled = 0;
    uint32_t codes = 0, tail = 0;
    for (uint32_t v = next_vertex(s, set, 0); v < s->cluster->vertices; v = next_vertex(s, set, v + 1)) {
        desk->degree[v] = 0;
        desk->child[v] = NONE;
        desk->peeled[v] = false;
        desk->loop[v] = has(set, loop_piece(s, v));
        FOR_EACH_END(s, set, v, end)
            desk->degree[v]++;
        if (desk->degree[v] == 1)
            desk->queue[tail++] = v;
    }
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t leaf = desk->queue[head], vertex = NONE;
        if (desk->degree[leaf] == 0)
            continue; /* the last of a tree: the root that all else hangs on */
        FOR_EACH_END(s, set, leaf, end)
            if (!desk->peeled[end->neighbour])
                vertex = end->neighbour;
        uint32_t code = 0;
        while (code < codes && !same_load(desk, desk->sample[code], leaf))
            code++;
        if (code == codes)
            desk->sample[codes++] = leaf;
        desk->code[leaf] = code;
        desk->peeled[leaf] = true;
        desk->degree[leaf] = 0;
        cancelled += hang(s, set, vertex, leaf);
        if (--desk->degree[vertex] == 1)
            desk->queue[tail++] = vertex;
    }
    return cancelled;
}

/* Are two vertices of the core not joined, and have they the same neighbours in it? */
static bool same_neighbours(struct search *s, const uint64_t *set, uint32_t a, uint32_t b) {
    if (s->desk.degree[a] != s->desk.degree[b])
        return false;
    FOR_EACH_END(s, set, a, end)
        s->desk.mark[end->neighbour] = a;
    FOR_EACH_END(s, set, b, end)
        if (!s->desk.peeled[end->neighbour] && s->desk.mark[end->neighbour] != a)
            return false;
    return true;
}

/* Cancel twins of the core that cancel_branches left on the desk. */
static uint64_t cancel_twins(struct search *s, uint64_t *set) {
    struct desk *desk = &s->desk;
    uint64_t cancelled = 0;
    for (uint32_t v = next_vertex(s, set, 0); v < s->cluster->vertices; v = next_vertex(s, set, v + 1))
        desk->mark[v] = NONE;
    for (uint32_t v = next_vertex(s, set, 0); v < s->cluster->vertices; v = next_vertex(s, set, v + 1)) {
        if (desk->peeled[v] || desk->degree[v] == 0)
            continue;
        /* A twin is a neighbour's neighbour: look there, not everywhere. */
        uint32_t hub = NONE, twin = NONE;
        FOR_EACH_END(s, set, v, end)
            if (!desk->peeled[end->neighbour] && (hub == NONE || desk->degree[end->neighbour] < desk->degree[hub]))
                hub = end->neighbour;
        FOR_EACH_END(s, set, hub, end) {
            uint32_t other = end->neighbour;
            if (other <= v || desk->peeled[other] || !same_load(desk, v, other) || !same_neighbours(s, set, v, other))
                continue;
            twin = other;
            break;
        }
        if (twin == NONE)
            continue;
        FOR_EACH_END(s, set, v, end)
            if (!desk->peeled[end->neighbour])
                desk->degree[end->neighbour] -= 2;
        remove_branch(s, set, v);
        remove_branch(s, set, twin);
        cancelled++;
    }
    return cancelled;
}

/* Take mirrors out of a position until there are none. True when it changed. */
static bool cancel_mirrors(struct search *s, uint64_t *set) {
    uint64_t before = s->tally->mirrors, cancelled;
    do {
        cancelled = cancel_branches(s, set);
        uint64_t twins = cancel_twins(s, set);
        s->tally->mirrors += cancelled + twins;
        cancelled = twins; /* equal branches are gone after one pass, but twins may leave new leaves */
    } while (cancelled != 0);
    return s->tally->mirrors != before;
}

/* Simplify a position, which is overwritten: the xor of the parts whose values are known by formula goes to *ret_value,
 * the others stand in s->irreducible. False when memory is exhausted. */
static bool simplify(struct search *s, const uint64_t *position, uint32_t *ret_value) {
    *ret_value = 0;
    s->open.count = s->irreducible.count = 0;
    uint64_t *whole = parts_push(s, &s->open);
    if (whole == NULL)
        return false;
    memcpy(whole, position, s->words * sizeof *whole);
    while (s->open.count != 0) {
        uint64_t *part = parts_push(s, &s->irreducible);
        if (part == NULL)
            return false;
        uint64_t *rest = s->open.sets + (s->open.count - 1) * s->words;
        uint32_t start = next_vertex(s, rest, 0), value;
        if (start < s->cluster->vertices && s->shortcuts & MINE_SPLIT) {
            take_component(s, rest, start, part);
            if (next_vertex(s, rest, start + 1) < s->cluster->vertices)
                s->tally->splits++;
            else
                s->open.count--;
        } else {
            memcpy(part, rest, s->words * sizeof *part);
            s->open.count--;
        }
        if (formula(s, part, &value)) {
            *ret_value ^= value;
            s->irreducible.count--;
        } else if (s->shortcuts & MINE_MIRRORS && cancel_mirrors(s, part)) {
            uint64_t *again = parts_push(s, &s->open);
            if (again == NULL)
                return false;
            memcpy(again, part, s->words * sizeof *again);
            s->irreducible.count--;
        }
    }
    return true;
}

static size_t memo_slot(const struct search *s, const uint64_t *key) {
    uint64_t hash = 0;
    for (size_t w = 0; w < s->words; w++) {
        hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (size_t)hash & (s->memo.slot_count - 1);
}

/* The slot of `key`: where it stands, or the free one where it would. */
static size_t memo_find(const struct search *s, const uint64_t *key) {
    size_t slot = memo_slot(s, key);
    while (s->memo.slots[slot] != 0 &&
           memcmp(s->memo.keys + (s->memo.slots[slot] - 1) * s->words, key, s->words * sizeof *key) != 0)
        slot = (slot + 1) & (s->memo.slot_count - 1);
    return slot;
}

static bool memo_grow(struct search *s) {
    struct memo *memo = &s->memo;
    size_t capacity = memo->capacity != 0 ? 2 * memo->capacity : 64;
    uint64_t *keys = arena_array(s->arena, capacity, s->words * sizeof *keys);
    uint32_t *values = arena_array(s->arena, capacity, sizeof *values);
    uint32_t *slots = arena_calloc(s->arena, 2 * capacity, sizeof *slots);
    if (keys == NULL || values == NULL || slots == NULL)
        return false;
    if (memo->count != 0) {
        memcpy(keys, memo->keys, memo->count * s->words * sizeof *keys);
        memcpy(values, memo->values, memo->count * sizeof *values);
    }
    *memo = (struct memo){keys, values, slots, memo->count, capacity, 2 * capacity};
    for (size_t k = 0; k < memo->count; k++)
        memo->slots[memo_find(s, memo->keys + k * s->words)] = (uint32_t)k + 1;
    return true;
}

static bool memo_add(struct search *s, const uint64_t *key, uint32_t value) {
    struct memo *memo = &s->memo;
    if (memo->count == memo->capacity && !memo_grow(s))
        return false;
    memcpy(memo->keys + memo->count * s->words, key, s->words * sizeof *key);
    memo->values[memo->count++] = value;
    memo->slots[memo_find(s, key)] = (uint32_t)memo->count;
    return true;
}

/* The irreducible parts of the last simplification: xors the values of those in the memo to *value and returns the
 * first that is not, or NULL. */
static const uint64_t *first_unvalued(struct search *s, uint32_t *value) {
    for (size_t p = 0; p < s->irreducible.count; p++) {
        const uint64_t *part = s->irreducible.sets + p * s->words;
        uint32_t key = s->memo.slots[memo_find(s, part)];
        if (key == 0)
            return part;
        *value ^= s->memo.values[key - 1];
        s->tally->memo_hits++;
    }
    return NULL;
}

/* The stack of positions that are being valued. */
struct stack {
    uint64_t *sets; /* [capacity][words] the position, then [capacity][seen_words] */
    uint64_t *seen; /* values of the options tried */
    size_t *next;   /* the next piece to remove */
    size_t count, capacity, seen_words;
};

static bool stack_push(struct search *s, struct stack *stack, const uint64_t *position) {
    if (stack->count == stack->capacity) {
        size_t capacity = 2 * stack->capacity + 16;
        uint64_t *sets = arena_array(s->arena, capacity, s->words * sizeof *sets);
        uint64_t *seen = arena_array(s->arena, capacity, stack->seen_words * sizeof *seen);
        size_t *next = arena_array(s->arena, capacity, sizeof *next);
        if (sets == NULL || seen == NULL || next == NULL)
            return false;
        if (stack->count != 0) {
            memcpy(sets, stack->sets, stack->count * s->words * sizeof *sets);
            memcpy(seen, stack->seen, stack->count * stack->seen_words * sizeof *seen);
            memcpy(next, stack->next, stack->count * sizeof *next);
        }
        *stack = (struct stack){sets, seen, next, stack->count, capacity, stack->seen_words};
    }
    memcpy(stack->sets + stack->count * s->words, position, s->words * sizeof *position);
    memset(stack->seen + stack->count * stack->seen_words, 0, stack->seen_words * sizeof *stack->seen);
    stack->next[stack->count++] = 0;
    return true;
}

/* The smallest value that was not seen. */
static uint32_t mex(const uint64_t *seen) {
    uint32_t word = 0;
    while (seen[word] == UINT64_MAX)
        word++;
    return word * 64 + (uint32_t)__builtin_ctzll(~seen[word]);
}

/* The position after removing `piece` from `from`. */
static void make_move(const struct search *s, const uint64_t *from, size_t piece, uint64_t *ret_position) {
    memcpy(ret_position, from, s->words * sizeof *from);
    if (piece < s->cluster->vertices)
        remove_vertex(s, ret_position, (uint32_t)piece);
    else
        clear(ret_position, piece);
}

/* Value every position on the stack, and all that they lead to. */
static enum outcome value_all(struct search *s, struct stack *stack, uint64_t *states_left, bool *ret_known) {
    uint64_t *child = arena_array(s->arena, s->words, sizeof *child);
    if (child == NULL)
        return NO_MEMORY;
    uint64_t cost = 5 + s->pieces;
    while (stack->count != 0) {
        size_t top = stack->count - 1;
        const uint64_t *position = stack->sets + top * s->words;
        uint64_t *seen = stack->seen + top * stack->seen_words;
        size_t piece = stack->next[top];
        while (piece < s->pieces && !has(position, piece))
            piece++;
        if (piece == s->pieces) {
            if (!memo_add(s, position, mex(seen)))
                return NO_MEMORY;
            stack->count--;
            continue;
        }
        stack->next[top] = piece;
        if (!work_charge(s->work, cost))
            return OUT_OF_WORK;
        uint32_t value;
        make_move(s, position, piece, child);
        if (!simplify(s, child, &value))
            return NO_MEMORY;
        const uint64_t *part = first_unvalued(s, &value);
        if (part == NULL) {
            seen[value / 64] |= (uint64_t)1 << value % 64;
            stack->next[top]++;
            continue;
        }
        if (*states_left == 0) {
            *ret_known = false;
            return DONE;
        }
        --*states_left;
        s->tally->states++;
        if (!stack_push(s, stack, part))
            return NO_MEMORY;
    }
    *ret_known = true;
    return DONE;
}

static bool desk_init(struct desk *desk, uint32_t vertices, struct arena *arena) {
    *desk = (struct desk){
        .degree = arena_array(arena, vertices, sizeof *desk->degree),
        .queue = arena_array(arena, vertices, sizeof *desk->queue),
        .child = arena_array(arena, vertices, sizeof *desk->child),
        .sibling = arena_array(arena, vertices, sizeof *desk->sibling),
        .code = arena_array(arena, vertices, sizeof *desk->code),
        .sample = arena_array(arena, vertices, sizeof *desk->sample),
        .mark = arena_array(arena, vertices, sizeof *desk->mark),
        .color = arena_array(arena, vertices, sizeof *desk->color),
        .loop = arena_array(arena, vertices, sizeof *desk->loop),
        .peeled = arena_array(arena, vertices, sizeof *desk->peeled),
    };
    return desk->degree && desk->queue && desk->child && desk->sibling && desk->code && desk->sample && desk->mark &&
           desk->color && desk->loop && desk->peeled;
}

static bool search_init(struct search *s, const struct mine_cluster *cluster, unsigned shortcuts, struct arena *arena,
                        struct work *work, struct mine_tally *tally) {
    size_t pieces = 2 * (size_t)cluster->vertices + cluster->edges;
    *s = (struct search){
        .cluster = cluster,
        .shortcuts = shortcuts,
        .arena = arena,
        .work = work,
        .tally = tally,
        .pieces = pieces,
        .words = (pieces + 63) / 64,
    };
    return desk_init(&s->desk, cluster->vertices, arena) && memo_grow(s);
}

/* All pieces of the cluster. */
static void fill(const struct search *s, uint64_t *set) {
    memset(set, 0, s->words * sizeof *set);
    for (uint32_t v = 0; v < s->cluster->vertices; v++) {
        add(set, v);
        if (s->cluster->loop[v])
            add(set, loop_piece(s, v));
    }
    for (uint32_t e = 0; e < s->cluster->edges; e++)
        add(set, edge_piece(s, e));
}

/* An irreducible part as a cluster of its own, so that its positions are small. */
static bool extract(const struct search *s, const uint64_t *part, struct mine_cluster *ret_cluster) {
    const struct mine_cluster *from = s->cluster;
    uint32_t *number = s->desk.mark, vertices = 0, edges = 0;
    for (uint32_t v = 0; v < from->vertices; v++)
        if (has(part, v))
            number[v] = vertices++;
    for (uint32_t e = 0; e < from->edges; e++)
        edges += has(part, edge_piece(s, e));
    bool *loop = arena_array(s->arena, vertices, sizeof *loop);
    struct mine_edge *edge = arena_array(s->arena, edges, sizeof *edge);
    if (loop == NULL || edge == NULL)
        return false;
    *ret_cluster = (struct mine_cluster){.vertices = vertices, .loop = loop, .edge = edge};
    for (uint32_t v = 0; v < from->vertices; v++)
        if (has(part, v))
            loop[number[v]] = has(part, loop_piece(s, v));
    for (uint32_t e = 0; e < from->edges; e++)
        if (has(part, edge_piece(s, e)))
            edge[ret_cluster->edges++] = (struct mine_edge){number[from->edge[e].a], number[from->edge[e].b]};
    return mine_cluster_link(ret_cluster, s->arena);
}

/* Search one irreducible part. */
static enum outcome search_part(const struct search *whole, const uint64_t *part, uint64_t *states_left,
                                bool *ret_known, uint32_t *ret_value) {
    struct mine_cluster cluster;
    struct search s;
    if (*states_left == 0) {
        *ret_known = false;
        return DONE;
    }
    if (!extract(whole, part, &cluster) ||
        !search_init(&s, &cluster, whole->shortcuts, whole->arena, whole->work, whole->tally))
        return NO_MEMORY;
    struct stack stack = {.seen_words = s.pieces / 64 + 1};
    uint64_t *root = arena_array(s.arena, s.words, sizeof *root);
    if (root == NULL)
        return NO_MEMORY;
    fill(&s, root);
    --*states_left;
    s.tally->states++;
    if (!stack_push(&s, &stack, root))
        return NO_MEMORY;
    enum outcome outcome = value_all(&s, &stack, states_left, ret_known);
    if (outcome == DONE && *ret_known)
        *ret_value = s.memo.values[s.memo.slots[memo_find(&s, root)] - 1];
    return outcome;
}

/* Simplify the cluster and search what is irreducible in it. */
static enum outcome value_cluster(struct search *s, uint64_t *states_left, bool *ret_known, uint32_t *ret_nimber) {
    uint64_t *position = arena_array(s->arena, s->words, sizeof *position);
    uint32_t nimber;
    if (position == NULL)
        return NO_MEMORY;
    fill(s, position);
    if (!work_charge(s->work, 5 * s->pieces))
        return OUT_OF_WORK;
    if (!simplify(s, position, &nimber))
        return NO_MEMORY;
    *ret_known = true;
    for (size_t p = 0; p < s->irreducible.count && *ret_known; p++) {
        uint32_t value = 0;
        struct arena_mark mark = arena_mark(s->arena);
        enum outcome outcome = search_part(s, s->irreducible.sets + p * s->words, states_left, ret_known, &value);
        arena_rewind(s->arena, mark);
        if (outcome != DONE)
            return outcome;
        nimber ^= value;
    }
    *ret_nimber = nimber;
    return DONE;
}

enum outcome mine_cluster_nimber(const struct mine_cluster *cluster, unsigned shortcuts, uint64_t *states_left,
                                 struct arena *arena, struct work *work, struct mine_tally *tally, bool *ret_known,
                                 uint32_t *ret_nimber) {
    struct arena_mark mark = arena_mark(arena);
    struct search s;
    enum outcome outcome = search_init(&s, cluster, shortcuts, arena, work, tally)
                               ? value_cluster(&s, states_left, ret_known, ret_nimber)
                               : NO_MEMORY;
    arena_rewind(arena, mark);
    return outcome;
}

bool mine_cluster_link(struct mine_cluster *cluster, struct arena *arena) {
    uint32_t *first = arena_calloc(arena, (size_t)cluster->vertices + 2, sizeof *first);
    struct mine_end *at = arena_array(arena, 2 * (size_t)cluster->edges, sizeof *at);
    if (first == NULL || at == NULL)
        return false;
    /* first[v + 2] counts, then first[v + 1] is where the next end of v goes, and in the end first[v + 1] closes v. */
    for (uint32_t e = 0; e < cluster->edges; e++) {
        first[cluster->edge[e].a + 2]++;
        first[cluster->edge[e].b + 2]++;
    }
    for (uint32_t v = 2; v < cluster->vertices + 2; v++)
        first[v] += first[v - 1];
    for (uint32_t e = 0; e < cluster->edges; e++) {
        uint32_t a = cluster->edge[e].a, b = cluster->edge[e].b;
        at[first[a + 1]++] = (struct mine_end){b, e};
        at[first[b + 1]++] = (struct mine_end){a, e};
    }
    cluster->first = first;
    cluster->at = at;
    return true;
}
