/* Finds openings and the numbers next to them, 64 cells per word.
 *
 * Each row's mines are spread to their neighbours, and three such rows are combined: the result marks the cells that
 * are or touch a mine. All other cells are blanks, and the marked cells without a mine are numbers.
 *
 *     mines        . . * . .        spread       . # # # .        three rows of `spread`, combined, give `near`
 *
 * Openings are found from the runs of blanks in each row: a run joins every run of the row above that it touches, in a
 * union-find. Its roots are the earliest runs, so openings are numbered in the order of their first blanks.
 *
 * Then each row of numbers is read once, along the runs in it and in the rows above and below. A run reaches one column
 * further on either side. If only runs of one opening reach a span of columns, the numbers in it belong to that opening
 * alone, and only their parity matters. (Treating all spans as mixed takes 1.3 to 1.6 times as long on 1000 x 1000
 * fields with 30 % to 1 % mines.) In other spans, a number that is reached by two openings is shared. Three openings
 * never reach the same number: two blanks on one side of a number would make the cell between them blank, so its blanks
 * are in opposite corners or a knight's move apart. */
#include "mine/openings.h"

#include "base/assert.h"
#include "base/bits.h"

#include <string.h>

/* The state while openings are being found. */
struct scan {
    struct mine_openings *openings;
    struct arena *arena;
    uint32_t run_count;
    bool *loop, *any_loop;   /* [openings] as in the graph */
    struct mine_edge *edges; /* openings->shared_numbers of them so far */
    size_t edge_capacity;
};

/* Spread the bits of a row to their left and right neighbours. ret_spread[words]. */
static void spread_row(const uint64_t *row, uint64_t *ret_spread, unsigned words, unsigned cols) {
    for (unsigned w = 0; w < words; w++) {
        uint64_t from_left = w > 0 ? row[w - 1] >> 63 : 0, from_right = w + 1 < words ? row[w + 1] << 63 : 0;
        ret_spread[w] = row[w] | row[w] << 1 | row[w] >> 1 | from_left | from_right;
    }
    ret_spread[words - 1] &= mine_last_word_mask(cols);
}

/* Fill in openings->near: each row of spread mines is combined with those above and below. Returns false if memory is
 * exhausted. */
static bool find_near(struct scan *scan) {
    unsigned rows = scan->openings->field->rows, words = scan->openings->words;
    uint64_t *spread = arena_array(scan->arena, (size_t)3 * words, sizeof *spread);
    if (spread == NULL)
        return false;
    memset(scan->openings->near, 0, (size_t)rows * words * sizeof *scan->openings->near);
    for (unsigned r = 0; r < rows; r++) {
        spread_row(scan->openings->field->mines + (size_t)r * words, spread, words, scan->openings->field->cols);
        for (unsigned q = r > 0 ? r - 1 : 0; q <= r + 1 && q < rows; q++)
            for (unsigned w = 0; w < words; w++)
                scan->openings->near[(size_t)q * words + w] |= spread[w];
    }
    return true;
}

/* Fill in openings->gone, and do not count face-up cells as blanks. Openings are revealed as a whole, with all numbers
 * next to them, so the other openings keep their shapes and numbers. Returns false if memory is exhausted. */
static bool find_gone(struct scan *scan) {
    struct mine_openings *openings = scan->openings;
    const struct mine_field *field = openings->field;
    size_t count = (size_t)field->rows * openings->words;
    openings->gone = field->mines;
    if (field->face_up == NULL)
        return true;
    uint64_t *gone = arena_array(scan->arena, count, sizeof *gone);
    if (gone == NULL)
        return false;
    for (size_t w = 0; w < count; w++) {
        gone[w] = field->mines[w] | field->face_up[w];
        openings->near[w] |= gone[w];
    }
    openings->gone = gone;
    return true;
}

/* Find the first column at or after `from` whose bit in `row` is `bit`. Returns `cols` if there is none. */
static unsigned next_column(const uint64_t *row, unsigned cols, unsigned from, bool bit) {
    while (from < cols) {
        uint64_t word = (bit ? row[from / 64] : ~row[from / 64]) >> from % 64;
        if (word != 0) {
            from += (unsigned)__builtin_ctzll(word);
            return from < cols ? from : cols;
        }
        from = (from / 64 + 1) * 64;
    }
    return cols;
}

/* Get the blanks of word `w` of a row. */
static inline uint64_t blanks_of(const uint64_t *near, unsigned w, unsigned words, unsigned cols) {
    return w + 1 < words ? ~near[w] : ~near[w] & mine_last_word_mask(cols);
}

static uint32_t count_runs(const uint64_t *near, unsigned words, unsigned cols) {
    uint32_t count = 0;
    uint64_t carry = 0;
    for (unsigned w = 0; w < words; w++) {
        uint64_t blanks = blanks_of(near, w, words, cols);
        count += bits_count(blanks & ~(blanks << 1 | carry));
        carry = blanks >> 63;
    }
    return count;
}

/* Find the runs of a row: in each word, first their starts, then their ends, in separate loops whose branches are well
 * predicted. Finding them one by one takes 1.2 times as long (1000 x 1000 fields with 1 % and 6 % mines). */
static void find_runs(const uint64_t *near, unsigned words, unsigned cols, struct mine_run *ret_runs) {
    uint32_t starts = 0, ends = 0;
    uint64_t carry = 0;
    for (unsigned w = 0; w < words; w++) {
        uint64_t blanks = blanks_of(near, w, words, cols), before = blanks << 1 | carry;
        for (uint64_t left = blanks & ~before; left != 0; left &= left - 1)
            ret_runs[starts++].start = (uint16_t)(w * 64 + (unsigned)__builtin_ctzll(left));
        for (uint64_t left = ~blanks & before; left != 0; left &= left - 1)
            ret_runs[ends++].end = (uint16_t)(w * 64 + (unsigned)__builtin_ctzll(left));
        carry = blanks >> 63;
    }
    ASSERT(ends == starts || ends + 1 == starts); /* the last run may reach the last column of a full word */
    if (ends < starts)
        ret_runs[ends].end = (uint16_t)cols;
}

/* Find the earliest run that is joined to `run`, and compress the path to it. */
static uint32_t find_root(struct mine_run *runs, uint32_t run) {
    while (runs[run].parent != run) {
        ASSERT(runs[run].parent < run); /* so the loop ends */
        runs[run].parent = runs[runs[run].parent].parent;
        run = runs[run].parent;
    }
    return run;
}

/* Join each run in row `r` to the runs in the row above that it touches, including at corners. */
static void join_rows(struct scan *scan, unsigned r) {
    uint32_t above = scan->openings->row_runs[r - 1];
    for (uint32_t run = scan->openings->row_runs[r]; run < scan->openings->row_runs[r + 1]; run++) {
        struct mine_run *runs = scan->openings->runs;
        while (above < scan->openings->row_runs[r] && runs[above].end < runs[run].start)
            above++;
        /* Do not move `above` past the last run that this one touches, because the next run may touch it, too. */
        for (uint32_t k = above; k < scan->openings->row_runs[r] && runs[k].start <= runs[run].end; k++) {
            uint32_t a = find_root(runs, run), b = find_root(runs, k);
            runs[a > b ? a : b].parent = a < b ? a : b;
        }
    }
}

/* Find the runs of all rows, and join those that touch. */
static enum outcome find_all_runs(struct scan *scan, struct work *work) {
    struct mine_openings *openings = scan->openings;
    unsigned rows = openings->field->rows, cols = openings->field->cols, words = openings->words;
    uint32_t *row_runs = openings->row_runs = arena_array(scan->arena, (size_t)rows + 1, sizeof *row_runs);
    if (row_runs == NULL)
        return OUTCOME_NO_MEMORY;
    row_runs[0] = 0;
    for (unsigned r = 0; r < rows; r++)
        row_runs[r + 1] = row_runs[r] + count_runs(openings->near + (size_t)r * words, words, cols);
    uint32_t count = row_runs[rows];
    if (!work_charge(work, 4 * (uint64_t)count))
        return work_failure(work);
    openings->runs = arena_array(scan->arena, count, sizeof *openings->runs);
    if (openings->runs == NULL)
        return OUTCOME_NO_MEMORY;
    for (unsigned r = 0; r < rows; r++) {
        find_runs(openings->near + (size_t)r * words, words, cols, openings->runs + row_runs[r]);
        for (uint32_t run = row_runs[r]; run < row_runs[r + 1]; run++)
            openings->runs[run].parent = run;
        if (r > 0)
            join_rows(scan, r);
    }
    scan->run_count = count;
    return OUTCOME_DONE;
}

/* Number the openings in the order of their earliest runs, and replace each run's parent by its opening. Allocates the
 * arrays indexed by opening. Returns false if memory is exhausted. */
static bool number_openings(struct scan *scan) {
    struct mine_openings *openings = scan->openings;
    uint32_t count = 0;
    for (uint32_t run = 0; run < scan->run_count; run++)
        count += openings->runs[run].parent == run;
    uint32_t *first_blank = arena_array(scan->arena, count, sizeof *first_blank);
    scan->loop = arena_calloc(scan->arena, count, sizeof *scan->loop);
    scan->any_loop = arena_calloc(scan->arena, count, sizeof *scan->any_loop);
    if (first_blank == NULL || scan->loop == NULL || scan->any_loop == NULL)
        return false;
    uint32_t next = 0;
    for (unsigned r = 0; r < openings->field->rows; r++)
        for (uint32_t run = openings->row_runs[r]; run < openings->row_runs[r + 1]; run++) {
            uint32_t parent = openings->runs[run].parent;
            if (parent == run) {
                first_blank[next] = r * openings->field->cols + openings->runs[run].start;
                openings->runs[run].opening = next++;
            } else {
                ASSERT(parent < run); /* so its opening has been written already */
                openings->runs[run].opening = openings->runs[parent].opening;
            }
        }
    openings->graph.vertices = count;
    openings->graph.loop = scan->loop;
    openings->graph.any_loop = scan->any_loop;
    openings->first_blank = first_blank;
    return true;
}

/* Add the edge for a number next to two openings. Returns false if memory is exhausted. */
static bool add_edge(struct scan *scan, uint32_t a, uint32_t b) {
    struct mine_openings *openings = scan->openings;
    struct mine_edge *edges = arena_extend(scan->arena, scan->edges, openings->shared_numbers,
                                           (size_t)openings->shared_numbers + 1, &scan->edge_capacity, sizeof *edges);
    if (edges == NULL)
        return false;
    scan->edges = edges;
    scan->edges[openings->shared_numbers++] = (struct mine_edge){a, b};
    return true;
}

/* Fill in openings->reach: column c is reached if row `r`, or the row above or below, has a blank in column c - 1, c or
 * c + 1. */
static void find_reach(struct mine_openings *openings, unsigned r) {
    unsigned rows = openings->field->rows, cols = openings->field->cols, words = openings->words;
    const uint64_t *row = openings->near + (size_t)r * words;
    const uint64_t *above = r > 0 ? row - words : row, *below = r + 1 < rows ? row + words : row;
    for (unsigned w = 0; w < words; w++)
        openings->blanks[w] =
            blanks_of(above, w, words, cols) | blanks_of(row, w, words, cols) | blanks_of(below, w, words, cols);
    spread_row(openings->blanks, openings->reach, words, cols);
}

/* Get the numbers in columns `from` to `to` - 1 of row `r` that are in word `w`. */
static inline uint64_t numbers_between(const struct mine_openings *openings, unsigned r, unsigned w, unsigned from,
                                       unsigned to) {
    uint64_t numbers = mine_numbers(openings, r, w);
    if (w == from / 64)
        numbers &= UINT64_MAX << from % 64;
    if (w == to / 64)
        numbers &= ((uint64_t)1 << to % 64) - 1;
    return numbers;
}

/* Consecutive runs in three rows that together reach a span of columns in the middle row without a gap. */
struct group {
    uint32_t from[3], to[3]; /* in the row above, in this row, and in the row below */
    unsigned start, end;     /* columns */
    uint32_t opening;        /* the opening of one of the runs */
    bool mixed;              /* the runs belong to several openings */
};

/* Find the next group. In the k-th of the three rows, the runs end at ends[k]. Returns false if there is no group left.
 */
static bool next_group(const struct mine_openings *openings, const uint32_t ends[3], struct group *group) {
    const struct mine_run *runs = openings->runs;
    unsigned cols = openings->field->cols;
    group->start = next_column(openings->reach, cols, group->end, true);
    if (group->start == cols)
        return false;
    group->end = next_column(openings->reach, cols, group->start, false);
    group->opening = MINE_NO_OPENING;
    group->mixed = false;
    for (int k = 0; k < 3; k++) {
        uint32_t run = group->from[k] = group->to[k];
        for (; run < ends[k] && runs[run].start < group->end; run++) {
            group->mixed |= runs[run].opening != group->opening && group->opening != MINE_NO_OPENING;
            group->opening = runs[run].opening;
        }
        group->to[k] = run;
    }
    return true;
}

/* Functions that receive the numbers in a row, word by word. */
struct listener {
    void *context;
    void (*isolated)(void *context, unsigned w, uint64_t numbers);
    void (*own)(void *context, uint32_t opening, unsigned w, uint64_t numbers);
    bool (*shared)(void *context, uint32_t a, uint32_t b, unsigned w, uint64_t number); /* returns false to stop */
};

/* The columns in a word that some openings reach. Each of these openings has a run there in one of three rows, so there
 * are at most 3 * 64. */
enum { MAX_REACHES = 3 * 64 };

struct reaches {
    unsigned count;
    uint32_t opening[MAX_REACHES];
    uint64_t columns[MAX_REACHES];
};

static void add_reach(struct reaches *reaches, uint32_t opening, uint64_t columns) {
    unsigned k = 0;
    while (k < reaches->count && reaches->opening[k] != opening)
        k++;
    if (k == reaches->count) {
        ASSERT(k < MAX_REACHES);
        reaches->opening[k] = opening;
        reaches->columns[k] = 0;
        reaches->count++;
    }
    reaches->columns[k] |= columns;
}

/* Add the columns in word `w` that a row's runs from *first to `last` - 1 reach. Moves *first past the runs that reach
 * no later word. */
static void add_runs(const struct mine_openings *openings, unsigned w, uint32_t *first, uint32_t last,
                     struct reaches *reaches) {
    for (uint32_t run = *first; run < last; run++) {
        const struct mine_run *at = &openings->runs[run];
        unsigned start = at->start > 0 ? at->start - 1u : 0,
                 end = at->end + 1u; /* columns beyond the last one are cut off */
        if (start >= (w + 1) * 64)
            return;
        if (end <= (w + 1) * 64)
            *first = run + 1;
        if (end <= w * 64)
            continue;
        uint64_t columns = start > w * 64 ? UINT64_MAX << start % 64 : UINT64_MAX;
        if (end < (w + 1) * 64)
            columns &= ((uint64_t)1 << end % 64) - 1;
        add_reach(reaches, at->opening, columns);
    }
}

/* Find the next opening that reaches a number, starting at index `from`. There must be one. */
static inline unsigned next_reach(const struct reaches *reaches, uint64_t number, unsigned from) {
    unsigned k = from;
    for (; !(reaches->columns[k] & number); k++)
        ASSERT(k + 1 < reaches->count);
    return k;
}

/* Report the numbers in a group with several openings: those that two openings reach are shared, the others belong to
 * one. Returns false if the listener stops. */
static inline bool read_mixed_group(const struct mine_openings *openings, unsigned r, const struct group *group,
                                    const struct listener listener) {
    uint32_t first[3] = {group->from[0], group->from[1], group->from[2]};
    struct reaches reaches;
    for (unsigned w = group->start / 64; w <= (group->end - 1) / 64; w++) {
        uint64_t numbers = numbers_between(openings, r, w, group->start, group->end), once = 0, twice = 0;
        reaches.count = 0;
        for (int k = 0; k < 3; k++)
            add_runs(openings, w, &first[k], group->to[k], &reaches);
        for (unsigned k = 0; k < reaches.count; k++) {
            reaches.columns[k] &= numbers;
            ASSERT((reaches.columns[k] & twice) == 0); /* no number is next to three openings */
            twice |= once & reaches.columns[k];
            once |= reaches.columns[k];
        }
        for (unsigned k = 0; k < reaches.count; k++)
            listener.own(listener.context, reaches.opening[k], w, reaches.columns[k] & ~twice);
        for (; twice != 0; twice &= twice - 1) {
            uint64_t number = twice & -twice;
            unsigned a = next_reach(&reaches, number, 0), b = next_reach(&reaches, number, a + 1);
            if (!listener.shared(listener.context, reaches.opening[a], reaches.opening[b], w, number))
                return false;
        }
    }
    return true;
}

/* Report all numbers in row `r`, by the openings next to them. Returns false if the listener stops. It is inlined into
 * its two callers, so that the listener's functions are constants there. If it is not inlined, it takes 6 to 21 % more
 * instructions (1000 x 1000 fields with 6 % mines and with none). */
static inline __attribute__((always_inline)) bool read_row(struct mine_openings *openings, unsigned r,
                                                           const struct listener listener) {
    const uint32_t *row_runs = openings->row_runs;
    unsigned last = openings->field->rows - 1;
    struct group group = {.to = {row_runs[r > 0 ? r - 1 : 0], row_runs[r], row_runs[r + 1]}};
    const uint32_t ends[3] = {row_runs[r], row_runs[r + 1], row_runs[r < last ? r + 2 : r + 1]};
    find_reach(openings, r);
    for (unsigned w = 0; w < openings->words; w++)
        listener.isolated(listener.context, w, mine_numbers(openings, r, w) & ~openings->reach[w]);
    while (next_group(openings, ends, &group)) {
        if (group.mixed) {
            if (!read_mixed_group(openings, r, &group, listener))
                return false;
            continue;
        }
        for (unsigned w = group.start / 64; w <= (group.end - 1) / 64; w++)
            listener.own(listener.context, group.opening, w, numbers_between(openings, r, w, group.start, group.end));
    }
    return true;
}

static void count_isolated(void *context, unsigned w, uint64_t numbers) {
    (void)w;
    ((struct scan *)context)->openings->isolated_numbers += bits_count(numbers);
}

static void count_own(void *context, uint32_t opening, unsigned w, uint64_t numbers) {
    struct scan *scan = context;
    (void)w;
    scan->any_loop[opening] |= numbers != 0;
    scan->loop[opening] ^= __builtin_parityll(numbers);
}

static bool count_shared(void *context, uint32_t a, uint32_t b, unsigned w, uint64_t number) {
    (void)w;
    (void)number;
    return add_edge(context, a, b);
}

static bool read_numbers(struct scan *scan, unsigned r) {
    return read_row(scan->openings, r, (struct listener){scan, count_isolated, count_own, count_shared});
}

/* Does clicking a number next to the openings `a` and `b` win? These are the ends of one of the sorted edges. */
static bool edge_wins(const struct mine_wins *wins, uint32_t a, uint32_t b) {
    struct mine_edge edge = a < b ? (struct mine_edge){a, b} : (struct mine_edge){b, a};
    uint32_t from = 0, to = wins->edge_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const struct mine_edge *there = &wins->edge_ends[middle];
        if (there->a < edge.a || (there->a == edge.a && there->b < edge.b))
            from = middle + 1;
        else
            to = middle;
    }
    return wins->edge[from];
}

/* For mine_mark_numbers: which numbers to mark, and where to write them. */
struct marking {
    bool isolated;
    const struct mine_wins *wins;
    uint64_t *marked;
};

static void mark_isolated(void *context, unsigned w, uint64_t numbers) {
    const struct marking *marking = context;
    marking->marked[w] |= marking->isolated ? numbers : 0;
}

static void mark_own(void *context, uint32_t opening, unsigned w, uint64_t numbers) {
    const struct marking *marking = context;
    marking->marked[w] |= marking->wins->loop[opening] ? numbers : 0;
}

static bool mark_shared(void *context, uint32_t a, uint32_t b, unsigned w, uint64_t number) {
    const struct marking *marking = context;
    marking->marked[w] |= edge_wins(marking->wins, a, b) ? number : 0;
    return true;
}

void mine_mark_numbers(struct mine_openings *openings, unsigned r, bool isolated, const struct mine_wins *wins,
                       uint64_t *ret_marked) {
    struct marking marking = {isolated, wins, ret_marked};
    ASSERT(r < openings->field->rows);
    memset(ret_marked, 0, openings->words * sizeof *ret_marked);
    read_row(openings, r, (struct listener){&marking, mark_isolated, mark_own, mark_shared});
}

enum outcome mine_find_openings(const struct mine_field *field, struct arena *arena, struct work *work,
                                struct mine_openings *ret_openings) {
    struct mine_openings *openings = ret_openings;
    struct scan scan = {.openings = openings, .arena = arena};
    ASSERT(mine_field_is_valid(field));
    /* A row full of numbers takes about 2 ns per column. */
    if (!work_charge(work, 5 + (uint64_t)field->rows * (2 + field->cols / 4)))
        return work_failure(work);
    *openings = (struct mine_openings){.field = field, .words = mine_words(field->cols)};
    openings->near = arena_array(arena, (size_t)field->rows * openings->words, sizeof *openings->near);
    openings->blanks = arena_array(arena, openings->words, sizeof *openings->blanks);
    openings->reach = arena_array(arena, openings->words, sizeof *openings->reach);
    if (openings->near == NULL || openings->blanks == NULL || openings->reach == NULL || !find_near(&scan) ||
        !find_gone(&scan))
        return OUTCOME_NO_MEMORY;
    enum outcome outcome = find_all_runs(&scan, work);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (!number_openings(&scan))
        return OUTCOME_NO_MEMORY;
    for (unsigned r = 0; r < field->rows; r++)
        if (!read_numbers(&scan, r))
            return OUTCOME_NO_MEMORY;
    openings->graph.edges = scan.edges;
    openings->graph.edge_count = openings->shared_numbers;
    openings->graph.other_value = openings->isolated_numbers % 2; /* each is a game of one move, worth 1 */
    return OUTCOME_DONE;
}
