#include "api/request/cors.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

static const char separators[] = ", ";

/* Get the next element of a list, and its length, which is 0 at the end. */
static const char *next_element(const char *list, size_t *ret_length) {
    list += strspn(list, separators);
    *ret_length = strcspn(list, separators);
    return list;
}

/* Is this a port from 1 to 65535, without leading zeros and not followed by a digit? */
static bool is_port(const char *text, size_t length) {
    return length != 0 && length <= 5 && *text != '0' && strspn(text, "0123456789") == length &&
           strtoul(text, NULL, 10) <= 65535;
}

/* Get the length of a host: a name, an IPv4 address, or an IPv6 address in brackets. Returns 0 if there is none. */
static size_t host_length(const char *text, size_t length) {
    static const char address[] = "0123456789abcdef:.", name[] = "abcdefghijklmnopqrstuvwxyz0123456789-._";
    if (length != 0 && *text == '[') {
        size_t inside = strspn(text + 1, address);
        return inside != 0 && inside + 2 <= length && text[inside + 1] == ']' ? inside + 2 : 0;
    }
    size_t host = strspn(text, name);
    return host < length ? host : length;
}

static bool is_origin(const char *text, size_t length) {
    static const char scheme_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
    /* Browsers send "null" for a page without an origin; some also send it for a local file. */
    if (ascii_equals(text, length, "null") || ascii_equals(text, length, "file://"))
        return true;
    size_t scheme = strspn(text, scheme_letters);
    if (scheme == 0 || *text < 'a' || length < scheme + 3 || memcmp(text + scheme, "://", 3) != 0)
        return false;
    const char *host = text + scheme + 3;
    size_t rest = length - scheme - 3, host_size = host_length(host, rest);
    if (host_size == 0 || host_size == rest)
        return host_size != 0;
    /* Browsers omit the scheme's default port, so an origin with it would never match. */
    const char *port = host + host_size + 1;
    size_t digits = rest - host_size - 1;
    return host[host_size] == ':' && is_port(port, digits) &&
           !(ascii_equals(text, scheme, "http") && ascii_equals(port, digits, "80")) &&
           !(ascii_equals(text, scheme, "https") && ascii_equals(port, digits, "443"));
}

/* Is "*" the only element of the list? */
static bool allows_any(const char *list) {
    size_t length, more;
    const char *first = next_element(list, &length);
    next_element(first + length, &more);
    return ascii_equals(first, length, "*") && more == 0;
}

bool cors_check(const char *list, const char **ret_wrong, size_t *ret_length) {
    size_t length, count = 0;
    if (allows_any(list))
        return true;
    for (const char *at = next_element(list, &length); length != 0; at = next_element(at + length, &length), count++)
        if (!is_origin(at, length)) {
            *ret_wrong = at;
            *ret_length = length;
            return false;
        }
    *ret_wrong = list;
    *ret_length = 0;
    return count != 0;
}

bool cors_init(struct cors *cors, const char *list) {
    bool any = allows_any(list);
    char *to = cors->origins = any ? NULL : calloc(strlen(list) + 2, 1);
    if (to == NULL)
        return any;
    size_t length;
    for (const char *at = next_element(list, &length); length != 0; at = next_element(at + length, &length)) {
        memcpy(to, at, length);
        to += length + 1;
    }
    return true;
}

void cors_clear(struct cors *cors) { free(cors->origins); }

struct response_cors cors_for(const struct cors *cors, const char *origin) {
    if (cors->origins == NULL)
        return (struct response_cors){.allow_origin = "*"};
    for (const char *allowed = cors->origins; origin != NULL && *allowed != 0; allowed += strlen(allowed) + 1)
        if (strcmp(allowed, origin) == 0)
            return (struct response_cors){allowed, true};
    return (struct response_cors){NULL, true};
}
