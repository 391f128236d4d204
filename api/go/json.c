#include "api/go/json.h"

#include "go/score.h"

void go_json_put_miss(struct buffer *out, uint32_t number, struct go_move move, struct go_reply reply) {
    buffer_put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_string(out, move.color == GO_BLACK ? ",\"color\":\"B\",\"at\":[" : ",\"color\":\"W\",\"at\":[");
    buffer_put_integer(out, move.row);
    buffer_put_literal(out, ",");
    buffer_put_integer(out, move.col);
    buffer_put_literal(out, "],\"code\":");
    buffer_put_integer(out, reply.miss);
    buffer_put_literal(out, ",\"reason\":\"");
    buffer_put_string(out, go_miss_words[reply.miss]);
    buffer_put_literal(out, "\"");
    if (reply.miss == GO_MISS_REPETITION) {
        buffer_put_literal(out, ",\"repeats\":");
        buffer_put_integer(out, reply.repeats);
    }
    buffer_put_literal(out, "}");
}

void go_json_put_board(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    char row_text[GO_MAX_SIZE + 3];
    buffer_put_literal(out, "[");
    for (unsigned row = 0; row < size; row++) {
        row_text[0] = row_text[size + 1] = '"';
        for (unsigned col = 0; col < size; col++)
            row_text[col + 1] = go_letters[go_game_at(game, row, col)];
        row_text[size + 2] = ',';
        buffer_put(out, row_text, size + 3 - (row + 1 == size));
    }
    buffer_put_literal(out, "]");
}

void go_json_put_captured(struct buffer *out, const struct go_game *game, uint32_t number) {
    unsigned size = go_game_size(game);
    const char *comma = "";
    if (out->length != 0)
        buffer_put_char(out, ',');
    buffer_put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_literal(out, ",\"stones\":[");
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++)
            if (go_game_gone(game, row, col)) {
                buffer_printf(out, "%s[%u,%u]", comma, row, col);
                comma = ",";
            }
    buffer_put_literal(out, "]}");
}

/* Append a list; its failure is the answer's. */
static void put_list(struct buffer *out, const struct buffer *list) {
    buffer_put(out, list->data, list->length);
    if (out->state == BUFFER_GOOD)
        out->state = list->state;
}

void go_json_encode(const struct go_case *the_case, const struct go_game *game, uint32_t misses,
                    const struct go_json_lists *lists, struct buffer *out) {
    case_put_head(out, &the_case->id);
    buffer_put_literal(out, "\"misses\":[");
    put_list(out, &lists->misses);
    buffer_put_literal(out, "],\"board\":");
    go_json_put_board(out, game);
    buffer_put_literal(out, ",\"played\":");
    buffer_put_integer(out, the_case->move_count - misses);
    buffer_put_literal(out, ",\"prisoners\":{\"B\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_BLACK));
    buffer_put_literal(out, ",\"W\":");
    buffer_put_integer(out, go_game_prisoners(game, GO_WHITE));
    buffer_put_literal(out, "}");
    if (the_case->include >> GO_INCLUDE_CAPTURED & 1) {
        buffer_put_literal(out, ",\"captured\":[");
        put_list(out, &lists->captured);
        buffer_put_literal(out, "]");
    }
    if (the_case->include >> GO_INCLUDE_BOARDS & 1) {
        buffer_put_literal(out, ",\"boards\":[");
        put_list(out, &lists->boards);
        buffer_put_literal(out, "]");
    }
    if (the_case->include >> GO_INCLUDE_SCORE & 1) {
        struct go_score score = go_game_score(game);
        buffer_printf(out, ",\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u}", score.black, score.white, score.neutral);
    }
    buffer_put_literal(out, "}");
}
