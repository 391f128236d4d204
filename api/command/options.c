#include "api/command/options.h"

#include "api/command/processors.h"
#include "api/request/cors.h"
#include "api/request/service.h"
#include "api/work/queue.h"
#include "base/assert.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_STRING, KIND_ADDRESS, KIND_ORIGINS, KIND_NUMBER, KIND_LOG_LEVEL, KIND_FORMAT };

/* One option. Those for the limits are made from their rows. */
struct option {
    const char *name; /* with underscores */
    const char *meaning;
    enum kind kind;
    uint64_t least, most;   /* KIND_NUMBER */
    const char *choices[4]; /* KIND_FORMAT */
    size_t offset;          /* in struct options */
    const char *standard;   /* the default in words, where it is no fixed value; else NULL */
    unsigned takers;        /* an or of enum options_taker */
};

enum { MOST_WORKERS = 1024, DAY = 86400 /* seconds */ };

#define IN_OPTIONS(member) .offset = offsetof(struct options, member)

static const struct option table[] = {
    {.name = "listen",
     .meaning = "address to listen on",
     .kind = KIND_STRING,
     IN_OPTIONS(listen),
     .takers = OPTIONS_SERVE | OPTIONS_HEALTH},
    {.name = "port",
     .meaning = "TCP port; 0 takes a free one",
     .kind = KIND_NUMBER,
     .most = 65535,
     IN_OPTIONS(port),
     .takers = OPTIONS_SERVE | OPTIONS_HEALTH},
    {.name = "ops_port",
     .meaning = "TCP port for probes and metrics alone, by a thread of its own; 0 takes a free one",
     .kind = KIND_NUMBER,
     .most = 65535,
     IN_OPTIONS(ops_port),
     .standard = "none",
     .takers = OPTIONS_SERVE | OPTIONS_HEALTH},
    {.name = "workers",
     .meaning = "threads that solve what is not small",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = MOST_WORKERS,
     IN_OPTIONS(workers),
     .standard = "one for each processor that it may use",
     .takers = OPTIONS_SERVE | OPTIONS_SOLVE},
    {.name = "long_workers",
     .meaning = "threads more, at a lower priority, for cases that take long",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = MOST_WORKERS,
     IN_OPTIONS(long_workers),
     .standard = "half as many, at least one",
     .takers = OPTIONS_SERVE | OPTIONS_SOLVE},
    {.name = "max_connections",
     .meaning = "clients that are connected at once; fewer, where descriptors are fewer",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = 1000000,
     IN_OPTIONS(max_connections),
     .takers = OPTIONS_SERVE},
    {.name = "cors_origin",
     .meaning = "origins that browsers may call from: *, or a list with commas",
     .kind = KIND_ORIGINS,
     IN_OPTIONS(cors_origin),
     .takers = OPTIONS_SERVE},
    {.name = "head_timeout",
     .meaning = "seconds for the head of a request, and between two requests",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = DAY,
     IN_OPTIONS(head_timeout),
     .takers = OPTIONS_SERVE},
    {.name = "body_timeout",
     .meaning = "seconds for the body of a request",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = DAY,
     IN_OPTIONS(body_timeout),
     .takers = OPTIONS_SERVE},
    {.name = "send_timeout",
     .meaning = "seconds over which a reader must take 1 KiB a second on average",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = DAY,
     IN_OPTIONS(send_timeout),
     .takers = OPTIONS_SERVE},
    {.name = "max_wait",
     .meaning = "seconds that a request may wait for its first turn",
     .kind = KIND_NUMBER,
     .least = 1,
     .most = DAY,
     IN_OPTIONS(max_wait),
     .takers = OPTIONS_SERVE},
    {.name = "trusted_proxy",
     .meaning = "address whose X-Forwarded-For the log believes",
     .kind = KIND_ADDRESS,
     IN_OPTIONS(trusted_proxy),
     .standard = "none",
     .takers = OPTIONS_SERVE},
    {.name = "drain_delay",
     .meaning = "seconds between SIGTERM and the end of listening",
     .kind = KIND_NUMBER,
     .most = DAY,
     IN_OPTIONS(drain_delay),
     .takers = OPTIONS_SERVE},
    {.name = "drain_timeout",
     .meaning = "seconds for what is in flight then",
     .kind = KIND_NUMBER,
     .most = DAY,
     IN_OPTIONS(drain_timeout),
     .takers = OPTIONS_SERVE},
    {.name = "log_level",
     .meaning = "error, warn, info or debug",
     .kind = KIND_LOG_LEVEL,
     IN_OPTIONS(log_level),
     .takers = OPTIONS_SERVE},
    {.name = "from",
     .meaning = "what the files hold: json, ndjson, text or sgf",
     .kind = KIND_FORMAT,
     .choices = {"json", "ndjson", "text", "sgf"},
     IN_OPTIONS(from),
     .standard = "by the ending, else by the first byte",
     .takers = OPTIONS_SOLVE},
    {.name = "to",
     .meaning = "what is written: json, ndjson, text or svg",
     .kind = KIND_FORMAT,
     .choices = {"json", "ndjson", "text", "svg"},
     IN_OPTIONS(to),
     .standard = "json for json and sgf, else the same",
     .takers = OPTIONS_SOLVE},
    {.name = "game",
     .meaning = "of SGF files: which game, from 1, or all",
     .kind = KIND_STRING,
     IN_OPTIONS(game),
     .standard = "1",
     .takers = OPTIONS_SOLVE},
    {.name = "ko",
     .meaning = "of SGF files: positional, situational, simple or none",
     .kind = KIND_STRING,
     IN_OPTIONS(ko),
     .standard = "as the record's RU says",
     .takers = OPTIONS_SOLVE},
    {.name = "suicide",
     .meaning = "of SGF files: true or false",
     .kind = KIND_STRING,
     IN_OPTIONS(suicide),
     .standard = "as the record's RU says",
     .takers = OPTIONS_SOLVE},
    {.name = "include",
     .meaning = "of SGF files: parts of the result, with commas",
     .kind = KIND_STRING,
     IN_OPTIONS(include),
     .standard = "none",
     .takers = OPTIONS_SOLVE},
};

enum { OWN_OPTIONS = sizeof table / sizeof *table, MOST_OPTIONS = OWN_OPTIONS + LIMITS_VALUES };

static bool is_taken(const struct option *option, enum options_taker taker) { return (option->takers & taker) != 0; }

static size_t option_count(const struct options *options) { return OWN_OPTIONS + options->limits.count; }

static struct option option_at(const struct options *options, size_t index) {
    ASSERT(index < option_count(options));
    if (index < OWN_OPTIONS)
        return table[index];
    size_t limit = index - OWN_OPTIONS;
    const struct limit *row = limits_row(&options->limits, limit);
    /* A file is read as it comes, however large it is. */
    bool of_bodies = row == &request_limits.rows[offsetof(struct request_limits, max_body_bytes) / sizeof(uint64_t)];
    return (struct option){
        .name = row->name,
        .meaning = row->meaning,
        .kind = KIND_NUMBER,
        .least = 1,
        .most = row->most,
        .offset = offsetof(struct options, limits.value) + limit * sizeof options->limits.value[0],
        .takers = of_bodies ? OPTIONS_SERVE : OPTIONS_SERVE | OPTIONS_SOLVE,
    };
}

struct options options_standard(void) {
    struct options options = {
        .listen = "127.0.0.1",
        .port = 8080,
        .ops_port = OPTIONS_NO_PORT,
        .workers = 0, /* as many as there are processors: see options_read */
        .long_workers = 0,
        .max_connections = 4096,
        .cors_origin = "*",
        .head_timeout = 10,
        .body_timeout = 30,
        .send_timeout = 30,
        .max_wait = 10,
        .drain_delay = 0,
        .drain_timeout = 10,
        .log_level = LOG_LEVEL_INFO,
        .from = FORMAT_NONE,
        .to = FORMAT_NONE,
    };
    service_add_limits(&options.limits);
    limits_add(&options.limits, &queue_limits);
    return options;
}

/* Decimal digits only; false for anything else and for what does not fit. */
static bool read_number(const char *text, uint64_t *ret_value) {
    uint64_t value = 0;
    if (*text == 0)
        return false;
    for (; *text != 0; text++)
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return false;
    *ret_value = value;
    return true;
}

/* What a value may be is said by `source`, how the user called the option: "--port", "ARBITER_PORT". */
static bool set_origins(const char **target, const char *source, const char *text) {
    const char *wrong;
    size_t length;
    if (!cors_check(text, &wrong, &length)) {
        if (length == 0)
            fprintf(stderr, "arbiter: %s names no origin; \"*\" allows any\n", source);
        else
            fprintf(stderr,
                    "arbiter: %s has \"%.*s\", which is no origin; it must be \"*\" alone, or origins as browsers send "
                    "them, separated by commas: scheme, host and port in small letters and without a path "
                    "(https://a.example, http://localhost:3000)\n",
                    source, (int)length, wrong);
        return false;
    }
    *target = text;
    return true;
}

static bool set_address(const char **target, const char *source, const char *text) {
    unsigned char bytes[16];
    if (inet_pton(AF_INET, text, bytes) != 1 && inet_pton(AF_INET6, text, bytes) != 1) {
        fprintf(stderr, "arbiter: %s is \"%s\"; it must be an address (192.0.2.1, 2001:db8::1)\n", source, text);
        return false;
    }
    *target = text;
    return true;
}

static bool set_level(enum log_level *target, const char *source, const char *text) {
    for (unsigned level = 0; log_level_names[level] != NULL; level++)
        if (strcmp(text, log_level_names[level]) == 0) {
            *target = (enum log_level)level;
            return true;
        }
    fprintf(stderr, "arbiter: %s is \"%s\"; it must be error, warn, info or debug\n", source, text);
    return false;
}

static bool set_format(enum format *target, const struct option *option, const char *source, const char *text) {
    static const char *const names[FORMATS] = {[FORMAT_JSON] = "json",
                                               [FORMAT_TEXT] = "text",
                                               [FORMAT_SVG] = "svg",
                                               [FORMAT_LINES] = "ndjson",
                                               [FORMAT_SGF] = "sgf"};
    const char *const *choices = option->choices;
    for (int c = 0; c < 4; c++)
        for (int format = 0; format < FORMATS; format++)
            if (strcmp(text, choices[c]) == 0 && strcmp(text, names[format]) == 0) {
                *target = (enum format)format;
                return true;
            }
    fprintf(stderr, "arbiter: %s is \"%s\"; it must be %s, %s, %s or %s\n", source, text, choices[0], choices[1],
            choices[2], choices[3]);
    return false;
}

static bool set_number(uint64_t *target, const struct option *option, const char *source, const char *text) {
    uint64_t value;
    if (!read_number(text, &value) || value < option->least || value > option->most) {
        fprintf(stderr, "arbiter: %s is \"%s\"; it must be an integer from %llu to %llu\n", source, text,
                (unsigned long long)option->least, (unsigned long long)option->most);
        return false;
    }
    *target = value;
    return true;
}

static bool set(struct options *options, const struct option *option, const char *source, const char *text) {
    void *target = (char *)options + option->offset;
    if (*text == 0) {
        fprintf(stderr, "arbiter: %s is empty\n", source);
        return false;
    }
    switch (option->kind) {
    case KIND_STRING:
        *(const char **)target = text;
        return true;
    case KIND_ADDRESS:
        return set_address(target, source, text);
    case KIND_ORIGINS:
        return set_origins(target, source, text);
    case KIND_NUMBER:
        return set_number(target, option, source, text);
    case KIND_LOG_LEVEL:
        return set_level(target, source, text);
    case KIND_FORMAT:
        return set_format(target, option, source, text);
    }
    return false;
}

/* "max_cases" as "--max-cases" or "ARBITER_MAX_CASES". */
static void spell(const char *name, bool as_option, char *ret_text, size_t size) {
    snprintf(ret_text, size, "%s%s", as_option ? "--" : "ARBITER_", name);
    for (char *c = ret_text + (as_option ? 2 : 8); *c != 0; c++)
        *c = as_option ? (*c == '_' ? '-' : *c) : (char)toupper((unsigned char)*c);
}

/* The default of an option in words. */
static void spell_standard(const struct option *option, const struct options *standard, char *ret_text, size_t size) {
    const void *value = (const char *)standard + option->offset;
    if (option->standard != NULL)
        snprintf(ret_text, size, "%s", option->standard);
    else if (option->kind == KIND_NUMBER)
        snprintf(ret_text, size, "%llu", (unsigned long long)*(const uint64_t *)value);
    else
        snprintf(ret_text, size, "%s",
                 option->kind == KIND_LOG_LEVEL ? log_level_names[*(const enum log_level *)value]
                                                : *(const char *const *)value);
}

bool options_spell(enum options_taker taker, size_t index, struct option_text *ret_text) {
    struct options standard = options_standard();
    for (size_t i = 0; i < option_count(&standard); i++) {
        struct option option = option_at(&standard, i);
        if (!is_taken(&option, taker) || index-- != 0)
            continue;
        spell(option.name, true, ret_text->name, sizeof ret_text->name);
        spell(option.name, false, ret_text->variable, sizeof ret_text->variable);
        ret_text->meaning = option.meaning;
        ret_text->takers = option.takers;
        spell_standard(&option, &standard, ret_text->standard, sizeof ret_text->standard);
        return true;
    }
    return false;
}

/* Read the variables of those options that were not given. */
static bool read_environment(enum options_taker taker, struct options *options, const bool *given) {
    for (size_t i = 0; i < option_count(options); i++) {
        struct option option = option_at(options, i);
        char name[64];
        spell(option.name, false, name, sizeof name);
        const char *text = given[i] || !is_taken(&option, taker) ? NULL : getenv(name);
        if (text != NULL && !set(options, &option, name, text))
            return false;
    }
    return true;
}

/* Which option that is taken an argument names, up to its end or an equals sign; their count when it names none. */
static size_t find_option(enum options_taker taker, const struct options *options, const char *argument, char *ret_name,
                          size_t size) {
    size_t length = strcspn(argument, "="), i = 0;
    for (; i < option_count(options); i++) {
        struct option option = option_at(options, i);
        spell(option.name, true, ret_name, size);
        if (is_taken(&option, taker) && strlen(ret_name) == length && memcmp(ret_name, argument, length) == 0)
            break;
    }
    return i;
}

/* Is this no option, and wanted? Of the service, and of health, nothing else is. */
static bool is_operand(enum options_taker taker, const char *argument) {
    return taker == OPTIONS_SOLVE && (*argument != '-' || strcmp(argument, "-") == 0);
}

/* Read the option at *at, and move on to its last argument. */
static bool read_option(enum options_taker taker, struct options *options, int count, char **arguments, int *at,
                        bool *given) {
    const char *argument = arguments[*at];
    char name[64];
    size_t index = find_option(taker, options, argument, name, sizeof name);
    if (index == option_count(options)) {
        fprintf(stderr, "arbiter: \"%s\" is no option; --help lists all\n", argument);
        return false;
    }
    const char *value = strchr(argument, '=');
    if (value == NULL && *at + 1 == count) {
        fprintf(stderr, "arbiter: %s needs a value\n", name);
        return false;
    }
    struct option option = option_at(options, index);
    given[index] = true;
    return set(options, &option, name, value != NULL ? value + 1 : arguments[++*at]);
}

/* Read the options, note which were given, and move what is no option to the front. */
static bool read_arguments(enum options_taker taker, struct options *options, int count, char **arguments,
                           bool *given) {
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        if (only_operands || is_operand(taker, arguments[i]))
            arguments[options->operands++] = arguments[i];
        else if (taker == OPTIONS_SOLVE && strcmp(arguments[i], "--") == 0)
            only_operands = true;
        else if (!read_option(taker, options, count, arguments, &i, given))
            return false;
    }
    return true;
}

enum options_result options_read(enum options_taker taker, int count, char **arguments, struct options *ret_options) {
    static const struct {
        const char *name;
        enum options_result result;
    } words[] = {
        {"--help", OPTIONS_HELP}, {"-h", OPTIONS_HELP}, {"--version", OPTIONS_VERSION}, {"--man", OPTIONS_MAN}};
    bool given[MOST_OPTIONS] = {false};
    for (int i = 0; i < count && strcmp(arguments[i], "--") != 0; i++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (strcmp(arguments[i], words[w].name) == 0)
                return words[w].result;
    *ret_options = options_standard();
    if (!read_arguments(taker, ret_options, count, arguments, given) || !read_environment(taker, ret_options, given))
        return OPTIONS_BAD;
    if (ret_options->workers == 0) {
        size_t processors = processors_allowed();
        ret_options->workers = processors < MOST_WORKERS ? processors : MOST_WORKERS;
    }
    if (ret_options->long_workers == 0)
        ret_options->long_workers = (ret_options->workers + 1) / 2;
    return OPTIONS_GOOD;
}
