#include "mine/part.h"

#include "base/assert.h"

#include <string.h>

/* Make sure that there is space for one more part, whose key has at most this many words. Returns false if memory is
 * exhausted. */
static bool reserve(struct mine_parts *parts, size_t words, struct arena *arena) {
    struct mine_part *items =
        arena_extend(arena, parts->items, parts->count, parts->count + 1, &parts->capacity, sizeof *parts->items);
    if (items == NULL)
        return false;
    parts->items = items;
    uint64_t *grown = arena_extend(arena, parts->words, parts->word_count, parts->word_count + words,
                                   &parts->word_capacity, sizeof *parts->words);
    if (grown == NULL)
        return false;
    parts->words = grown;
    return true;
}

bool mine_parts_begin(struct mine_parts *parts, const struct mine_part *part, uint32_t core_vertices,
                      struct arena *arena, struct mine_key_writer *ret_writer) {
    ASSERT(core_vertices >= 1 && part->vertices >= core_vertices && part->edges >= part->vertices - core_vertices);
    /* Each vertex outside the core is attached to another vertex by one edge. */
    uint32_t core_edges = part->edges - (part->vertices - core_vertices);
    unsigned place_bits = mine_key_width(core_vertices);
    /* In addition to full words, there is one for the counts, one that may be incomplete, and one that mine_key_put may
     * touch. */
    if (!reserve(parts, (3 * (size_t)part->vertices + 2 * (size_t)place_bits * core_edges) / 64 + 3, arena))
        return false;
    uint64_t *words = parts->words + parts->word_count;
    words[0] = (uint64_t)core_vertices << 32 | core_edges;
    *ret_writer = (struct mine_key_writer){words + 1, 0, place_bits};
    return true;
}

void mine_parts_end(struct mine_parts *parts, struct mine_part part, uint32_t words) {
    ASSERT(parts->count < parts->capacity && parts->word_count + words <= parts->word_capacity);
    part.at = parts->word_count;
    part.words = words;
    part.hash = mine_key_hash(parts->words + part.at, part.words);
    parts->items[parts->count++] = part;
    parts->word_count += part.words;
}

bool mine_parts_add(struct mine_parts *parts, const struct mine_part *part, const uint64_t *words,
                    struct arena *arena) {
    if (!reserve(parts, part->words, arena))
        return false;
    memcpy(parts->words + parts->word_count, words, part->words * sizeof *words);
    parts->items[parts->count] = *part;
    parts->items[parts->count++].at = parts->word_count;
    parts->word_count += part->words;
    return true;
}

struct key_reader {
    const uint64_t *words;
    size_t bit;
};

/* Read the next `count` bits, 0 to 63, as a number. */
static uint64_t get_bits(struct key_reader *reader, unsigned count) {
    uint64_t bits = 0;
    for (unsigned taken = 0; taken < count;) {
        unsigned used = reader->bit % 64, some = 64 - used < count - taken ? 64 - used : count - taken;
        /* cppcheck-suppress shiftTooManyBits; some is at least 1 */
        uint64_t word = reader->words[reader->bit / 64] << used >> (64 - some);
        bits = bits << some | word;
        taken += some;
        reader->bit += some;
    }
    return bits;
}

bool mine_key_scratch_init(struct mine_key_scratch *scratch, uint32_t vertices, struct arena *arena) {
    scratch->parent = arena_array(arena, vertices, sizeof *scratch->parent);
    scratch->core_vertex = arena_array(arena, vertices, sizeof *scratch->core_vertex);
    return scratch->parent != NULL && scratch->core_vertex != NULL;
}

/* Read a core vertex and its branches, and add them to the cluster, the vertex itself first. */
static void read_vertex(struct key_reader *reader, uint32_t *parent, struct mine_cluster *cluster) {
    uint32_t v = MINE_NO_BRANCH; /* the current vertex; MINE_NO_BRANCH if none */
    do {
        if (get_bits(reader, 1) == 0) {
            ASSERT(v != MINE_NO_BRANCH); /* the first bit of a core vertex is 1 */
            v = parent[v];
            continue;
        }
        uint32_t child = cluster->vertices++;
        cluster->loop[child] = get_bits(reader, 1);
        parent[child] = v;
        if (v != MINE_NO_BRANCH)
            cluster->edge[cluster->edges++] = (struct mine_edge){v, child};
        v = child;
    } while (v != MINE_NO_BRANCH);
}

void mine_key_decode(const uint64_t *key, const struct mine_key_scratch *scratch, struct mine_cluster *ret_cluster) {
    struct mine_cluster *cluster = ret_cluster;
    struct key_reader reader = {key + 1, 0};
    uint32_t core_vertices = (uint32_t)(key[0] >> 32), core_edges = (uint32_t)key[0];
    unsigned place_bits = mine_key_width(core_vertices);
    cluster->vertices = cluster->edges = 0;
    for (uint32_t place = 0; place < core_vertices; place++) {
        scratch->core_vertex[place] = cluster->vertices;
        read_vertex(&reader, scratch->parent, cluster);
    }
    for (uint32_t e = 0; e < core_edges; e++) {
        uint32_t a = scratch->core_vertex[get_bits(&reader, place_bits)];
        uint32_t b = scratch->core_vertex[get_bits(&reader, place_bits)];
        cluster->edge[cluster->edges++] = (struct mine_edge){a, b};
    }
    memset(cluster->present, true, cluster->edges * sizeof *cluster->present);
    mine_cluster_link(cluster);
}
