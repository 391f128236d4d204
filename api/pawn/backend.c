#include "api/pawn/backend.h"

#include "api/pawn/json.h"
#include "api/pawn/make.h"
#include "api/pawn/svg.h"
#include "api/pawn/text.h"
#include "pawn/solve.h"

/* In the order of struct pawn_limits. */
static const struct limit limits[] = {
    {"max_pawn_cells", "squares on a crossing pawn board", PAWN_MAX_CELLS, PAWN_MAX_CELLS, PAWN_MAX_CELLS, true},
    {"max_pawn_cells_total", "total squares on all crossing pawn boards in a request", 32768, 32768, LIMIT_MAX, true},
};
LIMITS_MATCH(limits, struct pawn_limits);

static uint64_t size_of(const void *the_case) {
    const struct pawn_position *position = &((const struct pawn_case *)the_case)->position;
    return (uint64_t)position->rows * position->cols;
}

static uint64_t total_limit(const void *of_pawn) { return ((const struct pawn_limits *)of_pawn)->max_pawn_cells_total; }

/* The sets for all pairs of squares and the newest layers take 7 MiB; the layers needed for a line take at most 88 MiB
 * (src/pawn/layers_template.h). */
static size_t max_solving_bytes(const void *unused) {
    (void)unused;
    return (size_t)96 << 20;
}

static bool asks_for(const struct pawn_case *the_case, enum pawn_include part) { return the_case->include >> part & 1; }

/* Get what the solver must compute for the requested parts of the answer. */
static unsigned wants_of(const struct pawn_case *the_case, enum format format) {
    if (format == FORMAT_TEXT)
        return 0;
    if (format == FORMAT_SVG)
        return PAWN_LINE;
    return (asks_for(the_case, PAWN_INCLUDE_MOVES) ? PAWN_MOVES : 0) |
           (asks_for(the_case, PAWN_INCLUDE_LINE) || asks_for(the_case, PAWN_INCLUDE_BOARDS) ? PAWN_LINE : 0);
}

static enum outcome answer(const void *the_case, const struct game_question *question, struct buffer *out) {
    const struct pawn_case *pawn_case = the_case;
    const struct pawn_position *root = &pawn_case->position;
    struct pawn_answer answer;
    enum outcome outcome =
        pawn_solve(root, wants_of(pawn_case, question->format), question->arena, question->work, &answer);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (question->format == FORMAT_TEXT) {
        pawn_text_print(out, answer.verdict);
        return OUTCOME_DONE;
    }
    /* For a picture, all arrows (fewer than 8 per square) are visited for each move. Otherwise a move of the line and
     * its board take about 2 ns per square. */
    uint64_t cells = (uint64_t)root->rows * root->cols, steps = answer.verdict.steps;
    bool picture = question->format == FORMAT_SVG;
    if (!work_charge(question->work, picture ? 500 + steps * cells : 50 + steps * (20 + cells / 4)))
        return work_failure(question->work);
    if (picture)
        pawn_svg_draw(out, root, answer.verdict, answer.line, answer.verdict.steps);
    else
        pawn_json_encode(pawn_case, &answer, out);
    return OUTCOME_DONE;
}

const struct game pawn_backend = {
    .name = "pawn",
    .path = "/pawn",
    .example = "{\"board\":[\"O.O\",\"...\",\".X.\"]}",
    .about = "crossing pawn: who wins, and in how many moves",
    .case_size = sizeof(struct pawn_case),
    .limits = {limits, sizeof limits / sizeof *limits},
    .total_limit = total_limit,
    .max_solving_bytes = max_solving_bytes,
    .members = &pawn_json_members,
    .bare_member = "board",
    .decode = pawn_json_decode,
    .size_of = size_of,
    .read_head = pawn_text_read_head,
    .read_case = pawn_text_read_case,
    .maker = &pawn_maker,
    .answer = answer,
};
