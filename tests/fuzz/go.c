/* A short game of Go, compared with tests/reference. The input is a letter for the size of the board, a letter for the
 * rules, then a letter for each move. Letters from 'a' on stand for Black's points, letters from 'A' on for White's;
 * the letter after the last point is a pass. Stones before a '/' are set up. '.' and other bytes are ignored.
 *
 * With everything included, the answer must match the model's byte for byte. A set-up chain without liberties must be
 * refused. On the board size of the contest format, the stones played (without set-up and passes) must get the same
 * text, whether they are sent as JSON or as text. */
#include "fuzz/ask.h"

#include "reference/go.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SIZE = 5, MAX_MOVES = 150, KOS = 4 };

static const char *const kos[KOS] = {"positional", "situational", "simple", "none"};

/* The request, and the model's answer. */
struct question {
    unsigned size, moves, misses, stones;
    struct reference_go *model;
    struct buffer setup, list, missed, captured, boards; /* as written in the case and in the answer */
    struct buffer played, text;                          /* only the stones played, as a JSON case and as text */
};

enum { BUFFERS = 7 };

struct stone {
    char color; /* 'B' or 'W' */
    unsigned point;
};

/* Is the byte a move? */
static bool read_stone(uint8_t byte, struct stone *ret_stone) {
    bool black = byte >= 'a' && byte <= 'z', white = byte >= 'A' && byte <= 'Z';
    *ret_stone = (struct stone){black ? 'B' : 'W', (unsigned)byte - (black ? 'a' : 'A')};
    return black || white;
}

static void put_board(struct buffer *out, unsigned size, const char *board) {
    buffer_put_char(out, '[');
    for (unsigned row = 0; row < size; row++)
        buffer_printf(out, "%s\"%.*s\"", row == 0 ? "" : ",", (int)size, board + row * size);
    buffer_put_char(out, ']');
}

/* Read the set-up. Returns false if a chain has no liberties. */
static bool set_up(struct question *a, const uint8_t *data, size_t size) {
    unsigned points = a->size * a->size;
    struct stone stone;
    for (size_t i = 0; i < size; i++)
        if (read_stone(data[i], &stone) && a->model->board[stone.point % points] == '.')
            reference_go_set_up(a->model, stone.point % points / a->size, stone.point % points % a->size, stone.color);
    put_board(&a->setup, a->size, a->model->board);
    for (unsigned point = 0; point < points; point++)
        if (a->model->board[point] != '.' &&
            !reference_go_has_liberty(a->size, a->model->board, point / a->size, point % a->size))
            return false;
    return true;
}

static void put_captured(struct question *a) {
    const char *comma = "";
    buffer_printf(&a->captured, "%s{\"move\":%u,\"stones\":[", a->captured.length == 0 ? "" : ",", a->moves);
    for (unsigned point = 0; point < a->size * a->size; point++)
        if (reference_go_gone(a->model, point / a->size, point % a->size)) {
            buffer_printf(&a->captured, "%s[%u,%u]", comma, point / a->size, point % a->size);
            comma = ",";
        }
    buffer_put_string(&a->captured, "]}");
}

static void play(struct question *a, struct stone stone) {
    static const char *const reasons[] = {"", "occupied", "suicide", "repetition"};
    unsigned point = stone.point % (a->size * a->size + 1), row = point / a->size, col = point % a->size;
    bool pass = row == a->size;
    buffer_put_string(&a->list, a->moves == 0 ? "" : ",");
    a->moves++;
    if (pass)
        buffer_printf(&a->list, "[\"%c\",\"pass\"]", stone.color);
    else
        buffer_printf(&a->list, "[\"%c\",%u,%u]", stone.color, row, col);
    if (!pass) {
        buffer_printf(&a->played, "%s[\"%c\",%u,%u]", a->stones++ == 0 ? "" : ",", stone.color, row, col);
        buffer_printf(&a->text, "%c %u %u\n", stone.color, row + 1, col + 1);
    }
    struct reference_go_reply reply =
        pass ? reference_go_pass(a->model, stone.color) : reference_go_play(a->model, stone.color, row, col);
    if (reply.code != 0) {
        buffer_printf(&a->missed,
                      "%s{\"move\":%u,\"color\":\"%c\",\"at\":[%u,%u],\"name\":\"%c%u\",\"code\":%u,\"reason\":\"%s\"",
                      a->misses == 0 ? "" : ",", a->moves, stone.color, row, col, "ABCDEFGHJKLMNOPQRSTUVWXYZ"[col],
                      a -> size - row, reply.code, reasons[reply.code]);
        a->misses++;
        if (reply.code == 3)
            buffer_printf(&a->missed, ",\"repeats\":%u", reply.repeats);
        buffer_put_char(&a->missed, '}');
    }
    if (reply.captured + reply.suicided != 0)
        put_captured(a);
    buffer_put_char(&a->boards, ',');
    put_board(&a->boards, a->size, a->model->board);
}

static void put_score(struct buffer *out, struct reference_go_area area) {
    unsigned black = area.black, white = area.white, margin = black > white ? black - white : white - black;
    buffer_printf(out, "{\"B\":%u,\"W\":%u,\"neutral\":%u,", black, white, area.neutral);
    buffer_put_string(out, "\"scoring\":\"area\",\"komi\":0,\"dead\":{\"B\":0,\"W\":0},");
    if (margin == 0)
        buffer_put_string(out, "\"winner\":null,\"margin\":0,\"result\":\"Draw\"}");
    else
        buffer_printf(out, "\"winner\":\"%c\",\"margin\":%u,\"result\":\"%c+%u\"}", black > white ? 'B' : 'W', margin,
                      black > white ? 'B' : 'W', margin);
}

static void put_answer(struct buffer *out, const struct question *a, unsigned rules) {
    struct reference_go_area area = reference_go_score(a->size, a->model->board);
    buffer_printf(out, "{\"misses\":[%.*s],\"board\":", (int)a->missed.length, a->missed.length ? a->missed.data : "");
    put_board(out, a->size, a->model->board);
    buffer_printf(out, ",\"played\":%u,\"prisoners\":{\"B\":%u,\"W\":%u},", a->moves - a->misses,
                  a->model->white_prisoners, a->model->black_prisoners);
    buffer_printf(out,
                  "\"rules\":{\"ko\":\"%s\",\"suicide\":%s,\"scoring\":\"area\",\"source\":\"request\"},\"captured\":[",
                  kos[rules % KOS], rules / KOS != 0 ? "true" : "false");
    buffer_put(out, a->captured.data, a->captured.length);
    buffer_put_string(out, "],\"boards\":[");
    buffer_put(out, a->boards.data, a->boards.length);
    buffer_put_string(out, "],\"score\":");
    put_score(out, area);
    buffer_put_string(out, "}\n");
}

static void insist_answer(struct question *a, unsigned rules, uint64_t seed, bool good) {
    struct buffer body, wanted;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_init(&wanted, SIZE_MAX, NULL);
    buffer_printf(&body, "{\"setup\":%.*s,\"rules\":{\"ko\":\"%s\",\"suicide\":%s},\"moves\":[", (int)a->setup.length,
                  a->setup.data, kos[rules % KOS], rules / KOS != 0 ? "true" : "false");
    buffer_put(&body, a->list.data, a->list.length);
    buffer_put_string(&body, "],\"include\":[\"score\",\"boards\",\"captured\"]}");
    struct asked asked = {"POST", "/go", ASK_JSON, ASK_JSON, body.data, body.length, false, 0};
    struct response response = ask_in_turns(&asked, seed);
    INSIST(good || response.status == 422);
    if (good) {
        put_answer(&wanted, a, rules);
        ask_insist_bytes(&response, wanted.data, wanted.length);
    }
    response_clear(&response);
    buffer_clear(&body);
    buffer_clear(&wanted);
}

static void insist_same_text(const struct question *a) {
    struct buffer body;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_put_string(&body, "{\"moves\":[");
    buffer_put(&body, a->played.data, a->played.length);
    buffer_put_string(&body, "]}");
    struct asked asked = {"POST", "/go", ASK_JSON, ASK_TEXT, body.data, body.length, false, 0};
    struct response json = ask(&asked);
    body.length = 0;
    buffer_printf(&body, "1\n%u\n", a->stones);
    buffer_put(&body, a->text.data, a->text.length);
    asked = (struct asked){"POST", "/go", ASK_TEXT, ASK_TEXT, body.data, body.length, false, 0};
    struct response text = ask(&asked);
    INSIST(ask_is_good(&json));
    ask_insist_same(&json, &text);
    response_clear(&json);
    response_clear(&text);
    buffer_clear(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    unsigned rules = ask_choice(data[1], 2 * KOS);
    struct question a = {.size = 1 + ask_choice(data[0], MAX_SIZE)};
    struct buffer *buffers[BUFFERS] = {&a.setup, &a.list, &a.missed, &a.captured, &a.boards, &a.played, &a.text};
    struct stone stone;
    for (int b = 0; b < BUFFERS; b++)
        buffer_init(buffers[b], SIZE_MAX, NULL);
    a.model = reference_go_new(a.size, (enum reference_go_ko)(rules % KOS), rules / KOS != 0);
    const uint8_t *slash = memchr(data, '/', size);
    size_t moves = slash >= data + 2 ? (size_t)(slash - data) : 2;
    bool good = set_up(&a, data + 2, moves - 2);
    put_board(&a.boards, a.size, a.model->board);
    for (size_t i = moves; good && i < size && a.moves < MAX_MOVES; i++)
        if (read_stone(data[i], &stone))
            play(&a, stone);
    insist_answer(&a, rules, ask_seed(data, size), good);
    insist_same_text(&a);
    reference_go_free(a.model);
    for (int b = 0; b < BUFFERS; b++)
        buffer_clear(buffers[b]);
    ask_end();
    return 0;
}
