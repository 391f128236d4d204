#include "api/mine/case.h"

#include "base/assert.h"

const char *mine_turn_word(size_t clicks) { return clicks % 2 == 0 ? "Xiemao" : "Fanglaoshi"; }

const char *mine_winner_word(const struct mine_verdict *verdict, size_t clicks) {
    bool won = verdict->known ? verdict->nimber != 0 : verdict->won;
    return won ? mine_turn_word(clicks) : verdict->known ? mine_turn_word(clicks + 1) : "Unknown";
}

void mine_case_add(struct mine_case *the_case, size_t row, size_t col) {
    ASSERT(row < (size_t)the_case->rows && col < (size_t)the_case->cols);
    the_case->mines[row * mine_words((unsigned)the_case->cols) + col / 64] |= (uint64_t)1 << col % 64;
}
