#include "api/go/json_parts.h"

#include "api/go/komi.h"
#include "api/json/encode.h"
#include "go/alive.h"

#include <stdlib.h>

/* The characters of marked boards, by enum go_legality and enum go_mark. */
static const char legal_letters[] = ".BW23", mark_letters[] = ".BWbw";

static void put_marks(struct buffer *out, unsigned size, const uint8_t *marks, const char *letters) {
    char cells[GO_POINTS];
    for (unsigned at = 0; at < size * size; at++)
        cells[at] = letters[marks[at]];
    json_put_rows(out, cells, size, size);
}

static enum outcome put_legal(struct buffer *out, struct go_game *game, enum go_color next, struct work *work) {
    uint8_t points[GO_POINTS];
    unsigned count;
    enum outcome outcome = go_game_legal(game, next, work, points, &count);
    if (outcome != OUTCOME_DONE)
        return outcome;
    buffer_printf(out, ",\"legal\":{\"color\":\"%c\",\"count\":%u,\"board\":", go_letters[next], count);
    put_marks(out, go_game_size(game), points, legal_letters);
    buffer_put_char(out, '}');
    return OUTCOME_DONE;
}

static void put_points(struct buffer *out, unsigned size, const uint16_t *points, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        buffer_put_string(out, k == 0 ? "[" : ",[");
        buffer_put_integer(out, points[k] / size);
        buffer_put_char(out, ',');
        buffer_put_integer(out, points[k] % size);
        buffer_put_char(out, ']');
    }
}

static void put_chains(struct buffer *out, const struct go_game *game) {
    unsigned size = go_game_size(game);
    bool seen[GO_POINTS] = {false};
    struct go_chain chain;
    const char *comma = "";
    buffer_put_literal(out, ",\"chains\":[");
    for (unsigned at = 0; at < size * size; at++) {
        if (seen[at] || go_game_at(game, at / size, at % size) == GO_EMPTY)
            continue;
        go_game_chain(game, at / size, at % size, &chain);
        for (unsigned k = 0; k < chain.stone_count; k++)
            seen[chain.stones[k]] = true;
        buffer_printf(out, "%s{\"color\":\"%c\",\"stones\":[", comma, go_letters[chain.color]);
        put_points(out, size, chain.stones, chain.stone_count);
        buffer_put_literal(out, "],\"liberties\":[");
        put_points(out, size, chain.liberties, chain.liberty_count);
        buffer_put_literal(out, "]}");
        comma = ",";
    }
    buffer_put_char(out, ']');
}

static void put_score(struct buffer *out, const struct go_score *score, enum go_scoring scoring, int komi) {
    int lead = 2 * ((int)score->black - (int)score->white) - komi; /* of Black, in half points */
    char winner = lead > 0 ? 'B' : 'W';
    buffer_printf(out, ",\"score\":{\"B\":%u,\"W\":%u,\"neutral\":%u,\"scoring\":\"%s\",\"komi\":", score->black,
                  score->white, score->neutral, go_scoring_words[scoring]);
    go_komi_put(out, komi);
    buffer_printf(out, ",\"dead\":{\"B\":%u,\"W\":%u}", score->dead[0], score->dead[1]);
    if (lead == 0) {
        buffer_put_literal(out, ",\"winner\":null,\"margin\":0,\"result\":\"Draw\"}");
        return;
    }
    buffer_printf(out, ",\"winner\":\"%c\",\"margin\":", winner);
    go_komi_put(out, abs(lead));
    buffer_printf(out, ",\"result\":\"%c+", winner);
    go_komi_put(out, abs(lead));
    buffer_put_literal(out, "\"}");
}

enum outcome go_json_put_parts(struct buffer *out, const struct go_case *the_case, struct go_game *game,
                               enum go_color next, struct work *work) {
    unsigned size = go_game_size(game), points = size * size;
    bool scored = go_case_includes(the_case, GO_INCLUDE_SCORE),
         marked = go_case_includes(the_case, GO_INCLUDE_TERRITORY);
    bool chains = go_case_includes(the_case, GO_INCLUDE_CHAINS), alive = go_case_includes(the_case, GO_INCLUDE_ALIVE);
    enum outcome outcome = OUTCOME_DONE;
    struct go_score score;
    if (!work_charge(work, (scored || marked ? 2 * points : 0) + (chains ? 12 * points : 0) + (alive ? 3 * points : 0)))
        return work_failure(work);
    if (scored || marked)
        go_game_score(game, &the_case->agreement, &score);
    if (scored)
        put_score(out, &score, the_case->agreement.scoring, the_case->komi);
    if (go_case_includes(the_case, GO_INCLUDE_LEGAL))
        outcome = put_legal(out, game, next, work);
    if (chains)
        put_chains(out, game);
    if (marked) {
        buffer_put_literal(out, ",\"territory\":");
        put_marks(out, size, score.marks, mark_letters);
    }
    if (alive) {
        uint8_t marks[GO_POINTS];
        go_game_alive(game, the_case->asked.rules.suicide, marks);
        buffer_put_literal(out, ",\"alive\":");
        put_marks(out, size, marks, mark_letters);
    }
    return outcome;
}
