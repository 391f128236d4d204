#include "api/go/komi.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

bool go_komi_parse(const char *text, size_t length, int *ret_halves) {
    const char *at = text, *end = text + length;
    bool negative = at != end && *at == '-', half = false;
    int halves = 0;
    size_t digits = 0;
    at += at != end && (*at == '-' || *at == '+');
    for (; at != end && ascii_is_digit(*at); at++, digits++)
        halves = halves < GO_KOMI_HUGE / 10 ? 10 * halves + 2 * (*at - '0') : GO_KOMI_HUGE;
    if (at != end && *at == '.') {
        at++;
        half = at != end && *at == '5';
        for (const char *first = at; at != end && (*at == '0' || (half && at == first)); at++)
            digits++;
    }
    if (at != end || digits == 0)
        return false;
    halves += half;
    *ret_halves = negative ? -halves : halves;
    return true;
}

void go_komi_put(struct buffer *out, int halves) {
    if (halves < 0)
        buffer_put_char(out, '-');
    buffer_put_integer(out, abs(halves) / 2);
    if (halves % 2 != 0)
        buffer_put_literal(out, ".5");
}
