#include "api/json/tree.h"

#include "api/json/number.h"
#include "base/ascii.h"
#include "base/assert.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* cJSON's allocation hooks take no context. The arena that they use is set during a parse only; outside of one they
 * fail. */
static _Thread_local struct {
    struct arena *arena;     /* NULL outside of a parse */
    const struct work *work; /* its stop flag makes an allocation fail, which ends the parse: cJSON calls no other
                              * function of ours */
    enum outcome end;        /* why an allocation failed since the parse began */
} parse;

static void *allocate(size_t size) {
    bool stopped = parse.arena != NULL && work_is_stopped(parse.work);
    void *block = parse.arena != NULL && !stopped ? arena_alloc(parse.arena, size) : NULL;
    if (block == NULL)
        parse.end = stopped ? OUTCOME_CANCELLED : OUTCOME_NO_MEMORY;
    return block;
}

static void give_back(void *block) {
    if (parse.arena != NULL)
        arena_give_back(parse.arena, block);
}

void json_tree_prepare(void) { cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = give_back}); }

enum outcome json_tree_parse_next(const char **at, const char *end, struct arena *arena, const struct work *work,
                                  const cJSON **ret_root) {
    const char *after_value = *at;
    ASSERT(parse.arena == NULL);
    parse.arena = arena;
    parse.work = work;
    parse.end = OUTCOME_INTERNAL;
    const cJSON *root = cJSON_ParseWithLengthOpts(*at, (size_t)(end - *at), &after_value, false);
    parse.arena = NULL;
    if (root == NULL)
        return parse.end;
    *at = after_value;
    *ret_root = root;
    return OUTCOME_DONE;
}

/* ---- skipping over checked text: it is valid, so nothing here tests for its end ---- */

/* An iteration over the members of an object. After every WORK_CHUNK bytes of strings, arrays and objects it checks the
 * stop flag. If that is set, functions return false, and the iteration is over. */
struct walk {
    const char *at, *end;
    const char *next_check; /* where to check the stop flag next */
    const struct work *work;
    const char *name, *name_end; /* of the current member, as written */
    bool stopped;
};

static struct walk begin_walk(const char *at, const char *end, const struct work *work) {
    return (struct walk){.at = at, .end = end, .next_check = at, .work = work};
}

/* Check the stop flag. */
static bool may_go_on(struct walk *w) {
    w->next_check = w->end - w->at > WORK_CHUNK ? w->at + WORK_CHUNK : w->end;
    w->stopped = work_is_stopped(w->work);
    return !w->stopped;
}

/* Skip the string that begins at w->at. */
static bool skip_string(struct walk *w) {
    w->at++;
    for (;;) {
        if (w->at >= w->next_check && !may_go_on(w))
            return false;
        while (w->at < w->next_check && *w->at != '"' && *w->at != '\\')
            w->at++;
        if (w->at == w->next_check)
            continue;
        if (*w->at == '"') {
            w->at++;
            return true;
        }
        w->at += 2;
    }
}

/* Skip the array or object that begins at w->at. *ret_elements is the number of its elements or members. */
static bool skip_nested(struct walk *w, size_t *ret_elements) {
    size_t depth = 1, commas = 0;
    const char *at = json_skip_blanks(w->at + 1);
    bool empty = *at == ']' || *at == '}';
    while (depth != 0) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"') {
            /* Mostly a colour of Go. */
            bool single = at[2] == '"' && at[1] != '\\' && at[1] != '"';
            w->at = at;
            if (!single && !skip_string(w))
                return false;
            at = single ? at + 3 : w->at;
            continue;
        }
        at++;
        commas += (size_t)((byte == ',') & (depth == 1));
        byte |= 0x20; /* '[' becomes '{', and ']' becomes '}' */
        depth += (size_t)(byte == '{') - (size_t)(byte == '}');
        if (__builtin_expect(at >= w->next_check, false)) {
            w->at = at;
            if (!may_go_on(w))
                return false;
        }
    }
    w->at = at;
    *ret_elements = empty ? 0 : commas + 1;
    return true;
}

/* Skip the value that begins at w->at. If it is not an array or object, *ret_elements is 0. */
static bool skip_value(struct walk *w, size_t *ret_elements) {
    *ret_elements = 0;
    if (*w->at == '[' || *w->at == '{')
        return skip_nested(w, ret_elements);
    if (*w->at == '"')
        return skip_string(w);
    while (*w->at != ',' && *w->at != '}' && *w->at != ' ' && *w->at != '\n' && *w->at != '\t' && *w->at != '\r')
        w->at++;
    return true;
}

/* Go to the next member. w->at is then at its value, which must be skipped. False after the last. */
static bool next_member(struct walk *w) {
    w->at = json_skip_blanks(w->at);
    if (*w->at == ',')
        w->at = json_skip_blanks(w->at + 1);
    if (*w->at == '}')
        return false;
    w->name = w->at + 1;
    if (!skip_string(w))
        return false;
    w->name_end = w->at - 1;
    w->at = json_skip_blanks(json_skip_blanks(w->at) + 1);
    return true;
}

/* ---- long numbers ---- */

/* Read the integer that begins at `at`. Returns where it ends. */
static const char *read_integer(const char *at, const char *end, struct json_number *ret_number) {
    struct json_number number = {.negative = *at == '-'};
    for (at += number.negative; at < end && (ascii_is_digit(*at) || *at == '.'); at++)
        if (*at == '.')
            number.point = true;
        else
            json_number_add_digit(&number, *at);
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        number.negative_exponent = *at == '-';
        for (at += *at == '-' || *at == '+'; at < end && ascii_is_digit(*at); at++)
            json_number_add_exponent(&number, *at);
    }
    *ret_number = number;
    return at;
}

/* Write the integer from `start` to `end`, shortened if it is long. Returns where the result ends. */
static char *write_integer(char *to, const char *start, const char *end, const struct json_number *number) {
    char text[JSON_NUMBER_BYTES + 1];
    size_t length = (size_t)(end - start);
    if (length > JSON_NUMBER_BYTES) {
        length = json_number_shorten(number, text);
        start = text;
    }
    memcpy(to, start, length);
    return to + length;
}

enum outcome json_shorten_numbers(const char **json, size_t *length, struct arena *arena, const struct work *work) {
    const char *end = *json + *length;
    struct walk w = begin_walk(*json, end, work);
    char *copy = arena_alloc(arena, *length), *to = copy;
    if (copy == NULL)
        return OUTCOME_NO_MEMORY;
    while (w.at < end) {
        const char *start = w.at;
        struct json_number number;
        if (w.at >= w.next_check && !may_go_on(&w))
            return OUTCOME_CANCELLED;
        if (*w.at == '-' || ascii_is_digit(*w.at)) {
            w.at = read_integer(w.at, end, &number);
            to = write_integer(to, start, w.at, &number);
            continue;
        }
        if (*w.at != '"')
            w.at++;
        else if (!skip_string(&w))
            return OUTCOME_CANCELLED;
        memcpy(to, start, (size_t)(w.at - start));
        to += w.at - start;
    }
    *json = copy;
    *length = (size_t)(to - copy);
    return OUTCOME_DONE;
}

/* ---- members without a tree ---- */

struct json_members json_members_begin(const char *json, size_t length, const struct work *work) {
    const char *object = json_skip_blanks(json);
    ASSERT(*object == '{');
    return (struct json_members){object + 1, json + length, work};
}

enum outcome json_members_next(struct json_members *members, struct arena *arena, const char **ret_name) {
    struct walk w = begin_walk(members->at, members->end, members->work);
    const cJSON *name = NULL;
    *ret_name = NULL;
    if (!next_member(&w))
        return w.stopped ? OUTCOME_CANCELLED : OUTCOME_DONE;
    const char *quoted = w.name - 1;
    enum outcome end = json_tree_parse_next(&quoted, w.name_end + 1, arena, members->work, &name);
    if (end == OUTCOME_DONE && name != NULL)
        *ret_name = name->valuestring;
    members->at = w.at;
    return end;
}

bool json_members_skip(struct json_members *members) {
    size_t elements;
    struct walk w = begin_walk(members->at, members->end, members->work);
    bool passed = skip_value(&w, &elements);
    members->at = w.at;
    return passed;
}

/* ---- arrays that are left out ---- */

/* Get a bit for a name; 0 when it is not one of `names`. */
static unsigned find_name(const char *const *names, const char *name) {
    for (unsigned i = 0; i < JSON_LEFT_OUT && names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return 1u << i;
    return 0;
}

/* Parse the value of a member, and move members->at after it. An array of at least `min` bytes is left out if its name
 * is `wanted`: the value is an empty array, which is noted in the tree. */
static enum outcome parse_member(struct json_members *members, bool wanted, size_t min, struct arena *arena,
                                 struct json_tree *tree, cJSON **ret_value) {
    struct json_left_out array = {.text = members->at};
    const char *end = members->end, *at = members->at;
    if (wanted) {
        struct walk w = begin_walk(members->at, end, members->work);
        if (!skip_value(&w, &array.elements))
            return OUTCOME_CANCELLED;
        array.length = (size_t)(w.at - array.text);
        wanted = array.length >= min;
    }
    if (wanted) {
        at = "[]";
        end = at + 2;
    }
    enum outcome outcome = json_tree_parse_next(&at, end, arena, members->work, &array.array);
    if (wanted)
        tree->left_out[tree->left_out_count++] = array;
    members->at = wanted ? array.text + array.length : at;
    *ret_value = (cJSON *)array.array;
    return outcome;
}

/* Parse an object member by member, and leave long arrays out. */
static enum outcome parse_members(const char *json, size_t length, const char *const *names, size_t min,
                                  struct arena *arena, const struct work *work, struct json_tree *tree) {
    struct json_members members = json_members_begin(json, length, work);
    const char *object = "{}";
    unsigned seen = 0;
    enum outcome outcome = json_tree_parse_next(&object, object + 2, arena, work, &tree->root);
    if (outcome != OUTCOME_DONE)
        return outcome;
    for (cJSON **next = &((cJSON *)tree->root)->child;; next = &(*next)->next) {
        const char *name;
        outcome = json_members_next(&members, arena, &name);
        if (outcome != OUTCOME_DONE || name == NULL)
            return outcome;
        unsigned bit = *members.at == '[' ? find_name(names, name) & ~seen : 0;
        seen |= bit;
        outcome = parse_member(&members, bit != 0, min, arena, tree, next);
        if (outcome != OUTCOME_DONE)
            return outcome;
        (*next)->string = (char *)name;
    }
}

enum outcome json_tree_parse(const char *json, size_t length, const char *const *names, size_t min, struct arena *arena,
                             const struct work *work, struct json_tree *ret_tree) {
    struct json_tree tree = {0};
    const char *text = json;
    enum outcome outcome = names != NULL && length >= min && *json_skip_blanks(json) == '{'
                               ? parse_members(json, length, names, min, arena, work, &tree)
                               : json_tree_parse_next(&text, json + length, arena, work, &tree.root);
    if (outcome == OUTCOME_DONE)
        *ret_tree = tree;
    return outcome;
}

const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array) {
    for (unsigned i = 0; tree != NULL && i < tree->left_out_count; i++)
        if (tree->left_out[i].array == array)
            return &tree->left_out[i];
    return NULL;
}
