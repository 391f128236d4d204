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
 * What is left of each part is irreducible, and is searched with a stack of our own. The mex of all options is more
 * than anybody asks for: of a part it is asked whether it equals m, and that it does not is known as soon as one option
 * does. Its value is the first m that no option has. (Lemoine and Viennot, 'Nimbers are inevitable', arXiv 1011.5841.)
 * So the memo keeps, under the whole set of a part's pieces (a hash finds the place and never decides), its value once
 * it is known, and until then the values that some option is known to have.
 *
 *     frame:  a part | the question: what is it worth, or: is it worth m? | the value sought among its options | a move
 *
 * A state is a part that is met for the first time. Those of large clusters cost more time and memory than small ones,
 * so that they count for several: one more for every STATE_KEEPS pieces that the memo keeps for it, and for every
 * STATE_LOOKS pieces that its options are made of. So the limit on states bounds time and memory too, whatever the
 * field.
 *
 * The newest frame first notes the options whose parts are all known. Then it looks for an option with the value
 * sought: of an option with several unknown parts it has all but the largest valued, of the largest it asks whether it
 * has the one value that would do. Each question is a new frame; its answer is found in the memo when it is gone. */
#include "mine/search.h"

#include <string.h>

enum {
    NONE = UINT32_MAX,
    UNKNOWN = UINT32_MAX,
    NOTED_VALUES = 64,
    STATE_LOOKS = 8192, /* pieces looked over that cost a state */
    STATE_KEEPS = 1024, /* pieces kept in the memo that cost a state */
};

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

/* What is known of a part. */
struct facts {
    uint32_t value; /* UNKNOWN until it is known */
    uint64_t has;   /* bit k: an option is worth k, so that this part is not */
};

struct memo {
    uint64_t *keys; /* [capacity][words] */
    struct facts *facts;
    uint32_t *slots; /* number of a key + 1; 0: free */
    size_t count, capacity, slot_count;
};

/* A question about a part: see the head of this file. */
struct frame {
    uint32_t entry;  /* the part, in the memo */
    uint32_t goal;   /* is it worth this? UNKNOWN: what is it worth? */
    uint32_t sought; /* the value looked for among its options: the goal first, then all below it */
    uint32_t piece;  /* the next move to look at */
    bool scanned;    /* options that were known at the start are noted */
    bool below;      /* no option is worth the goal */
};

struct mine_search {
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
    struct stack {
        struct frame *frames;
        size_t count, capacity;
    } stack;
    uint64_t *position;   /* [words] an option that is looked at */
    uint64_t pieces_seen; /* since the last state was paid for pieces looked over */
};

static inline bool has(const uint64_t *set, size_t piece) { return set[piece / 64] >> piece % 64 & 1; }
static inline void clear(uint64_t *set, size_t piece) { set[piece / 64] &= ~((uint64_t)1 << piece % 64); }
static inline void add(uint64_t *set, size_t piece) { set[piece / 64] |= (uint64_t)1 << piece % 64; }

static inline size_t loop_piece(const struct mine_search *s, uint32_t vertex) { return s->cluster->vertices + vertex; }
static inline size_t edge_piece(const struct mine_search *s, uint32_t edge) {
    return 2 * (size_t)s->cluster->vertices + edge;
}

/* Visit the edges left at `vertex`; `end` points to each. */
#define FOR_EACH_END(s, set, vertex, end)                                                                              \
    for (const struct mine_end *end = (s)->cluster->at + (s)->cluster->first[vertex],                                  \
                               *stop_ = (s)->cluster->at + (s)->cluster->first[(vertex) + 1];                          \
         end < stop_; end++)                                                                                           \
        if (has(set, edge_piece(s, end->edge)))

/* Take a vertex with all that hangs on it out of a position. */
static void remove_vertex(const struct mine_search *s, uint64_t *set, uint32_t vertex) {
    clear(set, vertex);
    clear(set, loop_piece(s, vertex));
    FOR_EACH_END(s, set, vertex, end)
        clear(set, edge_piece(s, end->edge));
}

/* Room for one more set of pieces; NULL when memory is exhausted. The set is not cleared. */
static uint64_t *parts_push(struct mine_search *s, struct parts *parts) {
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
static void take_component(struct mine_search *s, uint64_t *set, uint32_t vertex, uint64_t *part) {
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

/* The first piece of `set` at or after `from`; `end` when there is none before it. */
static inline uint32_t next_piece(const uint64_t *set, uint32_t from, uint32_t end) {
    while (from < end) {
        uint64_t word = set[from / 64] >> from % 64;
        if (word != 0) {
            from += (uint32_t)__builtin_ctzll(word);
            return from < end ? from : end;
        }
        from = (from / 64 + 1) * 64;
    }
    return end;
}

static inline uint32_t next_vertex(const struct mine_search *s, const uint64_t *set, uint32_t from) {
    return next_piece(set, from, s->cluster->vertices);
}

/* If the part is connected and a formula gives its value, write it and return true. The empty part is worth 0. */
static bool formula(struct mine_search *s, const uint64_t *set, uint32_t *ret_value) {
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
static void remove_branch(struct mine_search *s, uint64_t *set, uint32_t vertex) {
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
static bool hang(struct mine_search *s, uint64_t *set, uint32_t vertex, uint32_t branch) {
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
static uint64_t cancel_branches(struct mine_search *s, uint64_t *set) {
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
static bool same_neighbours(struct mine_search *s, const uint64_t *set, uint32_t a, uint32_t b) {
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
static uint64_t cancel_twins(struct mine_search *s, uint64_t *set) {
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
static bool cancel_mirrors(struct mine_search *s, uint64_t *set) {
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
static bool simplify(struct mine_search *s, const uint64_t *position, uint32_t *ret_value) {
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

static size_t memo_slot(const struct mine_search *s, const uint64_t *key) {
    uint64_t hash = 0;
    for (size_t w = 0; w < s->words; w++) {
        hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (size_t)hash & (s->memo.slot_count - 1);
}

/* The slot of `key`: where it stands, or the free one where it would. */
static size_t memo_find(const struct mine_search *s, const uint64_t *key) {
    size_t slot = memo_slot(s, key);
    while (s->memo.slots[slot] != 0 &&
           memcmp(s->memo.keys + (s->memo.slots[slot] - 1) * s->words, key, s->words * sizeof *key) != 0)
        slot = (slot + 1) & (s->memo.slot_count - 1);
    return slot;
}

static bool memo_grow(struct mine_search *s) {
    struct memo *memo = &s->memo;
    size_t capacity = memo->capacity != 0 ? 2 * memo->capacity : 64;
    uint64_t *keys = arena_array(s->arena, capacity, s->words * sizeof *keys);
    struct facts *facts = arena_array(s->arena, capacity, sizeof *facts);
    uint32_t *slots = arena_calloc(s->arena, 2 * capacity, sizeof *slots);
    if (keys == NULL || facts == NULL || slots == NULL)
        return false;
    if (memo->count != 0) {
        memcpy(keys, memo->keys, memo->count * s->words * sizeof *keys);
        memcpy(facts, memo->facts, memo->count * sizeof *facts);
    }
    *memo = (struct memo){keys, facts, slots, memo->count, capacity, 2 * capacity};
    for (size_t k = 0; k < memo->count; k++)
        memo->slots[memo_find(s, memo->keys + k * s->words)] = (uint32_t)k + 1;
    return true;
}

/* Enter a part of which nothing is known. */
static bool memo_add(struct mine_search *s, const uint64_t *key, uint32_t *ret_entry) {
    struct memo *memo = &s->memo;
    if (memo->count == memo->capacity && !memo_grow(s))
        return false;
    memcpy(memo->keys + memo->count * s->words, key, s->words * sizeof *key);
    memo->facts[memo->count++] = (struct facts){.value = UNKNOWN};
    memo->slots[memo_find(s, key)] = (uint32_t)memo->count;
    *ret_entry = (uint32_t)memo->count - 1;
    return true;
}

static bool stack_push(struct mine_search *s, struct frame frame) {
    struct stack *stack = &s->stack;
    if (stack->count == stack->capacity) {
        size_t capacity = 2 * stack->capacity + 16;
        struct frame *frames = arena_array(s->arena, capacity, sizeof *frames);
        if (frames == NULL)
            return false;
        if (stack->count != 0)
            memcpy(frames, stack->frames, stack->count * sizeof *frames);
        stack->frames = frames;
        stack->capacity = capacity;
    }
    stack->frames[stack->count++] = frame;
    return true;
}

/* How a piece of the search ended. */
enum step {
    STEP_GO_ON,
    STEP_NO_STATES, /* max_states are used up */
    STEP_NO_MEMORY,
    STEP_OUT_OF_WORK,
};

/* Pay states; false when there are not enough. */
static bool pay_states(struct mine_search *s, uint64_t states, uint64_t *states_left) {
    if (states > *states_left)
        return false;
    *states_left -= states;
    s->tally->states += states;
    return true;
}

/* Ask about a part: push a frame for it. It counts as a state when it is met for the first time. */
static enum step ask(struct mine_search *s, const uint64_t *part, uint32_t goal, uint64_t *states_left) {
    uint32_t slot = s->memo.slots[memo_find(s, part)], entry = slot - 1;
    if (slot == 0) {
        if (!pay_states(s, 1 + s->pieces / STATE_KEEPS, states_left))
            return STEP_NO_STATES;
        if (!memo_add(s, part, &entry))
            return STEP_NO_MEMORY;
    }
    struct frame frame = {.entry = entry, .goal = goal, .sought = goal != UNKNOWN ? goal : 0, .below = goal == UNKNOWN};
    return stack_push(s, frame) ? STEP_GO_ON : STEP_NO_MEMORY;
}

static uint32_t count_pieces(const struct mine_search *s, const uint64_t *set) {
    uint32_t count = 0;
    for (size_t w = 0; w < s->words; w++)
        count += (uint32_t)__builtin_popcountll(set[w]);
    return count;
}

/* A position in parts, as far as they are known: worth `value`, but for the parts that are not. */
struct reading {
    uint32_t value; /* the xor of what is known */
    uint32_t unknown;
    const uint64_t *smallest, *largest; /* unknown parts; the same when there is one */
};

static bool read_position(struct mine_search *s, const uint64_t *position, struct reading *ret_reading) {
    struct reading reading = {0};
    uint32_t least = UINT32_MAX, most = 0;
    if (!simplify(s, position, &reading.value))
        return false;
    for (size_t p = 0; p < s->irreducible.count; p++) {
        const uint64_t *part = s->irreducible.sets + p * s->words;
        uint32_t slot = s->memo.slots[memo_find(s, part)];
        if (slot != 0 && s->memo.facts[slot - 1].value != UNKNOWN) {
            reading.value ^= s->memo.facts[slot - 1].value;
            s->tally->memo_hits++;
            continue;
        }
        uint32_t pieces = count_pieces(s, part);
        reading.unknown++;
        if (pieces < least) {
            least = pieces;
            reading.smallest = part;
        }
        if (pieces >= most) {
            most = pieces;
            reading.largest = part;
        }
    }
    *ret_reading = reading;
    return true;
}

/* Is a part known not to be worth m? */
static bool is_excluded(const struct mine_search *s, const uint64_t *part, uint32_t m) {
    uint32_t slot = s->memo.slots[memo_find(s, part)];
    return slot != 0 && m < NOTED_VALUES && s->memo.facts[slot - 1].has >> m & 1;
}

/* The question that would settle whether a position with unknown parts is worth m. */
static enum step ask_further(struct mine_search *s, const struct reading *reading, uint32_t m, uint64_t *states_left) {
    if (reading->unknown > 1)
        return ask(s, reading->smallest, UNKNOWN, states_left);
    uint32_t goal = reading->value ^ m;
    return ask(s, reading->largest, goal < NOTED_VALUES ? goal : UNKNOWN, states_left);
}

/* Is it settled that a position is not worth m, though a part is unknown? */
static bool cannot_be(const struct mine_search *s, const struct reading *reading, uint32_t m) {
    return reading->unknown == 1 && is_excluded(s, reading->largest, reading->value ^ m);
}

/* The position after removing `piece` from `from`. */
static void make_move(const struct mine_search *s, const uint64_t *from, size_t piece, uint64_t *ret_position) {
    memcpy(ret_position, from, s->words * sizeof *from);
    if (piece < s->cluster->vertices)
        remove_vertex(s, ret_position, (uint32_t)piece);
    else
        clear(ret_position, piece);
}

static void note(struct facts *facts, uint32_t value) {
    if (value < NOTED_VALUES)
        facts->has |= (uint64_t)1 << value;
}

static const uint64_t *part_of(const struct mine_search *s, const struct frame *frame) {
    return s->memo.keys + frame->entry * s->words;
}

/* Read the option that removes `piece`. */
static enum step read_option(struct mine_search *s, const struct frame *frame, uint32_t piece, uint64_t *states_left,
                             struct reading *ret_reading) {
    if (!work_charge(s->work, 5 + s->pieces / 2))
        return STEP_OUT_OF_WORK;
    /* Searches are made for parts, so all pieces of the cluster are near enough those of the option. */
    s->pieces_seen += s->pieces;
    if (!pay_states(s, s->pieces_seen / STATE_LOOKS, states_left))
        return STEP_NO_STATES;
    s->pieces_seen %= STATE_LOOKS;
    make_move(s, part_of(s, frame), piece, s->position);
    return read_position(s, s->position, ret_reading) ? STEP_GO_ON : STEP_NO_MEMORY;
}

/* Note the options that are known without asking. */
static enum step scan_options(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    uint32_t pieces = (uint32_t)s->pieces;
    for (uint32_t piece = next_piece(part_of(s, frame), 0, pieces); piece < pieces;
         piece = next_piece(part_of(s, frame), piece + 1, pieces)) {
        struct reading reading;
        enum step step = read_option(s, frame, piece, states_left, &reading);
        if (step != STEP_GO_ON)
            return step;
        if (reading.unknown == 0)
            note(&s->memo.facts[frame->entry], reading.value);
    }
    frame->scanned = true;
    return STEP_GO_ON;
}

/* Every option was looked at and none is worth what was sought. */
static void conclude(struct mine_search *s, struct frame *frame) {
    if (frame->below)
        s->memo.facts[frame->entry].value = frame->sought;
    frame->below = true;
    frame->sought = frame->piece = 0;
}

/* Look at one option for the value sought, or ask what must be known first. */
static enum step look_at_option(struct mine_search *s, struct frame *frame, uint64_t *states_left) {
    struct facts *facts = &s->memo.facts[frame->entry];
    uint32_t pieces = (uint32_t)s->pieces, sought = frame->sought;
    frame->piece = next_piece(part_of(s, frame), frame->piece, pieces);
    if (frame->piece == pieces) {
        conclude(s, frame);
        return STEP_GO_ON;
    }
    struct reading reading;
    enum step step = read_option(s, frame, frame->piece, states_left, &reading);
    if (step != STEP_GO_ON)
        return step;
    if (reading.unknown != 0 && !cannot_be(s, &reading, sought))
        return ask_further(s, &reading, sought, states_left);
    frame->piece++;
    if (reading.unknown != 0)
        return STEP_GO_ON;
    note(facts, reading.value);
    if (reading.value == sought && sought >= NOTED_VALUES) {
        frame->sought++;
        frame->piece = 0;
    }
    return STEP_GO_ON;
}

/* Is the frame's question answered by what is known? Moves what is sought past what options are known to have. */
static bool is_answered(struct mine_search *s, struct frame *frame) {
    struct facts *facts = &s->memo.facts[frame->entry];
    if (facts->value != UNKNOWN || (frame->goal != UNKNOWN && facts->has >> frame->goal & 1))
        return true;
    if (!frame->below)
        return false;
    while (frame->sought < NOTED_VALUES && facts->has >> frame->sought & 1) {
        frame->sought++;
        frame->piece = 0;
    }
    /* Options are worth everything below the goal, and none is worth the goal. */
    if (frame->goal != UNKNOWN && frame->sought >= frame->goal)
        facts->value = frame->goal;
    return facts->value != UNKNOWN;
}

/* Answer every question on the stack. */
static enum step answer_all(struct mine_search *s, uint64_t *states_left) {
    enum step step = STEP_GO_ON;
    while (step == STEP_GO_ON && s->stack.count != 0) {
        struct frame *frame = &s->stack.frames[s->stack.count - 1];
        if (is_answered(s, frame))
            s->stack.count--;
        else
            step = frame->scanned ? look_at_option(s, frame, states_left) : scan_options(s, frame, states_left);
    }
    s->stack.count = 0;
    return step;
}

static enum outcome end_step(enum step step, bool *ret_known) {
    *ret_known = step == STEP_GO_ON;
    return step == STEP_NO_MEMORY ? NO_MEMORY : step == STEP_OUT_OF_WORK ? OUT_OF_WORK : DONE;
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

static bool search_init(struct mine_search *s, const struct mine_cluster *cluster, unsigned shortcuts,
                        struct arena *arena, struct work *work, struct mine_tally *tally) {
    size_t pieces = 2 * (size_t)cluster->vertices + cluster->edges;
    *s = (struct mine_search){
        .cluster = cluster,
        .shortcuts = shortcuts,
        .arena = arena,
        .work = work,
        .tally = tally,
        .pieces = pieces,
        .words = (pieces + 63) / 64,
    };
    s->position = arena_array(arena, s->words, sizeof *s->position);
    return s->position != NULL && desk_init(&s->desk, cluster->vertices, arena) && memo_grow(s);
}

void mine_search_whole(const struct mine_search *s, uint64_t *set) {
    memset(set, 0, s->words * sizeof *set);
    for (uint32_t v = 0; v < s->cluster->vertices; v++) {
        add(set, v);
        if (s->cluster->loop[v])
            add(set, loop_piece(s, v));
    }
    for (uint32_t e = 0; e < s->cluster->edges; e++)
        if (s->cluster->present == NULL || s->cluster->present[e])
            add(set, edge_piece(s, e));
}

/* An irreducible part as a cluster of its own, so that its positions are small. */
static bool extract(const struct mine_search *s, const uint64_t *part, struct mine_cluster *ret_cluster) {
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

/* Ask about an irreducible part in a search of its own, whose positions are small. What is then known of it goes to
 * *ret_facts. Leaves its memory in the arena. */
static enum outcome ask_apart(const struct mine_search *whole, const uint64_t *part, uint32_t goal,
                              uint64_t *states_left, bool *ret_known, struct facts *ret_facts) {
    struct mine_cluster cluster;
    struct mine_search s;
    if (!extract(whole, part, &cluster) ||
        !search_init(&s, &cluster, whole->shortcuts, whole->arena, whole->work, whole->tally))
        return NO_MEMORY;
    uint64_t *root = arena_array(s.arena, s.words, sizeof *root);
    if (root == NULL)
        return NO_MEMORY;
    mine_search_whole(&s, root);
    uint32_t pieces = count_pieces(&s, root);
    s.tally->largest = pieces > s.tally->largest ? pieces : s.tally->largest;
    enum step step = ask(&s, root, goal, states_left);
    if (step == STEP_GO_ON)
        step = answer_all(&s, states_left);
    if (step == STEP_GO_ON)
        *ret_facts = s.memo.facts[0];
    return end_step(step, ret_known);
}

/* Simplify the cluster and search what is irreducible in it. */
static enum outcome value_cluster(struct mine_search *s, uint64_t *states_left, bool *ret_known, uint32_t *ret_nimber) {
    uint64_t *position = arena_array(s->arena, s->words, sizeof *position);
    uint32_t nimber;
    if (position == NULL)
        return NO_MEMORY;
    mine_search_whole(s, position);
    if (!work_charge(s->work, 5 * s->pieces))
        return OUT_OF_WORK;
    if (!simplify(s, position, &nimber))
        return NO_MEMORY;
    *ret_known = true;
    for (size_t p = 0; p < s->irreducible.count && *ret_known; p++) {
        struct facts facts = {0};
        struct arena_mark mark = arena_mark(s->arena);
        enum outcome outcome =
            ask_apart(s, s->irreducible.sets + p * s->words, UNKNOWN, states_left, ret_known, &facts);
        arena_rewind(s->arena, mark);
        if (outcome != DONE)
            return outcome;
        nimber ^= facts.value;
    }
    *ret_nimber = nimber;
    return DONE;
}

enum outcome mine_cluster_nimber(const struct mine_cluster *cluster, unsigned shortcuts, uint64_t *states_left,
                                 struct arena *arena, struct work *work, struct mine_tally *tally, bool *ret_known,
                                 uint32_t *ret_nimber) {
    struct arena_mark mark = arena_mark(arena);
    struct mine_search s;
    enum outcome outcome = search_init(&s, cluster, shortcuts, arena, work, tally)
                               ? value_cluster(&s, states_left, ret_known, ret_nimber)
                               : NO_MEMORY;
    arena_rewind(arena, mark);
    return outcome;
}

struct mine_search *mine_search_new(const struct mine_cluster *cluster, struct arena *arena, struct work *work,
                                    struct mine_tally *tally) {
    struct mine_search *s = arena_alloc(arena, sizeof *s);
    return s != NULL && search_init(s, cluster, MINE_ALL_SHORTCUTS, arena, work, tally) ? s : NULL;
}

size_t mine_search_words(const struct mine_search *s) { return s->words; }

void mine_search_remove_vertex(const struct mine_search *s, uint64_t *position, uint32_t vertex) {
    remove_vertex(s, position, vertex);
}

void mine_search_toggle_loop(const struct mine_search *s, uint64_t *position, uint32_t vertex) {
    position[loop_piece(s, vertex) / 64] ^= (uint64_t)1 << loop_piece(s, vertex) % 64;
}

void mine_search_toggle_edge(const struct mine_search *s, uint64_t *position, uint32_t edge) {
    position[edge_piece(s, edge) / 64] ^= (uint64_t)1 << edge_piece(s, edge) % 64;
}

/* Ask about a part in a search of its own, where positions are small, and keep what came out of it. */
static enum outcome settle_part(struct mine_search *s, const uint64_t *part, uint32_t goal, uint64_t *states_left,
                                bool *ret_known) {
    uint32_t slot = s->memo.slots[memo_find(s, part)], entry = slot - 1;
    struct facts facts;
    if (slot == 0 && !memo_add(s, part, &entry))
        return NO_MEMORY;
    struct arena_mark mark = arena_mark(s->arena);
    enum outcome outcome = ask_apart(s, part, goal, states_left, ret_known, &facts);
    arena_rewind(s->arena, mark);
    if (outcome == DONE && *ret_known) {
        s->memo.facts[entry].value = facts.value;
        s->memo.facts[entry].has |= facts.has;
    }
    return outcome;
}

enum outcome mine_search_equals(struct mine_search *s, const uint64_t *position, uint32_t value, uint64_t *states_left,
                                bool *ret_known, bool *ret_equal) {
    struct reading reading;
    *ret_known = true;
    for (;;) {
        if (!work_charge(s->work, 5 + s->pieces))
            return OUT_OF_WORK;
        if (!read_position(s, position, &reading))
            return NO_MEMORY;
        if (reading.unknown == 0 || cannot_be(s, &reading, value))
            break;
        uint32_t goal = reading.value ^ value;
        bool one = reading.unknown == 1 && goal < NOTED_VALUES;
        enum outcome outcome =
            settle_part(s, one ? reading.largest : reading.smallest, one ? goal : UNKNOWN, states_left, ret_known);
        if (outcome != DONE || !*ret_known)
            return outcome;
    }
    *ret_equal = reading.unknown == 0 && reading.value == value;
    return DONE;
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
