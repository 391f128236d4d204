/* Checks the options, counts obstacles and mines, and writes one case after the other, each made by the game from its
 * own sequence of random numbers. So a case depends only on the options, the seed and its number: fewer cases are the
 * beginning of more, and a game's first moves do not depend on how many follow. */
#include "api/command/make.h"

#include "api/command/message.h"
#include "api/game/formats.h"
#include "api/game/game.h"
#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

enum { MAKE_DONE = 0, MAKE_FAILED = 1, MAKE_BAD_USAGE = 2 };

static const char DEFAULT_SHARE[] = "15%"; /* of obstacles and mines */

/* Check that an option is one of the game's, if it was given. Prints a message and returns false if it is not. */
static bool check_option(const struct game *game, const char *name, bool given) {
    const char *const *known = game->maker->options;
    while (*known != NULL && strcmp(*known, name) != 0)
        known++;
    if (given && *known == NULL)
        message_print("--%s is not for %s; see arbiter help make", name, game->name);
    return !given || *known != NULL;
}

static bool check_options(const struct options *options, const struct game *game) {
    const struct maker_order *order = &options->order;
    return check_option(game, "rows", order->rows != MAKER_UNSET) &&
           check_option(game, "cols", order->cols != MAKER_UNSET) &&
           check_option(game, "obstacles", options->obstacles != NULL) &&
           check_option(game, "turn", order->turn != MAKER_NO_TURN) &&
           check_option(game, "mines", options->mines != NULL) &&
           check_option(game, "size", order->size != MAKER_UNSET) &&
           check_option(game, "moves", order->moves != MAKER_UNSET) && check_option(game, "legal", order->legal);
}

/* Count the cells that a text like "99" or "20.6%" stands for: a percentage is rounded to the nearest number, half a
 * cell up. Prints a message and returns false if it is neither. */
static bool count_share(const char *name, const char *text, uint64_t cells, uint64_t *ret_count) {
    const char *at = text;
    uint64_t share = 0;
    for (; ascii_is_digit(*at) && at - text < 10; at++)
        share = 10 * share + (unsigned)(*at - '0');
    bool tenths = at != text && *at == '.' && ascii_is_digit(at[1]);
    share = tenths ? 10 * share + (unsigned)(at[1] - '0') : share;
    at += tenths ? 2 : 0;
    bool percent = *at == '%';
    uint64_t thousandths = tenths ? share : 10 * share;
    bool good = at != text && at[percent] == 0 && (percent ? thousandths <= 1000 : !tenths);
    *ret_count = percent ? (cells * thousandths + 500) / 1000 : share;
    if (!good)
        message_print("--%s is \"%s\"; it must be a number, or a percentage up to 100%%, such as 20.6%%", name, text);
    return good;
}

/* Check that the game has the format. Prints a message and returns false if not. */
static bool check_format(const struct game *game, enum format format) {
    bool good = format_is_of(format, game);
    if (!good)
        message_print(format == FORMAT_SGF ? "only go can be written as SGF, not %s"
                                           : "%s has no drawings; use --to ndjson, text or sgf",
                      game->name);
    return good;
}

/* Check that a file can have this many cases: unless there is one case per line, solve reads the file as a batch, to
 * which the default limits apply. Prints a message and returns false if not. */
static bool check_count(const struct options *options, const struct game *game, const struct maker_order *order) {
    struct options defaults = options_default();
    uint64_t most = *options_number(&defaults, "max_cases"), size = order->rows * order->cols + order->moves;
    uint64_t total = game->total_limit(limits_of(&defaults.limits, &game->limits));
    most = size != 0 && total / size < most ? total / size : most;
    bool good = options->made == FORMAT_LINES || options->count <= most;
    if (!good)
        message_print("--count is %llu, but a file in this format can have at most %llu such cases; use --to ndjson",
                      (unsigned long long)options->count, (unsigned long long)most);
    return good;
}

/* Complete the order and check it. Prints a message and returns false if there is something wrong. */
static bool take_order(const struct options *options, const struct game *game, struct maker_order *ret_order) {
    const struct maker_order *given = &options->order, *defaults = &game->maker->defaults;
    struct maker_order order = {
        .rows = given->rows != MAKER_UNSET ? given->rows : defaults->rows,
        .cols = given->cols != MAKER_UNSET ? given->cols : defaults->cols,
        .size = given->size != MAKER_UNSET ? given->size : defaults->size,
        .moves = given->moves != MAKER_UNSET ? given->moves : defaults->moves,
        .turn = given->turn != MAKER_NO_TURN ? given->turn : defaults->turn,
        .legal = given->legal,
    };
    const char *obstacles = options->obstacles != NULL ? options->obstacles : DEFAULT_SHARE;
    const char *mines = options->mines != NULL ? options->mines : DEFAULT_SHARE;
    uint64_t cells = order.rows * order.cols; /* 0 in Go */
    char message[MAKER_MESSAGE];
    if (!count_share("obstacles", obstacles, cells, &order.obstacles) ||
        !count_share("mines", mines, cells, &order.mines))
        return false;
    *ret_order = order;
    if (game->maker->check(&order, options->made, message))
        return check_count(options, game, &order);
    message_print("%s", message);
    return false;
}

/* Make the cases. Returns the exit status. */
static int make_cases(const struct options *options, const struct game *game, const struct maker_order *order) {
    struct arena arena;
    struct buffer out;
    enum outcome outcome = OUTCOME_DONE;
    bool written = true;
    arena_init(&arena, ARENA_NO_CAP);
    buffer_init(&out, SIZE_MAX / 2, NULL);
    if (options->made == FORMAT_TEXT)
        buffer_printf(&out, "%s%llu\n", game->maker->text_head, (unsigned long long)options->count);
    for (uint64_t number = 0; number < options->count && outcome == OUTCOME_DONE && written; number++) {
        if (options->made == FORMAT_DRAWING && number != 0)
            buffer_put_char(&out, '\n');
        struct random random = {.seed = splitmix_number(options->seed, number + 1)};
        outcome = game->maker->make(order, options->made, &random, &arena, &out);
        written = outcome != OUTCOME_DONE || fwrite(out.data, 1, out.length, stdout) == out.length;
        out.length = 0;
        arena_reset(&arena);
    }
    arena_clear(&arena);
    buffer_clear(&out);
    if (outcome != OUTCOME_DONE)
        message_print("out of memory");
    return outcome == OUTCOME_DONE && message_flush_output() ? MAKE_DONE : MAKE_FAILED;
}

void make_print_help(void) {
    struct option_text text;
    printf("Usage: arbiter make GAME [--OPTION VALUE]...\n\n"
           "Make random cases for tests, benchmarks, contests and puzzles. GAME is pawn, go or mine. Cases go to\n"
           "standard output, and arbiter solve GAME reads them. The same options give the same cases on every machine\n"
           "and in every version 1.x, and --count 5 gives the first five of --count 10. The formats are ndjson (one\n"
           "case per line), text (contest format), sgf (go) and drawing (pawn, mine).\n\nOptions:\n");
    for (size_t i = 0; options_describe(NULL, OPTIONS_MAKE, &i, &text);)
        printf("  %-25s %s [%s]\n", text.name, text.meaning, text.value);
    printf("  %-25s show this help and exit\n\n"
           "Exit status: 0 if all cases were written, 2 for incorrect usage, and 1 for any other error.\n",
           "--help");
}

int make(const struct options *options, char **operands) {
    const struct game *game = options_game("make", options, operands);
    struct maker_order order;
    if (game == NULL)
        return MAKE_BAD_USAGE;
    if (options->operands > 1) {
        message_print("unexpected argument \"%s\"; see arbiter help make", operands[1]);
        return MAKE_BAD_USAGE;
    }
    if (!check_options(options, game) || !check_format(game, options->made) || !take_order(options, game, &order))
        return MAKE_BAD_USAGE;
    return make_cases(options, game, &order);
}
