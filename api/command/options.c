#include "api/command/options.h"

#include "api/api.h"
#include "api/command/listen.h"
#include "api/command/machine.h"
#include "api/command/message.h"
#include "api/game/formats.h"
#include "api/request/cors.h"
#include "api/request/games.h"
#include "api/server/client.h"
#include "api/server/loop.h"
#include "api/server/socket.h"
#include "api/work/queue.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { KIND_STRING, KIND_NUMBER, KIND_MEMORY, KIND_CHOICE, KIND_FORMAT, KIND_FLAG };

/* An option. Those for the limits are generated from the rows of the limits. */
struct option {
    const char *name; /* with underscores */
    const char *meaning;
    enum kind kind;
    /* KIND_STRING: cors_check, listen_check or peer_check_proxies if it must be such a list, and the end of the message
     * about a wrong element. */
    bool (*check)(const char *list, const char **ret_wrong, size_t *ret_length);
    const char *needed;
    uint64_t min, max;         /* KIND_NUMBER */
    const char *const *words;  /* KIND_CHOICE: the words for the values 0, 1, ... of an enum, with a NULL at the end.
                                * KIND_FORMAT: the names of formats */
    size_t offset;             /* in struct options */
    const char *default_value; /* the default in words if it is not a fixed value; otherwise NULL */
    uint64_t public;           /* KIND_NUMBER: the default with --profile public; 0 if it is the same */
    bool advanced;             /* with --memory, nobody needs to set it */
    bool is_of_server;         /* `solve` accepts it, but it has no effect there */
    unsigned commands;         /* an or of enum options_command */
};

enum { MAX_GAMES = 8, MAX_WORKERS = 1024, DAY = 86400 /* seconds */ };

const char *const options_profile_names[] = {"trusted", "public", NULL};

#define FORMAT_BODY(id, name, source, ...) name,
static const char *const body_formats[] = {
#include "api/game/format_rows.h"
    NULL};
#define FORMAT_ANSWER(id, name, ...) name,
static const char *const answer_formats[] = {
#include "api/game/format_rows.h"
    NULL};
static const char *const made_formats[] = {"ndjson", "text", "sgf", "drawing", NULL};
static const char *const turns[] = {"Red", "Black", "random", NULL}; /* in the order of enum maker_turn */

/* An option and its member in struct options. */
#define OPTION_AS(name_of, member, kind_of, commands_of, meaning_of, ...)                                              \
    {                                                                                                                  \
        .name = name_of, .offset = offsetof(struct options, member), .kind = kind_of, .commands = commands_of,         \
        .meaning = meaning_of, __VA_ARGS__                                                                             \
    }
#define OPTION(member, ...) OPTION_AS(#member, member, __VA_ARGS__)

static const struct option table[] = {
    OPTION(listen, KIND_STRING, OPTIONS_SERVE | OPTIONS_HEALTH, "comma-separated addresses or host names to listen on",
           .check = listen_check,
           .needed = "; the value must be up to 8 comma-separated addresses or host names (127.0.0.1, [::1]); "
                     "set the port with --port"),
    OPTION(port, KIND_NUMBER, OPTIONS_SERVE | OPTIONS_HEALTH, "TCP port; 0 picks a free one", .max = 65535),
    OPTION(ops_port, KIND_NUMBER, OPTIONS_SERVE | OPTIONS_HEALTH,
           "separate TCP port for probes and metrics, served by its own thread; 0 picks a free one", .max = 65535,
           .default_value = "none"),
    OPTION(memory, KIND_MEMORY, OPTIONS_SERVE,
           "memory to stay within, such as 512M; auto uses the container's limit, or half of the machine's memory",
           .default_value = "none"),
    OPTION(workers, KIND_NUMBER, OPTIONS_SERVE | OPTIONS_SOLVE, "worker threads; small cases are solved without them",
           .min = 1, .max = MAX_WORKERS, .default_value = "one per available processor", .advanced = true),
    OPTION(long_workers, KIND_NUMBER, OPTIONS_SERVE | OPTIONS_SOLVE,
           "additional worker threads, at a lower priority, for long-running cases", .min = 1, .max = MAX_WORKERS,
           .default_value = "half of --workers, at least one", .advanced = true),
    OPTION(max_connections, KIND_NUMBER, OPTIONS_SERVE,
           "open connections; fewer if there aren't enough file descriptors", .min = 1, .max = 1000000, .public = 1024,
           .advanced = true),
    OPTION(max_connections_per_client, KIND_NUMBER, OPTIONS_SERVE, "open connections per client; 0 means no limit",
           .max = 1000000, .public = 100, .advanced = true),
    OPTION(io_threads, KIND_NUMBER, OPTIONS_SERVE, "event-loop threads, which serve connections", .min = 1,
           .max = LOOP_MAX, .advanced = true),
    OPTION(cors_origin, KIND_STRING, OPTIONS_SERVE,
           "origins whose pages can call the API: * for all, or a comma-separated list", .check = cors_check,
           .needed =
               ", which is not an origin; the value must be \"*\", or comma-separated origins as browsers send them: "
               "scheme, host and port in lower case and without a path (https://a.example, "
               "http://localhost:3000)"),
    OPTION(refuse_cross_site, KIND_FLAG, OPTIONS_SERVE, "refuse requests from pages on other sites"),
    OPTION(head_timeout, KIND_NUMBER, OPTIONS_SERVE,
           "seconds to wait for request headers, and for the next request on a connection", .min = 1, .max = DAY,
           .advanced = true),
    OPTION(body_timeout, KIND_NUMBER, OPTIONS_SERVE, "seconds to wait for the whole request body", .min = 1, .max = DAY,
           .advanced = true),
    OPTION(send_timeout, KIND_NUMBER, OPTIONS_SERVE,
           "period in seconds over which a client must read at least 1 KiB/s on average", .min = 1, .max = DAY,
           .advanced = true),
    OPTION(max_wait, KIND_NUMBER, OPTIONS_SERVE, "seconds that a request can wait until a worker begins it", .min = 1,
           .max = DAY, .public = 5, .advanced = true),
    OPTION(trusted_proxy, KIND_STRING, OPTIONS_SERVE,
           "proxies whose X-Forwarded-For is trusted: comma-separated addresses and networks", .default_value = "none",
           .check = peer_check_proxies,
           .needed =
               "; the value must be comma-separated addresses and networks (192.0.2.1, 10.0.0.0/8, 2001:db8::/32)"),
    OPTION(drain_delay, KIND_NUMBER, OPTIONS_SERVE, "seconds to keep accepting connections after SIGTERM", .max = DAY),
    OPTION(drain_timeout, KIND_NUMBER, OPTIONS_SERVE,
           "seconds to wait, after --drain-delay, for requests in flight to finish", .max = DAY, .advanced = true),
    OPTION(log_level, KIND_CHOICE, OPTIONS_SERVE, "how much to log: error, warn, info or debug",
           .words = log_level_names),
    OPTION(profile, KIND_CHOICE, OPTIONS_SERVE,
           "defaults for trusted clients or for public deployments: trusted or public", .words = options_profile_names),
    OPTION(check, KIND_FLAG, OPTIONS_SERVE,
           "print the settings in force and the maximum memory, one name and value per line, and exit"),
    OPTION(from, KIND_FORMAT, OPTIONS_SOLVE, "input format", .words = body_formats,
           .default_value = "detected from the file name and the contents"),
    OPTION(to, KIND_FORMAT, OPTIONS_SOLVE, "output format", .words = answer_formats,
           .default_value = "the input format if that is ndjson or text, otherwise json"),
    OPTION(game, KIND_STRING, OPTIONS_SOLVE, "game to replay (SGF files only): its number, counting from 1, or all",
           .default_value = "1"),
    OPTION(ko, KIND_STRING, OPTIONS_SOLVE, "ko rule (SGF files only): positional, situational, simple or none",
           .default_value = "as given by RU in the record"),
    OPTION(suicide, KIND_STRING, OPTIONS_SOLVE, "whether suicide is legal (SGF files only): true or false",
           .default_value = "as given by RU in the record"),
    OPTION(scoring, KIND_STRING, OPTIONS_SOLVE, "how the score is counted (SGF files only): area or territory",
           .default_value = "area"),
    OPTION(repetition, KIND_STRING, OPTIONS_SOLVE,
           "what happens to moves that the ko rule forbids (SGF files only): forbid or report",
           .default_value = "forbid"),
    OPTION(komi, KIND_STRING, OPTIONS_SOLVE, "komi (SGF files only): a multiple of 0.5",
           .default_value = "as given by KM in the record"),
    OPTION(next, KIND_STRING, OPTIONS_SOLVE, "who moves next, for \"legal\" (SGF files only): B or W",
           .default_value = "as follows from the record"),
    OPTION(dead, KIND_STRING, OPTIONS_SOLVE, "dead stones (SGF files only): points separated by commas",
           .default_value = "none"),
    OPTION(seki, KIND_STRING, OPTIONS_SOLVE,
           "regions that count for nobody (SGF files only): points separated by commas", .default_value = "none"),
    OPTION(include, KIND_STRING, OPTIONS_SOLVE,
           "comma-separated parts to add to the results of cases that have no \"include\" themselves",
           .default_value = "none"),
    OPTION_AS("case", text_of_case, KIND_STRING, OPTIONS_SOLVE,
              "case to solve, in any input format; you don't need a file then", .default_value = "none"),
    OPTION(output, KIND_STRING, OPTIONS_SOLVE, "file to write the answers to; it appears only once it's complete",
           .default_value = "standard output"),
    OPTION(with_file, KIND_FLAG, OPTIONS_SOLVE, "begin each answer with \"file\", the name of the input file"),
    OPTION(progress, KIND_CHOICE, OPTIONS_SOLVE, "show progress on standard error: auto, always or never",
           .words = progress_words, .default_value = "auto: on a terminal, if the answers go to a file"),
    OPTION(seed, KIND_NUMBER, OPTIONS_MAKE, "seed of the random numbers", .max = UINT64_MAX),
    OPTION(count, KIND_NUMBER, OPTIONS_MAKE, "number of cases", .min = 1, .max = 1000000000),
    OPTION_AS("to", made, KIND_FORMAT, OPTIONS_MAKE, "output format", .words = made_formats),
    OPTION_AS("rows", order.rows, KIND_NUMBER, OPTIONS_MAKE, "pawn, mine: number of rows", .min = 1, .max = 1000,
              .default_value = "pawn: 6; mine: 9"),
    OPTION_AS("cols", order.cols, KIND_NUMBER, OPTIONS_MAKE, "pawn, mine: number of columns", .min = 1, .max = 1000,
              .default_value = "pawn: 6; mine: 9"),
    OPTION(obstacles, KIND_STRING, OPTIONS_MAKE,
           "pawn: squares with an obstacle: a number, or a percentage such as 20%", .default_value = "15%"),
    OPTION_AS("turn", order.turn, KIND_CHOICE, OPTIONS_MAKE, "pawn: side that moves first: Red, Black or random",
              .words = turns, .default_value = "Red"),
    OPTION(mines, KIND_STRING, OPTIONS_MAKE, "mine: cells with a mine: a number, or a percentage such as 20.6%",
           .default_value = "15%"),
    OPTION_AS("size", order.size, KIND_NUMBER, OPTIONS_MAKE, "go: points per side of the board", .min = 1, .max = 25,
              .default_value = "19"),
    OPTION_AS("moves", order.moves, KIND_NUMBER, OPTIONS_MAKE, "go: number of moves in a game", .max = 100000,
              .default_value = "100"),
    OPTION_AS("legal", order.legal, KIND_FLAG, OPTIONS_MAKE,
              "go: only make legal moves; a game is shorter if a player has none left"),
};

enum { OWN_OPTIONS = sizeof table / sizeof *table, MAX_OPTIONS = OWN_OPTIONS + LIMITS_VALUES };

const struct option_word option_words[] = {
    {"--help", "-h", "show this help and exit", OPTIONS_HELP},
    {"--version", "-V", "show the version and exit", OPTIONS_VERSION},
    {"--man", NULL, "print the manual page and exit", OPTIONS_MAN},
    {"--completion-bash", NULL, "print the completion script for bash and exit", OPTIONS_BASH},
    {"--completion-zsh", NULL, "print the completion script for zsh and exit", OPTIONS_ZSH},
};
const size_t option_word_count = sizeof option_words / sizeof *option_words;

static bool is_option_of(const struct option *option, enum options_command command) {
    return (option->commands & command) != 0;
}

static size_t option_count(const struct options *options) { return OWN_OPTIONS + options->limits.count; }

static struct option option_at(const struct options *options, size_t index) {
    ASSERT(index < option_count(options));
    if (index < OWN_OPTIONS)
        return table[index];
    size_t limit = index - OWN_OPTIONS;
    const struct limit *row = limits_row(&options->limits, limit);
    /* solve reads a file as it arrives, however large it is. */
    bool of_bodies = row == &request_limits.rows[offsetof(struct request_limits, max_body_bytes) / sizeof(uint64_t)];
    bool of_links =
        row == &response_limits.rows[offsetof(struct response_limits, max_link_answer_bytes) / sizeof(uint64_t)];
    bool of_queue = row == &queue_limits.rows[offsetof(struct queue_limits, queue) / sizeof(uint64_t)];
    return (struct option){
        .name = row->name,
        .meaning = row->meaning,
        .kind = KIND_NUMBER,
        .min = 1,
        .max = row->max,
        .offset = offsetof(struct options, limits.value) + limit * sizeof options->limits.value[0],
        .public = row->public,
        .advanced = true,
        .is_of_server = of_links || of_queue,
        .commands = of_bodies ? OPTIONS_SERVE : OPTIONS_SERVE | OPTIONS_SOLVE,
    };
}

struct options options_default(void) {
    struct options options = {
        .listen = "127.0.0.1",
        .port = 8080,
        .ops_port = OPTIONS_NO_PORT,
        .workers = 0, /* one per processor: see options_read */
        .long_workers = 0,
        .max_connections = 4096,
        .io_threads = 1,
        .cors_origin = "*",
        .head_timeout = 10,
        .body_timeout = 30,
        .send_timeout = 30,
        .max_wait = 10,
        .drain_delay = 0,
        .drain_timeout = 10,
        .log_level = LOG_LEVEL_INFO,
        .short_workspace = QUEUE_SHORT_WORKSPACE,
        .kernel_buffers = SOCKET_KERNEL_BYTES,
        .from = FORMAT_NONE,
        .to = FORMAT_NONE,
        .seed = 1,
        .count = 1,
        .order = {.rows = MAKER_UNSET,
                  .cols = MAKER_UNSET,
                  .turn = MAKER_NO_TURN,
                  .size = MAKER_UNSET,
                  .moves = MAKER_UNSET},
        .made = FORMAT_LINES,
    };
    api_add_limits(&options.limits);
    limits_add(&options.limits, &queue_limits);
    return options;
}

/* `source` is the name of the option as the user wrote it, "--port" or "ARBITER_PORT", for messages. */
static bool set_string(const char **target, const struct option *option, const char *source, const char *text) {
    const char *wrong;
    size_t length;
    bool good = option->check == NULL || option->check(text, &wrong, &length);
    if (good)
        *target = text;
    else if (length == 0 && option->check == cors_check)
        message_print("%s contains no origin; use \"*\" to allow all", source);
    else
        message_print("%s contains \"%.*s\"%s", source, (int)length, wrong, option->needed);
    return good;
}

/* The value that word `w` of a choice stands for. */
static unsigned value_of_word(const struct option *option, unsigned w) {
    return option->kind == KIND_FORMAT ? format_named(option->words[w], strlen(option->words[w])) : w;
}

static bool set_choice(unsigned *target, const struct option *option, const char *source, const char *text) {
    unsigned w = 0;
    while (option->words[w] != NULL && strcasecmp(text, option->words[w]) != 0)
        w++;
    if (option->words[w] != NULL)
        *target = value_of_word(option, w);
    else
        message_print("%s is \"%s\"; it must be %s", source, text, words_list(option->words, "", " or ").text);
    return option->words[w] != NULL;
}

static bool set_flag(bool *target, const char *source, const char *text) {
    static const char *const words[] = {"false", "0", "true", "1", NULL};
    int word = words_find(words, text, strlen(text));
    if (word < 0)
        message_print("%s is \"%s\"; it must be true or false", source, text);
    else
        *target = word >= 2;
    return word >= 0;
}

static bool set_number(uint64_t *target, const struct option *option, const char *source, const char *text) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!ascii_is_digit(*text) || *end != 0 || errno != 0 || value < option->min || value > option->max) {
        message_print("%s is \"%s\"; it must be an integer between %llu and %llu", source, text,
                      (unsigned long long)option->min, (unsigned long long)option->max);
        return false;
    }
    *target = value;
    return true;
}

/* Get the bytes of "512M", "512Mi", "512MiB", "512MB" or "536870912", all in powers of 1024, as systemd and compose
 * read them. Returns 0 if the text is invalid. */
static uint64_t bytes_of(const char *text) {
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end != 0 ? strchr(units, toupper((unsigned char)*end)) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    end += unit != NULL;
    end += unit != NULL && *end == 'i';
    end += unit != NULL && (*end == 'B' || *end == 'b');
    bool good = ascii_is_digit(*text) && *end == 0 && errno == 0 && value <= LIMIT_MAX >> shift;
    return good ? (uint64_t)value << shift : 0;
}

static bool set_memory(uint64_t *target, const char *source, const char *text) {
    bool is_none = strcmp(text, "none") == 0;
    *target = strcmp(text, "auto") == 0 ? OPTIONS_MEMORY_AUTO : bytes_of(text);
    if (*target == 0 && !is_none)
        message_print("%s is \"%s\"; it must be auto, none, or a number of bytes such as 512M or 2G", source, text);
    return *target != 0 || is_none;
}

static bool set(struct options *options, const struct option *option, const char *source, const char *text) {
    void *target = (char *)options + option->offset;
    if (*text == 0) {
        message_print("%s is empty; leave it out to get the default", source);
        return false;
    }
    switch (option->kind) {
    case KIND_STRING:
        return set_string(target, option, source, text);
    case KIND_NUMBER:
        return set_number(target, option, source, text);
    case KIND_MEMORY:
        return set_memory(target, source, text);
    case KIND_CHOICE:
    case KIND_FORMAT:
        return set_choice(target, option, source, text);
    case KIND_FLAG:
        return set_flag(target, source, text);
    }
    return false;
}

void options_format_name(const char *name, bool as_option, char ret_text[OPTIONS_NAME]) {
    snprintf(ret_text, OPTIONS_NAME, "%s%s", as_option ? "--" : "ARBITER_", name);
    for (char *c = ret_text + (as_option ? 2 : 8); *c != 0; c++)
        *c = as_option ? (*c == '_' ? '-' : *c) : (char)toupper((unsigned char)*c);
}

/* The chosen word of an option with a choice; NULL if none was chosen. */
static const char *chosen_word(const struct option *option, const unsigned *value) {
    unsigned w = 0;
    while (option->words[w] != NULL && value_of_word(option, w) != *value)
        w++;
    return option->words[w];
}

/* The value of an option as text, which may be stored in `digits`. If the value is determined at startup, the text says
 * how. */
static const char *value_of(const struct option *option, const struct options *options, char digits[OPTIONS_DIGITS]) {
    const void *value = (const char *)options + option->offset;
    const char *text = NULL;
    switch (option->kind) {
    case KIND_NUMBER: {
        uint64_t number = *(const uint64_t *)value;
        snprintf(digits, OPTIONS_DIGITS, "%llu", (unsigned long long)number);
        text = number >= option->min && number <= option->max ? digits : NULL;
        break;
    }
    case KIND_MEMORY:
        snprintf(digits, OPTIONS_DIGITS, "%llu", (unsigned long long)*(const uint64_t *)value);
        text = *(const uint64_t *)value != 0 ? digits : NULL;
        break;
    case KIND_FLAG:
        text = *(const bool *)value ? "true" : "false";
        break;
    case KIND_CHOICE:
    case KIND_FORMAT:
        text = chosen_word(option, value);
        break;
    case KIND_STRING:
        text = *(const char *const *)value;
        break;
    }
    return text != NULL ? text : option->default_value;
}

/* Give an option its default in the public profile. */
static void set_public(struct options *options, const struct option *option) {
    if (option->public == 0)
        return;
    ASSERT(option->kind == KIND_NUMBER);
    *(uint64_t *)((char *)options + option->offset) = option->public;
}

bool options_describe(const struct options *options, enum options_command command, size_t *at,
                      struct option_text *ret_text) {
    const struct options defaults = options_default();
    struct options public = defaults;
    struct option option = {.commands = 0};
    char digits[OPTIONS_DIGITS];
    if (options == NULL)
        options = &defaults;
    while (*at < option_count(options) && !is_option_of(&option, command))
        option = option_at(options, (*at)++);
    if (!is_option_of(&option, command))
        return false;
    *ret_text = (struct option_text){
        .id = option.name,
        .commands = option.commands,
        .advanced = option.advanced,
        .is_of_server = option.is_of_server,
    };
    options_format_name(option.name, true, ret_text->name);
    options_format_name(option.name, false, ret_text->variable);
    bool is_format = option.kind == KIND_FORMAT;
    snprintf(ret_text->meaning, sizeof ret_text->meaning, "%s%s%s", option.meaning, is_format ? ": " : "",
             is_format ? words_list(option.words, "", " or ").text : "");
    set_public(&public, &option);
    ret_text->value = value_of(&option, options, ret_text->digits);
    const char *in_public = value_of(&option, &public, digits);
    if (strcmp(ret_text->value, in_public) != 0)
        snprintf(ret_text->public, sizeof ret_text->public, "%s", in_public);
    return true;
}

const char *options_nearest(enum options_command commands, bool as_argument, const char *name, size_t length) {
    enum { WORDS = sizeof option_words / sizeof *option_words };
    const struct options defaults = options_default();
    const char *names[MAX_OPTIONS + WORDS + 1];
    size_t count = 0;
    for (size_t i = 0; i < option_count(&defaults); i++) {
        struct option option = option_at(&defaults, i);
        if (is_option_of(&option, commands))
            names[count++] = option.name;
    }
    for (size_t w = 0; as_argument && w < WORDS; w++)
        names[count++] = option_words[w].name + strlen("--");
    names[count] = NULL;
    return words_nearest(names, name, length);
}

bool options_is_injected(const char *variable, const char *value) {
    return strstr(value, "://") != NULL && strcmp(variable, "ARBITER_CORS_ORIGIN") != 0;
}

/* Read the variables of the options that were not given as arguments, and note which are set. */
static bool read_environment(enum options_command command, struct options *options, bool *given) {
    for (size_t i = 0; i < option_count(options); i++) {
        struct option option = option_at(options, i);
        char name[OPTIONS_NAME];
        options_format_name(option.name, false, name);
        bool reads = !given[i] && is_option_of(&option, command) && command != OPTIONS_MAKE;
        const char *text = reads ? getenv(name) : NULL;
        if (text == NULL || options_is_injected(name, text))
            continue;
        if (!set(options, &option, name, text))
            return false;
        given[i] = true;
    }
    return true;
}

/* Find the command's option named by an argument, whose name ends at an equals sign. Returns the number of options if
 * there is none. */
static size_t find_option(enum options_command command, const struct options *options, const char *argument,
                          char ret_name[OPTIONS_NAME]) {
    size_t length = strcspn(argument, "="), i = 0;
    for (; i < option_count(options); i++) {
        struct option option = option_at(options, i);
        options_format_name(option.name, true, ret_name);
        if (is_option_of(&option, command) && strlen(ret_name) == length && memcmp(ret_name, argument, length) == 0)
            break;
    }
    return i;
}

/* Is this an operand? Only solve and make have any. */
static bool is_operand(enum options_command command, const char *argument) {
    return (command == OPTIONS_SOLVE || command == OPTIONS_MAKE) && (*argument != '-' || strcmp(argument, "-") == 0);
}

/* Print a message against an argument that is not an option of the command. Returns false. */
static bool refuse_argument(enum options_command command, const char *argument) {
    char meant[OPTIONS_NAME];
    const char *name = argument + strspn(argument, "-");
    const char *nearest = name != argument ? options_nearest(command, true, name, strcspn(name, "=")) : NULL;
    if (nearest != NULL) {
        options_format_name(nearest, true, meant);
        message_print("unknown option \"%s\"; did you mean %s?", argument, meant);
    } else {
        message_print("%s \"%s\"; see %s", name != argument ? "unknown option" : "unexpected argument", argument,
                      command == OPTIONS_SOLVE ? "arbiter help solve" : "--help");
    }
    return false;
}

/* Read the option at *at, and move *at to its last argument. */
static bool read_option(enum options_command command, struct options *options, int count, char **arguments, int *at,
                        bool *given) {
    const char *argument = arguments[*at];
    char name[OPTIONS_NAME];
    size_t index = find_option(command, options, argument, name);
    if (index == option_count(options))
        return refuse_argument(command, argument);
    struct option option = option_at(options, index);
    const char *value = strchr(argument, '=');
    given[index] = true;
    if (option.kind == KIND_FLAG && value == NULL)
        return set_flag((bool *)((char *)options + option.offset), name, "true");
    if (value == NULL && *at + 1 == count) {
        message_print("%s needs a value", name);
        return false;
    }
    return set(options, &option, name, value != NULL ? value + 1 : arguments[++*at]);
}

/* Read the options, note which were given, and move the operands to the front. */
static bool read_arguments(enum options_command command, struct options *options, int count, char **arguments,
                           bool *given) {
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        if (only_operands || is_operand(command, arguments[i]))
            arguments[options->operands++] = arguments[i];
        else if (command == OPTIONS_SOLVE && strcmp(arguments[i], "--") == 0)
            only_operands = true;
        else if (!read_option(command, options, count, arguments, &i, given))
            return false;
    }
    return true;
}

/* The options that --memory derives. */
static const char *const derived[] = {"workers",        "long_workers",    "max_connections",  "max_inflight_bytes",
                                      "max_body_bytes", "max_json_values", "max_answer_bytes", "max_search_states"};
_Static_assert(sizeof derived / sizeof *derived == OPTIONS_DERIVED, "there is a name for each derived option");

/* Record which options --memory derives, because they were not given. */
static void note_derived(struct options *options, const bool *given) {
    size_t count = 0;
    for (size_t i = 0; i < option_count(options) && options->memory != 0; i++)
        for (size_t d = 0; d < OPTIONS_DERIVED; d++)
            if (!given[i] && strcmp(option_at(options, i).name, derived[d]) == 0)
                options->derived[count++] = derived[d];
}

uint64_t *options_number(struct options *options, const char *name) {
    size_t i = 0;
    while (strcmp(option_at(options, i).name, name) != 0)
        i++;
    ASSERT(option_at(options, i).kind == KIND_NUMBER);
    return (uint64_t *)((char *)options + option_at(options, i).offset);
}

enum options_result options_read(enum options_command command, int count, char **arguments,
                                 struct options *ret_options) {
    bool given[MAX_OPTIONS] = {false};
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        for (size_t w = 0; w < option_word_count; w++)
            if (strcmp(arguments[i], option_words[w].name) == 0 ||
                (option_words[w].letter != NULL && strcmp(arguments[i], option_words[w].letter) == 0))
                return option_words[w].result;
    *ret_options = options_default();
    if (!read_arguments(command, ret_options, count, arguments, given) ||
        !read_environment(command, ret_options, given))
        return OPTIONS_BAD;
    for (size_t i = 0; ret_options->profile == OPTIONS_PUBLIC && i < option_count(ret_options); i++) {
        struct option option = option_at(ret_options, i);
        if (!given[i])
            set_public(ret_options, &option);
    }
    if (ret_options->workers == 0) {
        size_t processors = machine_processors();
        ret_options->workers = processors < MAX_WORKERS ? processors : MAX_WORKERS;
    }
    if (ret_options->long_workers == 0)
        ret_options->long_workers = (ret_options->workers + 1) / 2;
    note_derived(ret_options, given);
    if (command == OPTIONS_SERVE && ret_options->port != 0 && ret_options->port == ret_options->ops_port) {
        message_print("--port and --ops-port are both %u; they must be different", (unsigned)ret_options->port);
        return OPTIONS_BAD;
    }
    return OPTIONS_GOOD;
}

const struct game *options_game(const char *command, const struct options *options, char **operands) {
    const char *paths[MAX_GAMES + 1] = {NULL}, *meant;
    char path[OPTIONS_NAME];
    if (options->operands == 0) {
        message_print("missing game: pawn, go or mine (see arbiter help %s)", command);
        return NULL;
    }
    for (size_t g = 0; g < game_count; g++) {
        if (strcmp(operands[0], games[g]->name) == 0)
            return games[g];
        ASSERT(g < MAX_GAMES);
        paths[g] = games[g]->path; /* of which synonyms are known */
    }
    snprintf(path, sizeof path, "/%s", operands[0]);
    if ((meant = words_nearest(paths, path, strlen(path))) != NULL)
        message_print("unknown game \"%s\"; did you mean \"%s\"?", operands[0], meant + 1);
    else
        message_print("unknown game \"%s\"; it must be pawn, go or mine (see arbiter help %s)", operands[0], command);
    return NULL;
}
