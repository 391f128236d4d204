/* SGF records: random games, written in the styles that other programs use, are read correctly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/sgf_reading.h"

#include <stdio.h>
#include <string.h>

/* A record being written. */
struct writer {
    char text[1 << 15];
    size_t used;
    uint64_t seed;
    bool old; /* long property names, such as AddBlack */
    size_t variations;
};

static void put(struct writer *w, const char *piece) {
    static const char *const blanks[] = {"", "", "", "", "", " ", "\n", "\r\n", "\t \n\r", "\v\f"};
    w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s",
                                blanks[draw(&w->seed, sizeof blanks / sizeof *blanks)], piece);
}

static void put_name(struct writer *w, const char *name, const char *old) { put(w, w->old ? old : name); }

/* Sometimes write properties that do not matter here. */
static void put_noise(struct writer *w) {
    static const char *const noise[] = {
        "C[;B[zz\\]\\\\]", "N[\xe3\x81\x82]",    "KM[6.5]", "LB[aa:(][bb:)]", "TR[aa] [bb]",
        "BL[900]",         "XyZ[\\\n\\]\\\r\n]", "B2[zz]",  "PC[\\\\\\\\]",   "AN[][][]"};
    for (uint32_t n = draw(&w->seed, 3); n > 0; n--)
        put(w, noise[draw(&w->seed, sizeof noise / sizeof *noise)]);
}

/* Sometimes write an empty variation. */
static void put_nothing(struct writer *w) {
    if (draw(&w->seed, 12) == 0) {
        put(w, "(");
        put(w, ")");
    }
}

/* Write variations of a node with this number of children. Their faults do not matter, because they are not in the main
 * line. The last of them can follow the others without parentheses. */
static void put_variations(struct writer *w, unsigned children, unsigned depth) {
    uint32_t more = depth < 3 ? draw(&w->seed, 3) : 0;
    w->variations += children + more > 1 && more != 0;
    put_nothing(w);
    for (; more > 0; more--) {
        bool behind = more == 1 && children != 0 && draw(&w->seed, 4) == 0;
        if (!behind)
            put(w, "(");
        for (uint32_t nodes = 1 + draw(&w->seed, 3); nodes > 0; nodes--) {
            put(w, ";");
            put(w, draw(&w->seed, 2) == 0 ? "B[zz]W[!]AB[]" : "SZ[77]W[aa][bb]GM[9]");
            put_noise(w);
        }
        put_variations(w, 0, depth + 1);
        if (!behind)
            put(w, ")");
        children++;
    }
}

/* Write a set-up property with one to three points or rectangles. Stores its edits in `edits`, and returns their
 * number. */
static uint32_t put_setup(struct writer *w, unsigned size, struct go_edit *edits) {
    static const char *const names[] = {"AE", "AB", "AW"}, *const old[] = {"AddEmpty", "AddBlack", "AddWhite"};
    uint8_t color = (uint8_t)draw(&w->seed, 3);
    uint32_t count = 1 + draw(&w->seed, 3);
    put_name(w, names[color], old[color]);
    for (uint32_t k = 0; k < count; k++) {
        unsigned row = draw(&w->seed, size), col = draw(&w->seed, size);
        unsigned down = row + draw(&w->seed, size - row), right = col + draw(&w->seed, size - col);
        char value[16];
        if (draw(&w->seed, 2) == 0) {
            down = row;
            right = col;
            snprintf(value, sizeof value, "[%c%c]", 'a' + col, 'a' + row);
        } else {
            snprintf(value, sizeof value, "[%c%c:%c%c]", 'a' + col, 'a' + row, 'a' + right, 'a' + down);
        }
        put(w, value);
        edits[k] = (struct go_edit){color, (uint8_t)row, (uint8_t)col, (uint8_t)down, (uint8_t)right};
    }
    return count;
}

/* Write the set-up stones before the first move, and somewhere among them the board size if it is late. */
static void write_start(struct writer *w, struct go_case *c, uint8_t *setup, const char *size, bool late) {
    for (uint32_t n = draw(&w->seed, 6); n > 0; n--) {
        struct go_edit edits[3];
        put_noise(w);
        if (n == 1 && late) {
            put_name(w, "SZ", "SZize");
            put(w, size);
            late = false;
        }
        for (uint32_t k = 0, count = put_setup(w, (unsigned)c->size, edits); k < count; k++) {
            if (edits[k].color != GO_EMPTY)
                c->setup = setup;
            for (unsigned row = edits[k].first_row; row <= edits[k].last_row; row++)
                memset(setup + row * c->size + edits[k].first_col, edits[k].color,
                       (size_t)edits[k].last_col - edits[k].first_col + 1);
        }
        if (!late && draw(&w->seed, 4) == 0)
            put(w, ";");
    }
    if (late) {
        put_name(w, "SZ", "SZ");
        put(w, size);
    }
}

/* Sometimes write changes of the board, in the node of the last move or in later ones. */
static void write_changes(struct writer *w, struct go_case *c) {
    bool changing = false;
    for (uint32_t n = draw(&w->seed, 4) == 0 ? 1 + draw(&w->seed, 3) : 0; n > 0 && c->change_count < 60; n--) {
        if (draw(&w->seed, 3) == 0) {
            put(w, ";");
            changing = false;
        }
        if (!changing)
            c->changes[c->change_count++] = (struct go_change){.after = c->move_count, .first_edit = c->edit_count};
        changing = true;
        c->edit_count += put_setup(w, (unsigned)c->size, c->edits + c->edit_count);
        put_noise(w);
    }
}

/* Write a move, either in its own node or in that of the previous move. */
static void write_move(struct writer *w, struct go_case *c, bool same_node) {
    char piece[16];
    bool pass = draw(&w->seed, 8) == 0;
    struct go_move *to = &c->moves[c->move_count++];
    *to = (struct go_move){(uint8_t)(1 + draw(&w->seed, 2)), (uint8_t)draw(&w->seed, (uint32_t)c->size),
                           (uint8_t)draw(&w->seed, (uint32_t)c->size)};
    if (!same_node)
        put(w, ";");
    put_noise(w);
    put_name(w, to->color == GO_BLACK ? "B" : "W", to->color == GO_BLACK ? "Black" : "White");
    snprintf(piece, sizeof piece, "[%c%c]", 'a' + to->col, 'a' + to->row);
    put(w, !pass ? piece : c->size <= 19 && draw(&w->seed, 2) == 0 ? "[tt]" : "[]");
    if (pass)
        to->row = GO_PASS;
    put_noise(w);
}

/* Write a random record, and the expected case in the form that describe() writes. */
static void write_game(struct writer *w, char *expected, size_t max) {
    unsigned open = 1;
    uint8_t setup[GO_POINTS] = {0};
    struct go_move moves[64];
    struct go_change changes[64];
    struct go_edit edits[64 * 3];
    struct go_case c = {.size = 1 + draw(&w->seed, 25), .moves = moves, .changes = changes, .edits = edits};
    char size[64];
    bool late = draw(&w->seed, 2) == 0;
    put(w, "(");
    put(w, draw(&w->seed, 4) == 0 ? "GM[1]" : ";");
    snprintf(size, sizeof size, draw(&w->seed, 2) == 0 ? "[%u]" : "[ %u:%u\n]", (unsigned)c.size, (unsigned)c.size);
    if (!late) {
        put_name(w, "SZ", "SiZe");
        put(w, size);
    }
    write_start(w, &c, setup, size, late);
    for (uint32_t n = draw(&w->seed, 60); n > 0; n--) {
        bool deeper = draw(&w->seed, 10) == 0;
        put_nothing(w);
        if (deeper) {
            put(w, "(");
            open++;
        }
        write_move(w, &c, c.move_count != 0 && !deeper && draw(&w->seed, 5) == 0);
        write_changes(w, &c);
    }
    for (unsigned missing = draw(&w->seed, 3) == 0 ? 1 + draw(&w->seed, open) : 0; open > missing; open--) {
        put(w, ")");
        if (open > 1)
            put_variations(w, 1, 0);
    }
    describe(&c, expected, max);
}

static void random_games_are_read_as_they_were_written(void **state) {
    uint64_t seed = 19;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct writer w = {.seed = seed + round * 0x9e3779b97f4a7c15u, .old = round % 3 == 0};
        char expected[8192];
        write_game(&w, expected, sizeof expected);
        assert_true(w.used + 100 < sizeof w.text);
        assert_reads(w.text, w.used, expected);
        assert_int_equal(read_bytes(w.text, w.used).variations, w.variations);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_are_read_as_they_were_written),
    };
    return cmocka_run_group_tests_name("sgf", tests, NULL, NULL);
}
