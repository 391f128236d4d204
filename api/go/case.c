#include "api/go/case.h"

#include "base/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const go_ko_words[] = {[GO_KO_POSITIONAL] = "positional",
                                   [GO_KO_SITUATIONAL] = "situational",
                                   [GO_KO_SIMPLE] = "simple",
                                   [GO_KO_NONE] = "none",
                                   NULL};
const char *const go_scoring_words[] = {[GO_SCORING_AREA] = "area", [GO_SCORING_TERRITORY] = "territory", NULL};
const char *const go_source_words[] = {
    [GO_SOURCE_DEFAULT] = "default", [GO_SOURCE_RECORD] = "record", [GO_SOURCE_REQUEST] = "request", NULL};
const char *const go_repetition_words[] = {"forbid", "report", NULL};
const char *const go_include_words[] = {
    [GO_INCLUDE_CAPTURED] = "captured", [GO_INCLUDE_BOARDS] = "boards",         [GO_INCLUDE_SCORE] = "score",
    [GO_INCLUDE_LEGAL] = "legal",       [GO_INCLUDE_CHAINS] = "chains",         [GO_INCLUDE_TERRITORY] = "territory",
    [GO_INCLUDE_ALIVE] = "alive",       [GO_INCLUDE_VARIATIONS] = "variations", NULL};
const char *const go_sides[] = {"Black", "White", NULL};
const char *const go_miss_words[] = {
    [GO_MISS_OCCUPIED] = "occupied", [GO_MISS_SUICIDE] = "suicide", [GO_MISS_REPETITION] = "repetition"};
const char go_letters[] = {[GO_EMPTY] = '.', [GO_BLACK] = 'B', [GO_WHITE] = 'W'};

void go_case_set_up(const struct go_case *the_case, struct go_game *game) {
    unsigned size = (unsigned)the_case->size;
    for (unsigned point = 0; the_case->setup != NULL && point < size * size; point++)
        if (the_case->setup[point] != GO_EMPTY)
            go_game_set_up(game, point / size, point % size, (enum go_color)the_case->setup[point]);
}

enum outcome go_case_change(const struct go_case *the_case, uint32_t index, struct go_game *game, struct work *work) {
    const struct go_change *change = &the_case->changes[index];
    bool last = index + 1 == the_case->change_count;
    size_t size = (size_t)the_case->size, end = last ? the_case->edit_count : change[1].first_edit;
    uint8_t points[GO_POINTS];
    if (!work_charge(work, size * size / 4 + size * (end - change->first_edit)))
        return work_failure(work);
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++)
            points[row * size + col] = (uint8_t)go_game_at(game, row, col);
    for (size_t e = change->first_edit; e < end; e++) {
        const struct go_edit *edit = &the_case->edits[e];
        for (unsigned row = edit->first_row; row <= edit->last_row; row++)
            memset(points + row * size + edit->first_col, edit->color, (size_t)edit->last_col - edit->first_col + 1);
    }
    return go_game_change(game, points, go_game_mover(game), work);
}

enum outcome go_case_play(const struct go_case *the_case, struct go_game *game, struct work *work) {
    enum outcome outcome = OUTCOME_DONE;
    struct go_reply reply;
    for (uint32_t m = 0, c = 0; outcome == OUTCOME_DONE && m < the_case->move_count; m++) {
        outcome = go_game_play(game, the_case->moves[m], work, &reply);
        for (; outcome == OUTCOME_DONE && c < the_case->change_count && the_case->changes[c].after == m + 1; c++)
            outcome = go_case_change(the_case, c, game, work);
    }
    return outcome;
}

void go_case_fault(struct fault_list *faults, const struct place *of_case, const char *member, int64_t index,
                   enum fault_code code, const char *format, ...) {
    const struct place whole = {.parent = of_case, .member = member};
    const struct place element = {.parent = &whole, .index = (size_t)index};
    char detail[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (of_case == NULL)
        fault_in_query(faults, member, strlen(member), code, "%s", detail);
    else
        fault_at(faults, index < 0 ? &whole : &element, code, "%s", detail);
}

bool go_komi_parse(const char *text, size_t length, int *ret_halves) {
    const char *at = text, *end = text + length;
    bool negative = at != end && *at == '-', half = false;
    int halves = 0;
    size_t digits = 0;
    at += at != end && (*at == '-' || *at == '+');
    for (; at != end && ascii_is_digit(*at); at++, digits++)
        halves = halves < GO_KOMI_HUGE / 10 ? 10 * halves + 2 * (*at - '0') : GO_KOMI_HUGE;
    if (at != end && *at == '.') {
        at++;
        half = at != end && *at == '5';
        for (const char *first = at; at != end && (*at == '0' || (half && at == first)); at++)
            digits++;
    }
    if (at != end || digits == 0)
        return false;
    halves += half;
    *ret_halves = negative ? -halves : halves;
    return true;
}

void go_komi_put(struct buffer *out, int halves) {
    if (halves < 0)
        buffer_put_char(out, '-');
    buffer_put_integer(out, abs(halves) / 2);
    if (halves % 2 != 0)
        buffer_put_literal(out, ".5");
}
