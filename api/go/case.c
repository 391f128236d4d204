#include "api/go/case.h"

const char *const go_ko_words[] = {[GO_KO_POSITIONAL] = "positional",
                                   [GO_KO_SITUATIONAL] = "situational",
                                   [GO_KO_SIMPLE] = "simple",
                                   [GO_KO_NONE] = "none",
                                   NULL};
const char *const go_miss_words[] = {
    [GO_MISS_OCCUPIED] = "occupied", [GO_MISS_SUICIDE] = "suicide", [GO_MISS_REPETITION] = "repetition"};
const char go_letters[] = {[GO_EMPTY] = '.', [GO_BLACK] = 'B', [GO_WHITE] = 'W'};

void go_case_set_up(const struct go_case *the_case, struct go_game *game) {
    unsigned size = (unsigned)the_case->size;
    for (unsigned point = 0; the_case->setup != NULL && point < size * size; point++)
        if (the_case->setup[point] != GO_EMPTY)
            go_game_set_up(game, point / size, point % size, (enum go_color)the_case->setup[point]);
}
