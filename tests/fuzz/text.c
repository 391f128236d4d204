/* A body in the judge's text, of any game: a letter (ask_by_letter), then the body.
 *
 * It is answered the same in one go and in turns, and in all forms; what is refused is refused the same in all forms.
 */
#include "fuzz/forms.h"

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
    forms_insist_agreement(&asked);
    insist_same_refusal(&asked);
    ask_end();
    return 0;
}
