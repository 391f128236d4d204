#include "api/go/text.h"

#include "api/go/case.h"
#include "base/bits.h"

enum { JUDGE_SIZE = 19 };

static bool read_move(struct text_reader *reader, struct go_move *ret_move) {
    struct text_token color;
    int64_t row, col;
    if (!text_read_token(reader, "the move's colour", &color))
        return false;
    char letter = reader->text[color.at];
    if (color.length != 1 || (letter != 'B' && letter != 'W'))
        return text_refuse(reader, color.at, FAULT_VALUE, "the move's colour is '%s'; it must be B or W",
                           fault_quote(reader->text + color.at, color.length).text);
    if (!text_read_ranged(reader, "the move's row", 1, JUDGE_SIZE, &row) ||
        !text_read_ranged(reader, "the move's column", 1, JUDGE_SIZE, &col))
        return false;
    *ret_move = (struct go_move){letter == 'B' ? GO_BLACK : GO_WHITE, (uint8_t)(row - 1), (uint8_t)(col - 1)};
    return true;
}

/* Quickly read at most `max` moves into `ret_moves`: lines of at most 8 bytes like `B 12 3`, including a line feed.
 * Returns the number of moves read before a line of another kind. */
static uint32_t read_usual_moves(struct text_reader *reader, uint32_t max, struct go_move *ret_moves) {
    const char *text = reader->text;
    size_t paid = reader->paid, at = text_line(reader->text, reader->at, paid);
    uint32_t count = 0;
    for (; count < max && at + TEXT_WORD <= paid; count++) {
        uint64_t word = bits_load(text + at);
        struct text_pair point = text_pair_in(word >> 16);
        char letter = (char)word;
        if (point.length == 0 || (letter != 'B' && letter != 'W') || (word >> 8 & 0xff) != ' ' ||
            point.first - 1 >= JUDGE_SIZE || point.second - 1 >= JUDGE_SIZE)
            break;
        ret_moves[count] = (struct go_move){letter == 'B' ? GO_BLACK : GO_WHITE, (uint8_t)(point.first - 1),
                                            (uint8_t)(point.second - 1)};
        at = text_line(text, at + 2 + point.length, paid);
    }
    reader->at = at;
    return count;
}

bool go_text_read_case(struct text_reader *reader, void *ret_case) {
    struct go_case *the_case = ret_case;
    const struct go_limits *limits = reader->limits;
    struct text_token count;
    int64_t moves;
    if (!text_read_number(reader, "the number of moves", &count, &moves))
        return false;
    if (moves < 0 || (uint64_t)moves > limits->max_moves)
        return text_refuse(
            reader, count.at, FAULT_RANGE, "the number of moves is %s; it must be between 0 and %llu (max_moves)",
            fault_quote(reader->text + count.at, count.length).text, (unsigned long long)limits->max_moves);
    if (!text_add_total(reader, count.at, (uint64_t)moves, limits->max_moves_total, "max_moves_total"))
        return false;
    /* A move takes at least 6 bytes of text. Allocate no more moves than the rest can hold; if some are missing,
     * reading fails. */
    size_t most = (reader->length - reader->at) / 6 + 1;
    the_case->size = JUDGE_SIZE;
    the_case->move_count = (uint32_t)moves;
    the_case->moves = text_alloc(reader, (size_t)moves < most ? (size_t)moves : most, sizeof *the_case->moves);
    if (the_case->moves == NULL)
        return false;
    for (uint32_t m = 0;;) {
        struct go_move move;
        m += read_usual_moves(reader, the_case->move_count - m, the_case->moves + m);
        if (m == the_case->move_count)
            return true;
        if (!read_move(reader, &move))
            return false;
        the_case->moves[m++] = move;
    }
}

void go_text_print_board(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    if (!buffer_reserve(out, (size_t)size * (size + 1)))
        return;
    char *line = out->data + out->length;
    for (unsigned row = 0; row < size; row++, line += size + 1) {
        go_game_letters(game, row, go_letters, line);
        line[size] = '\n';
    }
    out->length += (size_t)size * (size + 1);
}
