#include "go/alive.h"

#include "go/board.h"
#include "go/score.h"

#include <string.h>

/* An empty point has at most four neighbours, so a region is vital to at most four chains. All other regions can be
 * ignored, because removing one changes nothing. So a region is only explored, from an empty point, as long as there is
 * a chain next to all points seen so far, and no point that is known to belong to another kind of region; most of the
 * board is never looked at. */

/* A region that is vital to at least one chain. */
struct region {
    uint16_t first, end; /* its nodes, as indexes */
    bool removed;
    go_four vital; /* the chains to which it is vital, 16 bits each; 0: none */
};

/* What is known about a node: an empty point, or a chain of the opponent, by its number on the board. */
enum { UNSEEN, SEEN /* in the region that is explored, or in one that is vital */, IGNORED };

/* The search for one colour. */
struct search {
    const struct go_board *board;
    enum go_color color;
    bool suicide;
    uint8_t state[GO_BORDERED]; /* by node */
    unsigned region_count, node_count;
    struct region regions[GO_POINTS];
    uint16_t nodes[GO_POINTS];      /* the nodes of all regions, one region after the other */
    uint16_t vital_of[GO_BORDERED]; /* by chain: how many regions that are left are vital to it; of 0, meaningless */
};

/* Returns the neighbours that have this colour. */
static inline go_four of_color(go_four around, go_four color) {
    return go_four_zero((around & 3 * GO_EACH) ^ color * GO_EACH);
}

/* Returns the chain numbers of a set of neighbours; 0 for the others. */
static inline go_four chains_of(go_four around, go_four neighbours) {
    return around >> 2 & 0x3fff * GO_EACH & neighbours * 0xffff;
}

/* Returns the number of one of the neighbours in a set. */
static inline uint16_t first_of(go_four around, go_four neighbours) {
    return go_four_chain(around, (unsigned)__builtin_ctzll(neighbours));
}

/* Returns the members of `chains` that are also in `others`, each of them once. */
static inline go_four intersect(go_four chains, go_four others) {
    go_four both = 0;
    for (unsigned bit = 0; bit < 64; bit += 16) {
        go_four chain = chains >> bit & 0xffff, each = chain * GO_EACH;
        if (go_four_zero(others ^ each) != 0 && go_four_zero(both ^ each) == 0)
            both |= chain << bit;
    }
    return both;
}

/* Returns the next point of a node, in a circle. */
static inline uint16_t next_point(const struct search *s, uint16_t point) {
    return go_board_at(s->board, point) == GO_EMPTY ? point : s->board->next[point];
}

/* Returns those of the chains that are next to a point. */
static inline go_four next_to(const struct search *s, go_four chains, uint16_t point) {
    go_four around = go_board_around(s->board, point);
    return intersect(chains, chains_of(around, of_color(around, s->color)));
}

/* Add the unseen nodes next to a point to the region that is explored. Returns false if the region is to be ignored. */
static inline bool add_neighbours(struct search *s, uint16_t point, go_four *vital) {
    go_four around = go_board_around(s->board, point);
    go_four left = of_color(around, go_opponent(s->color)) | of_color(around, GO_EMPTY);
    for (; left != 0 && *vital != 0; left &= left - 1) {
        uint16_t node = first_of(around, left);
        if (s->state[node] == SEEN)
            continue;
        if (s->state[node] == IGNORED)
            break;
        s->state[node] = SEEN;
        s->nodes[s->node_count++] = node;
        if (go_board_at(s->board, node) == GO_EMPTY)
            *vital = next_to(s, *vital, node);
    }
    return left == 0 && *vital != 0;
}

/* Returns whether an empty point need not be explored: it has been seen, or is to be ignored, because there is no chain
 * next to it, or a node next to it is ignored. The nodes next to it are then ignored, too. Most points are like that,
 * so this has few branches. */
static inline bool is_done(struct search *s, uint16_t point, go_four around) {
    go_four own = of_color(around, s->color), open = chains_of(around, ~(own | of_color(around, GO_BORDER)) & GO_EACH);
    uint16_t node[4] = {(uint16_t)open, (uint16_t)(open >> 16), (uint16_t)(open >> 32), (uint16_t)(open >> 48)};
    uint8_t *state = s->state; /* of node 0, which does not exist: UNSEEN */
    unsigned all = state[point] | state[node[0]] | state[node[1]] | state[node[2]] | state[node[3]];
    if (all == UNSEEN && own != 0)
        return false;
    uint8_t found = state[point] == SEEN ? SEEN : IGNORED; /* all nodes of a vital region have been seen */
    state[node[0]] = state[node[1]] = state[node[2]] = state[node[3]] = state[point] = found;
    state[0] = UNSEEN;
    return true;
}

/* Explore the region of an empty point. If it is vital, add it to the regions. */
static void explore(struct search *s, uint16_t start) {
    unsigned first = s->node_count;
    go_four around = go_board_around(s->board, start);
    go_four vital = chains_of(around, of_color(around, s->color));
    if (is_done(s, start, around))
        return;
    bool good = true;
    s->state[start] = SEEN;
    s->nodes[s->node_count++] = start;
    for (unsigned k = first; good && k < s->node_count; k++) {
        uint16_t point = s->nodes[k];
        do {
            if (s->suicide)
                vital = next_to(s, vital, point);
            good = add_neighbours(s, point, &vital);
        } while (good && (point = next_point(s, point)) != s->nodes[k]);
    }
    if (good) {
        vital = intersect(vital, vital);
        s->regions[s->region_count++] = (struct region){(uint16_t)first, (uint16_t)s->node_count, false, vital};
        for (; vital != 0; vital >>= 16)
            s->vital_of[vital & 0xffff]++;
        return;
    }
    for (; s->node_count > first; s->node_count--)
        s->state[s->nodes[s->node_count - 1]] = IGNORED;
}

/* Is a region next to a chain to which fewer than two regions are vital? */
static bool is_lost(const struct search *s, const struct region *region) {
    for (unsigned k = region->first; k < region->end; k++) {
        uint16_t point = s->nodes[k];
        do {
            go_four around = go_board_around(s->board, point);
            for (go_four own = of_color(around, s->color); own != 0; own &= own - 1)
                if (s->vital_of[first_of(around, own)] < 2)
                    return true;
        } while ((point = next_point(s, point)) != s->nodes[k]);
    }
    return false;
}

/* Remove the regions next to a chain to which fewer than two are vital, until nothing changes. */
static void reduce(struct search *s) {
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < s->region_count; r++) {
            struct region *region = &s->regions[r];
            if (region->removed || !is_lost(s, region))
                continue;
            region->removed = changed = true;
            for (go_four left = region->vital; left != 0; left >>= 16)
                s->vital_of[left & 0xffff]--;
        }
    }
}

/* Mark the points of a node. `marks` is by point. */
static void mark_node(const struct search *s, uint16_t node, enum go_mark mark, uint8_t *marks) {
    uint16_t point = node;
    do
        marks[point] = (uint8_t)mark;
    while ((point = next_point(s, point)) != node);
}

/* Mark a region that is left, and the chains to which it is vital. */
static void mark_region(const struct search *s, const struct region *region, uint8_t *marks) {
    for (unsigned k = region->first; k < region->end; k++)
        mark_node(s, s->nodes[k], s->color == GO_BLACK ? GO_MARK_BLACK_POINT : GO_MARK_WHITE_POINT, marks);
    for (go_four left = region->vital; left != 0; left >>= 16) {
        uint16_t chain = (uint16_t)left;
        ASSERT(chain == 0 || s->vital_of[chain] >= 2);
        if (chain != 0 && marks[chain] == GO_MARK_NONE)
            mark_node(s, chain, (enum go_mark)s->color, marks);
    }
}

static void search(const struct go_board *board, enum go_color color, bool suicide, const uint16_t *empty,
                   unsigned count, uint8_t *marks) {
    struct search s;
    s.board = board;
    s.color = color;
    s.suicide = suicide;
    s.region_count = s.node_count = 0;
    memset(s.state, UNSEEN, sizeof s.state);
    memset(s.vital_of, 0, sizeof s.vital_of);
    for (unsigned k = 0; k < count; k++)
        explore(&s, empty[k]);
    reduce(&s);
    for (unsigned r = 0; r < s.region_count; r++)
        if (!s.regions[r].removed)
            mark_region(&s, &s.regions[r], marks);
}

void go_game_alive(const struct go_game *game, bool suicide, uint8_t *ret_marks) {
    const struct go_board *board = go_game_board(game);
    unsigned size = board->size;
    uint16_t empty[GO_POINTS + 1]; /* one more is written than counted */
    uint8_t marks[GO_BORDERED] = {GO_MARK_NONE};
    unsigned count = 0, last = go_board_point(board, size - 1, size - 1);
    for (unsigned point = go_board_point(board, 0, 0); point <= last; point++) {
        empty[count] = (uint16_t)point;
        count += go_board_at(board, (uint16_t)point) == GO_EMPTY;
    }
    search(board, GO_BLACK, suicide, empty, count, marks);
    search(board, GO_WHITE, suicide, empty, count, marks);
    for (unsigned row = 0; row < size; row++)
        memcpy(ret_marks + (size_t)row * size, marks + go_board_point(board, row, 0), size);
}
