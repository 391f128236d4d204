#include "api/request/query.h"

#include "base/ascii.h"

#include <string.h>

static int hexadecimal(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t query_decode(const char *text, size_t length, char *ret_text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < length && count < size; i++) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%' && i + 2 < length && hexadecimal(text[i + 1]) >= 0 && hexadecimal(text[i + 2]) >= 0) {
            c = (char)(hexadecimal(text[i + 1]) * 16 + hexadecimal(text[i + 2]));
            i += 2;
        }
        ret_text[count++] = c;
    }
    return count;
}

bool query_next(const char **at, struct query_parameter *ret_parameter) {
    do {
        *at += strspn(*at, "&");
        if (**at == 0)
            return false;
        size_t pair = strcspn(*at, "&"), name = strcspn(*at, "=&");
        ret_parameter->name_length = query_decode(*at, name, ret_parameter->name, sizeof ret_parameter->name);
        ret_parameter->value = *at + name + (name < pair);
        ret_parameter->value_length = pair - name - (name < pair);
        *at += pair;
    } while (ret_parameter->name_length != 0 && ret_parameter->name[0] == '_');
    return true;
}

bool query_is(const struct query_parameter *parameter, const char *name) {
    return ascii_equals(parameter->name, parameter->name_length, name);
}
