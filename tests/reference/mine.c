#include "reference/mine.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { NO_OPENING = 0, MAX_NEIGHBOURS = 8 };

static void *checked(void *block) {
    if (block == NULL)
        abort();
    return block;
}

/* Get the cells around a cell (up to eight). Returns their number. */
static unsigned cells_around(unsigned rows, unsigned cols, unsigned cell, unsigned around[MAX_NEIGHBOURS]) {
    int row = (int)(cell / cols), col = (int)(cell % cols);
    unsigned count = 0;
    for (int r = row - 1; r <= row + 1; r++) {
        for (int c = col - 1; c <= col + 1; c++) {
            if (r < 0 || c < 0 || r >= (int)rows || c >= (int)cols || (r == row && c == col))
                continue;
            around[count++] = (unsigned)r * cols + (unsigned)c;
        }
    }
    return count;
}

static bool is_blank(unsigned rows, unsigned cols, const char *cells, unsigned cell) {
    if (cells[cell] == '*')
        return false;
    unsigned around[MAX_NEIGHBOURS];
    unsigned count = cells_around(rows, cols, cell, around);
    for (unsigned i = 0; i < count; i++) {
        if (cells[around[i]] == '*')
            return false;
    }
    return true;
}

/* Get the cells that a click on `cell` reveals on an entirely face-down field, as a bit set. */
static uint32_t turned_by_click(unsigned rows, unsigned cols, const char *cells, unsigned cell) {
    uint32_t turned = (uint32_t)1 << cell;
    unsigned waiting[32], waiting_count = 0;
    waiting[waiting_count++] = cell;
    while (waiting_count > 0) {
        unsigned from = waiting[--waiting_count];
        if (!is_blank(rows, cols, cells, from))
            continue;
        unsigned around[MAX_NEIGHBOURS];
        unsigned count = cells_around(rows, cols, from, around);
        for (unsigned i = 0; i < count; i++) {
            if (turned & ((uint32_t)1 << around[i]))
                continue;
            turned |= (uint32_t)1 << around[i];
            waiting[waiting_count++] = around[i];
        }
    }
    return turned;
}

/* A set of face-down cells is a number with a bit for each cell without a mine. A click makes the number smaller, so in
 * ascending order, all successors are valued first. */
void reference_mine_play(unsigned rows, unsigned cols, const char *cells, struct reference_mine_play *ret_play) {
    static unsigned char values[(size_t)1 << REFERENCE_MINE_MAX_CELLS];
    struct reference_mine_play *play = ret_play;
    *play = (struct reference_mine_play){.values = values};
    if (rows * cols > 32)
        abort();
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        if (cells[cell] != '*')
            play->bit_of_cell[cell] = play->safe++;
    }
    if (play->safe > REFERENCE_MINE_MAX_CELLS)
        abort();
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        if (cells[cell] == '*')
            continue;
        uint32_t by_cell = turned_by_click(rows, cols, cells, cell);
        for (unsigned other = 0; other < rows * cols; other++) {
            if (by_cell & ((uint32_t)1 << other))
                play->turned[play->bit_of_cell[cell]] |= (uint32_t)1 << play->bit_of_cell[other];
        }
    }
    for (uint32_t face_down = 0; face_down < (uint32_t)1 << play->safe; face_down++) {
        uint32_t reached = 0; /* the set of reachable values, none above 20 */
        for (uint32_t rest = face_down; rest != 0; rest &= rest - 1)
            reached |= (uint32_t)1 << values[face_down & ~play->turned[__builtin_ctz(rest)]];
        values[face_down] = (unsigned char)__builtin_ctz(~reached);
    }
}

unsigned reference_mine_nimber(unsigned rows, unsigned cols, const char *cells) {
    struct reference_mine_play play;
    reference_mine_play(rows, cols, cells, &play);
    return play.values[((uint32_t)1 << play.safe) - 1];
}

unsigned reference_mine_clicks(unsigned rows, unsigned cols, const char *cells, bool *ret_wins) {
    struct reference_mine_play play;
    reference_mine_play(rows, cols, cells, &play);
    uint32_t all = ((uint32_t)1 << play.safe) - 1;
    reference_mine_wins_among(rows, cols, cells, &play, all, ret_wins);
    return play.values[all];
}

void reference_mine_wins_among(unsigned rows, unsigned cols, const char *cells, const struct reference_mine_play *play,
                               uint32_t face_down, bool *ret_wins) {
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        ret_wins[cell] = false;
        if (cells[cell] == '*' || !(face_down >> play->bit_of_cell[cell] & 1))
            continue;
        /* If clicking a blank reveals an earlier one, it is not the first in its opening. */
        bool first = true;
        uint32_t turned = turned_by_click(rows, cols, cells, cell);
        for (unsigned earlier = 0; earlier < cell && is_blank(rows, cols, cells, cell); earlier++)
            first = first && !(turned >> earlier & 1 && is_blank(rows, cols, cells, earlier));
        ret_wins[cell] = first && play->values[face_down & ~play->turned[play->bit_of_cell[cell]]] == 0;
    }
}

bool reference_mine_click(unsigned rows, unsigned cols, const char *cells, unsigned cell, bool *face_up) {
    if (cells[cell] == '*' || face_up[cell])
        return false;
    unsigned *waiting = checked(malloc((size_t)rows * cols * sizeof(*waiting))), waiting_count = 0;
    face_up[cell] = true;
    waiting[waiting_count++] = cell;
    while (waiting_count > 0) {
        unsigned from = waiting[--waiting_count], around[MAX_NEIGHBOURS];
        if (!is_blank(rows, cols, cells, from))
            continue;
        unsigned count = cells_around(rows, cols, from, around);
        for (unsigned i = 0; i < count; i++) {
            if (face_up[around[i]])
                continue;
            face_up[around[i]] = true;
            waiting[waiting_count++] = around[i];
        }
    }
    free(waiting);
    return true;
}

void reference_mine_show(unsigned rows, unsigned cols, const char *cells, char *ret_cells) {
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        unsigned around[MAX_NEIGHBOURS], mines = 0;
        unsigned count = cells_around(rows, cols, cell, around);
        for (unsigned i = 0; i < count; i++)
            mines += cells[around[i]] == '*';
        ret_cells[cell] = cells[cell] == '*' ? '*' : mines == 0 ? '.' : (char)('0' + mines);
    }
}

/* Is this cell face up? If `face_up` is NULL, no cell is. */
static bool is_up(const bool *face_up, unsigned cell) { return face_up != NULL && face_up[cell]; }

/* Number the face-down openings from 1 in the order of their first blanks. Cells outside openings get NO_OPENING.
 * Pending cells are kept in a list, not on the call stack, because an opening can be as large as the field. */
static unsigned *find_openings(unsigned rows, unsigned cols, const char *cells, const bool *face_up,
                               unsigned *ret_openings) {
    size_t count = (size_t)rows * cols;
    unsigned *opening = checked(calloc(count, sizeof(*opening)));
    bool *blank = checked(malloc(count * sizeof(*blank)));
    unsigned *waiting = checked(malloc(count * sizeof(*waiting)));
    for (unsigned cell = 0; cell < count; cell++)
        blank[cell] = is_blank(rows, cols, cells, cell) && !is_up(face_up, cell);
    unsigned openings = 0;
    for (unsigned first = 0; first < count; first++) {
        if (!blank[first] || opening[first] != NO_OPENING)
            continue;
        size_t waiting_count = 0;
        waiting[waiting_count++] = first;
        opening[first] = ++openings;
        while (waiting_count > 0) {
            unsigned around[MAX_NEIGHBOURS];
            unsigned neighbours = cells_around(rows, cols, waiting[--waiting_count], around);
            for (unsigned i = 0; i < neighbours; i++) {
                if (!blank[around[i]] || opening[around[i]] != NO_OPENING)
                    continue;
                opening[around[i]] = openings;
                waiting[waiting_count++] = around[i];
            }
        }
    }
    free(blank);
    free(waiting);
    *ret_openings = openings;
    return opening;
}

/* Get the distinct openings next to a cell. Returns their number. */
static unsigned openings_around(unsigned rows, unsigned cols, const unsigned *opening, unsigned cell,
                                unsigned found[MAX_NEIGHBOURS]) {
    unsigned around[MAX_NEIGHBOURS];
    unsigned neighbours = cells_around(rows, cols, cell, around);
    unsigned count = 0;
    for (unsigned i = 0; i < neighbours; i++) {
        bool is_new = opening[around[i]] != NO_OPENING;
        for (unsigned k = 0; k < count; k++)
            is_new = is_new && found[k] != opening[around[i]];
        if (is_new)
            found[count++] = opening[around[i]];
    }
    return count;
}

static bool is_number(const char *cells, const bool *face_up, const unsigned *opening, unsigned cell) {
    return cells[cell] != '*' && !is_up(face_up, cell) && opening[cell] == NO_OPENING;
}

struct reference_mine_counts reference_mine_count(unsigned rows, unsigned cols, const char *cells) {
    return reference_mine_count_left(rows, cols, cells, NULL);
}

struct reference_mine_counts reference_mine_count_left(unsigned rows, unsigned cols, const char *cells,
                                                       const bool *face_up) {
    struct reference_mine_counts counts = {0};
    unsigned *opening = find_openings(rows, cols, cells, face_up, &counts.openings);
    counts.three_bv = counts.openings;
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        if (!is_number(cells, face_up, opening, cell))
            continue;
        unsigned found[MAX_NEIGHBOURS];
        unsigned count = openings_around(rows, cols, opening, cell, found);
        counts.three_bv += count == 0;
        counts.shared_numbers += count == 2;
        counts.crowded_numbers += count > 2;
    }
    free(opening);
    return counts;
}

struct reference_mine_graph reference_mine_graph(unsigned rows, unsigned cols, const char *cells) {
    return reference_mine_graph_left(rows, cols, cells, NULL);
}

struct reference_mine_graph reference_mine_graph_left(unsigned rows, unsigned cols, const char *cells,
                                                      const bool *face_up) {
    struct reference_mine_graph result = {0};
    size_t cell_count = (size_t)rows * cols;
    unsigned *opening = find_openings(rows, cols, cells, face_up, &result.graph.vertices);
    unsigned *loops = checked(calloc((size_t)result.graph.vertices + 1, sizeof(*loops)));
    struct reference_edge *edges = checked(malloc((cell_count + 1) * sizeof(*edges)));
    result.first_blank = checked(malloc(((size_t)result.graph.vertices + 1) * sizeof(*result.first_blank)));
    for (unsigned cell = (unsigned)cell_count; cell-- > 0;) {
        if (opening[cell] != NO_OPENING)
            result.first_blank[opening[cell] - 1] = cell;
        if (!is_number(cells, face_up, opening, cell))
            continue;
        unsigned found[MAX_NEIGHBOURS];
        unsigned count = openings_around(rows, cols, opening, cell, found);
        if (count > 2)
            abort();
        if (count == 2)
            edges[result.graph.edge_count++] = (struct reference_edge){found[0] - 1, found[1] - 1};
        if (count == 1)
            loops[found[0] - 1]++;
        if (count == 0)
            result.isolated_numbers++;
    }
    free(opening);
    result.graph.loops = loops;
    result.graph.edges = edges;
    return result;
}

void reference_mine_graph_clear(struct reference_mine_graph *graph) {
    free((void *)graph->graph.loops);
    free((void *)graph->graph.edges);
    free(graph->first_blank);
    *graph = (struct reference_mine_graph){0};
}

/* Make a modifiable copy of a graph, without vertex `gone` if there is such a vertex. The caller must free its loops
 * and edges. */
static struct reference_graph copy_graph(const struct reference_graph *graph, unsigned gone) {
    unsigned *loops = checked(calloc((size_t)graph->vertices + 1, sizeof(*loops)));
    struct reference_edge *edges = checked(calloc((size_t)graph->edge_count + 1, sizeof(*edges)));
    struct reference_graph copy = {.loops = loops, .edges = edges};
    for (unsigned v = 0; v < graph->vertices; v++) {
        if (v != gone)
            loops[copy.vertices++] = graph->loops[v];
    }
    for (unsigned e = 0; e < graph->edge_count; e++) {
        struct reference_edge edge = graph->edges[e];
        if (edge.a == gone || edge.b == gone)
            continue;
        edges[copy.edge_count++] = (struct reference_edge){edge.a - (edge.a > gone), edge.b - (edge.b > gone)};
    }
    return copy;
}

/* Get the graph after a click on a cell that is not a mine. A blank must be the first in its opening. */
static struct reference_graph after_click(const struct reference_graph *graph, unsigned rows, unsigned cols,
                                          const unsigned *opening, unsigned cell, unsigned *isolated_numbers) {
    if (opening[cell] != NO_OPENING)
        return copy_graph(graph, opening[cell] - 1);
    struct reference_graph copy = copy_graph(graph, graph->vertices);
    struct reference_edge *edges = (struct reference_edge *)copy.edges;
    unsigned found[MAX_NEIGHBOURS], count = openings_around(rows, cols, opening, cell, found);
    *isolated_numbers -= count == 0;
    if (count == 1)
        ((unsigned *)copy.loops)[found[0] - 1]--;
    for (unsigned e = 0; count == 2; e++) {
        if ((edges[e].a == found[0] - 1 && edges[e].b == found[1] - 1) ||
            (edges[e].a == found[1] - 1 && edges[e].b == found[0] - 1)) {
            edges[e] = edges[--copy.edge_count];
            break;
        }
    }
    return copy;
}

bool reference_mine_clicks_by_graph(unsigned rows, unsigned cols, const char *cells, uint64_t max_positions,
                                    bool *ret_wins) {
    return reference_mine_clicks_left(rows, cols, cells, NULL, max_positions, ret_wins);
}

bool reference_mine_clicks_left(unsigned rows, unsigned cols, const char *cells, const bool *face_up,
                                uint64_t max_positions, bool *ret_wins) {
    struct reference_mine_graph model = reference_mine_graph_left(rows, cols, cells, face_up);
    unsigned openings, nimber;
    unsigned *opening = find_openings(rows, cols, cells, face_up, &openings);
    bool small_enough = reference_graph_nimber_by_parts(&model.graph, max_positions, &nimber);
    for (unsigned cell = 0; cell < rows * cols && small_enough; cell++) {
        ret_wins[cell] = false;
        if (cells[cell] == '*' || is_up(face_up, cell) ||
            (opening[cell] != NO_OPENING && model.first_blank[opening[cell] - 1] != cell))
            continue;
        unsigned isolated_numbers = model.isolated_numbers;
        struct reference_graph after = after_click(&model.graph, rows, cols, opening, cell, &isolated_numbers);
        if (!reference_graph_nimber_by_parts(&after, max_positions, &nimber))
            abort(); /* cannot happen, because no part has become larger */
        ret_wins[cell] = (nimber ^ isolated_numbers % 2) == 0;
        free((void *)after.loops);
        free((void *)after.edges);
    }
    free(opening);
    reference_mine_graph_clear(&model);
    return small_enough;
}

unsigned reference_mine_equals(unsigned rows, unsigned cols, const char *cells, unsigned cell) {
    unsigned openings, equals = 0, found[MAX_NEIGHBOURS], others[MAX_NEIGHBOURS];
    unsigned *opening = find_openings(rows, cols, cells, NULL, &openings);
    unsigned count = is_number(cells, NULL, opening, cell) ? openings_around(rows, cols, opening, cell, found) : 0;
    for (unsigned other = 0; other < rows * cols && count > 0; other++) {
        if (!is_number(cells, NULL, opening, other) || openings_around(rows, cols, opening, other, others) != count)
            continue;
        equals += (others[0] == found[0] && others[count - 1] == found[count - 1]) ||
                  (others[0] == found[count - 1] && others[count - 1] == found[0]);
    }
    free(opening);
    return equals;
}

/* Move every opening that is connected to `first` by an odd number of numbers, directly or through others, from
 * `cluster_of` NO_OPENING to first + 1. odd[vertices][vertices] says which pairs are connected. */
static void flood_cluster(unsigned vertices, const bool *odd, unsigned first, unsigned *cluster_of) {
    bool changed = true;
    cluster_of[first] = first + 1;
    while (changed) {
        changed = false;
        for (unsigned v = 0; v < vertices; v++) {
            for (unsigned w = 0; w < vertices; w++) {
                if (cluster_of[v] != first + 1 || cluster_of[w] != NO_OPENING || !odd[(size_t)v * vertices + w])
                    continue;
                cluster_of[w] = first + 1;
                changed = true;
            }
        }
    }
}

/* Count and play the cluster that begins with opening `first`. */
static struct reference_mine_cluster play_cluster(const struct reference_mine_graph *model, const bool *odd,
                                                  unsigned first, const unsigned *cluster_of, uint64_t max_positions) {
    unsigned vertices = model->graph.vertices;
    struct reference_mine_cluster cluster = {.first_blank = model->first_blank[first]};
    unsigned *number = checked(calloc(vertices, sizeof(*number))), *loops = checked(calloc(vertices, sizeof(*loops)));
    struct reference_edge *edges = checked(malloc(((size_t)model->graph.edge_count + 1) * sizeof(*edges)));
    struct reference_graph graph = {.loops = loops, .edges = edges};
    for (unsigned v = first; v < vertices; v++) {
        if (cluster_of[v] != first + 1)
            continue;
        loops[graph.vertices] = model->graph.loops[v] % 2;
        cluster.numbers += model->graph.loops[v] % 2;
        number[v] = graph.vertices++;
        for (unsigned w = first; w < v; w++)
            if (odd[(size_t)v * vertices + w])
                edges[graph.edge_count++] = (struct reference_edge){number[w], number[v]};
    }
    cluster.openings = graph.vertices;
    cluster.numbers += graph.edge_count;
    cluster.small_enough = reference_graph_positions(&graph) <= max_positions;
    if (cluster.small_enough)
        cluster.nimber = reference_graph_nimber(&graph);
    free(number);
    free(loops);
    free(edges);
    return cluster;
}

unsigned reference_mine_clusters(unsigned rows, unsigned cols, const char *cells, const bool *face_up,
                                 uint64_t max_positions, struct reference_mine_cluster *ret_clusters) {
    struct reference_mine_graph model = reference_mine_graph_left(rows, cols, cells, face_up);
    unsigned vertices = model.graph.vertices, count = 0;
    bool *odd = checked(calloc((size_t)vertices * vertices + 1, sizeof(*odd)));
    unsigned *cluster_of = checked(calloc((size_t)vertices + 1, sizeof(*cluster_of)));
    for (unsigned e = 0; e < model.graph.edge_count; e++) {
        struct reference_edge edge = model.graph.edges[e];
        odd[(size_t)edge.a * vertices + edge.b] ^= true;
        odd[(size_t)edge.b * vertices + edge.a] ^= true;
    }
    for (unsigned first = 0; first < vertices; first++) {
        if (cluster_of[first] != NO_OPENING)
            continue;
        flood_cluster(vertices, odd, first, cluster_of);
        ret_clusters[count++] = play_cluster(&model, odd, first, cluster_of, max_positions);
    }
    free(odd);
    free(cluster_of);
    reference_mine_graph_clear(&model);
    return count;
}
