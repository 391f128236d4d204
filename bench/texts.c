#include "bench/texts.h"

#include "api/api.h"
#include "api/request/games.h"
#include "bench/inputs.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *block) {
    if (block == NULL)
        abort();
    return block;
}

void bench_write_board(FILE *out, const struct pawn_position *p) {
    fprintf(out, "%u %u\n", p->rows, p->cols);
    for (unsigned cell = 0; cell < p->rows * p->cols; cell++) {
        char c = cell == p->pawn ? 'X' : cell == p->red[0] || cell == p->red[1] ? 'O' : p->obstacle[cell] ? '#' : '.';
        fputc(c, out);
        if (cell % p->cols == p->cols - 1)
            fputc('\n', out);
    }
}

void bench_write_game(FILE *out, const struct go_move *moves, size_t count) {
    fprintf(out, "%zu\n", count);
    for (size_t m = 0; m < count; m++)
        fprintf(out, "%c %u %u\n", moves[m].color == GO_BLACK ? 'B' : 'W', moves[m].row + 1u, moves[m].col + 1u);
}

static bool is_mine(const struct mine_field *field, unsigned r, unsigned c) {
    return field->mines[(size_t)r * mine_words(field->cols) + c / 64] >> c % 64 & 1;
}

void bench_write_field(FILE *out, const struct mine_field *field) {
    unsigned mines = 0;
    for (size_t word = 0; word < (size_t)field->rows * mine_words(field->cols); word++)
        mines += (unsigned)__builtin_popcountll(field->mines[word]);
    fprintf(out, "%u %u %u\n", field->rows, field->cols, mines);
    for (unsigned r = 0; r < field->rows; r++)
        for (unsigned c = 0; c < field->cols; c++)
            if (is_mine(field, r, c))
                fprintf(out, "%u %u\n", r, c);
}

void bench_write_random_games(FILE *out) {
    enum { GAMES = 100, MOVES = 2000 };
    static struct go_move moves[MOVES];
    fprintf(out, "%d\n", GAMES);
    for (unsigned g = 0; g < GAMES; g++) {
        bench_draw_game(g + 1, 19, BENCH_ANY_POINT, MOVES, moves);
        bench_write_game(out, moves, MOVES);
    }
}

void bench_write_large_field(FILE *out) {
    struct mine_field field;
    bench_draw_field(1, 1000, 1000, 100000, &field);
    fprintf(out, "1\n");
    bench_write_field(out, &field);
    free(field.mines);
}

void bench_write_text(void (*write)(FILE *out), char **ret_text, size_t *ret_length) {
    FILE *out = must(open_memstream(ret_text, ret_length));
    write(out);
    fclose(out);
}

void bench_reading_init(struct bench_reading *reading, const char *game, void (*write)(FILE *out)) {
    *reading = (struct bench_reading){0};
    for (size_t g = 0; g < game_count; g++)
        if (strcmp(games[g]->name, game) == 0)
            reading->game = games[g];
    if (reading->game == NULL)
        abort();
    reading->the_case = must(malloc(reading->game->case_size));
    api_add_limits(&reading->limits);
    arena_init(&reading->arena, ARENA_NO_CAP);
    bench_write_text(write, &reading->text, &reading->length);
}

void bench_reading_clear(struct bench_reading *reading) {
    arena_clear(&reading->arena);
    free(reading->text);
    free(reading->the_case);
}

void bench_read(struct bench_reading *reading) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct fault_list faults;
    fault_list_init(&faults, NULL);
    struct text_reader reader = {
        .text = reading->text,
        .length = reading->length,
        .max_cases = UINT32_MAX,
        .limits = limits_of(&reading->limits, &reading->game->limits),
        .faults = &faults,
        .arena = &reading->arena,
        .work = &work,
    };
    uint64_t count;
    bool good = reading->game->read_head(&reader, &count);
    for (uint64_t i = 0; good && i < count; i++) {
        memset(reading->the_case, 0, reading->game->case_size);
        arena_reset(&reading->arena);
        good = reading->game->read_case(&reader, reading->the_case);
    }
    if (!good || !text_read_end(&reader))
        abort();
}
