#include "go/alive.h"

#include "go/board.h"
#include "go/score.h"

#include <string.h>

/* A set of chains next to one point. */
struct near {
    unsigned count;
    uint16_t chain[4];
};

struct region {
    uint16_t first, end; /* its points, as indexes of `points` */
    bool removed;
    struct near vital; /* the chains to which it is vital */
};

/* The chains and regions of one colour. Chains have their numbers on the board. */
struct search {
    const struct go_board *board;
    enum go_color color;
    bool suicide;
    unsigned region_count, point_count;
    struct region regions[GO_POINTS];
    uint16_t points[GO_POINTS];      /* the points of all regions, one region after the other */
    uint16_t region_of[GO_BORDERED]; /* by point: the number of its region, counted from 1; 0: not seen yet */
    uint16_t vital_of[GO_BORDERED];  /* by chain: how many regions that are left are vital to it */
    uint16_t to_remove[GO_POINTS];   /* a stack of chains */
    unsigned to_remove_count;
};

/* Does a point of this colour belong to a region? */
static inline bool is_open(const struct search *s, enum go_color color) {
    return color != s->color && (unsigned)color != GO_BORDER;
}

static bool contains(const struct near *near, uint16_t chain) {
    for (unsigned k = 0; k < near->count; k++)
        if (near->chain[k] == chain)
            return true;
    return false;
}

/* Keep the chains that are also in `others`. */
static void intersect(struct near *near, const struct near *others) {
    unsigned kept = 0;
    for (unsigned k = 0; k < near->count; k++)
        if (contains(others, near->chain[k]))
            near->chain[kept++] = near->chain[k];
    near->count = kept;
}

/* Find the chains next to a point of a region, and add its neighbours to the region. */
static inline void visit(struct search *s, uint16_t point, uint16_t region, struct near *ret_near) {
    uint16_t around[4];
    ret_near->count = 0;
    go_board_neighbours(s->board, point, around);
    for (int i = 0; i < 4; i++) {
        enum go_color color = go_board_at(s->board, around[i]);
        uint16_t chain = go_board_chain(s->board, around[i]);
        if (color == s->color && !contains(ret_near, chain)) {
            ret_near->chain[ret_near->count++] = chain;
        } else if (is_open(s, color) && s->region_of[around[i]] == 0) {
            s->region_of[around[i]] = region;
            s->points[s->point_count++] = around[i];
        }
    }
}

/* Find the region of a point, and the chains to which it is vital. */
static void find_region(struct search *s, uint16_t start) {
    struct region *region = &s->regions[s->region_count++];
    *region = (struct region){.first = (uint16_t)s->point_count};
    s->region_of[start] = (uint16_t)s->region_count;
    s->points[s->point_count++] = start;
    bool first = true;
    for (unsigned k = region->first; k < s->point_count; k++) {
        struct near near;
        visit(s, s->points[k], (uint16_t)s->region_count, &near);
        if (!s->suicide && go_board_at(s->board, s->points[k]) != GO_EMPTY)
            continue;
        if (first)
            region->vital = near;
        else
            intersect(&region->vital, &near);
        first = false;
    }
    region->end = (uint16_t)s->point_count;
    for (unsigned k = 0; k < region->vital.count; k++)
        s->vital_of[region->vital.chain[k]]++;
}

/* Find all regions, and the chains to which fewer than two are vital. Returns false if these are all chains. */
static bool find_regions(struct search *s) {
    bool some = false;
    for (unsigned row = 0; row < s->board->size; row++) {
        uint16_t point = go_board_point(s->board, row, 0), end = (uint16_t)(point + s->board->size);
        for (; point < end; point++)
            if (is_open(s, go_board_at(s->board, point)) && s->region_of[point] == 0)
                find_region(s, point);
    }
    for (unsigned row = 0; row < s->board->size; row++) {
        uint16_t point = go_board_point(s->board, row, 0), end = (uint16_t)(point + s->board->size);
        for (; point < end; point++) {
            if (go_board_at(s->board, point) != s->color || go_board_chain(s->board, point) != point)
                continue;
            if (s->vital_of[point] < 2)
                s->to_remove[s->to_remove_count++] = point;
            else
                some = true;
        }
    }
    return some;
}

/* Remove a region. A chain that it leaves with one vital region is removed next. */
static void remove_region(struct search *s, struct region *region) {
    region->removed = true;
    for (unsigned k = 0; k < region->vital.count; k++)
        if (--s->vital_of[region->vital.chain[k]] == 1)
            s->to_remove[s->to_remove_count++] = region->vital.chain[k];
}

/* Remove the regions next to a chain that was removed. */
static void remove_chain(struct search *s, uint16_t head) {
    uint16_t stone = head, around[4];
    do {
        go_board_neighbours(s->board, stone, around);
        for (int i = 0; i < 4; i++)
            if (s->region_of[around[i]] != 0 && !s->regions[s->region_of[around[i]] - 1].removed)
                remove_region(s, &s->regions[s->region_of[around[i]] - 1]);
    } while ((stone = s->board->next[stone]) != head);
}

/* Mark the chains and regions that are left. `marks` is by point. */
static void mark(const struct search *s, uint8_t *marks) {
    bool black = s->color == GO_BLACK;
    for (unsigned r = 0; r < s->region_count; r++) {
        const struct region *region = &s->regions[r];
        if (region->removed || region->vital.count == 0)
            continue;
        for (unsigned k = region->first; k < region->end; k++)
            marks[s->points[k]] = black ? GO_MARK_BLACK_POINT : GO_MARK_WHITE_POINT;
        for (unsigned k = 0; k < region->vital.count; k++) {
            uint16_t stone = region->vital.chain[k];
            ASSERT(s->vital_of[stone] >= 2);
            if (marks[stone] == GO_MARK_NONE)
                do
                    marks[stone] = (uint8_t)s->color;
                while ((stone = s->board->next[stone]) != region->vital.chain[k]);
        }
    }
}

static void search(const struct go_board *board, enum go_color color, bool suicide, uint8_t *marks) {
    struct search s;
    s.board = board;
    s.color = color;
    s.suicide = suicide;
    s.region_count = s.point_count = s.to_remove_count = 0;
    memset(s.region_of, 0, sizeof s.region_of);
    memset(s.vital_of, 0, sizeof s.vital_of);
    if (!find_regions(&s))
        return;
    while (s.to_remove_count != 0)
        remove_chain(&s, s.to_remove[--s.to_remove_count]);
    mark(&s, marks);
}

void go_game_alive(const struct go_game *game, bool suicide, uint8_t *ret_marks) {
    const struct go_board *board = go_game_board(game);
    unsigned size = board->size;
    uint8_t marks[GO_BORDERED] = {GO_MARK_NONE};
    search(board, GO_BLACK, suicide, marks);
    search(board, GO_WHITE, suicide, marks);
    for (unsigned row = 0; row < size; row++)
        memcpy(ret_marks + row * size, marks + go_board_point(board, row, 0), size);
}
