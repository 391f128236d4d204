#include "api/game/judge.h"

#include "api/json/encode.h"

enum { JUDGE_SIZE = 19 };

bool judge_read_go_head(struct reader *reader, uint64_t *ret_cases) {
    int64_t cases;
    if (!read_ranged(reader, "the number of cases", 1, (int64_t)reader->limits->max_cases, &cases))
        return false;
    *ret_cases = (uint64_t)cases;
    return true;
}

static bool read_move(struct reader *reader, struct go_move *ret_move) {
    struct token color;
    int64_t row, col;
    if (!read_token(reader, "a move's colour", &color))
        return false;
    char letter = reader->text[color.at];
    if (color.length != 1 || (letter != 'B' && letter != 'W'))
        return reader_refuse(reader, color.at, FAULT_VALUE, "a move's colour is '%s'; B or W is needed",
                             quote(reader->text + color.at, color.length).text);
    if (!read_ranged(reader, "a move's row", 1, JUDGE_SIZE, &row) ||
        !read_ranged(reader, "a move's column", 1, JUDGE_SIZE, &col))
        return false;
    *ret_move = (struct go_move){letter == 'B' ? GO_BLACK : GO_WHITE, (uint8_t)(row - 1), (uint8_t)(col - 1)};
    return true;
}

bool judge_read_go(struct reader *reader, void *ret_case) {
    struct go_case *the_case = ret_case;
    struct token count;
    int64_t moves;
    if (!read_number(reader, "the number of moves", &count, &moves))
        return false;
    if (moves < 0 || (uint64_t)moves > reader->limits->max_moves)
        return reader_refuse(reader, count.at, FAULT_RANGE, "a game has 0 to %llu moves (max_moves)",
                             (unsigned long long)reader->limits->max_moves);
    if (!reader_add_total(reader, count.at, (uint64_t)moves, reader->limits->max_moves_total, "max_moves_total"))
        return false;
    /* A move takes at least 6 bytes of text: what cannot be there is not allocated, and its reading fails. */
    size_t room = (reader->length - reader->at) / 6 + 1;
    the_case->size = JUDGE_SIZE;
    the_case->move_count = (uint32_t)moves;
    the_case->moves = reader_alloc(reader, (size_t)moves < room ? (size_t)moves : room, sizeof *the_case->moves);
    if (the_case->moves == NULL)
        return false;
    for (uint32_t m = 0; m < the_case->move_count; m++) {
        struct go_move move;
        if (!read_move(reader, &move))
            return false;
        the_case->moves[m] = move;
    }
    return true;
}

void judge_print_go_miss(struct buffer *out, enum go_miss miss) {
    buffer_put_literal(out, "miss ");
    buffer_put_integer(out, miss);
    buffer_put_char(out, '\n');
}

void judge_print_go_board(struct buffer *out, const struct go_game *game, unsigned size) {
    char line[GO_MAX_SIZE + 1];
    for (unsigned row = 0; row < size; row++) {
        for (unsigned col = 0; col < size; col++)
            line[col] = ".BW"[go_game_at(game, row, col)];
        line[size] = '\n';
        buffer_put(out, line, size + 1);
    }
}
