#include "api/command/config.h"

#include "api/command/version.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { KIND_STRING, KIND_NUMBER, KIND_LOG_LEVEL };

/* One option. Those for the limits are made from the table of limits. */
struct option {
    const char *name; /* with underscores */
    const char *meaning;
    enum kind kind;
    uint64_t least, most; /* KIND_NUMBER */
    size_t offset;        /* in struct config */
};

static const struct option options[] = {
    {"listen", "address to listen on", KIND_STRING, 0, 0, offsetof(struct config, listen)},
    {"port", "TCP port; 0 takes a free one", KIND_NUMBER, 0, 65535, offsetof(struct config, port)},
    {"workers", "threads that solve what is not small", KIND_NUMBER, 1, 1024, offsetof(struct config, workers)},
    {"cors_origin", "origins that browsers may call from: *, or a list with commas", KIND_STRING, 0, 0,
     offsetof(struct config, cors_origin)},
    {"head_timeout", "seconds for the head of a request, and between two requests", KIND_NUMBER, 1, 86400,
     offsetof(struct config, head_timeout)},
    {"body_timeout", "seconds for the body of a request", KIND_NUMBER, 1, 86400, offsetof(struct config, body_timeout)},
    {"drain_delay", "seconds between SIGTERM and the end of listening", KIND_NUMBER, 0, 86400,
     offsetof(struct config, drain_delay)},
    {"drain_timeout", "seconds for what is in flight then", KIND_NUMBER, 0, 86400,
     offsetof(struct config, drain_timeout)},
    {"log_level", "error, warn, info or debug", KIND_LOG_LEVEL, 0, 0, offsetof(struct config, log_level)},
};

enum { OWN_OPTIONS = sizeof options / sizeof *options };

static size_t option_count(void) { return OWN_OPTIONS + api_limit_count; }

static struct option option_at(size_t index) {
    if (index < OWN_OPTIONS)
        return options[index];
    const struct api_limit *limit = &api_limit_table[index - OWN_OPTIONS];
    return (struct option){limit->name, limit->meaning, KIND_NUMBER,
                           1,           limit->most,    offsetof(struct config, limits) + limit->offset};
}

static struct config standard(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct config){
        .listen = "127.0.0.1",
        .port = 8080,
        .workers = processors > 0 && processors <= 1024 ? (uint64_t)processors : 1,
        .cors_origin = "*",
        .head_timeout = 10,
        .body_timeout = 30,
        .drain_delay = 0,
        .drain_timeout = 10,
        .log_level = LOG_INFO,
        .limits = api_limits_standard(),
    };
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

/* `source` is how the user called it: "--port", "ARBITER_PORT". */
static bool set(struct config *config, const struct option *option, const char *source, const char *text) {
    void *target = (char *)config + option->offset;
    uint64_t value;
    switch (option->kind) {
    case KIND_STRING:
        if (*text == 0) {
            fprintf(stderr, "arbiter: %s is empty\n", source);
            return false;
        }
        *(const char **)target = text;
        return true;
    case KIND_NUMBER:
        if (!read_number(text, &value) || value < option->least || value > option->most) {
            fprintf(stderr, "arbiter: %s is \"%s\"; it must be an integer from %llu to %llu\n", source, text,
                    (unsigned long long)option->least, (unsigned long long)option->most);
            return false;
        }
        *(uint64_t *)target = value;
        return true;
    case KIND_LOG_LEVEL:
        for (unsigned level = 0; log_level_names[level] != NULL; level++)
            if (strcmp(text, log_level_names[level]) == 0) {
                *(enum log_level *)target = (enum log_level)level;
                return true;
            }
        fprintf(stderr, "arbiter: %s is \"%s\"; it must be %s\n", source, text, option->meaning);
        return false;
    }
    return false;
}

/* "max_cases" as "--max-cases" or "ARBITER_MAX_CASES". */
static void spell(const char *name, bool as_option, char *ret_text, size_t size) {
    snprintf(ret_text, size, "%s%s", as_option ? "--" : "ARBITER_", name);
    for (char *c = ret_text + (as_option ? 2 : 8); *c != 0; c++)
        *c = as_option ? (*c == '_' ? '-' : *c) : (char)toupper((unsigned char)*c);
}

static void print_value(const struct config *config, const struct option *option) {
    const void *value = (const char *)config + option->offset;
    switch (option->kind) {
    case KIND_STRING:
        printf("%s", *(const char *const *)value);
        break;
    case KIND_NUMBER:
        printf("%llu", (unsigned long long)*(const uint64_t *)value);
        break;
    case KIND_LOG_LEVEL:
        printf("%s", log_level_names[*(const enum log_level *)value]);
        break;
    }
}

static void print_help(void) {
    struct config defaults = standard();
    printf("Usage: arbiter [--OPTION VALUE]...\n\nExact answers about three board games, over HTTP.\n\n"
           "Each option may stand in the environment too: --max-cases as ARBITER_MAX_CASES.\n\n");
    for (size_t i = 0; i < option_count(); i++) {
        struct option option = option_at(i);
        char name[64];
        spell(option.name, true, name, sizeof name);
        printf("  %-25s %s [", name, option.meaning);
        print_value(&defaults, &option);
        printf("]\n");
    }
    printf("  %-25s print this and leave\n  %-25s print the version and leave\n", "--help", "--version");
}

static bool read_environment(struct config *config) {
    for (size_t i = 0; i < option_count(); i++) {
        struct option option = option_at(i);
        char name[64];
        spell(option.name, false, name, sizeof name);
        const char *text = getenv(name);
        if (text != NULL && !set(config, &option, name, text))
            return false;
    }
    return true;
}

/* The option that an argument names, up to its end or an equals sign. */
static bool find_option(const char *argument, struct option *ret_option, char *ret_name, size_t size) {
    size_t length = strcspn(argument, "=");
    for (size_t i = 0; i < option_count(); i++) {
        *ret_option = option_at(i);
        spell(ret_option->name, true, ret_name, size);
        if (strlen(ret_name) == length && memcmp(ret_name, argument, length) == 0)
            return true;
    }
    return false;
}

enum config_result config_read(int count, char **arguments, struct config *ret_config) {
    *ret_config = standard();
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            print_help();
            return CONFIG_DONE;
        }
        if (strcmp(arguments[i], "--version") == 0) {
            printf("arbiter %s (%s)\n", ARBITER_VERSION, arbiter_commit);
            return CONFIG_DONE;
        }
    }
    if (!read_environment(ret_config))
        return CONFIG_BAD;
    for (int i = 1; i < count; i++) {
        struct option option;
        char name[64];
        if (!find_option(arguments[i], &option, name, sizeof name)) {
            fprintf(stderr, "arbiter: \"%s\" is no option; --help lists all\n", arguments[i]);
            return CONFIG_BAD;
        }
        const char *value = strchr(arguments[i], '=');
        if (value == NULL && i + 1 == count) {
            fprintf(stderr, "arbiter: %s needs a value\n", name);
            return CONFIG_BAD;
        }
        if (!set(ret_config, &option, name, value != NULL ? value + 1 : arguments[++i]))
            return CONFIG_BAD;
    }
    return CONFIG_RUN;
}
