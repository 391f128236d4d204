#include "api/job/reading.h"

#include "api/game/case.h"
#include "api/json/decode.h"
#include "api/json/tree.h"

enum { SHORT_TREE = 32 << 20 /* bytes of a tree: some 50 ms of cJSON's */ };

/* In a batch each fault says of which case it is, where that has a good id. */
static void name_faults(struct reading *r, const struct case_echo *echo) {
    struct buffer text;
    if (r->faults->count == 0 || echo->id == NULL || !r->body->batch || r->body->alone)
        return;
    buffer_init_like(&text, &r->faults->records);
    case_put_id(&text, echo);
    buffer_put_char(&text, 0);
    if (text.outcome == OUTCOME_DONE)
        fault_list_add_id(r->faults, text.data);
    else
        r->faults->records.outcome = text.outcome;
    buffer_clear(&text);
}

/* How a case is decoded, whatever its format. A collection is a request by itself. */
static struct json_decode begin_decode(struct reading *r) {
    const struct body *body = r->body;
    bool by_itself = !body->batch && !body->link && body->format != FORMAT_LINES;
    r->context = (struct case_context){
        .limits = body->limits,
        .over_total = r->over_total,
        .max_games = by_itself ? body->service->request->max_cases : 0,
        .hash_seed = body->service->hash_seed,
    };
    return (struct json_decode){
        .faults = r->faults,
        .arena = &r->workspace->reading,
        .work = r->work,
        .elements = &r->workspace->reading,
        .context = &r->context,
    };
}

/* The first bytes of a line are the first ones of a case that stands alone; those of a batch are inside its array. */
static void decode_tree(struct reading *r, const struct json_tree *tree, size_t number, void *ret_case,
                        enum outcome *ret_outcome) {
    const struct body *body = r->body;
    const struct place whole = {0}, cases = {.parent = &whole, .member = "cases"},
                       element = {.parent = &cases, .index = number};
    struct json_decode decode = begin_decode(r);
    bool inside = body->format == FORMAT_JSON && body->batch && !body->alone;
    decode.tree = tree;
    r->context.text = body->bytes + r->place->begin;
    r->context.text_length = r->place->end - r->place->begin;
    body->game->decode(&decode, tree->root, inside ? &element : &whole, ret_case);
    if (json_is_array(tree->root) && !inside && !body->link)
        fault_list_add_hint(r->faults, "; several cases are sent as {\"cases\":[...]}, or a line each");
    name_faults(r, ret_case);
    *ret_outcome = decode.outcome;
}

/* Is the line JSON, and not too large? Counts its values. */
static enum outcome check_line(struct reading *r) {
    const struct body *body = r->body;
    char *line = body->bytes + r->place->begin;
    struct json_report report;
    enum outcome outcome = json_check(line, r->place->end - r->place->begin, r->work, &report);
    if (outcome != OUTCOME_DONE)
        return outcome;
    r->values = report.values;
    r->has_long_numbers = report.has_long_numbers;
    if (!report.good) {
        r->fault = BODY_MALFORMED;
        fault_list_clear(r->faults);
        fault_in_line(r->faults, r->place->line, r->place->column + report.offset, FAULT_SYNTAX, "%s", report.reason);
        if (r->place->line == 1) /* it looks at the whole body: once */
            body_add_hint(body, report.reason, line + report.offset, r->faults);
    } else if (report.values > body->service->request->max_json_values) {
        r->fault = BODY_TOO_MANY_VALUES;
    }
    return OUTCOME_DONE;
}

/* A case of a stream may come from an array whose values were not counted one by one. */
static enum outcome count_values(struct reading *r) {
    const struct body *body = r->body;
    const struct body_place *place = r->place;
    uint64_t most = body->service->request->max_json_values;
    struct json_report report;
    if (!body->alone || body->checker.report.values <= most)
        return OUTCOME_DONE;
    enum outcome outcome = json_check(body->bytes + place->begin, place->end - place->begin, r->work, &report);
    if (outcome != OUTCOME_DONE)
        return outcome;
    if (report.values > most)
        r->fault = BODY_TOO_MANY_VALUES;
    return OUTCOME_DONE;
}

/* Parse the tree of a case. What cJSON builds of a byte is anything from nothing to 40 bytes, at 1 to 60 ns: nobody
 * knows before. So in a workspace that is not the last, which others wait for, there is a bound on its memory: four
 * million numbers in a member that nobody knows took 450 ms there. */
static enum outcome parse_tree(struct reading *r, struct json_tree *ret_tree) {
    const struct body *body = r->body;
    const struct body_place *place = r->place;
    struct arena *reading = &r->workspace->reading;
    size_t cap = reading->cap;
    if (!r->workspace->is_largest && cap - reading->used > SHORT_TREE)
        reading->cap = reading->used + SHORT_TREE;
    const char *text = body->bytes + place->begin;
    size_t length = place->end - place->begin;
    enum outcome end = OUTCOME_DONE;
    if (r->has_long_numbers)
        end = json_shorten_numbers(&text, &length, reading, r->work);
    if (end == OUTCOME_DONE)
        end = json_tree_parse(text, length, body->game->left_out, JSON_LONG_ARRAY, reading, r->work, ret_tree);
    reading->cap = cap;
    return end;
}

/* Parse and decode a case of JSON. */
static enum outcome read_json(struct reading *r, size_t number, void *ret_case) {
    const struct body *body = r->body;
    struct json_tree tree;
    size_t length = r->place->end - r->place->begin;
    /* A byte of a tree costs some 10 ns; what is left out of it is paid for by who decodes it. */
    if (!work_charge(r->work, 4 + length / 8))
        return work_failure(r->work);
    bool is_line = body->format == FORMAT_LINES;
    enum outcome outcome = is_line ? check_line(r) : count_values(r);
    if (outcome != OUTCOME_DONE || r->fault != BODY_GOOD)
        return outcome;
    if (!is_line)
        r->has_long_numbers = body->checker.report.has_long_numbers;
    if (r->has_long_numbers && !work_charge(r->work, length / 8)) /* for the copy */
        return work_failure(r->work);
    outcome = parse_tree(r, &tree);
    if (outcome == OUTCOME_DONE)
        decode_tree(r, &tree, number, ret_case, &outcome);
    if (outcome != OUTCOME_INTERNAL)
        return outcome;
    r->fault = BODY_NOT_PARSED;
    return OUTCOME_DONE;
}

static enum outcome read_sgf(struct reading *r, void *ret_case) {
    const struct body *body = r->body;
    struct json_decode decode = begin_decode(r);
    bool malformed = false;
    body->game->records->read(&decode, body->parameters, body->bytes, body->length, &malformed, ret_case);
    if (malformed) {
        r->fault = BODY_MALFORMED;
        body_add_hint(body, NULL, NULL, r->faults);
    }
    return decode.outcome;
}

/* Read a game of the collection that the body was opened for. */
static enum outcome read_game(struct reading *r, size_t number, void *ret_case) {
    struct json_decode decode = begin_decode(r);
    r->body->game->records->read_game(&decode, r->body->collection, number, ret_case);
    name_faults(r, ret_case);
    return decode.outcome;
}

enum outcome reading_do(struct reading *r, size_t number, void *text_case, void **ret_case) {
    const struct body *body = r->body;
    enum outcome outcome;
    if (body->format == FORMAT_TEXT) {
        *ret_case = text_case;
        if (*ret_case == NULL) {
            *ret_case = body_read_again(body, r->place, r->workspace, r->work, &outcome);
            return outcome;
        }
        return OUTCOME_DONE;
    }
    *ret_case = arena_calloc(&r->workspace->reading, 1, body->game->case_size);
    if (*ret_case == NULL)
        return OUTCOME_NO_MEMORY;
    return body->collection != NULL     ? read_game(r, number, *ret_case)
           : body->format == FORMAT_SGF ? read_sgf(r, *ret_case)
                                        : read_json(r, number, *ret_case);
}
