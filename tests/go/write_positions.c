/* Writes 100 positions with the results of the slow models, as a case and parts of its answer per line (NDJSON). None
 * of src/go takes part in this. The output is kept in tests/contract/positions.ndjson; positions.test.mjs compares it
 * with the service. To write it again:
 *
 *     build-dev/tests/go/write_positions >tests/contract/positions.ndjson */
#include "reference/go_referee.h"
#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 100, MOST_SIZE = 13, MOST_POINTS = MOST_SIZE * MOST_SIZE };

static void put_board(unsigned size, const char *board) {
    for (unsigned row = 0; row < size; row++)
        printf("%s\"%.*s\"", row == 0 ? "[" : ",", (int)size, board + (size_t)row * size);
    putchar(']');
}

/* Play random moves, and print them. Colours usually alternate. */
static char play(struct reference_go *game, unsigned moves, struct reference_random *random) {
    char color = 'B', last = 0;
    for (unsigned m = 0; m < moves; m++) {
        unsigned point = reference_random_below(random, game->size * game->size);
        if (reference_random_chance(random, 15))
            color = color == 'B' ? 'W' : 'B';
        if (reference_random_chance(random, 3)) {
            printf("%s[\"%c\",\"pass\"]", m == 0 ? "" : ",", color);
            reference_go_pass(game, color);
            last = color;
        } else {
            printf("%s[\"%c\",%u,%u]", m == 0 ? "" : ",", color, point / game->size, point % game->size);
            if (reference_go_play(game, color, point / game->size, point % game->size).code == 0)
                last = color;
        }
        color = color == 'B' ? 'W' : 'B';
    }
    return last == 'B' ? 'W' : 'B';
}

/* Choose and print points with (`stones`) or without stones. */
static void choose(const struct reference_go *game, bool stones, struct reference_random *random, bool *ret_flags) {
    const char *comma = "";
    putchar('[');
    for (unsigned point = 0; point < game->size * game->size; point++) {
        ret_flags[point] = (game->board[point] != '.') == stones && reference_random_chance(random, 4);
        if (!ret_flags[point])
            continue;
        printf("%s[%u,%u]", comma, point / game->size, point % game->size);
        comma = ",";
    }
    putchar(']');
}

static void write_position(unsigned number, struct reference_random *random) {
    static const char *const words[] = {"positional", "situational", "simple", "none"};
    unsigned size = 2 + number % (MOST_SIZE - 1), ko = number / 2 % 4;
    bool suicide = number % 2 != 0, territory = reference_random_chance(random, 50);
    bool dead[MOST_POINTS], seki[MOST_POINTS];
    char marks[MOST_POINTS], legal[MOST_POINTS], alive[MOST_POINTS];
    struct reference_go *game = reference_go_new(size, (enum reference_go_ko)ko, suicide);
    printf("{\"case\":{\"size\":%u,\"rules\":{\"ko\":\"%s\",\"suicide\":%s,\"scoring\":\"%s\"},\"moves\":[", size,
           words[ko], suicide ? "true" : "false", territory ? "territory" : "area");
    char next = play(game, size * size * 2, random);
    printf("],\"dead\":");
    choose(game, true, random, dead);
    printf(",\"seki\":");
    choose(game, false, random, seki);
    unsigned prisoners[2] = {game->white_prisoners, game->black_prisoners};
    struct reference_go_count count = reference_go_count(size, game->board, dead, seki, territory, prisoners, marks);
    unsigned moves = reference_go_legal(game, next, legal);
    reference_go_alive(size, size, game->board, suicide, alive);
    printf(",\"include\":[\"score\",\"legal\",\"territory\",\"alive\"]},\"board\":");
    put_board(size, game->board);
    printf(
        ",\"prisoners\":{\"B\":%u,\"W\":%u},\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u,\"dead\":{\"B\":%u,\"W\":%u}},",
        prisoners[0], prisoners[1], count.black, count.white, count.neutral, count.dead_black, count.dead_white);
    printf("\"legal\":{\"color\":\"%c\",\"count\":%u,\"board\":", next, moves);
    put_board(size, legal);
    printf("},\"territory\":");
    put_board(size, marks);
    printf(",\"alive\":");
    put_board(size, alive);
    printf("}\n");
    reference_go_free(game);
}

int main(void) {
    struct reference_random random = {100};
    for (unsigned number = 0; number < POSITIONS; number++)
        write_position(number, &random);
    return EXIT_SUCCESS;
}
