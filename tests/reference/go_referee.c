#include "reference/go_referee.h"

#include <stdlib.h>
#include <string.h>

static void *checked(void *block) {
    if (block == NULL)
        abort();
    return block;
}

/* ---- legal moves ---- */

static struct reference_go *copy_game(const struct reference_go *game) {
    size_t points = (size_t)game->size * game->size;
    struct reference_go *copy = reference_go_new(game->size, game->ko, game->suicide);
    copy->reports = game->reports;
    copy->moves = game->moves;
    memcpy(copy->board, game->board, points);
    memcpy(copy->before, game->before, points);
    copy->past_count = copy->past_capacity = game->past_count;
    copy->past = checked(calloc(game->past_count + 1, sizeof(*copy->past)));
    for (size_t i = 0; i < game->past_count; i++) {
        copy->past[i] = game->past[i];
        copy->past[i].board = checked(malloc(points));
        memcpy(copy->past[i].board, game->past[i].board, points);
    }
    return copy;
}

unsigned reference_go_legal(const struct reference_go *game, char color, char *ret_points) {
    unsigned size = game->size, count = 0;
    for (unsigned point = 0; point < size * size; point++) {
        struct reference_go *copy = copy_game(game);
        unsigned code = reference_go_play(copy, color, point / size, point % size).code;
        ret_points[point] = code == 1 ? game->board[point] : code == 0 ? '.' : (char)('0' + code);
        count += code == 0;
        reference_go_free(copy);
    }
    return count;
}

/* ---- regions ---- */

enum { MOST_POINTS = 625 };

struct set {
    bool has[MOST_POINTS];
};

static bool are_adjacent(unsigned cols, unsigned a, unsigned b) {
    unsigned rows_apart = a / cols > b / cols ? a / cols - b / cols : b / cols - a / cols;
    unsigned cols_apart = a % cols > b % cols ? a % cols - b % cols : b % cols - a % cols;
    return rows_apart + cols_apart == 1;
}

/* Is the point next to a member of the set? */
static bool touches(unsigned points, unsigned cols, const struct set *set, unsigned point) {
    unsigned near[4], count = 0;
    if (point >= cols)
        near[count++] = point - cols;
    if (point + cols < points)
        near[count++] = point + cols;
    if (point % cols != 0)
        near[count++] = point - 1;
    if (point % cols + 1 != cols)
        near[count++] = point + 1;
    for (unsigned k = 0; k < count; k++)
        if (are_adjacent(cols, near[k], point) && set->has[near[k]])
            return true;
    return false;
}

/* Get the connected set that `start` belongs to, of points whose characters are in `kinds`. */
static struct set connected(unsigned points, unsigned cols, const char *board, const char *kinds, unsigned start) {
    struct set set = {{false}};
    bool grown = true;
    set.has[start] = true;
    while (grown) {
        grown = false;
        for (unsigned point = 0; point < points; point++)
            if (!set.has[point] && strchr(kinds, board[point]) != NULL && touches(points, cols, &set, point))
                set.has[point] = grown = true;
    }
    return set;
}

/* ---- the score ---- */

static char owner_of(unsigned size, const char *board, const bool *seki, unsigned point) {
    unsigned points = size * size;
    struct set region = connected(points, size, board, ".", point);
    bool black = false, white = false;
    for (unsigned p = 0; p < points; p++) {
        if (region.has[p] && seki[p])
            return '.';
        black = black || (board[p] == 'B' && touches(points, size, &region, p));
        white = white || (board[p] == 'W' && touches(points, size, &region, p));
    }
    return black == white ? '.' : black ? 'b' : 'w';
}

struct reference_go_count reference_go_count(unsigned size, const char *board, const bool *dead, const bool *seki,
                                             bool territory, const unsigned prisoners[2], char *ret_marks) {
    unsigned points = size * size, stones[2] = {0}, owned[2] = {0};
    char *living = checked(malloc(points));
    struct reference_go_count count = {0};
    memcpy(living, board, points);
    for (unsigned point = 0; point < points; point++)
        if (dead[point] && living[point] != '.') {
            unsigned *taken = living[point] == 'B' ? &count.dead_black : &count.dead_white;
            *taken += reference_go_take_off(size, living, point / size, point % size);
        }
    for (unsigned point = 0; point < points; point++) {
        char mark = living[point] != '.' ? living[point] : owner_of(size, living, seki, point);
        ret_marks[point] = mark;
        stones[0] += mark == 'B';
        stones[1] += mark == 'W';
        owned[0] += mark == 'b';
        owned[1] += mark == 'w';
        count.neutral += mark == '.';
    }
    count.black = owned[0] + (territory ? prisoners[0] + count.dead_white : stones[0]);
    count.white = owned[1] + (territory ? prisoners[1] + count.dead_black : stones[1]);
    free(living);
    return count;
}

/* ---- unconditional life, by trying everything ---- */

/* The boards of this part have any number of rows and columns. */
static bool has_liberty(unsigned points, unsigned cols, const char *board, unsigned point) {
    struct set chain = connected(points, cols, board, (char[]){board[point], 0}, point);
    for (unsigned p = 0; p < points; p++)
        if (board[p] == '.' && touches(points, cols, &chain, p))
            return true;
    return false;
}

static void take_off(unsigned points, unsigned cols, char *board, unsigned point) {
    struct set chain = connected(points, cols, board, (char[]){board[point], 0}, point);
    for (unsigned p = 0; p < points; p++)
        if (chain.has[p])
            board[p] = '.';
}

static uint32_t number_of(unsigned points, const char *board) {
    uint32_t number = 0;
    for (unsigned p = 0; p < points; p++)
        number = 3 * number + (board[p] == '.' ? 0 : board[p] == 'B' ? 1 : 2);
    return number;
}

static void read_number(unsigned points, uint32_t number, char *ret_board) {
    for (unsigned p = points; p-- > 0; number /= 3)
        ret_board[p] = ".BW"[number % 3];
}

/* Play a stone on an empty point. Returns false if that is a suicide and suicide is forbidden. */
static bool play(unsigned points, unsigned cols, char *board, char color, unsigned point, bool suicide) {
    board[point] = color;
    for (unsigned p = 0; p < points; p++)
        if (board[p] != '.' && board[p] != color && are_adjacent(cols, p, point) &&
            !has_liberty(points, cols, board, p))
            take_off(points, cols, board, p);
    if (has_liberty(points, cols, board, point))
        return true;
    take_off(points, cols, board, point);
    return suicide;
}

static uint32_t stones_of(unsigned points, const char *board, char color) {
    uint32_t stones = 0;
    for (unsigned p = 0; p < points; p++)
        stones = stones << 1 | (board[p] == color);
    return stones;
}

/* Add what the owner loses in one more move of the opponent. Returns whether there is anything new. */
static bool look_ahead(unsigned points, unsigned cols, bool suicide, uint32_t number, unsigned owner,
                       uint32_t (*losses)[2]) {
    char board[16], after[16], opponent = owner == 0 ? 'W' : 'B';
    read_number(points, number, board);
    uint32_t own = stones_of(points, board, owner == 0 ? 'B' : 'W'), before = losses[number][owner];
    for (unsigned p = 0; p < points; p++) {
        memcpy(after, board, points);
        if (board[p] != '.' || !play(points, cols, after, opponent, p, suicide))
            continue;
        uint32_t left = stones_of(points, after, owner == 0 ? 'B' : 'W');
        losses[number][owner] |= (own & ~left) | losses[number_of(points, after)][owner];
    }
    return losses[number][owner] != before;
}

uint32_t (*reference_go_losses(unsigned rows, unsigned cols, bool suicide))[2] {
    unsigned points = rows * cols;
    uint32_t count = 1;
    for (unsigned p = 0; p < points; p++)
        count *= 3;
    uint32_t(*losses)[2] = checked(calloc(count, sizeof(*losses)));
    for (uint32_t number = 0; number < count; number++) {
        char board[16];
        read_number(points, number, board);
        for (unsigned p = 0; p < points; p++)
            if (board[p] != '.' && !has_liberty(points, cols, board, p))
                losses[number][0] = losses[number][1] = UINT32_MAX;
    }
    for (bool news = true; news;) {
        news = false;
        for (uint32_t number = count; number-- > 0;)
            for (unsigned owner = 0; owner < 2; owner++)
                if (losses[number][owner] != UINT32_MAX)
                    news = look_ahead(points, cols, suicide, number, owner, losses) || news;
    }
    return losses;
}

/* ---- unconditional life, by Benson's definition ---- */

struct group {
    struct set points;
    bool left;
};

/* Find the connected sets of points whose characters are in `kinds`. Returns their number. */
static unsigned find_groups(unsigned points, unsigned cols, const char *board, const char *kinds,
                            struct group *ret_groups) {
    unsigned count = 0;
    struct set seen = {{false}};
    for (unsigned p = 0; p < points; p++) {
        if (strchr(kinds, board[p]) == NULL || seen.has[p])
            continue;
        ret_groups[count] = (struct group){connected(points, cols, board, kinds, p), true};
        for (unsigned q = 0; q < points; q++)
            seen.has[q] = seen.has[q] || ret_groups[count].points.has[q];
        count++;
    }
    return count;
}

struct benson {
    unsigned points, cols;
    const char *board;
    bool strict;
    unsigned chain_count, region_count;
    struct group *chains, *regions; /* [points] */
};

static bool is_vital(const struct benson *b, const struct group *region, const struct group *chain) {
    for (unsigned p = 0; p < b->points; p++)
        if (region->points.has[p] && (b->strict || b->board[p] == '.') &&
            !touches(b->points, b->cols, &chain->points, p))
            return false;
    return true;
}

static bool is_next_to(const struct benson *b, const struct group *region, const struct group *chain) {
    for (unsigned p = 0; p < b->points; p++)
        if (region->points.has[p] && touches(b->points, b->cols, &chain->points, p))
            return true;
    return false;
}

/* Remove chains, then regions. Returns whether anything was removed. */
static bool reduce(struct benson *b) {
    bool changed = false;
    for (unsigned c = 0; c < b->chain_count; c++) {
        unsigned vital = 0;
        for (unsigned r = 0; r < b->region_count; r++)
            vital += b->regions[r].left && is_vital(b, &b->regions[r], &b->chains[c]);
        if (vital < 2 && b->chains[c].left) {
            b->chains[c].left = false;
            changed = true;
        }
    }
    for (unsigned r = 0; r < b->region_count; r++)
        for (unsigned c = 0; c < b->chain_count; c++)
            if (b->regions[r].left && !b->chains[c].left && is_next_to(b, &b->regions[r], &b->chains[c])) {
                b->regions[r].left = false;
                changed = true;
            }
    return changed;
}

static void put_marks(const struct benson *b, char stone, char point, char *marks) {
    for (unsigned c = 0; c < b->chain_count; c++)
        for (unsigned p = 0; p < b->points && b->chains[c].left; p++)
            if (b->chains[c].points.has[p])
                marks[p] = stone;
    for (unsigned r = 0; r < b->region_count; r++)
        for (unsigned c = 0; c < b->chain_count; c++)
            if (b->regions[r].left && b->chains[c].left && is_vital(b, &b->regions[r], &b->chains[c]))
                for (unsigned p = 0; p < b->points; p++)
                    if (b->regions[r].points.has[p])
                        marks[p] = point;
}

void reference_go_alive(unsigned rows, unsigned cols, const char *board, bool strict, char *ret_marks) {
    static const char *const own[] = {"B", "W"}, *const others[] = {".W", ".B"};
    struct benson b = {.points = rows * cols, .cols = cols, .board = board, .strict = strict};
    b.chains = checked(calloc(b.points, sizeof(*b.chains)));
    b.regions = checked(calloc(b.points, sizeof(*b.regions)));
    memset(ret_marks, '.', b.points);
    for (unsigned owner = 0; owner < 2; owner++) {
        b.chain_count = find_groups(b.points, cols, board, own[owner], b.chains);
        b.region_count = find_groups(b.points, cols, board, others[owner], b.regions);
        while (reduce(&b))
            continue;
        put_marks(&b, *own[owner], owner == 0 ? 'b' : 'w', ret_marks);
    }
    free(b.chains);
    free(b.regions);
}
