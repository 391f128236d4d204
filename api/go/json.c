#include "api/go/json.h"

#include "go/score.h"

#include <string.h>

/* Write an integer behind `to`; returns where it ends. */
static char *write_integer(char *to, uint32_t value) {
    char digits[10];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (count != 0)
        *to++ = digits[--count];
    return to;
}

static char *write_string(char *to, const char *string) {
    size_t length = strlen(string);
    memcpy(to, string, length);
    return to + length;
}

/* Write a point as moves name it: a column letter, without I, and the row from 1 at the bottom. */
static char *write_point(char *to, unsigned size, struct go_move move) {
    *to = (char)('A' + move.col + (move.col >= 'I' - 'A'));
    return write_integer(to + 1, size - move.row);
}

/* There may be as many misses as moves: each is put in one piece. */
void go_json_put_miss(struct buffer *out, unsigned size, uint32_t number, struct go_move move, struct go_reply reply) {
    static const char *const codes[] = {[GO_MISS_OCCUPIED] = "\",\"code\":1,\"reason\":\"",
                                        [GO_MISS_SUICIDE] = "\",\"code\":2,\"reason\":\"",
                                        [GO_MISS_REPETITION] = "\",\"code\":3,\"reason\":\""};
    char text[160];
    char *to = write_string(text, "{\"move\":");
    to = write_integer(to, number);
    to = write_string(to, move.color == GO_BLACK ? ",\"color\":\"B\",\"at\":[" : ",\"color\":\"W\",\"at\":[");
    to = write_integer(to, move.row);
    *to++ = ',';
    to = write_integer(to, move.col);
    to = write_point(write_string(to, "],\"name\":\""), size, move);
    to = write_string(write_string(to, codes[reply.miss]), go_miss_words[reply.miss]);
    *to++ = '"';
    if (reply.miss == GO_MISS_REPETITION)
        to = write_integer(write_string(to, ",\"repeats\":"), reply.repeats);
    *to++ = '}';
    buffer_put(out, text, (size_t)(to - text));
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
    *row_text = ']'; /* over the last comma */
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
            if (go_game_gone(game, row, col)) {
                buffer_printf(out, "%s[%u,%u]", comma, row, col);
                comma = ",";
            }
    buffer_put_literal(out, "]}");
}

/* Append a list; its failure is the answer's. */
static void put_list(struct buffer *out, const struct buffer *list) {
    buffer_put(out, list->data, list->length);
    if (out->outcome == OUTCOME_DONE)
        out->outcome = list->outcome;
}

/* What was read: by which rules it is judged, and which game of the record it is. */
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
