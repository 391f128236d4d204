#include "bench/inputs.h"

#include "api/go/make.h"
#include "api/mine/make.h"
#include "api/pawn/make.h"

#include <stdlib.h>
#include <string.h>

/* Read a board from its characters, row by row. The turn is Red's. */
static void read_board(const char *characters, unsigned rows, unsigned cols, struct pawn_position *ret_position) {
    unsigned reds = 0;
    *ret_position = (struct pawn_position){.rows = rows, .cols = cols, .turn = PAWN_RED};
    for (unsigned cell = 0; cell < rows * cols; cell++) {
        if (characters[cell] == 'X')
            ret_position->pawn = cell;
        else if (characters[cell] == 'O')
            ret_position->red[reds++] = cell;
        else
            ret_position->obstacle[cell] = characters[cell] == '#';
    }
}

void bench_draw_board(uint64_t seed, unsigned rows, unsigned cols, struct pawn_position *ret_position) {
    struct random random = {.seed = seed};
    char characters[PAWN_MAX_CELLS];
    pawn_make_board(rows, cols, rows * cols * random_below(&random, 25) / 100, &random, characters);
    read_board(characters, rows, cols, ret_position);
}

void bench_hard_board(unsigned number, struct pawn_position *ret_position) {
    /* Chosen from 20,000 random ones: Red wins in 77, 71, 65, 59 and 23 moves, Black in 38 and 30; three are ties. */
    static const char boards[BENCH_HARD_BOARDS][101] = {
        ".......O.......#.##..#..##.#................#.........X.#.....###...#........#.##...#....#..O.......",
        "O.....#......#....#.#...#.##..........##....#.##..#....#........X#.##O...##........##.#...#......#..",
        "......O....#..#........#..........#.#...#........###.....#.#.....#......X...#......#...#...#....#.#O",
        "..........#...#.......O.#.......#.#..#............##.............X......##.#....O..#...........#....",
        "..O..#........O...............................#....#..................#.........X.........#...#.....",
        "...O.#...##.O.#.#...##..#....#..##....#..#..#.###........#....#..##.#...###.##........X..........#..",
        ".......#...#......#.....#OO#.......###..........#..##...#.............#X#..#.....##.#...#.....#.#...",
        ".......O.....#.....................#....................................X....O......................",
        ".....#.O...##....##...#..........................#...#........#.##................#...O....X......#.",
        ".......O...#.......O.................................#...........................X..............#.#.",
    };
    read_board(boards[number], 10, 10, ret_position);
}

/* Make `count` moves. Returns how many there are. */
static size_t make_moves(uint64_t seed, unsigned size, bool legal, size_t count, struct go_move *ret_moves) {
    struct random random = {.seed = seed};
    struct arena arena;
    arena_init(&arena, ARENA_NO_CAP);
    if (go_make_moves(size, legal, count, &random, &arena, ret_moves, &count) != OUTCOME_DONE)
        abort();
    arena_clear(&arena);
    return count;
}

void bench_draw_game(uint64_t seed, unsigned size, enum bench_points points, size_t count, struct go_move *ret_moves) {
    struct random random = {.seed = seed};
    if (points == BENCH_EMPTY_POINT)
        make_moves(seed, size, false, count, ret_moves);
    else
        for (size_t m = 0; m < count; m++) {
            unsigned point = random_below(&random, size * size);
            ret_moves[m] =
                (struct go_move){m % 2 == 0 ? GO_BLACK : GO_WHITE, (uint8_t)(point / size), (uint8_t)(point % size)};
        }
}

size_t bench_draw_legal_game(uint64_t seed, unsigned size, size_t count, struct go_move *ret_moves) {
    return make_moves(seed, size, true, count, ret_moves);
}

void bench_play_game(unsigned size, const struct go_move *moves, size_t count, struct arena *arena) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct go_game *game;
    struct go_reply reply;
    if (go_game_new(size, (struct go_rules){.ko = GO_KO_POSITIONAL}, count, 0, arena, &work, &game) != OUTCOME_DONE)
        abort();
    for (size_t m = 0; m < count; m++)
        if (go_game_play(game, moves[m], &work, &reply) != OUTCOME_DONE)
            abort();
}

void bench_draw_field(uint64_t seed, unsigned rows, unsigned cols, unsigned mines, struct mine_field *ret_field) {
    struct random random = {.seed = seed};
    unsigned words = mine_words(cols), cells = rows * cols;
    uint64_t *map = calloc((size_t)rows * words, sizeof *map);
    char *characters = malloc(cells);
    if (map == NULL || characters == NULL)
        abort();
    mine_make_cells(cells, mines, &random, characters);
    for (unsigned cell = 0; cell < cells; cell++)
        map[(size_t)(cell / cols) * words + cell % cols / 64] |= (uint64_t)(characters[cell] == '*')
                                                                 << cell % cols % 64;
    free(characters);
    *ret_field = (struct mine_field){.rows = rows, .cols = cols, .mines = map};
}
