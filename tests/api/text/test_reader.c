/* The contest format: both the fast and the exact reader agree with a plain token reader on valid texts with all kinds
 * of white space, on truncated texts, and on a few hundred thousand broken ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/case.h"
#include "api/mine/case.h"
#include "api/pawn/case.h"
#include "api/request/games.h"
#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These limits are small, so that some texts exceed them. */
enum { MAX_CASES = 5 };
static const struct go_limits go_limits = {.max_moves = 400, .max_moves_total = 450};
static const struct mine_limits mine_limits = {.max_mine_cells = 40000, .max_mine_cells_total = 41000};
static const struct pawn_limits pawn_limits = {.max_pawn_cells = 48, .max_pawn_cells_total = 80};

/* ---- results ---- */

/* The result of reading a text: the cases as words, and the fault. */
struct result {
    struct buffer cases;
    struct fault_list faults;
    bool malformed;
};

static void result_init(struct result *result) {
    buffer_init(&result->cases, (size_t)1 << 20, NULL);
    fault_list_init(&result->faults, NULL);
    result->malformed = false;
}

static void result_clear(struct result *result) {
    buffer_clear(&result->cases);
    fault_list_clear(&result->faults);
}

static void put_go_case(struct buffer *out, const struct go_case *the_case) {
    buffer_printf(out, "%lld", (long long)the_case->size);
    for (uint32_t m = 0; m < the_case->move_count; m++)
        buffer_printf(out, " %u:%u:%u", the_case->moves[m].color, the_case->moves[m].row, the_case->moves[m].col);
}

static void put_mine_case(struct buffer *out, const struct mine_case *the_case) {
    size_t words = (size_t)the_case->rows * mine_words((unsigned)the_case->cols);
    buffer_printf(out, "%lld:%lld", (long long)the_case->rows, (long long)the_case->cols);
    for (size_t word = 0; word < words; word++)
        if (the_case->mines[word] != 0)
            buffer_printf(out, " %zu=%llx", word, (unsigned long long)the_case->mines[word]);
}

static void put_pawn_case(struct buffer *out, const struct pawn_case *the_case) {
    const struct pawn_position *p = &the_case->position;
    buffer_printf(out, "%u:%u %u %u %u ", p->rows, p->cols, p->red[0], p->red[1], p->pawn);
    for (unsigned cell = 0; cell < p->rows * p->cols; cell++)
        buffer_put_char(out, p->obstacle[cell] ? '#' : '.');
}

static void put_case(struct buffer *out, const char *game, const void *the_case) {
    if (strcmp(game, "go") == 0)
        put_go_case(out, the_case);
    else if (strcmp(game, "mine") == 0)
        put_mine_case(out, the_case);
    else
        put_pawn_case(out, the_case);
    buffer_put_char(out, '\n');
}

/* ---- the reader under test ---- */

static const void *limits_of_game(const char *game) {
    if (strcmp(game, "go") == 0)
        return &go_limits;
    return strcmp(game, "mine") == 0 ? (const void *)&mine_limits : &pawn_limits;
}

static const struct game *game_of(const char *name) {
    for (size_t g = 0; g < game_count; g++)
        if (strcmp(games[g]->name, name) == 0)
            return games[g];
    fail();
    return NULL;
}

static struct text_reader begin(const char *game, const char *text, size_t length, struct fault_list *faults,
                                struct arena *arena, struct work *work) {
    return (struct text_reader){
        .text = text,
        .length = length,
        .max_cases = MAX_CASES,
        .limits = limits_of_game(game),
        .faults = faults,
        .arena = arena,
        .work = work,
    };
}

/* Read the next case and append it to `out`. With `alone`, a new reader reads it. */
static bool read_case(const char *game, struct text_reader *reader, bool alone, struct buffer *out) {
    static max_align_t case_memory[64];
    struct text_reader fresh = *reader;
    assert_in_range(game_of(game)->case_size, 1, sizeof case_memory);
    memset(case_memory, 0, sizeof case_memory);
    arena_reset(reader->arena);
    fresh.paid = 0;
    if (!game_of(game)->read_case(alone ? &fresh : reader, case_memory))
        return false;
    put_case(out, game, case_memory);
    if (alone) {
        reader->at = fresh.at;
        reader->total = fresh.total;
    }
    return true;
}

/* Read the text from a block of exactly its size. The memory of each case is freed before the next. */
static void read_ours(const char *game, const char *text, size_t length, bool alone, struct result *ret_result) {
    struct work work = {.left = WORK_UNBOUNDED};
    struct arena arena;
    uint64_t count;
    char *copy = malloc(length != 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    arena_init(&arena, ARENA_NO_CAP);
    result_init(ret_result);
    struct text_reader reader = begin(game, copy, length, &ret_result->faults, &arena, &work);
    bool good = game_of(game)->read_head(&reader, &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_case(game, &reader, alone, &ret_result->cases);
    good = good && text_read_end(&reader);
    assert_int_equal(good, ret_result->faults.count == 0);
    assert_int_equal(reader.outcome, OUTCOME_DONE);
    if (!alone)
        ret_result->malformed = reader.malformed;
    arena_clear(&arena);
    free(copy);
}

/* ---- the plain reader ---- */

struct plain {
    const char *text;
    size_t length, at;
    struct result *result;
    long long total;
};

struct plain_token {
    size_t at, length;
    long long value; /* of a number; one with more than 15 digits is out of every range */
};

static bool refuse(struct plain *p, size_t at, enum fault_code code, const char *format, ...) {
    char detail[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    fault_in_line(&p->result->faults, NULL, fault_find_line(p->text, at, FAULT_FIRST_BYTE), code, "%s", detail);
    p->result->malformed = code == FAULT_SYNTAX;
    return false;
}

static const char *quote(const struct plain *p, struct plain_token token) {
    static struct fault_quote quoted;
    quoted = fault_quote(p->text + token.at, token.length);
    return quoted.text;
}

static bool is_blank(const struct plain *p, size_t at) {
    return p->text[at] != 0 && strchr(" \t\r\n", p->text[at]) != NULL;
}

static bool plain_token(struct plain *p, const char *what, struct plain_token *token) {
    while (p->at < p->length && is_blank(p, p->at))
        p->at++;
    token->at = p->at;
    while (p->at < p->length && !is_blank(p, p->at))
        p->at++;
    token->length = p->at - token->at;
    return token->length != 0 || refuse(p, token->at, FAULT_SYNTAX, "expected %s, found the end of the text", what);
}

static bool plain_number(struct plain *p, const char *what, struct plain_token *token) {
    if (!plain_token(p, what, token))
        return false;
    size_t at = token->at, end = token->at + token->length;
    bool negative = p->text[at] == '-';
    at += negative;
    token->value = 0;
    for (size_t digit = at; digit < end; digit++) {
        if (p->text[digit] < '0' || p->text[digit] > '9')
            at = end;
        else if (token->value < 1000000000000000)
            token->value = 10 * token->value + (p->text[digit] - '0');
    }
    if (at == end)
        return refuse(p, token->at, FAULT_SYNTAX, "expected %s%s, found '%s'", what,
                      strncmp(what, "the number", 10) == 0 ? "" : " (a number)", quote(p, *token));
    token->value = negative ? -token->value : token->value;
    return true;
}

static bool plain_ranged(struct plain *p, const char *what, long long min, long long max, struct plain_token *token) {
    return plain_number(p, what, token) &&
           ((token->value >= min && token->value <= max) ||
            refuse(p, token->at, FAULT_RANGE, "%s is %s; it must be between %lld and %lld", what, quote(p, *token), min,
                   max));
}

static bool plain_total(struct plain *p, size_t at, long long amount, uint64_t max, const char *name) {
    p->total += amount;
    return p->total <= (long long)max || refuse(p, at, FAULT_RANGE, "with this case, the request exceeds %s", name);
}

static bool plain_go_case(struct plain *p, void *ret_case) {
    static struct go_move moves[400];
    struct go_case *the_case = ret_case;
    struct plain_token count, color, row, col;
    if (!plain_number(p, "the number of moves", &count))
        return false;
    if (count.value < 0 || count.value > 400)
        return refuse(p, count.at, FAULT_RANGE, "the number of moves is %s; it must be between 0 and 400 (max_moves)",
                      quote(p, count));
    if (!plain_total(p, count.at, count.value, go_limits.max_moves_total, "max_moves_total"))
        return false;
    the_case->size = 19;
    the_case->moves = moves;
    the_case->move_count = (uint32_t)count.value;
    for (long long m = 0; m < count.value; m++) {
        if (!plain_token(p, "the move's colour", &color))
            return false;
        bool black = color.length == 1 && p->text[color.at] == 'B';
        if (!black && !(color.length == 1 && p->text[color.at] == 'W'))
            return refuse(p, color.at, FAULT_VALUE, "the move's colour is '%s'; it must be B or W", quote(p, color));
        if (!plain_ranged(p, "the move's row", 1, 19, &row) || !plain_ranged(p, "the move's column", 1, 19, &col))
            return false;
        moves[m] = (struct go_move){black ? GO_BLACK : GO_WHITE, (uint8_t)(row.value - 1), (uint8_t)(col.value - 1)};
    }
    return true;
}

static bool plain_mine_case(struct plain *p, void *ret_case) {
    static uint64_t mines[40000];
    struct mine_case *the_case = ret_case;
    struct plain_token rows, cols, count, row, col;
    if (!plain_ranged(p, "the number of rows", 1, 1000, &rows) ||
        !plain_ranged(p, "the number of columns", 1, 1000, &cols))
        return false;
    if (rows.value * cols.value > 40000)
        return refuse(p, rows.at, FAULT_RANGE, "the field has %lld x %lld cells; max_mine_cells is 40000", rows.value,
                      cols.value);
    if (!plain_total(p, rows.at, rows.value * cols.value, mine_limits.max_mine_cells_total, "max_mine_cells_total") ||
        !plain_number(p, "the number of mines", &count))
        return false;
    if (count.value < 0)
        return refuse(p, count.at, FAULT_RANGE, "the number of mines is negative; it must be 0 or more");
    memset(mines, 0, (size_t)rows.value * mine_words((unsigned)cols.value) * sizeof *mines);
    *the_case = (struct mine_case){.rows = rows.value, .cols = cols.value, .mines = mines};
    for (long long k = 0; k < count.value; k++) {
        if (!plain_ranged(p, "the mine's row", 0, rows.value - 1, &row) ||
            !plain_ranged(p, "the mine's column", 0, cols.value - 1, &col))
            return false;
        mines[(size_t)row.value * mine_words((unsigned)cols.value) + (size_t)col.value / 64] |= (uint64_t)1
                                                                                                << col.value % 64;
    }
    return true;
}

static bool plain_row(struct plain *p, struct pawn_board *board, unsigned row, size_t *ret_at) {
    struct plain_token token;
    if (!plain_token(p, "another row of the board", &token))
        return false;
    *ret_at = token.at;
    if (token.length != board->position->cols)
        return refuse(p, token.at, FAULT_SYNTAX, "row %u of the board has %zu byte%s; it must have %u", row + 1,
                      token.length, token.length == 1 ? "" : "s", board->position->cols);
    for (unsigned col = 0; col < token.length; col++)
        if (!pawn_board_put(board, row, col, p->text[token.at + col]))
            return refuse(p, token.at + col, FAULT_VALUE, "this square is '%s'; it must be '.', '#', 'O' or 'X'",
                          fault_quote_character(p->text + token.at + col, token.length - col).text);
    return true;
}

static bool plain_pawn_case(struct plain *p, void *ret_case) {
    struct pawn_case *the_case = ret_case;
    struct pawn_board board = {.position = &the_case->position};
    struct plain_token rows, cols;
    size_t first_row = 0, at;
    if (!plain_ranged(p, "the number of rows", 2, 48, &rows) || !plain_ranged(p, "the number of columns", 1, 48, &cols))
        return false;
    if (rows.value * cols.value > 48)
        return refuse(p, rows.at, FAULT_RANGE, "the board has %lld x %lld squares; max_pawn_cells is 48", rows.value,
                      cols.value);
    if (!plain_total(p, rows.at, rows.value * cols.value, pawn_limits.max_pawn_cells_total, "max_pawn_cells_total"))
        return false;
    the_case->position.rows = (unsigned)rows.value;
    the_case->position.cols = (unsigned)cols.value;
    for (unsigned row = 0; row < the_case->position.rows; row++) {
        if (!plain_row(p, &board, row, &at))
            return false;
        first_row = row == 0 ? at : first_row;
    }
    unsigned bad = pawn_board_end(&board);
    if (bad & PAWN_BAD_REDS)
        return refuse(p, first_row, FAULT_COUNT, PAWN_WRONG_REDS, board.reds, board.reds == 1 ? "" : "s");
    return bad == 0 || refuse(p, first_row, FAULT_COUNT, PAWN_WRONG_PAWNS, board.pawns, board.pawns == 1 ? "" : "s");
}

static bool plain_text(const char *game, struct plain *p) {
    bool pawn = strcmp(game, "pawn") == 0, go = strcmp(game, "go") == 0;
    struct plain_token id, cases;
    if ((pawn && !plain_number(p, "the test id", &id)) || !plain_ranged(p, "the number of cases", 1, MAX_CASES, &cases))
        return false;
    for (long long i = 0; i < cases.value; i++) {
        union {
            struct go_case go;
            struct mine_case mine;
            struct pawn_case pawn;
        } the_case = {0};
        memset(&the_case, 0, sizeof the_case);
        if (!(pawn ? plain_pawn_case : go ? plain_go_case : plain_mine_case)(p, &the_case))
            return false;
        put_case(&p->result->cases, game, &the_case);
    }
    while (p->at < p->length && is_blank(p, p->at))
        p->at++;
    return p->at == p->length || refuse(p, p->at, FAULT_SYNTAX, "unexpected text after the last case");
}

static void read_plainly(const char *game, const char *text, size_t length, struct result *ret_result) {
    struct plain plain = {.text = text, .length = length, .result = ret_result};
    result_init(ret_result);
    bool good = plain_text(game, &plain);
    assert_int_equal(good, ret_result->faults.count == 0);
}

/* ---- comparing ---- */

static bool is_same(const struct result *a, const struct result *b) {
    if (a->cases.length != b->cases.length || a->faults.count != b->faults.count || a->malformed != b->malformed ||
        (a->cases.length != 0 && memcmp(a->cases.data, b->cases.data, a->cases.length) != 0))
        return false;
    if (a->faults.count == 0)
        return true;
    struct fault x, y;
    size_t at[2] = {0};
    return fault_list_next(&a->faults, &at[0], &x) && fault_list_next(&b->faults, &at[1], &y) && x.code == y.code &&
           x.line == y.line && x.column == y.column && strcmp(x.detail, y.detail) == 0;
}

static const char *told(const struct result *result) {
    struct fault fault;
    size_t at = 0;
    return fault_list_next(&result->faults, &at, &fault) ? fault.detail : "nothing";
}

/* Check that both readers agree. Returns whether the text is valid. */
static bool compare(const char *game, const char *text, size_t length) {
    struct result plain, ours;
    read_plainly(game, text, length, &plain);
    read_ours(game, text, length, false, &ours);
    if (!is_same(&plain, &ours))
        fail_msg("/%s\n%.*s\ngave \"%s\", not \"%s\"", game, (int)length, text, told(&ours), told(&plain));
    bool good = plain.faults.count == 0;
    result_clear(&plain);
    result_clear(&ours);
    return good;
}

/* ---- texts ---- */

struct text {
    const char *game;
    char *bytes; /* ends with a zero byte */
    size_t length;
};

static const struct {
    const char *game, *bytes;
} samples[] = {
    {"pawn", "1 2\n2 3\nO.O\n.X.\n2 2\nOO\n.X\n"},
    {"pawn", "7 1\r\n2 3 O.O\t.X."},
    {"pawn", "-5 1\n4 12\nO..#....#...\n...##.......\n..........O#\n.#......X...\n"},
    {"go", "1 0"},
    {"go", "1\n3\nB 1 1\nW 1 1\nB 19 19\n"},
    {"go", "2\n4\nB 10 1\nW 1 10\nB 9 19\nW 18 8\n2\nW 7 7\nW 7 7\n"},
    {"go", "3\n0\n5\nB 1 1\nW 01 002\n\nB  3\t0004\nW 19 19\nB 11 11\n1\nB 5 5"},
    {"mine", "2\n3 3 0\n3 3 1\n1 1\n"},
    {"mine", "1\n40 1000 7\n0 0\n39 999\n12 345\n5 67\n007 0008\n1 100\n39 0\n"},
    {"mine", "3\n1 1 1\n0 0\n2 70 3\n1 63\n1 64\n0 69\n5 5 5\n0 0\n1 1\n2 2\n3 3\n4 4\n"},
};

/* Write a text that is longer than the chunks in which work is charged. */
static void write_long(const char *game, struct buffer *out) {
    struct reference_random random = {3};
    buffer_put_string(out, strcmp(game, "go") == 0 ? "1\n400\n" : "1\n200 200 400\n");
    for (int line = 0; line < 400; line++)
        if (strcmp(game, "go") == 0)
            buffer_printf(out, "%c %u %u\n", line % 2 == 0 ? 'B' : 'W', 1 + reference_random_below(&random, 19),
                          1 + reference_random_below(&random, 19));
        else
            buffer_printf(out, "%u %u\n", reference_random_below(&random, 200), reference_random_below(&random, 200));
}

enum { SAMPLES = sizeof samples / sizeof *samples, TEXTS = SAMPLES + 2 };

static struct text texts[TEXTS];

static int make_texts(void **state) {
    (void)state;
    for (size_t t = 0; t < TEXTS; t++) {
        struct buffer out;
        buffer_init(&out, (size_t)1 << 16, NULL);
        texts[t].game = t < SAMPLES ? samples[t].game : t == SAMPLES ? "go" : "mine";
        if (t < SAMPLES)
            buffer_put_string(&out, samples[t].bytes);
        else
            write_long(texts[t].game, &out);
        texts[t].length = out.length;
        buffer_put_char(&out, 0);
        texts[t].bytes = out.data;
    }
    return 0;
}

static int free_texts(void **state) {
    (void)state;
    for (size_t t = 0; t < TEXTS; t++)
        free(texts[t].bytes);
    return 0;
}

/* Write the text with each run of white space replaced by `blank`, and `end` appended. */
static void dress(const struct text *text, const char *blank, const char *end, struct buffer *out) {
    buffer_init(out, (size_t)1 << 16, NULL);
    for (size_t at = 0; at < text->length;) {
        size_t token = strcspn(text->bytes + at, " \t\r\n");
        buffer_put(out, text->bytes + at, token);
        at += token;
        if (at < text->length)
            buffer_put_string(out, blank);
        at += strspn(text->bytes + at, " \t\r\n");
    }
    buffer_put_string(out, end);
}

/* ---- tests ---- */

static void white_space_of_every_kind_is_the_same(void **state) {
    static const char *const blanks[] = {
        " ", "\t", "\r", "\n", "\r\n", "\n\r", "  ", "\n\n", " \n", "\t \r", " \r\n ", "\n ", "\n\n\n\n\n\n\n\n\n\n"};
    static const char *const ends[] = {"", " ", "\n", "\r\n", "        ", "\n\n\n\n\n\n\n\n"};
    (void)state;
    for (size_t t = 0; t < TEXTS; t++) {
        struct result plain, ours;
        read_plainly(texts[t].game, texts[t].bytes, texts[t].length, &plain);
        assert_int_equal(plain.faults.count, 0);
        for (size_t b = 0; b < sizeof blanks / sizeof *blanks; b++)
            for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
                struct buffer dressed;
                dress(&texts[t], blanks[b], ends[e], &dressed);
                read_ours(texts[t].game, dressed.data, dressed.length, false, &ours);
                assert_true(is_same(&plain, &ours));
                result_clear(&ours);
                buffer_clear(&dressed);
            }
        result_clear(&plain);
    }
}

static void a_text_may_end_anywhere(void **state) {
    unsigned good = 0;
    (void)state;
    for (size_t t = 0; t < TEXTS; t++)
        for (size_t length = 0; length <= texts[t].length; length++)
            good += compare(texts[t].game, texts[t].bytes, length);
    assert_in_range(good, TEXTS, 10 * TEXTS); /* some stay valid without their last line feed or digit */
}

/* Every token of every short text is replaced by each of these in turn. */
static void numbers_of_every_shape_are_read(void **state) {
    static const char *const shapes[] = {
        "0",
        "00",
        "1",
        "01",
        "0001",
        "00001",
        "-0",
        "-1",
        "-",
        "--1",
        "+1",
        "1-",
        "19",
        "20",
        "020",
        "0019",
        "999",
        "1000",
        "9999",
        "10000",
        "123456789",
        "12345678",
        "1234567",
        "000000000000000000000000000000000000000000001",
        "1e3",
        "1.",
        "B",
        "W",
        "BB",
        "b",
        "X",
        "\x80",
        "1\x80",
        "\xb0",
        "1:",
        "1/",
        "1\v",
        "\f",
        "\xc3\xa9",
        "\xff\xff",
        "\x7f",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551617",
        "99999999999999999999999999999999",
        "-99999999999999999999999999999999",
        "999999999999999999",
        "1000000000000000000",
    };
    (void)state;
    for (size_t t = 0; t < SAMPLES; t++)
        for (size_t at = 0; at < texts[t].length;) {
            size_t token = strcspn(texts[t].bytes + at, " \t\r\n");
            for (size_t s = 0; token != 0 && s < sizeof shapes / sizeof *shapes; s++) {
                struct buffer changed;
                buffer_init(&changed, (size_t)1 << 16, NULL);
                buffer_put(&changed, texts[t].bytes, at);
                buffer_put_string(&changed, shapes[s]);
                buffer_put(&changed, texts[t].bytes + at + token, texts[t].length - at - token);
                compare(texts[t].game, changed.data, changed.length);
                buffer_clear(&changed);
            }
            at += token + 1;
        }
}

static char draw_byte(struct reference_random *random) {
    static const char usual[] = " \t\r\n\n  0123456789--BWO#X.:/b\0\x80\xb0\xff";
    return reference_random_chance(random, 95) ? usual[reference_random_below(random, sizeof usual - 1)]
                                               : (char)reference_random_next(random);
}

/* Make one change: replace, insert or remove a byte, or copy a span elsewhere. Returns the new length. */
static size_t change(struct reference_random *random, char *bytes, size_t length) {
    size_t at = reference_random_below(random, (unsigned)length + 1), left = length - at, from, span;
    switch (reference_random_below(random, 4)) {
    case 0:
        if (left != 0)
            bytes[at] = draw_byte(random);
        return length;
    case 1:
        memmove(bytes + at + 1, bytes + at, left);
        bytes[at] = draw_byte(random);
        return length + 1;
    case 2:
        span = 1 + reference_random_below(random, 3);
        if (left < span)
            return length;
        memmove(bytes + at, bytes + at + span, left - span);
        return length - span;
    default:
        span = 1 + reference_random_below(random, 12);
        if (length < span)
            return length;
        from = reference_random_below(random, (unsigned)(length - span) + 1);
        memmove(bytes + at + span, bytes + at, left);
        memmove(bytes + at, bytes + (from < at ? from : at), span);
        return length + span;
    }
}

static void broken_texts_have_the_faults_that_a_plain_reader_finds(void **state) {
    enum { SHORT = 25000, LONG = 3000 };
    struct reference_random random = {1};
    unsigned good = 0, bad = 0;
    (void)state;
    for (size_t t = 0; t < TEXTS; t++)
        for (int round = 0; round < (t < SAMPLES ? SHORT : LONG); round++) {
            static char bytes[8192];
            size_t length = texts[t].length;
            memcpy(bytes, texts[t].bytes, length);
            for (unsigned changes = 1 + reference_random_below(&random, 3); changes > 0; changes--)
                length = change(&random, bytes, length);
            if (compare(texts[t].game, bytes, length))
                good++;
            else
                bad++;
        }
    assert_in_range(good, 10000, 200000);
    assert_in_range(bad, 100000, 400000);
}

static void a_case_can_be_read_alone(void **state) {
    (void)state;
    for (size_t t = 0; t < TEXTS; t++) {
        struct result all, each;
        read_ours(texts[t].game, texts[t].bytes, texts[t].length, false, &all);
        read_ours(texts[t].game, texts[t].bytes, texts[t].length, true, &each);
        assert_true(is_same(&all, &each));
        result_clear(&all);
        result_clear(&each);
    }
}

/* Read with a budget. Returns what is left of it, and whether the text was read completely. */
static uint64_t read_within(const struct text *text, uint64_t budget, const atomic_bool *stop, bool *ret_done) {
    struct work work = {.left = budget, .stop = stop};
    struct arena arena;
    struct result result;
    uint64_t count;
    result_init(&result);
    arena_init(&arena, ARENA_NO_CAP);
    struct text_reader reader = begin(text->game, text->bytes, text->length, &result.faults, &arena, &work);
    bool good = game_of(text->game)->read_head(&reader, &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_case(text->game, &reader, false, &result.cases);
    good = good && text_read_end(&reader);
    assert_int_equal(result.faults.count, 0);
    assert_int_equal(reader.outcome, good ? OUTCOME_DONE : stop != NULL ? OUTCOME_CANCELLED : OUTCOME_MORE_WORK);
    assert_false(reader.malformed);
    *ret_done = good;
    result_clear(&result);
    arena_clear(&arena);
    return work.left;
}

static void reading_is_charged_and_stops_when_the_budget_is_exhausted(void **state) {
    const uint64_t plenty = 1000000;
    atomic_bool stop = true;
    (void)state;
    for (size_t t = 0; t < TEXTS; t++) {
        bool done;
        uint64_t cost = plenty - read_within(&texts[t], plenty, NULL, &done);
        assert_true(done);
        assert_true(cost + 3 >= texts[t].length / 5);
        for (uint64_t budget = 0; budget < cost; budget++) {
            read_within(&texts[t], budget, NULL, &done);
            assert_false(done);
        }
        assert_int_equal(read_within(&texts[t], cost, NULL, &done), 0);
        assert_true(done);
        read_within(&texts[t], plenty, &stop, &done);
        assert_false(done);
    }
}

/* Long runs of white space and long tokens are charged, too. */
static void long_tokens_are_paid_for(void **state) {
    enum { LENGTH = 100000 };
    struct text text = {.game = "go", .bytes = malloc(LENGTH), .length = LENGTH};
    bool done;
    (void)state;
    assert_non_null(text.bytes);
    for (int blanks = 0; blanks < 2; blanks++) {
        memset(text.bytes, blanks ? '\n' : '0', LENGTH);
        memcpy(text.bytes + LENGTH - 3, "1 0", 3);
        read_within(&text, LENGTH / 5 - 500, NULL, &done);
        assert_false(done);
        read_within(&text, LENGTH / 5, NULL, &done);
        assert_true(done);
    }
    free(text.bytes);
}

/* A reader that begins at a later case is not charged for earlier ones. */
static void a_reader_at_a_later_case_is_not_charged_for_those_before_it(void **state) {
    enum { LENGTH = 100000 };
    char *bytes = malloc(LENGTH);
    struct work work = {.left = 10};
    int64_t value;
    (void)state;
    assert_non_null(bytes);
    memset(bytes, '\n', LENGTH);
    bytes[LENGTH - 1] = '7';
    struct text_reader reader = begin("go", bytes, LENGTH, NULL, NULL, &work);
    reader.at = LENGTH - 9;
    assert_true(text_read_ranged(&reader, "a number", 7, 7, &value));
    assert_true(text_read_end(&reader));
    assert_int_equal(work.left, 10 - 9 / 5);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space_of_every_kind_is_the_same),
        cmocka_unit_test(a_text_may_end_anywhere),
        cmocka_unit_test(numbers_of_every_shape_are_read),
        cmocka_unit_test(broken_texts_have_the_faults_that_a_plain_reader_finds),
        cmocka_unit_test(a_case_can_be_read_alone),
        cmocka_unit_test(reading_is_charged_and_stops_when_the_budget_is_exhausted),
        cmocka_unit_test(long_tokens_are_paid_for),
        cmocka_unit_test(a_reader_at_a_later_case_is_not_charged_for_those_before_it),
    };
    return cmocka_run_group_tests_name("text", tests, make_texts, free_texts);
}
