#include "bench/baseline_mine.h"

#include <stdlib.h>

struct counter {
    unsigned rows, cols;
    uint8_t *number;   /* 9: a mine */
    uint32_t *opening; /* the opening that a blank belongs to, from 1; 0: not visited yet */
    uint32_t *own;     /* by opening: how many numbers touch no other opening */
    uint32_t *queue;
};

static void *must(void *memory) {
    if (memory == NULL)
        abort();
    return memory;
}

static bool is_mine(const struct mine_field *field, unsigned r, unsigned c) {
    return field->mines[(size_t)r * mine_words(field->cols) + c / 64] >> c % 64 & 1;
}

/* Loop over the neighbours (y, x) of a cell, of which there are at most eight. */
#define EACH_NEIGHBOUR(t, r, c)                                                                                        \
    for (unsigned y = (r) > 0 ? (r)-1 : 0; y <= (r) + 1 && y < (t)->rows; y++)                                         \
        for (unsigned x = (c) > 0 ? (c)-1 : 0; x <= (c) + 1 && x < (t)->cols; x++)                                     \
            if (y != (r) || x != (c))

static void fill(struct counter *t, unsigned r, unsigned c, uint32_t opening) {
    size_t head = 0, tail = 0;
    t->opening[r * t->cols + c] = opening;
    t->queue[tail++] = r * t->cols + c;
    while (head < tail) {
        uint32_t cell = t->queue[head++];
        EACH_NEIGHBOUR(t, cell / t->cols, cell % t->cols)
        if (t->number[y * t->cols + x] == 0 && t->opening[y * t->cols + x] == 0) {
            t->opening[y * t->cols + x] = opening;
            t->queue[tail++] = y * t->cols + x;
        }
    }
}

struct mine_verdict baseline_mine_solve(const struct mine_field *field) {
    size_t cells = (size_t)field->rows * field->cols;
    struct counter t = {.rows = field->rows, .cols = field->cols};
    struct mine_verdict verdict = {0};
    t.number = must(malloc(cells));
    t.opening = must(calloc(cells, sizeof *t.opening));
    t.own = must(calloc(cells + 1, sizeof *t.own));
    t.queue = must(malloc(cells * sizeof *t.queue));
    for (unsigned r = 0; r < t.rows; r++)
        for (unsigned c = 0; c < t.cols; c++) {
            uint8_t count = 0;
            EACH_NEIGHBOUR(&t, r, c)
            count = (uint8_t)(count + is_mine(field, y, x));
            t.number[r * t.cols + c] = is_mine(field, r, c) ? 9 : count;
        }
    for (unsigned r = 0; r < t.rows; r++)
        for (unsigned c = 0; c < t.cols; c++)
            if (t.number[r * t.cols + c] == 0 && t.opening[r * t.cols + c] == 0)
                fill(&t, r, c, ++verdict.openings);
    verdict.three_bv = verdict.openings;
    for (unsigned r = 0; r < t.rows; r++)
        for (unsigned c = 0; c < t.cols; c++) {
            if (t.number[r * t.cols + c] == 0 || t.number[r * t.cols + c] == 9)
                continue;
            uint32_t first = 0;
            bool shared = false;
            EACH_NEIGHBOUR(&t, r, c) {
                uint32_t opening = t.opening[y * t.cols + x];
                shared |= first != 0 && opening != 0 && opening != first;
                first = first == 0 ? opening : first;
            }
            verdict.shared_numbers += shared;
            verdict.three_bv += first == 0;
            verdict.nimber ^= first == 0;
            t.own[first] += !shared;
        }
    for (uint32_t opening = 1; opening <= verdict.openings; opening++)
        verdict.nimber ^= t.own[opening] % 2 != 0 ? 2 : 1;
    verdict.known = verdict.shared_numbers == 0;
    free(t.number);
    free(t.opening);
    free(t.own);
    free(t.queue);
    return verdict;
}
