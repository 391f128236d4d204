/* A Go record: a letter for the options, a letter as for all bodies (ask_by_letter), then the record.
 *
 * The answer must be the same from one thread and from workers taking turns, in all formats, with the record as a
 * member of a JSON case, and for each game in a collection by itself. */
#include "fuzz/forms.h"

#include "api/json/encode.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* The options for a record, as the query sent with a body and as members of a case. */
static const struct {
    const char *query, *members;
} questions[] = {
    {"", ""},
    {"game=all", ",\"game\":\"all\""},
    {"game=1&include=captured,boards,score", ",\"game\":1,\"include\":[\"captured\",\"boards\",\"score\"]"},
    {"game=2&ko=none", ",\"rules\":{\"ko\":\"none\"},\"game\":2"},
    {"ko=situational&suicide=true", ",\"rules\":{\"ko\":\"situational\",\"suicide\":true}"},
    {"game=all&ko=simple&include=boards", ",\"game\":\"all\",\"include\":[\"boards\"],\"rules\":{\"ko\":\"simple\"}"},
    {"suicide=false&include=score", ",\"include\":[\"score\"],\"rules\":{\"suicide\":false}"},
    {"game=all&ko=positional&suicide=true", ",\"rules\":{\"suicide\":true,\"ko\":\"positional\"},\"game\":\"all\""},
};

enum { QUESTIONS = sizeof questions / sizeof *questions };

/* Can the record be sent in a JSON string? It must be UTF-8 (so that CA has no effect in either form) without NUL. */
static bool is_utf8(const struct asked *asked) {
    for (size_t at = 0, step; at < asked->length; at += step) {
        step = utf8_length(asked->body + at, asked->length - at);
        if (step == 0 || asked->body[at] == 0)
            return false;
    }
    return true;
}

static void insist_same_in_json(const struct asked *asked, const struct response *record, const char *members) {
    struct buffer body;
    struct asked json = *asked;
    buffer_init(&body, SIZE_MAX, NULL);
    buffer_put_string(&body, "{\"sgf\":");
    json_put_string(&body, asked->body, asked->length);
    buffer_put_string(&body, members);
    buffer_put_char(&body, '}');
    json.target = "/go";
    json.type = ASK_JSON;
    json.body = body.data;
    json.length = body.length;
    struct response response = ask(&json);
    /* The JSON body is longer and contains values, so it may be too large. Problems have other positions. */
    if (!ask_is_too_large(&response)) {
        if (ask_is_good(record) && !ask_has(record, "{\"problem\":"))
            ask_insist_same(record, &response);
        bool mistaken =
            ask_has(record, "the body is a JSON object, not an SGF record"); /* this can only happen to a body */
        INSIST(ask_is_good(record) || response.status == 422 || response.status == 406 || mistaken);
    }
    response_clear(&response);
    buffer_clear(&body);
}

/* Check that each valid line in the answer for all games is the answer for that game alone. */
static void insist_same_game_by_game(const struct asked *asked, const char *query) {
    char target[128];
    struct asked one = *asked;
    one.accept = ASK_LINES;
    struct response all = ask(&one);
    one.accept = ASK_JSON;
    one.target = target;
    bool each = ask_is_good(&all) && !ask_has(&all, "too many games"); /* then there is only one line */
    const char *at = all.body, *end = at + all.length;
    for (unsigned game = 1; each && at < end && game <= 8; game++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)(feed + 1 - at);
        bool good = memmem(at, length, "{\"problem\":", 11) == NULL;
        snprintf(target, sizeof target, "/go?game=%u%s", game, query + strlen("game=all"));
        struct response response = ask(&one);
        INSIST(good == ask_is_good(&response));
        if (good)
            INSIST(length == response.length && memcmp(at, response.body, length) == 0);
        response_clear(&response);
        at = feed + 1;
    }
    response_clear(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char target[128];
    if (size < 2)
        return 0;
    unsigned question = ask_choice(data[0], QUESTIONS);
    struct asked asked = ask_by_letter(ASK_SGF, data + 1, size - 1);
    snprintf(target, sizeof target, "/go?%s", questions[question].query);
    asked.target = target;
    struct response response = ask_both_ways(&asked, ask_seed(data, size));
    if (asked.length != 0 && is_utf8(&asked)) /* an empty body is refused */
        insist_same_in_json(&asked, &response, questions[question].members);
    response_clear(&response);
    forms_insist_agreement(&asked);
    if (strncmp(questions[question].query, "game=all", 8) == 0)
        insist_same_game_by_game(&asked, questions[question].query);
    ask_end();
    return 0;
}
