#include "api/go/sgf_reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append the changes after a move, for example " {Ba0-b1 Ec2-c2}": each edit is a colour (E for empty) and two opposite
 * corners. */
static size_t describe_changes(const struct go_case *c, uint32_t after, char *text, size_t used, size_t size) {
    for (uint32_t k = 0; k < c->change_count; k++) {
        size_t end = k + 1 < c->change_count ? c->changes[k + 1].first_edit : c->edit_count;
        if (c->changes[k].after != after)
            continue;
        for (size_t e = c->changes[k].first_edit; e < end && used + 32 < size; e++) {
            const struct go_edit *edit = &c->edits[e];
            used += (size_t)snprintf(text + used, size - used, "%s%c%c%u-%c%u",
                                     e == c->changes[k].first_edit ? " {" : " ", "EBW"[edit->color],
                                     'a' + edit->first_col, edit->first_row, 'a' + edit->last_col, edit->last_row);
        }
        text[used++] = '}';
        text[used] = 0;
    }
    return used;
}

void describe(const struct go_case *c, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%d", (int)c->size);
    for (uint32_t m = 0; m < c->move_count && used + 16 < size; m++) {
        const struct go_move *move = &c->moves[m];
        char color = move->color == GO_BLACK ? 'B' : move->color == GO_WHITE ? 'W' : '?';
        if (move->row == GO_PASS)
            used += (size_t)snprintf(text + used, size - used, " %c-", color);
        else
            used += (size_t)snprintf(text + used, size - used, " %c%c%u", color, 'a' + move->col, move->row);
        used = describe_changes(c, m + 1, text, used, size);
    }
    if (c->setup == NULL || used + 800 > size)
        return;
    used += (size_t)snprintf(text + used, size - used, " /");
    for (int64_t point = 0; point < c->size * c->size; point++) {
        if (point != 0 && point % c->size == 0)
            text[used++] = ',';
        assert_true(c->setup[point] <= GO_WHITE);
        text[used++] = ".BW"[c->setup[point]];
    }
    text[used] = 0;
}

/* Check that the changes are in order and that their edits are on the board. */
static void check_changes(const struct go_case *c) {
    assert_true((c->changes == NULL) == (c->change_count == 0));
    for (uint32_t k = 0; k < c->change_count; k++) {
        assert_in_range(c->changes[k].after, k == 0 ? 1 : c->changes[k - 1].after, c->move_count);
        assert_true(c->changes[k].first_edit < c->edit_count);
        assert_true(k == 0 ? c->changes[0].first_edit == 0 : c->changes[k].first_edit > c->changes[k - 1].first_edit);
    }
    for (size_t e = 0; e < c->edit_count; e++) {
        const struct go_edit *edit = &c->edits[e];
        assert_true(edit->color <= GO_WHITE && edit->first_row <= edit->last_row && edit->first_col <= edit->last_col);
        assert_true(edit->last_row < c->size && edit->last_col < c->size);
    }
}

/* Check the invariants that hold for every reading. */
static void check_reading(const struct reading *r, size_t length, uint64_t max_moves) {
    const struct go_case *c = &r->the_case;
    if (r->outcome != OUTCOME_DONE || !r->good) {
        assert_int_equal(c->size, 0);
        assert_null(c->setup);
        assert_null(c->moves);
        assert_int_equal(c->move_count + c->change_count, 0);
    }
    if (r->outcome == OUTCOME_DONE && r->good) {
        assert_in_range(c->size, 1, GO_MAX_SIZE);
        assert_true(c->move_count + c->change_count <= max_moves);
        check_changes(c);
        assert_true((c->moves == NULL) == (c->move_count == 0));
        for (uint32_t m = 0; m < c->move_count; m++) {
            assert_in_range(c->moves[m].color, GO_BLACK, GO_WHITE);
            assert_true(c->moves[m].row == GO_PASS || (c->moves[m].row < c->size && c->moves[m].col < c->size));
        }
    }
    if (r->outcome == OUTCOME_DONE && !r->good) {
        assert_true(r->fault.offset <= length);
        assert_in_range(strnlen(r->fault.detail, sizeof r->fault.detail), 10, sizeof r->fault.detail - 1);
        assert_true(r->fault.code < FAULT_CODES);
    }
}

void read_game(const struct sgf_record *record, uint64_t number, uint64_t max_moves, struct arena *arena,
               struct work *work, struct reading *r) {
    struct sgf_survey survey;
    r->outcome = sgf_survey(record, number, 0, arena, work, &survey, &r->good, &r->fault);
    if (r->outcome != OUTCOME_DONE || !r->good)
        return;
    assert_int_equal(survey.kept_count, 1);
    const struct sgf_game *game = survey.kept;
    assert_true(game->begin < game->end && game->end <= record->length && record->text[game->begin] == '(');
    r->games = survey.games;
    r->variations = game->variations;
    r->good = false;
    r->outcome = sgf_read_game(record, game, max_moves, arena, work, &r->the_case, &r->good, &r->fault);
    assert_false(r->outcome == OUTCOME_DONE && !r->good && r->fault.code == FAULT_SYNTAX);
}

struct reading read_with(const char *sgf, size_t length, uint64_t max_moves, size_t cap, uint64_t units) {
    struct reading r = {0};
    struct arena arena;
    struct work work = {.left = units};
    char *copy = malloc(length != 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, sgf, length);
    arena_init(&arena, cap);
    struct sgf_record record = {copy, length, false};
    read_game(&record, 1, max_moves, &arena, &work, &r);
    assert_memory_equal(copy, sgf, length);
    free(copy);
    check_reading(&r, length, max_moves);
    if (r.outcome == OUTCOME_DONE && r.good)
        describe(&r.the_case, r.text, sizeof r.text);
    r.units = units - work.left;
    arena_clear(&arena);
    return r;
}

struct reading read_bytes(const char *sgf, size_t length) {
    return read_with(sgf, length, MAX_MOVES, ARENA_NO_CAP, PLENTY);
}

void assert_reads(const char *sgf, size_t length, const char *text) {
    struct reading r = read_bytes(sgf, length);
    assert_int_equal(r.outcome, OUTCOME_DONE);
    if (!r.good)
        print_error("%s\n%zu: %s\n", sgf, r.fault.offset, r.fault.detail);
    assert_true(r.good);
    if (strcmp(r.text, text) != 0)
        print_error("%s\n", sgf);
    assert_string_equal(r.text, text);
}

void assert_all_read(const struct good *records, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_reads(records[i].sgf, strlen(records[i].sgf), records[i].text);
}

static void assert_refused(const struct bad *b) {
    char copy[1024];
    const char *tilde = strchr(b->sgf, '~');
    assert_non_null(tilde);
    size_t offset = (size_t)(tilde - b->sgf), length = strlen(b->sgf) - 1;
    assert_true(length < sizeof copy);
    memcpy(copy, b->sgf, offset);
    memcpy(copy + offset, tilde + 1, length - offset);
    struct reading r = read_bytes(copy, length);
    assert_int_equal(r.outcome, OUTCOME_DONE);
    if (r.good || r.fault.offset != offset || r.fault.code != b->code)
        print_error("%s: %s\n%zu: %d %s\n", b->sgf, r.good ? r.text : "", r.fault.offset, (int)r.fault.code,
                    r.fault.detail);
    assert_false(r.good);
    assert_int_equal(r.fault.offset, offset);
    assert_int_equal(r.fault.code, b->code);
    if (b->detail != NULL)
        assert_string_equal(r.fault.detail, b->detail);
}

void assert_all_refused(const struct bad *records, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_refused(&records[i]);
}

uint32_t draw(uint64_t *seed, uint32_t below) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)((*seed >> 32) % below);
}
