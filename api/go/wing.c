#include "api/go/wing.h"

#include "api/go/decode.h"
#include "api/go/json.h"
#include "api/go/svg.h"
#include "api/go/text.h"

/* In the order of struct go_limits. */
static const struct limit limits[] = {
    {"max_moves", "moves in a game of Go", 100000, UINT32_MAX - 1, true},
    {"max_moves_total", "moves in a request", 2000000, LIMIT_MOST, true},
};
LIMITS_MATCH(limits, struct go_limits);

static uint64_t weigh(const void *the_case) { return ((const struct go_case *)the_case)->move_count; }

/* Any game can be drawn. */
static bool can_draw(const void *the_case) {
    (void)the_case;
    return true;
}

/* A case as it is played through. */
struct playing {
    const struct go_case *the_case;
    const struct game_question *question;
    struct go_game *game;
    struct go_json_lists lists; /* in text the lines of misses stand in lists.misses */
    uint32_t misses;            /* how many so far */
    struct go_svg_mark *marks;  /* [misses], for a picture; else NULL */
    int last;                   /* the point of the last stone that was played; -1: none */
};

static bool asks_for(const struct playing *p, enum go_include part) {
    return p->question->format == FORMAT_JSON && p->the_case->include >> part & 1;
}

static enum work_outcome note_miss(struct playing *p, uint32_t number, struct go_move move, struct go_reply reply) {
    if (!work_charge(p->question->work, 5))
        return WORK_EXHAUSTED;
    if (p->question->format == FORMAT_TEXT) {
        go_text_print_miss(&p->lists.misses, reply.miss);
    } else if (p->question->format == FORMAT_SVG) {
        p->marks[p->misses] = (struct go_svg_mark){move.row, move.col, (uint8_t)reply.miss};
    } else {
        if (p->misses != 0)
            buffer_put_char(&p->lists.misses, ',');
        go_json_put_miss(&p->lists.misses, number, move, reply);
    }
    p->misses++;
    return WORK_DONE;
}

/* Play the move at `index` of the list and note what it brings. */
static enum work_outcome play_move(struct playing *p, uint32_t index) {
    struct work *work = p->question->work;
    struct go_move move = p->the_case->moves[index];
    struct go_reply reply;
    unsigned size = go_game_size(p->game), points = size * size;
    enum work_outcome outcome = go_game_play(p->game, move, work, &reply);
    if (outcome == WORK_DONE && reply.miss != GO_PLAYED)
        outcome = note_miss(p, index + 1, move, reply);
    else if (outcome == WORK_DONE && move.row != GO_PASS)
        p->last = (int)(move.row * size + move.col);
    if (outcome != WORK_DONE)
        return outcome;
    if (reply.gone != 0 && asks_for(p, GO_INCLUDE_CAPTURED)) {
        if (!work_charge(work, points / 5 + 20 * (uint64_t)reply.gone))
            return WORK_EXHAUSTED;
        go_json_put_captured(&p->lists.captured, p->game, index + 1);
    }
    if (asks_for(p, GO_INCLUDE_BOARDS)) {
        if (!work_charge(work, points / 5))
            return WORK_EXHAUSTED;
        buffer_put_char(&p->lists.boards, ',');
        go_json_put_board(&p->lists.boards, p->game);
    }
    return WORK_DONE;
}

/* Is one of the lists of no use any more? */
static bool is_spoilt(const struct go_json_lists *lists) {
    return lists->misses.state != BUFFER_GOOD || lists->captured.state != BUFFER_GOOD ||
           lists->boards.state != BUFFER_GOOD;
}

static enum work_outcome play_all(struct playing *p) {
    enum work_outcome outcome = WORK_DONE;
    if (asks_for(p, GO_INCLUDE_BOARDS))
        go_json_put_board(&p->lists.boards, p->game);
    for (uint32_t m = 0; outcome == WORK_DONE && m < p->the_case->move_count && !is_spoilt(&p->lists); m++)
        outcome = play_move(p, m);
    return outcome;
}

static void draw(struct buffer *out, const struct playing *p) {
    unsigned size = go_game_size(p->game), last = (unsigned)p->last;
    /* A suicide is the last stone that was played, and does not stand. */
    bool stands = p->last >= 0 && go_game_at(p->game, last / size, last % size) != GO_EMPTY;
    go_svg_draw(out, p->game, p->marks, p->misses, stands ? p->last : -1);
}

/* Boards are what a request fixes the size of: is there room for them? */
static bool boards_fit(const struct playing *p) {
    uint64_t size = (uint64_t)p->the_case->size, board = size * (size + 3) + 2;
    return !asks_for(p, GO_INCLUDE_BOARDS) ||
           (p->the_case->move_count + (uint64_t)1) * board <= p->question->most_bytes;
}

/* Set up the game, and what its moves will bring. */
static enum work_outcome begin(struct playing *p) {
    const struct game_question *question = p->question;
    unsigned size = (unsigned)p->the_case->size;
    struct go_rules rules = {.ko = (enum go_ko)p->the_case->rules.ko, .suicide = p->the_case->rules.suicide};
    bool picture = question->format == FORMAT_SVG;
    if (!work_charge(question->work, 20 + (uint64_t)size * size + (picture ? 1000 : 0)))
        return WORK_EXHAUSTED;
    enum work_outcome outcome =
        go_game_new(size, rules, p->the_case->move_count, question->arena, question->work, &p->game);
    if (outcome != WORK_DONE)
        return outcome;
    go_case_set_up(p->the_case, p->game);
    if (picture && (p->marks = arena_array(question->arena, p->the_case->move_count, sizeof *p->marks)) == NULL)
        return WORK_NO_MEMORY;
    return WORK_DONE;
}

static enum work_outcome answer(const void *the_case, const struct game_question *question, struct buffer *out) {
    struct playing p = {.the_case = the_case, .question = question, .last = -1};
    if (!boards_fit(&p)) {
        out->state = BUFFER_FULL;
        return WORK_DONE;
    }
    enum work_outcome outcome = begin(&p);
    if (outcome != WORK_DONE)
        return outcome;
    buffer_init(&p.lists.misses, out->max, out->account);
    buffer_init(&p.lists.captured, out->max, out->account);
    buffer_init(&p.lists.boards, out->max, out->account);
    outcome = play_all(&p);
    if (outcome == WORK_DONE && question->format == FORMAT_TEXT) {
        buffer_put(out, p.lists.misses.data, p.lists.misses.length);
        if (out->state == BUFFER_GOOD)
            out->state = p.lists.misses.state;
        go_text_print_board(out, p.game);
    } else if (outcome == WORK_DONE && question->format == FORMAT_SVG) {
        draw(out, &p);
    } else if (outcome == WORK_DONE) {
        go_json_encode(p.the_case, p.game, p.misses, &p.lists, out);
    }
    buffer_clear(&p.lists.misses);
    buffer_clear(&p.lists.captured);
    buffer_clear(&p.lists.boards);
    return outcome;
}

const struct game go_wing = {
    .name = "go",
    .about = "a list of Go moves is played: which are refused, and the board that results",
    .case_size = sizeof(struct go_case),
    .limits = {limits, sizeof limits / sizeof *limits},
    .total_limit = offsetof(struct go_limits, max_moves_total) / sizeof(uint64_t),
    .decode = go_json_decode,
    .weigh = weigh,
    .read_head = text_read_case_count,
    .read_case = go_text_read_case,
    .read_sgf = go_sgf_decode,
    .can_draw = can_draw,
    .answer = answer,
};
