#include "api/torture/coverage.h"

#include "api/game/game.h"
#include "api/job/source.h"
#include "api/request.h"
#include "api/request/games.h"
#include "api/request/negotiate.h"

#include <assert.h>

void coverage_init(struct coverage *ret_coverage) {
    *ret_coverage = (struct coverage){0};
    assert(game_count <= COVERAGE_GAMES);
    buffer_init(&ret_coverage->routes, SIZE_MAX, NULL);
    for (size_t g = 0; g < game_count; g++)
        buffer_init(&ret_coverage->bodies[g], SIZE_MAX, NULL);
}

void coverage_clear(struct coverage *coverage) {
    buffer_clear(&coverage->routes);
    for (size_t g = 0; g < game_count; g++)
        buffer_clear(&coverage->bodies[g]);
}

/* ---- what was seen ---- */

static bool has(const char *text, size_t length, const char *before, const char *word, const char *behind) {
    char whole[256];
    int wanted = snprintf(whole, sizeof whole, "%s%s%s", before, word, behind);
    assert(wanted > 0 && (size_t)wanted < sizeof whole);
    return length != 0 && memmem(text, length, whole, (size_t)wanted) != NULL;
}

static bool has_header(const struct response *response, const char *name) {
    bool found = false;
    for (size_t h = 0; h < response->header_count; h++)
        found |= strcmp(response->headers[h].name, name) == 0;
    return found;
}

/* The format of a body, also if its type is vague. */
static enum format format_of(const struct admission *admission, const char *body) {
    size_t blanks = strspn(body, " \r\n\t");
    enum format found = source_guess(admission->game, SOURCE_SURE, body + blanks, strlen(body) - blanks);
    bool is_found = found != FORMAT_NONE && format_table[found].is_detected;
    return is_found && format_table[admission->body].is_vague ? found : admission->body;
}

static void note_solved(struct coverage *coverage, const struct admission *admission, const char *target,
                        const char *body) {
    size_t g = 0;
    while (games[g] != admission->game)
        g++;
    enum format format = body != NULL ? format_of(admission, body) : admission->body;
    if (admission->link)
        coverage->link[g][admission->answer] = true;
    else if (format != admission->body)
        coverage->form[g][format][admission->answer_if_detected] = true;
    else
        coverage->form[g][format][admission->answer] = true;
    buffer_put_string(&coverage->bodies[g], target);
    buffer_put_char(&coverage->bodies[g], '\n');
    buffer_put_string(&coverage->bodies[g], body != NULL ? body : "");
    buffer_put_char(&coverage->bodies[g], '\n');
}

void coverage_note(struct coverage *coverage, const struct service *service, const struct request_head *head,
                   const char *body, const struct response *response) {
    struct admission admission;
    struct response unused = {0};
    struct buffer from_head;
    if (admit(service, head, &admission, &unused, &from_head) == ADMIT_HAS_BODY)
        buffer_clear(&from_head);
    response_clear(&unused);
    for (size_t p = 0; p < PROBLEM_COUNT; p++)
        coverage->problem[p] |=
            has(response->body, response->length, "\"type\":\"/problems/", problem_table[p].slug, "\"");
    for (size_t f = 0; f < FAULT_CODES; f++)
        coverage->fault[f] |= has(response->body, response->length, "\"code\":\"", fault_code_names[f], "\"");
    coverage->packed |= has_header(response, "Content-Encoding");
    coverage->unchanged |= response->status == 304;
    if (admission.route == NULL)
        return;
    buffer_printf(&coverage->routes, "%s%s\n", *admission.route == '/' ? "" : "/", admission.route);
    if (admission.game != NULL && response->status == 200)
        note_solved(coverage, &admission, head->target, body);
}

/* ---- all that exists ---- */

static void put_unseen(struct buffer *out, bool seen, const char *kind, const char *what) {
    if (!seen)
        buffer_printf(out, "%s %s\n", kind, what);
}

static void put_routes(const struct coverage *coverage, struct buffer *out) {
    struct buffer list;
    buffer_init(&list, SIZE_MAX, NULL);
    route_list(&list);
    buffer_put_char(&list, 0);
    assert(list.outcome == OUTCOME_DONE);
    for (char *rest = list.data, *path; (path = strtok_r(rest, ", ", &rest)) != NULL;) {
        char *family = strstr(path, "/NAME");
        if (family != NULL)
            family[1] = 0;
        put_unseen(out, has(coverage->routes.data, coverage->routes.length, "", path, "\n"), "the route", path);
    }
    buffer_clear(&list);
}

static void put_forms(const struct coverage *coverage, size_t g, struct buffer *out) {
    for (enum format body = FORMAT_JSON; body < FORMATS; body++)
        for (enum format answer = FORMAT_JSON; answer <= FORMAT_LINES; answer++) {
            if (!format_is_of(body, games[g]) || (answer == FORMAT_SVG && format_table[body].is_batch) ||
                coverage->form[g][body][answer])
                continue;
            buffer_printf(out, "%s: %s as %s\n", games[g]->name, format_table[body].name, format_table[answer].name);
        }
    for (enum format answer = FORMAT_JSON; answer <= FORMAT_SVG; answer++)
        if (!coverage->link[g][answer])
            buffer_printf(out, "%s: a link as %s\n", games[g]->name, format_table[answer].types[0]);
}

/* A phrase in a problem is followed by a list of words in escaped quotes. Append those that occurred in no body. */
static void put_words(const struct coverage *coverage, size_t g, const struct response *problem, const char *phrase,
                      const char *kind, struct buffer *out) {
    const struct buffer *bodies = &coverage->bodies[g];
    const char *end = problem->body + problem->length,
               *at = memmem(problem->body, problem->length, phrase, strlen(phrase));
    assert(at != NULL);
    unsigned count = 0;
    for (at += strlen(phrase); end - at > 2 && memcmp(at, "\\\"", 2) == 0; count++) {
        char word[64];
        const char *stop = memchr(at + 2, '\\', (size_t)(end - at - 2));
        assert(stop != NULL && (size_t)(stop - at) < sizeof word);
        snprintf(word, sizeof word, "%.*s", (int)(stop - at - 2), at + 2);
        put_unseen(out, has(bodies->data, bodies->length, "\"", word, "\""), kind, word);
        at = stop + 2;
        at += memcmp(at, ", ", 2) == 0 ? 2 : memcmp(at, " and ", 5) == 0 ? 5 : 0;
    }
    assert(count > 2);
}

/* Append the members and parts that were not seen. A case with an unknown member and part has a problem that lists them
 * all. */
static void put_members(const struct coverage *coverage, const struct service *service, size_t g, struct buffer *out) {
    static const char body[] = "{\"?\":0,\"include\":[\"?\"]}";
    char target[64], phrase[128];
    snprintf(target, sizeof target, "/%s", games[g]->name);
    snprintf(phrase, sizeof phrase, "unknown member \\\"?\\\"; a %s case can have ", target);
    struct response problem = test_ask(service, "POST", target, "Accept", "application/json", body, sizeof body - 1);
    put_words(coverage, g, &problem, phrase, "the member", out);
    put_words(coverage, g, &problem, "\\\"include\\\" can have ", "the part", out);
    response_clear(&problem);
    const char *const *parameters = games[g]->parameters;
    for (size_t p = 0; parameters != NULL && parameters[p] != NULL; p++)
        put_unseen(out, has(coverage->bodies[g].data, coverage->bodies[g].length, "", parameters[p], "="),
                   "the parameter", parameters[p]);
}

void coverage_put_gaps(const struct coverage *coverage, const struct service *service, struct buffer *out) {
    put_routes(coverage, out);
    for (size_t p = 0; p < PROBLEM_COUNT; p++)
        if (p != PROBLEM_BODY_TIMEOUT) /* only the server, waiting for a body, gives this answer */
            put_unseen(out, coverage->problem[p], "the problem", problem_table[p].slug);
    for (size_t f = 0; f < FAULT_CODES; f++)
        put_unseen(out, coverage->fault[f], "the fault", fault_code_names[f]);
    put_unseen(out, coverage->packed, "an answer", "in gzip");
    put_unseen(out, coverage->unchanged, "an answer", "304");
    for (size_t g = 0; g < game_count; g++) {
        put_forms(coverage, g, out);
        put_members(coverage, service, g, out);
    }
}
