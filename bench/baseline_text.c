#include "bench/baseline_text.h"

#include "bench/baseline_go.h"
#include "bench/baseline_mine.h"
#include "bench/baseline_pawn.h"

#include <stdlib.h>

static void *must(void *memory) {
    if (memory == NULL)
        abort();
    return memory;
}

/* Read a number. Nothing is checked, because all texts here are valid. */
static int read_number(FILE *in) {
    int number;
    if (fscanf(in, "%d", &number) != 1)
        abort();
    return number;
}

static void pawn_case(FILE *in, FILE *out) {
    struct pawn_position p = {.rows = (unsigned)read_number(in), .cols = (unsigned)read_number(in), .turn = PAWN_RED};
    unsigned reds = 0;
    for (unsigned r = 0; r < p.rows; r++) {
        char row[PAWN_MAX_CELLS + 1];
        if (fscanf(in, "%256s", row) != 1)
            abort();
        for (unsigned c = 0; c < p.cols; c++) {
            unsigned cell = r * p.cols + c;
            if (row[c] == '#')
                p.obstacle[cell] = true;
            else if (row[c] == 'O')
                p.red[reds++] = cell;
            else if (row[c] == 'X')
                p.pawn = cell;
        }
    }
    struct baseline_pawn *solved = baseline_pawn_new(&p, false);
    struct pawn_verdict verdict = baseline_pawn_value(solved, &p);
    baseline_pawn_free(solved);
    if (verdict.winner == PAWN_TIE)
        fprintf(out, "Tie\n");
    else
        fprintf(out, "%s %u\n", verdict.winner == PAWN_RED_WINS ? "Red" : "Black", verdict.steps);
}

void baseline_text_pawn(FILE *in, FILE *out) {
    read_number(in); /* the id */
    for (int cases = read_number(in); cases > 0; cases--)
        pawn_case(in, out);
}

static void go_case(FILE *in, FILE *out) {
    enum { SIZE = 19 };
    size_t count = (size_t)read_number(in);
    struct go_move *moves = must(malloc((count + 1) * sizeof *moves));
    uint8_t *misses = must(malloc(count + 1)), board[SIZE * SIZE];
    for (size_t m = 0; m < count; m++) {
        char color;
        int row, col;
        if (fscanf(in, " %c %d %d", &color, &row, &col) != 3)
            abort();
        moves[m] = (struct go_move){color == 'B' ? GO_BLACK : GO_WHITE, (uint8_t)(row - 1), (uint8_t)(col - 1)};
    }
    baseline_go_play(SIZE, moves, count, misses, board);
    for (size_t m = 0; m < count; m++)
        if (misses[m] != GO_PLAYED)
            fprintf(out, "miss %d\n", misses[m]);
    for (int r = 0; r < SIZE; r++) {
        for (int c = 0; c < SIZE; c++)
            fputc(".BW"[board[r * SIZE + c]], out);
        fputc('\n', out);
    }
    free(moves);
    free(misses);
}

void baseline_text_go(FILE *in, FILE *out) {
    for (int cases = read_number(in); cases > 0; cases--)
        go_case(in, out);
}

static void mine_case(FILE *in, FILE *out, int number) {
    int rows, cols, mines;
    if (fscanf(in, "%d %d %d", &rows, &cols, &mines) != 3)
        abort();
    unsigned words = mine_words((unsigned)cols);
    uint64_t *map = must(calloc((size_t)rows * words, sizeof *map));
    for (int m = 0; m < mines; m++) {
        int row, col;
        if (fscanf(in, "%d %d", &row, &col) != 2)
            abort();
        map[(size_t)row * words + (size_t)col / 64] |= (uint64_t)1 << col % 64;
    }
    struct mine_verdict verdict =
        baseline_mine_solve(&(struct mine_field){.rows = (unsigned)rows, .cols = (unsigned)cols, .mines = map});
    fprintf(out, "Case #%d: %s\n", number, !verdict.known ? "Unknown" : verdict.nimber != 0 ? "Xiemao" : "Fanglaoshi");
    free(map);
}

void baseline_text_mine(FILE *in, FILE *out) {
    int cases = read_number(in);
    for (int number = 1; number <= cases; number++)
        mine_case(in, out, number);
}
