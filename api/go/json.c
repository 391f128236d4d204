#include "api/go/json.h"

#include "go/score.h"

#include <string.h>

/* There may be as many misses as moves. */
void go_json_put_miss(struct buffer *out, unsigned size, uint32_t number, struct go_move move, struct go_reply reply) {
    buffer_put_literal(out, "{\"move\":");
    buffer_put_integer(out, number);
    buffer_put_literal(out, ",\"color\":\"");
    buffer_put_char(out, move.color == GO_BLACK ? 'B' : 'W');
    buffer_put_literal(out, "\",\"at\":[");
    buffer_put_integer(out, move.row);
    buffer_put_char(out, ',');
    buffer_put_integer(out, move.col);
    buffer_put_literal(out, "],\"name\":\"");
    buffer_put_char(out, (char)('A' + move.col + (move.col >= 'I' - 'A')));
    buffer_put_integer(out, size - move.row);
    buffer_put_literal(out, "\",\"code\":");
    buffer_put_char(out, (char)('0' + reply.miss));
    buffer_put_literal(out, ",\"reason\":\"");
    buffer_put_string(out, go_miss_words[reply.miss]);
    buffer_put_char(out, '"');
    if (reply.miss == GO_MISS_REPETITION) {
        buffer_put_literal(out, ",\"repeats\":");
        buffer_put_integer(out, reply.repeats);
    }
    buffer_put_char(out, '}');
}

void go_json_put_board(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    size_t length = (size_t)size * (size + 3) + 1;
    if (!buffer_reserve(out, length))
        return;
    char *row_text = out->data + out->length;
    *row_text = '[';
    for (unsigned row = 0; row < size; row++) {
        row_text[1] = row_text[size + 2] = '"';
        go_game_letters(game, row, go_letters, row_text + 2);
        row_text[size + 3] = ',';
        row_text += size + 3;
    }
    *row_text = ']'; /* replaces the last comma */
    out->length += length;
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
            if (go_game_captured_at(game, row, col)) {
                buffer_printf(out, "%s[%u,%u]", comma, row, col);
                comma = ",";
            }
    buffer_put_literal(out, "]}");
}

/* Append a list. If writing the list has failed, the answer fails, too. */
static void put_list(struct buffer *out, const struct buffer *list) {
    buffer_put(out, list->data, list->length);
    if (out->outcome == OUTCOME_DONE)
        out->outcome = list->outcome;
}

/* Append the facts about the record: the rules in use, and the game's number. */
static void put_record(struct buffer *out, const struct go_case *the_case) {
    buffer_put_literal(out, ",\"rules\":{\"ko\":\"");
    buffer_put_string(out, go_ko_words[the_case->asked.rules.ko]);
    buffer_put_string(out, the_case->asked.rules.suicide ? "\",\"suicide\":true}" : "\",\"suicide\":false}");
    buffer_put_literal(out, ",\"record\":{\"game\":");
    buffer_put_integer(out, (int64_t)the_case->record.game);
    buffer_put_literal(out, ",\"games\":");
    buffer_put_integer(out, (int64_t)the_case->record.games);
    buffer_put_literal(out, ",\"variations\":");
    buffer_put_integer(out, (int64_t)the_case->record.variations);
    buffer_put_literal(out, "}");
}

void go_json_encode(const struct go_case *the_case, const struct go_game *game, uint32_t misses,
                    const struct go_json_lists *lists, struct buffer *out) {
    case_put_result_head(out, &the_case->echo);
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
    if (the_case->record.games != 0)
        put_record(out, the_case);
    if (the_case->asked.include >> GO_INCLUDE_CAPTURED & 1) {
        buffer_put_literal(out, ",\"captured\":[");
        put_list(out, &lists->captured);
        buffer_put_literal(out, "]");
    }
    if (the_case->asked.include >> GO_INCLUDE_BOARDS & 1) {
        buffer_put_literal(out, ",\"boards\":[");
        put_list(out, &lists->boards);
        buffer_put_literal(out, "]");
    }
    if (the_case->asked.include >> GO_INCLUDE_SCORE & 1) {
        struct go_score score = go_game_score(game);
        buffer_printf(out, ",\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u}", score.black, score.white, score.neutral);
    }
    buffer_put_literal(out, "}");
}
