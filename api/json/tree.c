#include "api/json/tree.h"

#include "base/assert.h"
#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* cJSON's hooks are functions without an argument of ours. The arena that they allocate from is set around a parse and
 * nowhere else: outside of it an allocation by cJSON fails. */
static _Thread_local struct {
    struct arena *arena; /* NULL outside of a parse */
    bool exhausted;      /* an allocation failed since the parse began */
} parse;

static void *allocate(size_t size) {
    void *block = parse.arena != NULL ? arena_alloc(parse.arena, size) : NULL;
    parse.exhausted |= block == NULL;
    return block;
}

static void give_back(void *block) {
    if (parse.arena != NULL)
        arena_give_back(parse.arena, block);
}

void json_tree_prepare(void) { cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = give_back}); }

enum json_tree_end json_tree_parse_next(const char **at, const char *end, struct arena *arena, const cJSON **ret_root) {
    const char *behind = *at;
    ASSERT(parse.arena == NULL);
    parse.arena = arena;
    parse.exhausted = false;
    const cJSON *root = cJSON_ParseWithLengthOpts(*at, (size_t)(end - *at), &behind, false);
    parse.arena = NULL;
    if (root == NULL)
        return parse.exhausted ? JSON_TREE_NO_MEMORY : JSON_TREE_REFUSED;
    *at = behind;
    *ret_root = root;
    return JSON_TREE_GOOD;
}

/* ---- passing over checked text: nothing here looks for an end, for there is one ---- */

/* The string that begins at `at`. */
static const char *pass_string(const char *at, const char *end) {
    at++;
    for (;;) {
        while (end - at >= 8) {
            uint64_t word = bits_load(at);
            uint64_t found = bits_zero_bytes(word ^ bits_repeat('"')) | bits_zero_bytes(word ^ bits_repeat('\\'));
            if (found != 0) {
                at += (size_t)__builtin_ctzll(found) / 8;
                break;
            }
            at += 8;
        }
        while (*at != '"' && *at != '\\')
            at++;
        if (*at == '"')
            return at + 1;
        at += 2;
    }
}

/* The array or object that begins at `at`; *ret_elements is how many elements or members it has. */
static const char *pass_nested(const char *at, const char *end, size_t *ret_elements) {
    size_t depth = 1, commas = 0;
    at = json_pass_blanks(at + 1);
    bool empty = *at == ']' || *at == '}';
    while (depth != 0) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"') {
            /* A colour, most of the time. */
            bool single = at[2] == '"' && at[1] != '\\' && at[1] != '"';
            at = single ? at + 3 : pass_string(at, end);
            continue;
        }
        at++;
        commas += (size_t)((byte == ',') & (depth == 1));
        byte |= 0x20; /* '[' becomes '{', and ']' becomes '}' */
        depth += (size_t)(byte == '{') - (size_t)(byte == '}');
    }
    *ret_elements = empty ? 0 : commas + 1;
    return at;
}

/* The value that begins at `at`. Of what is no array or object, *ret_elements is 0. */
static const char *pass_value(const char *at, const char *end, size_t *ret_elements) {
    *ret_elements = 0;
    if (*at == '[' || *at == '{')
        return pass_nested(at, end, ret_elements);
    if (*at == '"')
        return pass_string(at, end);
    while (*at != ',' && *at != '}' && *at != ' ' && *at != '\n' && *at != '\t' && *at != '\r')
        at++;
    return at;
}

/* The members of an object, one after the other. */
struct walk {
    const char *at, *end;
    const char *name, *name_end; /* of the member that is looked at, as it is written */
};

/* Look at the next member, whose value is at w->at then and has to be passed; false behind the last. */
static bool next_member(struct walk *w) {
    w->at = json_pass_blanks(w->at);
    if (*w->at == ',')
        w->at = json_pass_blanks(w->at + 1);
    if (*w->at == '}')
        return false;
    w->name = w->at + 1;
    w->at = pass_string(w->at, w->end);
    w->name_end = w->at - 1;
    w->at = json_pass_blanks(json_pass_blanks(w->at) + 1);
    return true;
}

/* ---- what is left out ---- */

/* Arrays to leave out, in the order of the text, and which member of the object each is. */
struct holes {
    struct json_left_out array[JSON_LEFT_OUT];
    size_t member[JSON_LEFT_OUT];
    unsigned count;
};

static void add_hole(struct holes *holes, struct json_left_out array, size_t member) {
    holes->array[holes->count] = array;
    holes->member[holes->count] = member;
    holes->count++;
}

/* A bit for the name of the member that is looked at; 0 when it is none of `names`. */
static unsigned find_name(const char *const *names, const struct walk *w) {
    size_t length = (size_t)(w->name_end - w->name);
    for (unsigned i = 0; i < JSON_LEFT_OUT && names[i] != NULL; i++)
        if (strlen(names[i]) == length && memcmp(names[i], w->name, length) == 0)
            return 1u << i;
    return 0;
}

/* The long ones among the first arrays of these names. No further than it takes to see one of each. */
static void find_long(const char *object, const char *end, const char *const *names, size_t least,
                      struct holes *holes) {
    struct walk w = {.at = object + 1, .end = end};
    unsigned wanted = 0;
    for (unsigned i = 0; i < JSON_LEFT_OUT && names[i] != NULL; i++)
        wanted |= 1u << i;
    for (size_t member = 0; wanted != 0 && next_member(&w); member++) {
        struct json_left_out value = {.text = w.at};
        w.at = pass_value(w.at, end, &value.elements);
        value.length = (size_t)(w.at - value.text);
        unsigned name = *value.text == '[' ? find_name(names, &w) & wanted : 0;
        wanted &= ~name;
        if (name != 0 && value.length >= least)
            add_hole(holes, value, member);
    }
}

/* The text with [] for each array that is left out; NULL when memory is exhausted. */
static char *copy_around(const char *json, const char *end, const struct holes *holes, struct arena *arena,
                         size_t *ret_length) {
    size_t length = (size_t)(end - json);
    for (unsigned i = 0; i < holes->count; i++)
        length -= holes->array[i].length - 2;
    char *copy = arena_alloc(arena, length), *to = copy;
    if (copy == NULL)
        return NULL;
    for (unsigned i = 0; i < holes->count; i++) {
        size_t before = (size_t)(holes->array[i].text - json);
        memcpy(to, json, before);
        memcpy(to + before, "[]", 2);
        to += before + 2;
        json = holes->array[i].text + holes->array[i].length;
    }
    memcpy(to, json, (size_t)(end - json));
    *ret_length = length;
    return copy;
}

/* Parse what is around the holes, and note their arrays in the tree. */
static enum json_tree_end parse_around(const char *json, const char *end, struct holes *holes, struct arena *arena,
                                       struct json_tree *ret_tree) {
    const char *text = json;
    size_t length = (size_t)(end - json), member = 0;
    const cJSON *root = NULL;
    if (holes->count != 0 && (text = copy_around(json, end, holes, arena, &length)) == NULL)
        return JSON_TREE_NO_MEMORY;
    enum json_tree_end outcome = json_tree_parse_next(&text, text + length, arena, &root);
    if (outcome != JSON_TREE_GOOD)
        return outcome;
    const cJSON *child = root->child;
    for (unsigned i = 0; i < holes->count; i++) {
        for (; member < holes->member[i]; member++)
            child = child->next;
        ASSERT(cJSON_IsArray(child) && child->child == NULL);
        holes->array[i].array = child;
    }
    *ret_tree = (struct json_tree){.root = root, .left_out_count = holes->count};
    memcpy(ret_tree->left_out, holes->array, sizeof holes->array);
    return JSON_TREE_GOOD;
}

enum json_tree_end json_tree_parse(const char *json, size_t length, const char *const *names, size_t least,
                                   struct arena *arena, struct json_tree *ret_tree) {
    struct holes holes = {.count = 0};
    if (names != NULL && length >= least) {
        const char *object = json_pass_blanks(json);
        if (*object == '{')
            find_long(object, json + length, names, least, &holes);
    }
    return parse_around(json, json + length, &holes, arena, ret_tree);
}

/* ---- members without a tree ---- */

struct json_members json_members_begin(const char *json, size_t length) {
    const char *object = json_pass_blanks(json);
    ASSERT(*object == '{');
    return (struct json_members){object + 1, json + length};
}

enum json_tree_end json_members_next(struct json_members *members, struct arena *arena, const char **ret_name) {
    struct walk w = {.at = members->at, .end = members->end};
    const cJSON *name = NULL;
    *ret_name = NULL;
    if (!next_member(&w))
        return JSON_TREE_GOOD;
    const char *quoted = w.name - 1;
    enum json_tree_end end = json_tree_parse_next(&quoted, w.name_end + 1, arena, &name);
    if (end == JSON_TREE_GOOD)
        *ret_name = name->valuestring;
    members->at = w.at;
    return end;
}

void json_members_pass(struct json_members *members) {
    size_t elements;
    members->at = pass_value(members->at, members->end, &elements);
}

const struct json_left_out *json_tree_find_left_out(const struct json_tree *tree, const cJSON *array) {
    for (unsigned i = 0; tree != NULL && i < tree->left_out_count; i++)
        if (tree->left_out[i].array == array)
            return &tree->left_out[i];
    return NULL;
}
