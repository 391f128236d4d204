#include "api/command/environment.h"

#include "api/command/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = "ARBITER_";

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

/* The edit distance of two names: the least number of bytes to insert, delete or replace (Levenshtein, 1966). */
static size_t distance(const char *name, size_t length, const char *variable) {
    size_t row[sizeof((struct option_text *)NULL)->variable], width = strlen(variable);
    for (size_t v = 0; v <= width; v++)
        row[v] = v;
    for (size_t n = 0; n < length; n++) {
        size_t diagonal = row[0];
        row[0] = n + 1;
        for (size_t v = 0; v < width; v++) {
            size_t replaced = diagonal + (name[n] != variable[v]);
            diagonal = row[v + 1];
            row[v + 1] = min(replaced, 1 + min(row[v], row[v + 1]));
        }
    }
    return row[width];
}

/* Find the option whose variable has the least edit distance to a name; of several the first. Returns the distance. */
static size_t find_nearest(const char *name, size_t length, struct option_text *ret_nearest) {
    struct option_text option;
    size_t best = SIZE_MAX;
    for (size_t i = 0; options_describe(OPTIONS_SERVE | OPTIONS_HEALTH | OPTIONS_SOLVE, i, &option); i++) {
        size_t far = distance(name, length, option.variable);
        if (far < best) {
            best = far;
            *ret_nearest = option;
        }
    }
    return best;
}

void environment_warn(struct log *log) {
    for (char **entry = environ; *entry != NULL; entry++) {
        struct option_text nearest;
        const char *equals = strchr(*entry, '=');
        char reason[512];
        if (equals == NULL || strncmp(*entry, prefix, sizeof prefix - 1) != 0)
            continue;
        size_t length = (size_t)(equals - *entry);
        bool injected = options_is_injected(equals + 1);
        if (find_nearest(*entry, length, &nearest) == 0 && !injected)
            continue;
        snprintf(reason, sizeof reason, "%.*s is ignored: %s; the nearest variable of an option is %s",
                 (int)min(length, 200), *entry,
                 injected ? "its value begins with tcp://, as Kubernetes sets it for a Service" : "no option has it",
                 nearest.variable);
        log_text(log, LOG_LEVEL_WARN, "variable-ignored", "reason", reason);
    }
}
