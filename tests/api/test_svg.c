/* The pictures are well-formed, load nothing, and show what the answer says.
 *
 * A small strict checker reads them. It allows no entities, comments or processing instructions, only double quotes
 * around attributes, and only ASCII. Shapes are counted by the classes of their elements. How they look is not
 * tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/go/svg.h"
#include "api/mine/svg.h"
#include "api/pawn/svg.h"
#include "pawn/solve.h"
#include "reference/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_NAME = 32, ROOM = 1 << 24 };

/* Get the picture as a string. The caller frees it. */
static char *text_of(struct buffer *buffer) {
    assert_int_equal(buffer->outcome, OUTCOME_DONE);
    char *text = malloc(buffer->length + 1);
    if (text == NULL)
        abort();
    memcpy(text, buffer->data, buffer->length);
    text[buffer->length] = 0;
    assert_int_equal(strlen(text), buffer->length);
    buffer_clear(buffer);
    return text;
}

/* Read a name at *at into ret_name. */
static bool read_name(const char **at, char ret_name[MAX_NAME]) {
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
    if (length == 0 || length >= MAX_NAME)
        return false;
    memcpy(ret_name, *at, length);
    ret_name[length] = 0;
    *at += length;
    return true;
}

/* Read the attributes of a tag. Each must follow a space, and no two may have the same name. */
static bool read_attributes(const char **at) {
    char names[MAX_DEPTH][MAX_NAME];
    for (size_t count = 0; **at == ' '; count++) {
        ++*at;
        if (count == MAX_DEPTH || !read_name(at, names[count]) || strncmp(*at, "=\"", 2) != 0)
            return false;
        for (size_t n = 0; n < count; n++)
            if (strcmp(names[n], names[count]) == 0)
                return false;
        *at += 2;
        *at += strcspn(*at, "\"<>&");
        if (*(*at)++ != '"')
            return false;
    }
    return true;
}

/* Is this a single element in ASCII, with balanced tags and no text outside it? */
static bool is_well_formed(const char *text) {
    char open[MAX_DEPTH][MAX_NAME], name[MAX_NAME];
    size_t depth = 0;
    bool begun = false;
    for (const char *c = text; *c != 0; c++)
        if (*c != '\n' && (*c < ' ' || *c > '~'))
            return false;
    while (*text != 0) {
        if (*text != '<') {
            size_t length = strcspn(text, "<>&");
            if (length == 0 || (depth == 0 && strspn(text, "\n") < length))
                return false;
            text += length;
        } else if (text[1] == '/') {
            text += 2;
            if (!read_name(&text, name) || *text++ != '>' || depth == 0 || strcmp(open[--depth], name) != 0)
                return false;
        } else {
            text++;
            if ((depth == 0 && begun) || depth == MAX_DEPTH || !read_name(&text, open[depth]) ||
                !read_attributes(&text))
                return false;
            begun = true;
            if (*text == '/')
                text++;
            else
                depth++;
            if (*text++ != '>')
                return false;
        }
    }
    return begun && depth == 0;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

/* Check what must hold for every picture. */
static void check_picture(const char *text) {
    static const char *const never[] = {"script", "href", "url(", "@import", "<image", "<foreignObject",
                                        " id=",   " on",  "<!",   "<?",      "%!",     "style=\""};
    const char *space = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ";
    if (!is_well_formed(text))
        fail_msg("not well-formed:\n%s", text);
    assert_int_equal(strncmp(text, space, strlen(space)), 0);
    assert_int_equal(count_of(text, "http"), 1);
    for (size_t n = 0; n < sizeof never / sizeof *never; n++)
        if (strstr(text, never[n]) != NULL)
            fail_msg("%s in\n%s", never[n], text);
    assert_int_equal(count_of(text, "<title>"), 1);
    assert_int_equal(count_of(text, "<desc>"), 1);
    assert_int_equal(count_of(text, "role=\"img\""), 1);
    assert_int_equal(count_of(text, "@media (prefers-color-scheme:dark)"), 1);
    assert_int_equal(count_of(text, "class=\""), count_of(text, "class=\"arbiter-"));
}

static bool contains(const char *text, const char *part) { return strstr(text, part) != NULL; }

/* Get the part of `text` from `start` to the next `end`, or an empty string if there is none. The caller frees it. */
static char *part_of(const char *text, const char *start, const char *end) {
    const char *from = strstr(text, start), *to = from != NULL ? strstr(from, end) : NULL;
    char *part = calloc(1, to != NULL ? (size_t)(to - from) + 1 : 1);
    if (part == NULL)
        abort();
    if (to != NULL)
        memcpy(part, from, (size_t)(to - from));
    return part;
}

static void the_checker_refuses_what_is_not_well_formed(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",           "<a>",          "<a></b>",        "<a/><b/>",     "<a b=c/>",
        "<a b='c'/>", "<a b=\"<\"/>", "<a>&amp;</a>",   "<a>></a>",     "x<a/>",
        "<a/>x",      "</a>",         "<a><b></a></b>", "<a\xc3\xa4/>", "<a b=\"1\" b=\"2\"/>"};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        assert_false(is_well_formed(bad[b]));
    assert_true(is_well_formed("<a b=\"c\">d<e/><f>g</f></a>\n"));
}

static char *draw_pawn(const struct pawn_position *root, struct pawn_verdict verdict, const struct pawn_move *line,
                       size_t moves) {
    struct buffer out;
    buffer_init(&out, ROOM, NULL);
    pawn_svg_draw(&out, root, verdict, line, moves);
    return text_of(&out);
}

/* Check that every number from 1 to `moves` is in exactly one badge, for the right side. */
static void check_numbers(const char *text, enum pawn_side first, size_t moves) {
    bool *seen = calloc(moves + 1, sizeof *seen);
    size_t found = 0;
    if (seen == NULL)
        abort();
    for (const char *at = text; (at = strstr(at, "-text\" font-size=")) != NULL; at++) {
        bool red = strncmp(at - 3, "red", 3) == 0;
        char *badge = part_of(at, "<text", "</g>");
        for (char *tag; (tag = strchr(badge, '<')) != NULL;) /* overwrite the tags with blanks */
            memset(tag, ' ', strcspn(tag, ">") + 1);
        for (char *number = strtok(badge, " ,"); number != NULL; number = strtok(NULL, " ,")) {
            size_t value = strtoul(number, NULL, 10);
            assert_true(value >= 1 && value <= moves && !seen[value]);
            assert_int_equal(red ? PAWN_RED : PAWN_BLACK, value % 2 == 1 ? first : 1 - first);
            seen[value] = true;
            found++;
        }
        free(badge);
    }
    free(seen);
    assert_int_equal(found, moves);
}

/* Play legal moves at random, up to the end of the game. */
static size_t play_at_random(const struct pawn_position *root, struct reference_random *random, struct pawn_move *line,
                             size_t max) {
    struct pawn_position position = *root;
    size_t moves = 0;
    while (moves < max && pawn_position_end(&position) == PAWN_NOT_OVER) {
        struct pawn_move legal[PAWN_MAX_MOVES];
        unsigned count = pawn_position_moves(&position, legal);
        line[moves] = legal[reference_random_below(random, count)];
        pawn_position_play(&position, line[moves++]);
    }
    return moves;
}

static struct pawn_position random_board(unsigned rows, unsigned cols, struct reference_random *random) {
    struct pawn_position p = {.rows = rows, .cols = cols, .turn = reference_random_below(random, 2)};
    unsigned cells = rows * cols;
    p.pawn = cols + reference_random_below(random, cells - cols);
    do
        p.red[0] = reference_random_below(random, cells);
    while (p.red[0] == p.pawn);
    do
        p.red[1] = reference_random_below(random, cells);
    while (p.red[1] == p.pawn || p.red[1] == p.red[0]);
    for (unsigned cell = 0; cell < cells; cell++)
        p.obstacle[cell] =
            cell != p.pawn && cell != p.red[0] && cell != p.red[1] && reference_random_chance(random, 15);
    return p;
}

static void a_pawn_board_of_any_shape_is_drawn_with_all_its_numbers(void **state) {
    (void)state;
    struct reference_random random = {1};
    struct pawn_move line[300];
    for (unsigned rows = 2; rows <= PAWN_MAX_CELLS; rows++)
        for (unsigned cols = 1; rows * cols <= PAWN_MAX_CELLS; cols++) {
            if (rows * cols < 3)
                continue;
            struct pawn_position root = random_board(rows, cols, &random);
            size_t moves = play_at_random(&root, &random, line, 300), obstacles = 0;
            char *text = draw_pawn(&root, (struct pawn_verdict){PAWN_RED_WINS, (unsigned)moves}, line, moves);
            for (unsigned cell = 0; cell < rows * cols; cell++)
                obstacles += root.obstacle[cell];
            check_picture(text);
            check_numbers(text, root.turn, moves);
            assert_int_equal(count_of(text, "\"arbiter-pawn-obstacle\""), obstacles);
            assert_int_equal(count_of(text, "\"arbiter-pawn-red\""), 2);
            assert_int_equal(count_of(text, "\"arbiter-pawn-black\""), 2); /* head and body */
            free(text);
        }
}

/* The board of the README:  ..#.  O..O  ....  .X.. */
static struct pawn_position the_board(void) {
    struct pawn_position p = {.rows = 4, .cols = 4, .red = {4, 7}, .pawn = 13};
    p.obstacle[2] = true;
    return p;
}

static void a_best_line_is_described_in_words_and_arrows(void **state) {
    (void)state;
    struct pawn_position root = the_board();
    struct arena arena;
    struct work work = {.left = WORK_UNBOUNDED};
    struct pawn_answer answer;
    arena_init(&arena, ARENA_NO_CAP);
    assert_int_equal(pawn_solve(&root, PAWN_LINE, &arena, &work, &answer), OUTCOME_DONE);
    size_t moves = answer.verdict.steps;
    char *text = draw_pawn(&root, answer.verdict, answer.line, moves);
    arena_clear(&arena);
    check_picture(text);
    check_numbers(text, PAWN_RED, moves);
    assert_int_equal(moves, 7);
    assert_true(contains(text, "<title>Crossing pawn: Red wins in 7 moves</title>"));
    assert_true(contains(text, ">Red wins in 7 moves</text>"));
    assert_true(contains(text, ">Red takes the pawn</text>"));
    assert_true(contains(text, "Red pieces are at a2 and d2, the pawn is at b4. Red to move."));
    assert_true(contains(text, " Best line: 1. a2 to b2; 2. b4 to "));
    assert_false(contains(text, "["));
    assert_int_equal(count_of(text, "\"arbiter-pawn-end\""), 1);
    free(text);
}

/* Get the texts in a part of the picture, with a space after each. The caller frees the result. */
static char *labels_of(const char *text, const char *start, const char *end) {
    char *group = part_of(text, start, end), *labels = calloc(1, strlen(group) + 1);
    if (labels == NULL)
        abort();
    for (const char *at = group; (at = strstr(at, "<text")) != NULL; at++) {
        const char *label = strchr(at, '>') + 1;
        strncat(labels, label, strcspn(label, "<"));
        strcat(labels, " ");
    }
    free(group);
    return labels;
}

static void check_labels(const char *text, const char *start, const char *end, const char *expected) {
    char *labels = labels_of(text, start, end);
    assert_string_equal(labels, expected);
    free(labels);
}

static void rows_of_a_pawn_board_are_numbers_and_columns_letters(void **state) {
    (void)state;
    struct pawn_position board = the_board(), wide = {.rows = 2, .cols = 128, .red = {0, 127}, .pawn = 128 + 26};
    char *text = draw_pawn(&board, (struct pawn_verdict){PAWN_TIE, 0}, NULL, 0);
    check_labels(text, "<g class=\"arbiter-pawn-labels\"", "</g>", "1 2 3 4 a b c d ");
    free(text);
    text = draw_pawn(&wide, (struct pawn_verdict){PAWN_TIE, 0}, NULL, 0);
    char *labels = labels_of(text, "<g class=\"arbiter-pawn-labels\"", "</g>");
    assert_int_equal(strncmp(labels, "1 2 a b ", 8), 0);
    assert_true(contains(labels, " y z aa ab "));
    assert_true(contains(labels, " az ba "));
    assert_true(contains(labels, " dx "));
    assert_false(contains(labels, " dy "));
    assert_true(contains(text, "Red pieces are at a1 and dx1, the pawn is at aa2. Red to move."));
    check_picture(text);
    free(labels);
    free(text);
}

static void moves_over_the_same_step_share_an_arrow(void **state) {
    (void)state;
    struct pawn_position root = the_board();
    struct pawn_move line[] = {{4, 5}, {13, 12}, {5, 4}, {12, 13}, {4, 5}, {13, 12}, {5, 4}, {12, 13}};
    char *text = draw_pawn(&root, (struct pawn_verdict){PAWN_TIE, 0}, line, 8);
    check_picture(text);
    check_numbers(text, PAWN_RED, 8);
    assert_int_equal(count_of(text, "\"arbiter-pawn-red-head\""), 2);
    assert_int_equal(count_of(text, "\"arbiter-pawn-black-head\""), 2);
    assert_true(contains(text, ">1, 5<"));
    assert_true(contains(text, ">4, 8<"));
    free(text);
}

static void a_verdict_has_the_right_number_and_reason(void **state) {
    (void)state;
    /* OO  ##  X# */
    struct pawn_position open = the_board(), stuck = {.rows = 3, .cols = 2, .red = {0, 1}, .pawn = 4};
    stuck.obstacle[2] = stuck.obstacle[3] = stuck.obstacle[5] = true;
    stuck.turn = PAWN_BLACK;
    struct pawn_move step = {4, 5};
    char *text = draw_pawn(&open, (struct pawn_verdict){PAWN_RED_WINS, 1}, &step, 1);
    assert_true(contains(text, ">Red wins in 1 move</text>"));
    free(text);
    text = draw_pawn(&open, (struct pawn_verdict){PAWN_TIE, 0}, NULL, 0);
    assert_true(contains(text, ">Tie</text>"));
    assert_false(contains(text, "class=\"arbiter-pawn-red-head\""));
    free(text);
    text = draw_pawn(&stuck, (struct pawn_verdict){PAWN_RED_WINS, 0}, NULL, 0);
    assert_true(contains(text, ">Red has won</text>"));
    assert_true(contains(text, ">Black has no legal move</text>"));
    check_picture(text);
    free(text);
}

/* A game after `moves` random moves, and its misses. */
struct table {
    struct arena arena;
    struct go_game *game;
    struct go_svg_mark misses[2000];
    size_t miss_count;
    int last;
};

static struct table *play_go(unsigned size, unsigned moves, uint64_t seed) {
    struct reference_random random = {seed};
    struct work work = {.left = WORK_UNBOUNDED};
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL)
        abort();
    table->last = -1;
    arena_init(&table->arena, ARENA_NO_CAP);
    assert_int_equal(go_game_new(size, (struct go_rules){0}, 0, 0, &table->arena, &work, &table->game), OUTCOME_DONE);
    for (unsigned m = 0; m < moves; m++) {
        struct go_move move = {(uint8_t)(GO_BLACK + m % 2), (uint8_t)reference_random_below(&random, size),
                               (uint8_t)reference_random_below(&random, size)};
        struct go_reply reply;
        assert_int_equal(go_game_play(table->game, move, &work, &reply), OUTCOME_DONE);
        if (reply.miss != GO_PLAYED)
            table->misses[table->miss_count++] = (struct go_svg_mark){move.row, move.col, (uint8_t)reply.miss};
        else
            table->last = move.row * (int)size + move.col;
    }
    if (table->last >= 0 && go_game_at(table->game, (unsigned)table->last / size, (unsigned)table->last % size) == 0)
        table->last = -1;
    return table;
}

static void close_go(struct table *table) {
    arena_clear(&table->arena);
    free(table);
}

static char *draw_go(const struct table *table, size_t misses) {
    struct buffer out;
    buffer_init(&out, ROOM, NULL);
    go_svg_draw(&out, table->game, table->misses, misses, table->last, &(struct go_svg_extras){0});
    return text_of(&out);
}

/* The coordinates of the top left point. The row and column of a circle follow from its distance to this point. */
struct origin {
    long left, top;
};

/* Check that the picture shows every stone of one colour on the board exactly once, and no others. */
static void check_stones(const char *text, const struct go_game *game, enum go_color color, struct origin origin) {
    unsigned size = go_game_size(game), stones = 0;
    char *group =
        part_of(text, color == GO_BLACK ? "<g class=\"arbiter-go-black\"" : "<g class=\"arbiter-go-white\"", "</g>");
    bool seen[GO_MAX_SIZE][GO_MAX_SIZE] = {{false}};
    for (const char *at = group; (at = strstr(at, "<circle cx=\"")) != NULL; at++) {
        long x = 0, y = 0;
        assert_int_equal(sscanf(at, "<circle cx=\"%ld\" cy=\"%ld\"", &x, &y), 2);
        assert_int_equal((x - origin.left) % 32, 0);
        assert_int_equal((y - origin.top) % 32, 0);
        long col = (x - origin.left) / 32, row = (y - origin.top) / 32;
        assert_true(col >= 0 && row >= 0 && col < (long)size && row < (long)size && !seen[row][col]);
        assert_int_equal(go_game_at(game, (unsigned)row, (unsigned)col), color);
        seen[row][col] = true;
        stones++;
    }
    for (unsigned row = 0; row < size; row++)
        for (unsigned col = 0; col < size; col++)
            stones -= go_game_at(game, row, col) == color;
    assert_int_equal(stones, 0);
    free(group);
}

static struct origin origin_of(const char *text, unsigned size) {
    struct origin origin = {0, 0};
    const char *lines = strstr(text, "<path class=\"arbiter-go-lines\" d=\"M");
    assert_non_null(lines);
    assert_int_equal(sscanf(lines, "<path class=\"arbiter-go-lines\" d=\"M%ld %ld", &origin.left, &origin.top), 2);
    if (size == 1) /* the lines are a cross around the only point */
        origin.left += 6;
    return origin;
}

/* Count the points with at least one miss. */
static size_t missed_points(const struct table *table) {
    bool missed[GO_MAX_SIZE][GO_MAX_SIZE] = {{false}};
    size_t points = 0;
    for (size_t m = 0; m < table->miss_count; m++) {
        points += !missed[table->misses[m].row][table->misses[m].col];
        missed[table->misses[m].row][table->misses[m].col] = true;
    }
    return points;
}

static void a_go_picture_has_the_stones_and_misses_of_the_board(void **state) {
    (void)state;
    for (unsigned size = 1; size <= GO_MAX_SIZE; size++)
        for (unsigned density = 0; density <= 4; density++) {
            struct table *table = play_go(size, size * size * density / 2, 100 * size + density);
            char *text = draw_go(table, table->miss_count);
            struct origin origin = origin_of(text, size);
            check_picture(text);
            check_stones(text, table->game, GO_BLACK, origin);
            check_stones(text, table->game, GO_WHITE, origin);
            assert_int_equal(count_of(text, "class=\"arbiter-go-code\""), missed_points(table));
            assert_int_equal(count_of(text, ">Illegal moves: "), table->miss_count != 0);
            assert_int_equal(count_of(text, "class=\"arbiter-go-last "), table->last >= 0);
            assert_true(strlen(text) <= 128 * 1024);
            free(text);
            close_go(table);
        }
}

static void points_of_a_go_board_are_named_as_players_do(void **state) {
    (void)state;
    struct table *table = play_go(9, 0, 1);
    char *text = draw_go(table, 0);
    check_labels(text, "<g class=\"arbiter-go-labels\"", "</g>",
                 "A A 9 9 B B 8 8 C C 7 7 D D 6 6 E E 5 5 F F 4 4 G G 3 3 H H 2 2 J J 1 1 ");
    free(text);
    close_go(table);
}

static void the_last_miss_at_a_point_is_the_one_that_is_seen(void **state) {
    (void)state;
    struct table *table = play_go(9, 0, 1);
    table->misses[0] = (struct go_svg_mark){2, 3, GO_MISS_SUICIDE};
    table->misses[1] = (struct go_svg_mark){2, 3, GO_MISS_REPETITION};
    table->misses[2] = (struct go_svg_mark){8, 8, GO_MISS_OCCUPIED};
    char *text = draw_go(table, 3);
    assert_int_equal(count_of(text, "class=\"arbiter-go-code\""), 2);
    assert_true(contains(text, ">Illegal moves: 1 occupied, 3 repetition</text>"));
    free(text);
    close_go(table);
}

static void star_points_are_where_custom_has_them(void **state) {
    (void)state;
    static const unsigned stars[GO_MAX_SIZE + 1] = {
        [7] = 4,  [8] = 4,  [9] = 5,  [10] = 4, [11] = 5, [12] = 4, [13] = 5, [14] = 4, [15] = 9, [16] = 4,
        [17] = 9, [18] = 4, [19] = 9, [20] = 4, [21] = 9, [22] = 4, [23] = 9, [24] = 4, [25] = 9};
    for (unsigned size = 1; size <= GO_MAX_SIZE; size++) {
        struct table *table = play_go(size, 0, 1);
        char *text = draw_go(table, 0), *group = part_of(text, "<g class=\"arbiter-go-stars\"", "</g>");
        assert_int_equal(count_of(group, "<circle"), stars[size]);
        free(group);
        free(text);
        close_go(table);
    }
}

static const struct mine_verdict won_by_3 = {.known = true, .nimber = 3};

/* A field with its numbers. For simplicity, every eight columns share an opening number, which no game does, but the
 * picture accepts it. */
struct ground {
    struct mine_svg_picture field;
    char *cells;
    uint32_t *opening, *wins;
};

static struct ground lay_field(unsigned rows, unsigned cols, unsigned percent) {
    struct reference_random random = {rows * 1000 + cols + percent};
    size_t cells = (size_t)rows * cols, wins = 0;
    struct ground ground = {
        .cells = malloc(cells), .opening = malloc(cells * sizeof(uint32_t)), .wins = malloc(cells * sizeof(uint32_t))};
    if (ground.cells == NULL || ground.opening == NULL || ground.wins == NULL)
        abort();
    for (size_t cell = 0; cell < cells; cell++) {
        bool full = reference_random_chance(&random, percent);
        ground.cells[cell] = "12345678*"[reference_random_below(&random, 9)];
        ground.opening[cell] = UINT32_MAX;
        if (!full) {
            ground.cells[cell] = '.';
            ground.opening[cell] = (uint32_t)(cell % cols / 8);
        }
        if (ground.cells[cell] != '*' && reference_random_chance(&random, 50))
            ground.wins[wins++] = (uint32_t)cell;
    }
    ground.field = (struct mine_svg_picture){.rows = rows,
                                             .cols = cols,
                                             .cells = ground.cells,
                                             .opening = ground.opening,
                                             .wins.cells = ground.wins,
                                             .wins.count = wins,
                                             .verdict = &won_by_3,
                                             .wins.known = true};
    return ground;
}

static void clear_field(struct ground *ground) {
    free(ground->cells);
    free(ground->opening);
    free(ground->wins);
}

static char *draw_mine(const struct mine_svg_picture *field) {
    struct buffer out;
    buffer_init(&out, ROOM, NULL);
    mine_svg_draw(&out, field);
    return text_of(&out);
}

/* Count the subpaths of the path with this class. */
static size_t strokes_of(const char *text, const char *class) {
    char start[64];
    snprintf(start, sizeof start, "<path class=\"arbiter-mine-%s\"", class);
    char *path = part_of(text, start, "/>");
    size_t strokes = count_of(path, "M");
    free(path);
    return strokes;
}

/* Count the tinted cells by adding up the widths of their runs. */
static size_t tinted_cells(const char *text) {
    size_t cells = 0;
    for (const char *at = text; (at = strstr(at, "<path class=\"arbiter-mine-tint")) != NULL; at++) {
        char *path = part_of(at, "d=\"", "/>");
        for (const char *run = path; (run = strchr(run, 'M')) != NULL; run++) {
            unsigned width = 0;
            assert_int_equal(sscanf(run, "M%*u %*uh%u", &width), 1);
            cells += width / 20;
        }
        free(path);
    }
    return cells;
}

static void check_field(unsigned rows, unsigned cols, unsigned percent) {
    struct ground ground = lay_field(rows, cols, percent);
    char *text = draw_mine(&ground.field);
    size_t counts[256] = {0};
    for (size_t cell = 0; cell < (size_t)rows * cols; cell++)
        counts[(unsigned char)ground.cells[cell]]++;
    check_picture(text);
    assert_int_equal(strokes_of(text, "disc"), counts['*']);
    assert_int_equal(strokes_of(text, "spike"), counts['*']);
    assert_int_equal(strokes_of(text, "win"), ground.field.wins.count);
    assert_int_equal(tinted_cells(text), counts['.']);
    for (char digit = '1'; digit <= '8'; digit++) {
        char start[64], end[16];
        snprintf(start, sizeof start, "<g class=\"arbiter-mine-digit%c\"", digit);
        snprintf(end, sizeof end, ">%c</text>", digit);
        char *group = part_of(text, start, "</g>");
        assert_int_equal(count_of(group, end), counts[(unsigned char)digit]);
        free(group);
    }
    assert_true(strlen(text) <= 4096 + (size_t)rows * cols * 60 + (rows + cols) * (size_t)20);
    free(text);
    clear_field(&ground);
}

static void a_field_of_any_shape_shows_its_numbers_mines_openings_and_wins(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{1, 1},   {1, 2},    {2, 1},    {3, 3},     {9, 9},     {16, 30},
                                         {30, 16}, {1, 1000}, {1000, 1}, {10, 1000}, {1000, 10}, {100, 100}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned percent = 0; percent <= 100; percent += 25)
            check_field(shapes[s][0], shapes[s][1], percent);
}

/* Rows and columns are numbered from 1: all of them if there are few, otherwise the first and every fifth or tenth. If
 * there are many columns, only every tenth row has a number. */
static void rows_and_columns_of_a_field_have_numbers(void **state) {
    (void)state;
    static const struct {
        unsigned rows, cols;
        const char *row_numbers, *col_numbers;
    } fields[] = {
        {1, 1, "1 ", "1 "},
        {3, 12, "1 2 3 ", "1 2 3 4 5 6 7 8 9 10 11 12 "},
        {21, 20, "1 5 10 15 20 ", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 "},
        {2, 50, "1 2 ", "1 5 10 15 20 25 30 35 40 45 50 "},
        {12, 51, "1 10 ", "1 10 20 30 40 50 "},
        {51, 5, "1 10 20 30 40 50 ", "1 2 3 4 5 "},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        struct ground ground = lay_field(fields[f].rows, fields[f].cols, 50);
        char *text = draw_mine(&ground.field);
        check_labels(text, "<g class=\"arbiter-mine-labels\"", "<g class=\"arbiter-mine-rows\"", fields[f].col_numbers);
        check_labels(text, "<g class=\"arbiter-mine-rows\"", "</g>", fields[f].row_numbers);
        free(text);
        clear_field(&ground);
    }
}

static void the_winner_of_a_field_is_named(void **state) {
    (void)state;
    uint32_t opening = 0, win = 0;
    struct mine_verdict verdict = {.known = true, .nimber = 1};
    struct mine_svg_picture field = {.rows = 1,
                                     .cols = 1,
                                     .cells = ".",
                                     .opening = &opening,
                                     .wins.cells = &win,
                                     .wins.count = 1,
                                     .verdict = &verdict,
                                     .wins.known = true};
    char *text = draw_mine(&field);
    assert_true(contains(text, ">Xiemao wins (nimber 1)</text>"));
    assert_true(contains(text, ">1 winning click framed</text>"));
    free(text);
    field.wins.count = 0, verdict.nimber = 0;
    text = draw_mine(&field);
    assert_true(contains(text, ">Fanglaoshi wins</text>"));
    assert_false(contains(text, "framed</text>"));
    assert_true(contains(text, "Winning first clicks, marked with frames: 0.</desc>"));
    free(text);
    verdict.nimber = 1, field.wins.known = false;
    text = draw_mine(&field);
    assert_true(contains(text, ">winning clicks not found</text>"));
    assert_true(contains(text, "before the winning first clicks were found"));
    assert_false(contains(text, "with frames: "));
    free(text);
    verdict.known = false;
    text = draw_mine(&field);
    assert_true(contains(text, ">Unknown</text>"));
    check_picture(text);
    free(text);
    verdict.won = true;
    text = draw_mine(&field);
    assert_true(contains(text, ">Xiemao wins</text>"));
    assert_true(contains(text, ">winning clicks not found</text>"));
    assert_false(contains(text, "before the winner was found"));
    check_picture(text);
    free(text);
}

static void a_field_in_the_middle_of_a_game_shows_what_the_players_see(void **state) {
    (void)state;
    static const unsigned shapes[][2] = {{1, 1}, {3, 3}, {16, 30}, {1, 1000}, {100, 100}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct ground ground = lay_field(shapes[s][0], shapes[s][1], 50);
        size_t cells = (size_t)shapes[s][0] * shapes[s][1], down = 0, blanks = 0;
        for (size_t cell = 0; cell < cells; cell++) {
            if (cell % 3 != 1 || ground.cells[cell] == '*') {
                ground.cells[cell] = '#';
                ground.opening[cell] = UINT32_MAX;
            }
            down += ground.cells[cell] == '#';
            blanks += ground.cells[cell] == '.';
        }
        struct mine_verdict verdict = {.known = true, .nimber = 3, .three_bv = 1};
        ground.field.verdict = &verdict;
        ground.field.is_played = true;
        for (size_t clicks = 0; clicks < 3; clicks++) {
            ground.field.clicks = clicks;
            ground.field.last = (uint32_t)(cells - 1);
            char *text = draw_mine(&ground.field);
            check_picture(text);
            assert_int_equal(strokes_of(text, "down"), down);
            assert_int_equal(tinted_cells(text), blanks);
            assert_int_equal(strokes_of(text, "win"), ground.field.wins.count);
            assert_int_equal(count_of(text, "arbiter-mine-disc\""), 0);
            assert_int_equal(count_of(text, "<circle class=\"arbiter-mine-last\""), clicks != 0);
            char last[80];
            snprintf(last, sizeof last, "the last click, marked with a ring, at row %u, column %u. ", shapes[s][0],
                     shapes[s][1]);
            assert_int_equal(count_of(text, last), clicks != 0);
            assert_true(contains(text, clicks % 2 == 0 ? ">Xiemao wins (nimber 3)</text>"
                                                       : ">Fanglaoshi wins (nimber 3)</text>"));
            assert_true(contains(text, clicks % 2 == 0 ? ">Xiemao to click" : ">Fanglaoshi to click"));
            assert_true(strlen(text) <= 4096 + cells * 60 + (shapes[s][0] + shapes[s][1]) * (size_t)20);
            free(text);
        }
        verdict = (struct mine_verdict){.known = true};
        ground.field.wins.count = 0;
        char *text = draw_mine(&ground.field);
        assert_true(contains(text, ">Fanglaoshi wins</text>"));
        assert_true(contains(text, ">Xiemao has no cell left to click</text>"));
        free(text);
        clear_field(&ground);
    }
}

static void the_same_answer_is_drawn_with_the_same_bytes(void **state) {
    (void)state;
    struct pawn_position root = the_board();
    struct pawn_move line[] = {{4, 5}, {13, 14}, {5, 9}};
    struct table *table = play_go(19, 300, 7);
    struct ground ground = lay_field(16, 30, 50);
    char *first[] = {draw_pawn(&root, (struct pawn_verdict){PAWN_RED_WINS, 3}, line, 3),
                     draw_go(table, table->miss_count), draw_mine(&ground.field)};
    char *second[] = {draw_pawn(&root, (struct pawn_verdict){PAWN_RED_WINS, 3}, line, 3),
                      draw_go(table, table->miss_count), draw_mine(&ground.field)};
    for (size_t p = 0; p < 3; p++) {
        assert_string_equal(first[p], second[p]);
        free(first[p]);
        free(second[p]);
    }
    clear_field(&ground);
    close_go(table);
}

static unsigned marks_of(const uint8_t *marks, unsigned count, uint8_t mark) {
    unsigned found = 0;
    for (unsigned at = 0; at < count; at++)
        found += marks[at] == mark;
    return found;
}

static void points_where_nobody_may_move_and_territory_are_drawn_if_asked_for(void **state) {
    (void)state;
    unsigned drawn[3] = {0};
    for (unsigned size = 1; size <= 19; size += 3)
        for (unsigned seed = 1; seed < 6; seed++) {
            struct table *table = play_go(size, 3 * size * size, seed);
            struct work work = {.left = WORK_UNBOUNDED};
            struct go_move dead[GO_POINTS];
            size_t dead_count = 0;
            struct go_score score;
            uint8_t legal[GO_POINTS];
            unsigned count, points = size * size;
            for (unsigned at = 0; at < points; at += 7)
                if (go_game_at(table->game, at / size, at % size) != GO_EMPTY)
                    dead[dead_count++] = (struct go_move){0, (uint8_t)(at / size), (uint8_t)(at % size)};
            go_game_score(table->game, &(struct go_agreement){.dead = dead, .dead_count = dead_count}, &score);
            assert_int_equal(go_game_legal(table->game, GO_BLACK, &work, legal, &count), OUTCOME_DONE);
            struct go_svg_extras extras = {legal, GO_BLACK, score.marks};
            struct buffer out;
            buffer_init(&out, ROOM, NULL);
            go_svg_draw(&out, table->game, NULL, 0, -1, &extras);
            char *text = text_of(&out);
            check_picture(text);
            unsigned barred =
                marks_of(legal, points, GO_LEGALITY_SUICIDE) + marks_of(legal, points, GO_LEGALITY_REPETITION);
            unsigned owned =
                marks_of(score.marks, points, GO_MARK_BLACK_POINT) + marks_of(score.marks, points, GO_MARK_WHITE_POINT);
            assert_int_equal(count_of(text, "class=\"arbiter-go-wood-point\""), barred);
            assert_int_equal(count_of(text, "width=\"10\" height=\"10\""), owned);
            assert_int_equal(count_of(text, "r=\"15\""), marks_of(score.marks, points, GO_MARK_BLACK) +
                                                             marks_of(score.marks, points, GO_MARK_WHITE) +
                                                             score.dead[0] + score.dead[1]);
            assert_int_equal(count_of(text, "arbiter-go-dead\">"), (score.dead[0] != 0) + (score.dead[1] != 0));
            assert_int_equal(count_of(text, "Black can't move"), barred != 0);
            drawn[0] += barred;
            drawn[1] += owned;
            drawn[2] += score.dead[0] + score.dead[1];
            free(text);
            close_go(table);
        }
    assert_true(drawn[0] > 50 && drawn[1] > 50 && drawn[2] > 50);
}

static void a_picture_that_does_not_fit_leaves_a_full_buffer(void **state) {
    (void)state;
    struct pawn_position root = the_board();
    struct pawn_move line[] = {{4, 5}, {13, 14}, {5, 9}};
    struct table *table = play_go(5, 40, 7);
    struct ground ground = lay_field(4, 5, 50);
    for (unsigned picture = 0; picture < 3; picture++) {
        bool full = true;
        for (size_t max = 0; full; max += 37) {
            struct buffer out;
            buffer_init(&out, max, NULL);
            if (picture == 0)
                pawn_svg_draw(&out, &root, (struct pawn_verdict){PAWN_RED_WINS, 3}, line, 3);
            else if (picture == 1)
                go_svg_draw(&out, table->game, table->misses, table->miss_count, table->last,
                            &(struct go_svg_extras){0});
            else
                mine_svg_draw(&out, &ground.field);
            full = out.outcome == OUTCOME_TOO_LARGE;
            assert_true(full || out.outcome == OUTCOME_DONE);
            assert_true(out.length <= max);
            assert_int_equal(full, out.length == 0 || strncmp(out.data + out.length - 7, "</svg>\n", 7) != 0);
            buffer_clear(&out);
        }
    }
    clear_field(&ground);
    close_go(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_refuses_what_is_not_well_formed),
        cmocka_unit_test(a_pawn_board_of_any_shape_is_drawn_with_all_its_numbers),
        cmocka_unit_test(a_best_line_is_described_in_words_and_arrows),
        cmocka_unit_test(rows_of_a_pawn_board_are_numbers_and_columns_letters),
        cmocka_unit_test(moves_over_the_same_step_share_an_arrow),
        cmocka_unit_test(a_verdict_has_the_right_number_and_reason),
        cmocka_unit_test(a_go_picture_has_the_stones_and_misses_of_the_board),
        cmocka_unit_test(points_of_a_go_board_are_named_as_players_do),
        cmocka_unit_test(the_last_miss_at_a_point_is_the_one_that_is_seen),
        cmocka_unit_test(star_points_are_where_custom_has_them),
        cmocka_unit_test(a_field_of_any_shape_shows_its_numbers_mines_openings_and_wins),
        cmocka_unit_test(rows_and_columns_of_a_field_have_numbers),
        cmocka_unit_test(the_winner_of_a_field_is_named),
        cmocka_unit_test(a_field_in_the_middle_of_a_game_shows_what_the_players_see),
        cmocka_unit_test(the_same_answer_is_drawn_with_the_same_bytes),
        cmocka_unit_test(points_where_nobody_may_move_and_territory_are_drawn_if_asked_for),
        cmocka_unit_test(a_picture_that_does_not_fit_leaves_a_full_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
