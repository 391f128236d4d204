/* A body in contest format, for any game: a letter (ask_by_letter), then the body.
 *
 * The answer must be the same from one thread and from workers taking turns, and agree in all formats; a refusal is the
 * same in all formats. A text that begins like a JSON object is answered as JSON. */
#include "fuzz/forms.h"

#include "api/text/reader.h"
#include "base/ascii.h"

#include <string.h>

static bool begins_as_json(const struct asked *asked) {
    size_t at = asked->length >= 3 && memcmp(asked->body, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < asked->length && ascii_is_space(asked->body[at]))
        at++;
    return at < asked->length && asked->body[at] == '{';
}

static void insist_same_as_json(const struct asked *asked) {
    static const char *const accepts[] = {ASK_JSON, ASK_TEXT, ASK_LINES};
    struct asked as_text = *asked, as_json = *asked;
    as_json.type = ASK_JSON;
    for (int a = 0; a < 3; a++) {
        as_text.accept = as_json.accept = accepts[a];
        struct response one = ask(&as_text), other = ask(&as_json);
        ask_insist_same(&one, &other);
        response_clear(&one);
        response_clear(&other);
    }
}

static void insist_same_refusal(const struct asked *asked) {
    struct asked other = *asked;
    other.accept = ASK_TEXT;
    struct response first = ask(&other);
    if (first.status >= 400 && !ask_is_too_large(&first))
        for (int a = 0; a < ASK_ACCEPTS; a++) {
            other.accept = ask_accepts[a];
            struct response response = ask(&other);
            if (response.status != 406)
                ask_insist_same(&first, &response);
            response_clear(&response);
        }
    response_clear(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct asked asked = ask_by_letter(ASK_TEXT, data, size);
    struct response response = ask_both_ways(&asked, ask_seed(data, size));
    response_clear(&response);
    if (begins_as_json(&asked)) {
        insist_same_as_json(&asked);
    } else {
        forms_insist_agreement(&asked);
        insist_same_refusal(&asked);
    }
    ask_end();
    return 0;
}
