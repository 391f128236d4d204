#include "bench/bodies.h"

static char board_cell(const struct pawn_position *p, unsigned cell) {
    return cell == p->pawn ? 'X' : cell == p->red[0] || cell == p->red[1] ? 'O' : p->obstacle[cell] ? '#' : '.';
}

void bench_put_board(FILE *out, const struct pawn_position *position, bool moves) {
    fprintf(out, "{\"board\":[");
    for (unsigned r = 0; r < position->rows; r++) {
        fprintf(out, r == 0 ? "\"" : ",\"");
        for (unsigned c = 0; c < position->cols; c++)
            fputc(board_cell(position, r * position->cols + c), out);
        fputc('"', out);
    }
    fprintf(out, moves ? "],\"include\":[\"moves\"]}" : "]}");
}

void bench_put_game(FILE *out, unsigned size, const struct go_move *moves, size_t count) {
    fprintf(out, "{\"size\":%u,\"moves\":[", size);
    for (size_t m = 0; m < count; m++)
        fprintf(out, "%s[\"%c\",%u,%u]", m == 0 ? "" : ",", moves[m].color == GO_BLACK ? 'B' : 'W', moves[m].row,
                moves[m].col);
    fprintf(out, "]}");
}

static bool is_mine(const struct mine_field *field, unsigned r, unsigned c) {
    return field->mines[(size_t)r * mine_words(field->cols) + c / 64] >> c % 64 & 1;
}

void bench_put_field(FILE *out, const struct mine_field *field) {
    fprintf(out, "{\"board\":[");
    for (unsigned r = 0; r < field->rows; r++) {
        fprintf(out, r == 0 ? "\"" : ",\"");
        for (unsigned c = 0; c < field->cols; c++)
            fputc(is_mine(field, r, c) ? '*' : '.', out);
        fputc('"', out);
    }
    fprintf(out, "]}");
}

void bench_put_mines(FILE *out, const struct mine_field *field) {
    const char *comma = "";
    fprintf(out, "{\"rows\":%u,\"cols\":%u,\"mines\":[", field->rows, field->cols);
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++)
            if (is_mine(field, r, c)) {
                fprintf(out, "%s[%u,%u]", comma, r, c);
                comma = ",";
            }
    fprintf(out, "]}");
}
