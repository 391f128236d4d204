/* 64 cells to a word.
 *
 * The mines of a row, spread to their neighbours and united over three rows, are the cells that have a mine beside
 * them: of the others every one is a blank, of these every one without a mine a number.
 *
 *     mines        . . * . .        spread       . # # # .        three rows of `spread`, united, give `near`
 *
 * Openings are found from the runs of blanks in each row: a run joins every run of the row above that it touches, in
 * a union-find whose roots are the earliest runs, so that openings come numbered by their first blanks.
 *
 * Then each row of numbers is walked once: every run in it and in the rows above and below lays its opening's name on
 * the columns it touches, and a number finds one name or two under itself (never three: two blanks on one side of a
 * number would make the cell between them blank, so its blanks sit in opposite corners or a knight's move apart). */
#include "mine/field.h"

#include <string.h>

struct scan {
    struct mine_openings *openings;
    struct arena *arena;
    uint32_t run_count;
    bool *loop, *any_loop;
    struct mine_edge *edges;
    size_t edge_capacity;
};

static uint64_t last_word_mask(unsigned cols) { return cols % 64 != 0 ? ((uint64_t)1 << cols % 64) - 1 : UINT64_MAX; }

/* The bits of `row` and their left and right neighbours. */
static void spread_row(const uint64_t *row, uint64_t *ret_spread, unsigned words, unsigned cols) {
    for (unsigned w = 0; w < words; w++) {
        uint64_t from_left = w > 0 ? row[w - 1] >> 63 : 0, from_right = w + 1 < words ? row[w + 1] << 63 : 0;
        ret_spread[w] = row[w] | row[w] << 1 | row[w] >> 1 | from_left | from_right;
    }
    ret_spread[words - 1] &= last_word_mask(cols);
}

/* Fill in `near`: each row of spread mines is united with those above and below. */
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

/* The first column at or after `from` whose bit in `row` is `bit`; `cols` when there is none. */
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

/* Runs in a row; `ret_runs` may be NULL to count only. */
static uint32_t find_runs(const uint64_t *near, unsigned cols, struct mine_run *ret_runs) {
    uint32_t count = 0;
    for (unsigned start = next_column(near, cols, 0, false); start < cols; count++) {
        unsigned end = next_column(near, cols, start, true);
        if (ret_runs != NULL)
            ret_runs[count] = (struct mine_run){.start = (uint16_t)start, .end = (uint16_t)end};
        start = next_column(near, cols, end, false);
    }
    return count;
}

static uint32_t find_root(struct mine_run *runs, uint32_t run) {
    while (runs[run].opening != run) {
        runs[run].opening = runs[runs[run].opening].opening;
        run = runs[run].opening;
    }
    return run;
}

/* Join each run of row `r` with those of the row above that it touches, corners included. */
static void join_rows(struct scan *scan, unsigned r) {
    uint32_t above = scan->openings->row_runs[r - 1];
    for (uint32_t run = scan->openings->row_runs[r]; run < scan->openings->row_runs[r + 1]; run++) {
        struct mine_run *runs = scan->openings->runs;
        while (above < scan->openings->row_runs[r] && runs[above].end < runs[run].start)
            above++;
        /* The last run that this one touches may touch the next one too: do not step over it. */
        for (uint32_t k = above; k < scan->openings->row_runs[r] && runs[k].start <= runs[run].end; k++) {
            uint32_t a = find_root(runs, run), b = find_root(runs, k);
            runs[a > b ? a : b].opening = a < b ? a : b;
        }
    }
}

static enum outcome find_all_runs(struct scan *scan, struct work *work) {
    unsigned rows = scan->openings->field->rows, cols = scan->openings->field->cols;
    uint32_t count = 0;
    for (unsigned r = 0; r < rows; r++)
        count += find_runs(scan->openings->near + (size_t)r * scan->openings->words, cols, NULL);
    if (!work_charge(work, 4 * (uint64_t)count))
        return OUT_OF_WORK;
    scan->openings->runs = arena_array(scan->arena, count, sizeof *scan->openings->runs);
    scan->openings->row_runs = arena_array(scan->arena, (size_t)rows + 1, sizeof *scan->openings->row_runs);
    if (scan->openings->runs == NULL || scan->openings->row_runs == NULL)
        return NO_MEMORY;
    scan->openings->row_runs[0] = 0;
    for (unsigned r = 0; r < rows; r++) {
        scan->openings->row_runs[r + 1] =
            scan->openings->row_runs[r] + find_runs(scan->openings->near + (size_t)r * scan->openings->words, cols,
                                                    scan->openings->runs + scan->openings->row_runs[r]);
        for (uint32_t run = scan->openings->row_runs[r]; run < scan->openings->row_runs[r + 1]; run++)
            scan->openings->runs[run].opening = run;
        if (r > 0)
            join_rows(scan, r);
    }
    scan->run_count = count;
    return DONE;
}

/* Roots become openings, numbered in order; every run learns its opening. */
static bool number_openings(struct scan *scan) {
    uint32_t count = 0;
    for (uint32_t run = 0; run < scan->run_count; run++)
        count += scan->openings->runs[run].opening == run;
    uint32_t *first_blank = arena_array(scan->arena, count, sizeof *first_blank);
    scan->loop = arena_calloc(scan->arena, count, sizeof *scan->loop);
    scan->any_loop = arena_calloc(scan->arena, count, sizeof *scan->any_loop);
    if (first_blank == NULL || scan->loop == NULL || scan->any_loop == NULL)
        return false;
    uint32_t next = 0;
    for (unsigned r = 0; r < scan->openings->field->rows; r++)
        for (uint32_t run = scan->openings->row_runs[r]; run < scan->openings->row_runs[r + 1]; run++) {
            /* A parent stands earlier, so it holds its opening's number already. */
            if (scan->openings->runs[run].opening == run) {
                first_blank[next] = r * scan->openings->field->cols + scan->openings->runs[run].start;
                scan->openings->runs[run].opening = next++;
            } else {
                scan->openings->runs[run].opening = scan->openings->runs[scan->openings->runs[run].opening].opening;
            }
        }
    scan->openings->graph.vertices = count;
    scan->openings->graph.loop = scan->loop;
    scan->openings->graph.any_loop = scan->any_loop;
    scan->openings->first_blank = first_blank;
    return true;
}

/* Lay the name of the run's opening on the numbers that it touches. */
static void lay_name(struct mine_openings *openings, const struct mine_run *run, const uint64_t *near) {
    unsigned start = run->start > 0 ? run->start - 1u : 0;
    unsigned end = run->end < openings->field->cols ? run->end + 1u : openings->field->cols;
    for (unsigned c = next_column(near, end, start, true); c < end; c = next_column(near, end, c + 1, true)) {
        if (openings->names[0][c] == MINE_NO_OPENING)
            openings->names[0][c] = run->opening;
        else if (openings->names[0][c] != run->opening)
            openings->names[1][c] = run->opening;
    }
}

void mine_name_row(struct mine_openings *openings, unsigned r) {
    unsigned cols = openings->field->cols, rows = openings->field->rows;
    memset(openings->names[0], 0xff, cols * sizeof *openings->names[0]);
    memset(openings->names[1], 0xff, cols * sizeof *openings->names[1]);
    uint32_t from = openings->row_runs[r > 0 ? r - 1 : 0], to = openings->row_runs[r + 2 <= rows ? r + 2 : r + 1];
    for (uint32_t run = from; run < to; run++)
        lay_name(openings, &openings->runs[run], openings->near + (size_t)r * openings->words);
}

static bool add_edge(struct scan *scan, uint32_t a, uint32_t b) {
    struct mine_openings *openings = scan->openings;
    if (openings->shared_numbers == scan->edge_capacity) {
        size_t capacity = 2 * scan->edge_capacity + 64;
        struct mine_edge *edges = arena_array(scan->arena, capacity, sizeof *edges);
        if (edges == NULL)
            return false;
        if (scan->edge_capacity != 0)
            memcpy(edges, scan->edges, scan->edge_capacity * sizeof *edges);
        scan->edges = edges;
        scan->edge_capacity = capacity;
    }
    scan->edges[openings->shared_numbers++] = (struct mine_edge){a, b};
    return true;
}

/* Sort the numbers of one row by the openings next to them. */
static bool read_numbers(struct scan *scan, unsigned r) {
    struct mine_openings *openings = scan->openings;
    mine_name_row(openings, r);
    for (unsigned w = 0; w < openings->words; w++)
        for (uint64_t numbers = mine_numbers(openings, r, w); numbers != 0; numbers &= numbers - 1) {
            unsigned c = w * 64 + (unsigned)__builtin_ctzll(numbers);
            uint32_t a = openings->names[0][c], b = openings->names[1][c];
            if (a == MINE_NO_OPENING) {
                openings->lone_numbers++;
            } else if (b == MINE_NO_OPENING) {
                scan->loop[a] = !scan->loop[a];
                scan->any_loop[a] = true;
            } else if (!add_edge(scan, a, b)) {
                return false;
            }
        }
    return true;
}

enum outcome mine_find_openings(const struct mine_field *field, struct arena *arena, struct work *work,
                                struct mine_openings *ret_openings) {
    struct mine_openings *openings = ret_openings;
    struct scan scan = {.openings = openings, .arena = arena};
    /* A row costs some 2 ns a column when it is full of numbers. */
    if (!work_charge(work, 5 + (uint64_t)field->rows * (2 + field->cols / 4)))
        return OUT_OF_WORK;
    *openings = (struct mine_openings){.field = field, .words = mine_words(field->cols)};
    openings->near = arena_array(arena, (size_t)field->rows * openings->words, sizeof *openings->near);
    openings->names[0] = arena_array(arena, field->cols, sizeof *openings->names[0]);
    openings->names[1] = arena_array(arena, field->cols, sizeof *openings->names[1]);
    if (openings->near == NULL || openings->names[0] == NULL || openings->names[1] == NULL || !find_near(&scan))
        return NO_MEMORY;
    enum outcome outcome = find_all_runs(&scan, work);
    if (outcome != DONE)
        return outcome;
    if (!number_openings(&scan))
        return NO_MEMORY;
    for (unsigned r = 0; r < field->rows; r++)
        if (!read_numbers(&scan, r))
            return NO_MEMORY;
    openings->graph.edges = scan.edges;
    openings->graph.edge_count = openings->shared_numbers;
    return DONE;
}
