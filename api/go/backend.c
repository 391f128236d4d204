#include "api/go/backend.h"

#include "api/go/json.h"
#include "api/go/make.h"
#include "api/go/record.h"
#include "api/go/sgf.h"
#include "api/go/svg.h"
#include "api/go/text.h"

/* In the order of struct go_limits. */
static const struct limit limits[] = {
    {"max_moves", "moves in a Go game", 100000, 100000, UINT32_MAX - 1, true},
    {"max_moves_total", "total moves in all games in a request", 2000000, 2000000, LIMIT_MAX, true},
};
LIMITS_MATCH(limits, struct go_limits);

/* Every position is kept, so a change of the board counts as a move. */
static uint64_t size_of(const void *of_go) {
    const struct go_case *the_case = of_go;
    uint64_t main_line = (uint64_t)the_case->move_count + the_case->change_count;
    return the_case->tree.steps > main_line ? the_case->tree.steps : main_line;
}

static uint64_t total_limit(const void *of_go) { return ((const struct go_limits *)of_go)->max_moves_total; }

/* Every position is kept, in arrays that double as they grow. */
static size_t max_solving_bytes(const void *of_go) {
    const struct go_limits *values = of_go;
    size_t max = GAME_MAX_SOLVING / 880;
    return ((size_t)16 << 20) + 880 * (values->max_moves < max ? (size_t)values->max_moves : max);
}

/* The state of playing a case. */
struct playing {
    const struct go_case *the_case;
    const struct game_question *question;
    struct go_game *game;
    struct buffer *out;
    struct buffer lists[GO_JSON_LISTS]; /* the lists in a JSON answer */
    uint32_t misses;                    /* misses so far */
    struct go_svg_mark *marks;          /* [misses] for a picture; otherwise NULL */
    int last;                           /* the point of the last stone that was played, or -1 */
};

static bool asks_for(const struct playing *p, enum go_include part) {
    return p->question->format == FORMAT_JSON && go_case_includes(p->the_case, part);
}

/* Append to a list of moves. `at`: see go_json_put_miss. */
static enum outcome list_move(struct playing *p, enum go_json_list which, uint32_t number, struct go_move move,
                              struct go_reply reply, struct fault_line at) {
    if (!work_charge(p->question->work, 5))
        return work_failure(p->question->work);
    struct buffer *list = &p->lists[which];
    if (list->length != 0)
        buffer_put_char(list, ',');
    if (reply.miss == GO_PLAYED)
        reply.miss = GO_MISS_REPETITION;
    go_json_put_miss(list, (unsigned)p->the_case->size, number, move, reply, at);
    return list->outcome;
}

static enum outcome note_miss(struct playing *p, uint32_t number, struct go_move move, struct go_reply reply) {
    if (p->question->format == FORMAT_TEXT) {
        go_text_print_miss(p->out, reply.miss); /* the work counted for the move already includes this line */
        return p->out->outcome;
    }
    p->misses++;
    if (p->question->format == FORMAT_JSON)
        return list_move(p, GO_JSON_MISSES, number, move, reply, (struct fault_line){0, 0});
    p->marks[p->misses - 1] = (struct go_svg_mark){move.row, move.col, (uint8_t)reply.miss};
    return work_charge(p->question->work, 5) ? OUTCOME_DONE : work_failure(p->question->work);
}

/* List what a JSON answer says about a move that was played. */
static enum outcome list_played(struct playing *p, uint32_t number, struct go_move move, struct go_reply reply) {
    struct buffer *captured = &p->lists[GO_JSON_CAPTURED];
    uint64_t size = (uint64_t)p->the_case->size;
    enum outcome outcome = OUTCOME_DONE;
    if (reply.repeated)
        outcome = list_move(p, GO_JSON_REPETITIONS, number, move, reply, (struct fault_line){0, 0});
    if (outcome != OUTCOME_DONE || reply.captured == 0 || !go_case_includes(p->the_case, GO_INCLUDE_CAPTURED))
        return outcome;
    if (!work_charge(p->question->work, size * size / 5 + 20 * (uint64_t)reply.captured))
        return work_failure(p->question->work);
    go_json_put_captured(captured, p->game, number);
    return captured->outcome;
}

/* Play the move at `index` and record its result. */
static enum outcome play_move(struct playing *p, uint32_t index) {
    struct go_move move = p->the_case->moves[index];
    struct go_reply reply;
    enum outcome outcome = go_game_play(p->game, move, p->question->work, &reply);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (reply.miss != GO_PLAYED)
        return note_miss(p, index + 1, move, reply);
    if (move.row != GO_PASS)
        p->last = move.row * (int)p->the_case->size + move.col;
    return p->question->format == FORMAT_JSON ? list_played(p, index + 1, move, reply) : OUTCOME_DONE;
}

/* Append the board to the list of boards: before the next move, or after the last. */
static enum outcome note_board(struct playing *p) {
    unsigned size = go_game_size(p->game);
    struct buffer *boards = &p->lists[GO_JSON_BOARDS];
    if (!work_charge(p->question->work, size * size / 5))
        return work_failure(p->question->work);
    if (boards->length != 0)
        buffer_put_char(boards, ',');
    go_json_put_board(boards, p->game);
    return boards->outcome;
}

/* Apply a change of the board. If it puts a stone where the last stone was played, that stone no longer counts as
 * played. */
static enum outcome change(struct playing *p, uint32_t index) {
    unsigned size = go_game_size(p->game), last = p->last >= 0 ? (unsigned)p->last : 0;
    enum go_color before = go_game_at(p->game, last / size, last % size);
    enum outcome outcome = go_case_change(p->the_case, index, p->game, p->question->work);
    if (outcome == OUTCOME_DONE && go_game_at(p->game, last / size, last % size) != before)
        p->last = -1;
    return outcome;
}

static enum outcome play_all(struct playing *p) {
    const struct go_case *the_case = p->the_case;
    bool boards = asks_for(p, GO_INCLUDE_BOARDS);
    enum outcome outcome = OUTCOME_DONE;
    for (uint32_t m = 0, c = 0; outcome == OUTCOME_DONE && m < the_case->move_count; m++) {
        if (boards)
            outcome = note_board(p);
        if (outcome == OUTCOME_DONE)
            outcome = play_move(p, m);
        for (; outcome == OUTCOME_DONE && c < the_case->change_count && the_case->changes[c].after == m + 1; c++)
            outcome = change(p, c);
    }
    return outcome == OUTCOME_DONE && boards ? note_board(p) : outcome;
}

/* Who moves after the last move? */
static enum go_color find_next(const struct go_case *the_case, const struct go_game *game) {
    enum go_color mover = go_game_mover(game);
    if (the_case->next != GO_EMPTY)
        return (enum go_color)the_case->next;
    if (mover != GO_EMPTY)
        return go_opponent(mover);
    return the_case->first == GO_WHITE ? GO_WHITE : GO_BLACK;
}

/* Draw the board, with the parts that the case asks for and that a picture can have. */
static enum outcome draw(const struct playing *p, enum go_color next) {
    unsigned size = go_game_size(p->game), last = (unsigned)p->last, count;
    uint8_t legal[GO_POINTS];
    struct go_score score;
    struct go_svg_extras extras = {.player = next};
    if (go_case_includes(p->the_case, GO_INCLUDE_LEGAL)) {
        enum outcome outcome = go_game_legal(p->game, next, p->question->work, legal, &count);
        if (outcome != OUTCOME_DONE)
            return outcome;
        extras.legal = legal;
    }
    if (go_case_includes(p->the_case, GO_INCLUDE_TERRITORY)) {
        go_game_score(p->game, &p->the_case->agreement, &score);
        extras.marks = score.marks;
    }
    /* After a suicide, the last stone that was played is no longer on the board. */
    bool stands = p->last >= 0 && go_game_at(p->game, last / size, last % size) != GO_EMPTY;
    go_svg_draw(p->out, p->game, p->marks, p->misses, stands ? p->last : -1, &extras);
    return OUTCOME_DONE;
}

/* The number of boards is known in advance: will they fit into the answer? */
static bool boards_fit(const struct playing *p) {
    uint64_t size = (uint64_t)p->the_case->size, board = size * (size + 3) + 2;
    return !asks_for(p, GO_INCLUDE_BOARDS) || (p->the_case->move_count + (uint64_t)1) * board <= p->question->max_bytes;
}

/* Set up the game and the lists for its results. */
static enum outcome begin(struct playing *p) {
    const struct game_question *question = p->question;
    unsigned size = (unsigned)p->the_case->size;
    struct go_rules rules = go_case_rules(p->the_case);
    bool picture = question->format == FORMAT_SVG;
    if (!work_charge(question->work, 20 + (uint64_t)size * size + (picture ? 1000 : 0)))
        return work_failure(question->work);
    enum outcome outcome = go_game_new(size, rules, p->the_case->move_count, question->hash_seed, question->arena,
                                       question->work, &p->game);
    if (outcome != OUTCOME_DONE)
        return outcome;
    go_case_set_up(p->the_case, p->game);
    if (picture && (p->marks = arena_array(question->arena, p->the_case->move_count, sizeof *p->marks)) == NULL)
        return OUTCOME_NO_MEMORY;
    return OUTCOME_DONE;
}

/* The moves that break the rules on the lines of a record. */
struct listing {
    struct playing *p;
    struct sgf_lines lines;
    size_t offset;          /* where the last move was that is listed, ... */
    struct fault_line line; /* ... and the place of that offset */
};

/* List the last move, which breaks the rules; for lint, as a finding: `12:7: move 57, White D4: repetition of ...`. */
static enum outcome list_in_line(struct listing *l) {
    struct playing *p = l->p;
    struct go_move move = l->lines.move;
    const struct go_reply *reply = &l->lines.reply;
    uint32_t number = go_game_moves(l->lines.board);
    size_t bytes = l->lines.offset - l->offset;
    if (!work_charge(p->question->work, 10 + bytes / 16))
        return work_failure(p->question->work);
    l->line = fault_find_line(p->the_case->tree.text + l->offset, bytes, l->line);
    l->offset = l->lines.offset;
    if (p->question->format != FORMAT_LINT)
        return list_move(p, reply->miss != GO_PLAYED ? GO_JSON_VARIATION_MISSES : GO_JSON_VARIATION_REPETITIONS, number,
                         move, *reply, l->line);
    buffer_printf(p->out, "%zu:%zu: move %u, %s %c%u: ", l->line.line, l->line.column, (unsigned)number,
                  go_sides[move.color - GO_BLACK], go_column_letter(move.col), (unsigned)p->the_case->size - move.row);
    if (!reply->repeated)
        buffer_put_string(p->out, go_miss_words[reply->miss]);
    else if (reply->repeats == 0)
        buffer_put_literal(p->out, "repetition of the starting position");
    else
        buffer_printf(p->out, "repetition of move %u", (unsigned)reply->repeats);
    buffer_put_char(p->out, '\n');
    return p->out->outcome;
}

/* Fill the lists about variations in a JSON answer. For lint, append the findings in the main line or, if the case asks
 * for variations, in all lines. The arena is left as it was. */
static enum outcome list_lines(struct playing *p) {
    const struct game_question *question = p->question;
    const struct sgf_game *game = p->the_case->tree.game;
    struct listing l = {.p = p, .offset = game->begin, .line = game->line};
    struct arena_mark mark = arena_mark(question->arena);
    enum outcome outcome =
        sgf_lines_begin(&l.lines, p->the_case, UINT64_MAX, question->hash_seed, question->arena, question->work);
    l.lines.main_only = !go_case_includes(p->the_case, GO_INCLUDE_VARIATIONS);
    while (outcome == OUTCOME_DONE && sgf_lines_next(&l.lines))
        if ((l.lines.reply.miss != GO_PLAYED || l.lines.reply.repeated) &&
            (question->format == FORMAT_LINT || !l.lines.in_main))
            outcome = list_in_line(&l);
    arena_rewind(question->arena, mark);
    return outcome != OUTCOME_DONE ? outcome : l.lines.outcome;
}

/* Write the answer to a game that was played to its end. */
static enum outcome write_answer(struct playing *p) {
    const struct game_question *question = p->question;
    enum go_color next = find_next(p->the_case, p->game);
    if (question->format == FORMAT_SVG)
        return draw(p, next);
    if (question->format == FORMAT_JSON)
        return go_json_encode(p->the_case, p->game, next, p->misses, p->lists, question->work, p->out);
    go_text_print_board(p->out, p->game);
    return OUTCOME_DONE;
}

static enum outcome answer(const void *the_case, const struct game_question *question, struct buffer *out) {
    struct playing p = {.the_case = the_case, .question = question, .out = out, .last = -1};
    if (question->format == FORMAT_LINT)
        return list_lines(&p);
    if (!boards_fit(&p))
        return OUTCOME_TOO_LARGE;
    for (enum go_json_list list = 0; list < GO_JSON_LISTS; list++)
        buffer_init_like(&p.lists[list], out);
    enum outcome outcome = asks_for(&p, GO_INCLUDE_VARIATIONS) ? list_lines(&p) : OUTCOME_DONE;
    if (outcome == OUTCOME_DONE)
        outcome = begin(&p);
    if (outcome == OUTCOME_DONE)
        outcome = play_all(&p);
    if (outcome == OUTCOME_DONE)
        outcome = write_answer(&p);
    for (enum go_json_list list = 0; list < GO_JSON_LISTS; list++)
        buffer_clear(&p.lists[list]);
    return outcome;
}

static const char *const left_out[] = {"moves", NULL};

const struct game go_backend = {
    .name = "go",
    .path = "/go",
    .example = "{\"setup\":[\"...\",\".B.\",\"...\"],\"moves\":[\"W C1\"]}",
    .about = "Go: replay a game, report illegal moves and return the final position",
    .case_size = sizeof(struct go_case),
    .limits = {limits, sizeof limits / sizeof *limits},
    .total_limit = total_limit,
    .left_out = left_out,
    .max_solving_bytes = max_solving_bytes,
    .members = &go_json_members,
    .decode = go_json_decode,
    .size_of = size_of,
    .read_head = text_read_case_count,
    .read_case = go_text_read_case,
    .records = &go_records,
    .parameters = go_parameter_names,
    .read_parameter = go_parameter_read,
    .maker = &go_maker,
    .answer = answer,
};
