#include "api/go/parameters.h"

#include "api/game/limit.h"
#include "base/ascii.h"
#include "base/assert.h"

#include <string.h>

enum parameter { GAME, KO, SUICIDE, INCLUDE };

const char *const go_parameter_names[] = {
    [GAME] = "game", [KO] = "ko", [SUICIDE] = "suicide", [INCLUDE] = "include", NULL};

_Static_assert((int)INCLUDE < FORMAT_PARAMETERS, "a head has a number for each");

/* A part of a value. */
struct word {
    const char *text;
    size_t length;
};

/* Get the index of a word in `words`; -1 when it is not there. */
static int find(struct word word, const char *const *words) {
    for (int i = 0; words[i] != NULL; i++)
        if (ascii_equals(word.text, word.length, words[i]))
            return i;
    return -1;
}

/* Add the fault that a value is not allowed; `needed` says which are. */
static void add_fault(struct fault_list *faults, enum parameter which, struct word word, const char *needed) {
    const char *name = go_parameter_names[which];
    fault_in_query(faults, name, strlen(name), FAULT_VALUE, "%s is \"%s\"; it must be %s", name,
                   fault_quote(word.text, word.length).text, needed);
}

static void read_game(struct word word, struct fault_list *faults, uint64_t *ret_value) {
    uint64_t number = 0;
    if (ascii_equals(word.text, word.length, "all")) {
        *ret_value = GO_ALL_GAMES;
        return;
    }
    for (size_t i = 0; i < word.length; i++) {
        unsigned digit = (unsigned char)word.text[i] - (unsigned)'0';
        if (digit > 9) {
            add_fault(faults, GAME, word, "an integer or all");
            return;
        }
        if (number <= LIMIT_MAX)
            number = 10 * number + digit;
    }
    if (word.length == 0)
        add_fault(faults, GAME, word, "an integer or all");
    else if (number < 1 || number > LIMIT_MAX)
        fault_in_query(faults, "game", 4, FAULT_RANGE, "game is %s; it must be from 1 to %llu",
                       fault_quote(word.text, word.length).text, (unsigned long long)LIMIT_MAX);
    else
        *ret_value = number;
}

static void read_ko(struct word word, struct fault_list *faults, uint64_t *ret_value) {
    int ko = find(word, go_ko_words);
    if (ko < 0)
        add_fault(faults, KO, word, "positional, situational, simple or none");
    else
        *ret_value = (uint64_t)ko;
}

static void read_suicide(struct word word, struct fault_list *faults, uint64_t *ret_value) {
    static const char *const words[] = {"false", "true", NULL};
    int suicide = find(word, words);
    if (suicide < 0)
        add_fault(faults, SUICIDE, word, "true or false");
    else
        *ret_value = (uint64_t)suicide;
}

/* Read a list of parts with commas between them. An empty value has no parts. */
static void read_include(struct word word, struct fault_list *faults, uint64_t *ret_value) {
    const char *at = word.text, *end = at + word.length;
    *ret_value = 0;
    while (word.length != 0) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        struct word part = {at, (size_t)((comma != NULL ? comma : end) - at)};
        int index = find(part, go_include_words);
        if (index < 0)
            add_fault(faults, INCLUDE, part, "captured, boards or score, or several of them with commas between");
        else if (*ret_value >> index & 1)
            fault_in_query(faults, "include", 7, FAULT_VALUE, "the part \"%s\" is named twice",
                           go_include_words[index]);
        else
            *ret_value |= (uint64_t)1 << index;
        if (comma == NULL)
            return;
        at = comma + 1;
    }
}

void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults, uint64_t *ret_value) {
    static void (*const readers[])(struct word word, struct fault_list * faults, uint64_t * ret_value) = {
        [GAME] = read_game, [KO] = read_ko, [SUICIDE] = read_suicide, [INCLUDE] = read_include};
    ASSERT(which <= INCLUDE);
    readers[which]((struct word){value, length}, faults, ret_value);
}

static bool is_named(const struct format_parameters *parameters, enum parameter which) {
    return parameters->named >> which & 1;
}

void go_parameters_apply(const struct format_parameters *parameters, struct go_asked *ret_asked) {
    const uint64_t *value = parameters->value;
    *ret_asked = (struct go_asked){
        .include = (uint32_t)value[INCLUDE],
        .rules = {.ko = (unsigned)value[KO],
                  .suicide = value[SUICIDE] != 0,
                  .ko_named = is_named(parameters, KO),
                  .suicide_named = is_named(parameters, SUICIDE)},
        .game = value[GAME],
    };
}
