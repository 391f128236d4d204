#include "api/go/text.h"

#include "api/go/case.h"

enum { JUDGE_SIZE = 19 };

static bool read_move(struct text_reader *reader, struct go_move *ret_move) {
    struct text_token color;
    int64_t row, col;
    if (!text_read_token(reader, "a move's colour", &color))
        return false;
    char letter = reader->text[color.at];
    if (color.length != 1 || (letter != 'B' && letter != 'W'))
        return text_refuse(reader, color.at, FAULT_VALUE, "a move's colour is '%s'; B or W is needed",
                           fault_quote(reader->text + color.at, color.length).text);
    if (!text_read_ranged(reader, "a move's row", 1, JUDGE_SIZE, &row) ||
        !text_read_ranged(reader, "a move's column", 1, JUDGE_SIZE, &col))
        return false;
    *ret_move = (struct go_move){letter == 'B' ? GO_BLACK : GO_WHITE, (uint8_t)(row - 1), (uint8_t)(col - 1)};
    return true;
}

bool go_text_read_case(struct text_reader *reader, void *ret_case) {
    struct go_case *the_case = ret_case;
    const struct go_limits *limits = reader->limits;
    struct text_token count;
    int64_t moves;
    if (!text_read_number(reader, "the number of moves", &count, &moves))
        return false;
    if (moves < 0 || (uint64_t)moves > limits->max_moves)
        return text_refuse(reader, count.at, FAULT_RANGE, "a game has 0 to %llu moves (max_moves)",
                           (unsigned long long)limits->max_moves);
    if (!text_add_total(reader, count.at, (uint64_t)moves, limits->max_moves_total, "max_moves_total"))
        return false;
    /* A move takes at least 6 bytes of text: what cannot be there is not allocated, and its reading fails. */
    size_t room = (reader->length - reader->at) / 6 + 1;
    the_case->size = JUDGE_SIZE;
    the_case->move_count = (uint32_t)moves;
    the_case->moves = text_alloc(reader, (size_t)moves < room ? (size_t)moves : room, sizeof *the_case->moves);
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

void go_text_print_miss(struct buffer *out, enum go_miss miss) {
    buffer_put_literal(out, "miss ");
    buffer_put_integer(out, miss);
    buffer_put_char(out, '\n');
}

void go_text_print_board(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    char line[GO_MAX_SIZE + 1];
    for (unsigned row = 0; row < size; row++) {
        for (unsigned col = 0; col < size; col++)
            line[col] = go_letters[go_game_at(game, row, col)];
        line[size] = '\n';
        buffer_put(out, line, size + 1);
    }
}
