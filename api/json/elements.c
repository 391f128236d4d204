#include "api/json/elements.h"

#include "base/assert.h"

enum { USUAL_ELEMENT = 1024 /* bytes of a small tree */ };

size_t json_count_elements(const struct json_decode *d, const cJSON *array) {
    const struct json_left_out *left_out = json_tree_find_left_out(d->tree, array);
    return left_out != NULL ? left_out->elements : (size_t)cJSON_GetArraySize(array);
}

void json_elements_begin(struct json_elements *elements, struct json_decode *d, const cJSON *array) {
    const struct json_left_out *left_out = json_tree_find_left_out(d->tree, array);
    *elements = (struct json_elements){.decode = d, .child = array->child};
    if (left_out != NULL) {
        elements->at = json_skip_blanks(left_out->text + 1);
        elements->end = left_out->text + left_out->length;
        /* Makes sure that the chunk after the mark has space for an element. Otherwise a chunk would be allocated and
         * freed for each element. */
        arena_give_back(d->elements, arena_alloc(d->elements, USUAL_ELEMENT));
        elements->mark = arena_mark(d->elements);
        elements->used = d->elements->used;
    }
}

/* Parse the next element of a left-out array. */
static const cJSON *parse_next(struct json_elements *elements) {
    struct json_decode *d = elements->decode;
    const char *start = elements->at;
    const cJSON *element = NULL;
    ASSERT(d->elements->used == elements->used);
    arena_rewind(d->elements, elements->mark);
    elements->used = d->elements->used;
    if (d->outcome != OUTCOME_DONE || *start == ']')
        return NULL;
    d->outcome = json_tree_parse_next(&elements->at, elements->end, d->elements, d->work, &element);
    elements->used = d->elements->used;
    if (d->outcome != OUTCOME_DONE)
        return NULL;
    elements->at = json_skip_blanks(elements->at);
    ASSERT(*elements->at == ',' || *elements->at == ']');
    if (*elements->at == ',')
        elements->at = json_skip_blanks(elements->at + 1);
    /* cJSON takes some 12 ns for a byte of a short element; a unit of work is 10 ns. */
    return json_decode_charge(d, 3 + (uint64_t)(elements->at - start)) ? element : NULL;
}

const cJSON *json_elements_next(struct json_elements *elements) {
    if (elements->at != NULL)
        return parse_next(elements);
    const cJSON *element = elements->child;
    if (element == NULL || elements->decode->outcome != OUTCOME_DONE)
        return NULL;
    elements->child = element->next;
    return element;
}
