#include "reference/graph.h"

#include <stdlib.h>
#include <string.h>

/* A position is one number in mixed radix: a digit for each vertex (0 removed, 1 present), for each pair of vertices
 * with edges (how many are left), and for each vertex with loops (how many are left). A move makes the number smaller.
 */
struct digit {
    unsigned a, b; /* a vertex: a == b; an edge: its ends; a loop: a == b */
    enum { VERTEX, EDGE, LOOP } what;
    unsigned max;
    uint64_t weight;
};

struct search {
    struct digit *digits;
    unsigned count;
    uint64_t positions;
    unsigned char *values; /* [positions] the Grundy value, or UNKNOWN */
};

/* MAX_DIGITS is sufficient, because each digit at least doubles the number of positions. */
enum { UNKNOWN = 255, MAX_DIGITS = 32 };
_Static_assert(REFERENCE_GRAPH_MAX_POSITIONS < (uint64_t)1 << MAX_DIGITS, "values[] has space for every digit");

static void *checked(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static void add_digit(struct search *search, struct digit digit) {
    digit.weight = search->positions;
    search->digits[search->count++] = digit;
    uint64_t positions;
    if (__builtin_mul_overflow(search->positions, digit.max + (uint64_t)1, &positions) ||
        positions > REFERENCE_GRAPH_MAX_POSITIONS)
        positions = UINT64_MAX;
    search->positions = positions;
}

static bool same_ends(struct reference_edge edge, struct reference_edge other) {
    return (edge.a == other.a && edge.b == other.b) || (edge.a == other.b && edge.b == other.a);
}

static void lay_out_digits(struct search *search, const struct reference_graph *graph) {
    *search = (struct search){.positions = 1};
    search->digits = checked(calloc((size_t)graph->vertices * 2 + graph->edge_count + 1, sizeof(*search->digits)));
    for (unsigned v = 0; v < graph->vertices; v++) {
        add_digit(search, (struct digit){.a = v, .b = v, .what = VERTEX, .max = 1});
        if (graph->loops[v] > 0)
            add_digit(search, (struct digit){.a = v, .b = v, .what = LOOP, .max = graph->loops[v]});
    }
    for (unsigned i = 0; i < graph->edge_count; i++) {
        struct reference_edge edge = graph->edges[i];
        bool first_of_its_kind = true;
        unsigned kind_count = 0;
        for (unsigned j = 0; j < graph->edge_count; j++) {
            if (!same_ends(edge, graph->edges[j]))
                continue;
            kind_count++;
            if (j < i)
                first_of_its_kind = false;
        }
        if (first_of_its_kind)
            add_digit(search, (struct digit){.a = edge.a, .b = edge.b, .what = EDGE, .max = kind_count});
    }
}

/* Write the digits of a position. Nearly all are bits, which need no division. */
static void read_digits(const struct search *search, uint64_t position, unsigned *ret_values) {
    for (unsigned i = 0; i < search->count; i++) {
        unsigned max = search->digits[i].max;
        ret_values[i] = (unsigned)(max == 1 ? position & 1 : position % (max + 1));
        position = max == 1 ? position >> 1 : position / (max + 1);
    }
}

/* Get the position with these digits after deleting vertex `v` and everything on it. */
static uint64_t without_vertex(const struct search *search, uint64_t position, const unsigned *values, unsigned v) {
    uint64_t left = position;
    for (unsigned i = 0; i < search->count; i++) {
        const struct digit *digit = &search->digits[i];
        if (digit->a == v || digit->b == v)
            left -= values[i] * digit->weight;
    }
    return left;
}

/* The recursion is only as deep as the longest game, which is short because `positions` is small. */
static unsigned value_of(struct search *search, uint64_t position) {
    if (search->values[position] != UNKNOWN)
        return search->values[position];
    unsigned values[MAX_DIGITS];
    uint64_t reached = 0; /* the set of reachable values */
    read_digits(search, position, values);
    for (unsigned i = 0; i < search->count; i++) {
        const struct digit *digit = &search->digits[i];
        if (values[i] == 0)
            continue;
        uint64_t after =
            digit->what == VERTEX ? without_vertex(search, position, values, digit->a) : position - digit->weight;
        reached |= (uint64_t)1 << value_of(search, after);
    }
    if (reached == UINT64_MAX)
        abort();
    unsigned mex = (unsigned)__builtin_ctzll(~reached);
    search->values[position] = (unsigned char)mex;
    return mex;
}

uint64_t reference_graph_positions(const struct reference_graph *graph) {
    struct search search;
    lay_out_digits(&search, graph);
    free(search.digits);
    return search.positions;
}

unsigned reference_graph_nimber(const struct reference_graph *graph) {
    struct search search;
    lay_out_digits(&search, graph);
    if (search.positions == UINT64_MAX)
        abort();
    search.values = checked(malloc(search.positions));
    memset(search.values, UNKNOWN, search.positions);
    unsigned nimber = value_of(&search, search.positions - 1);
    free(search.values);
    free(search.digits);
    return nimber;
}

/* Set part[v] to the smallest vertex that v is connected to. */
static void find_parts(const struct reference_graph *graph, unsigned *part) {
    for (unsigned v = 0; v < graph->vertices; v++)
        part[v] = v;
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < graph->edge_count; i++) {
            unsigned *a = &part[graph->edges[i].a], *b = &part[graph->edges[i].b];
            if (*a == *b)
                continue;
            unsigned smaller = *a < *b ? *a : *b;
            *a = *b = smaller;
            changed = true;
        }
    }
}

/* Get the part that begins with vertex `first` as a graph of its own. `loops`, `edges` and `number` provide its
 * memory. */
static struct reference_graph cut_out(const struct reference_graph *graph, const unsigned *part, unsigned first,
                                      unsigned *loops, struct reference_edge *edges, unsigned *number) {
    struct reference_graph cut = {.loops = loops, .edges = edges};
    for (unsigned v = first; v < graph->vertices; v++) {
        if (part[v] != first)
            continue;
        loops[cut.vertices] = graph->loops[v];
        number[v] = cut.vertices++;
    }
    for (unsigned i = 0; i < graph->edge_count; i++) {
        if (part[graph->edges[i].a] == first)
            edges[cut.edge_count++] = (struct reference_edge){number[graph->edges[i].a], number[graph->edges[i].b]};
    }
    return cut;
}

bool reference_graph_nimber_by_parts(const struct reference_graph *graph, uint64_t max_positions,
                                     unsigned *ret_nimber) {
    unsigned *part = checked(calloc((size_t)graph->vertices + 1, sizeof(*part)));
    unsigned *loops = checked(calloc((size_t)graph->vertices + 1, sizeof(*loops)));
    unsigned *number = checked(calloc((size_t)graph->vertices + 1, sizeof(*number)));
    struct reference_edge *edges = checked(calloc((size_t)graph->edge_count + 1, sizeof(*edges)));
    find_parts(graph, part);
    unsigned nimber = 0;
    bool small_enough = true;
    for (unsigned first = 0; first < graph->vertices && small_enough; first++) {
        if (part[first] != first)
            continue;
        struct reference_graph cut = cut_out(graph, part, first, loops, edges, number);
        small_enough = reference_graph_positions(&cut) <= max_positions;
        if (small_enough)
            nimber ^= reference_graph_nimber(&cut);
    }
    free(part);
    free(loops);
    free(number);
    free(edges);
    if (small_enough)
        *ret_nimber = nimber;
    return small_enough;
}
