#include "api/job/advice.h"

#include "api/text/reader.h"

#include <string.h>

/* What the body looks like by its first byte that is no blank; FORMAT_NONE: like nothing that is known. */
static enum format look(const struct advice_body *body, size_t *ret_first) {
    size_t first = 0;
    while (first < body->length && text_is_blank(body->bytes[first]))
        first++;
    *ret_first = first;
    if (first == body->length)
        return FORMAT_NONE;
    char c = body->bytes[first];
    return c == '{' || c == '['                      ? FORMAT_JSON
           : c >= '0' && c <= '9'                    ? FORMAT_TEXT
           : c == '(' && body->game->records != NULL ? FORMAT_SGF
                                                     : FORMAT_NONE;
}

/* Where the line that `at` is in ends. */
static size_t end_of_line(const struct advice_body *body, size_t at) {
    const char *feed = memchr(body->bytes + at, '\n', body->length - at);
    return feed != NULL ? (size_t)(feed - body->bytes) : body->length;
}

/* Is the line from `first` on an object, by its ends, and does the next one begin as an object does? */
static bool has_lines(const struct advice_body *body, size_t first) {
    size_t end = end_of_line(body, first), next = end, last = end;
    while (next < body->length && text_is_blank(body->bytes[next]))
        next++;
    while (last > first && text_is_blank(body->bytes[last - 1]))
        last--;
    return next < body->length && body->bytes[next] == '{' && body->bytes[first] == '{' && body->bytes[last - 1] == '}';
}

/* The lines of a text, or of cases, have become one on the way. */
static bool is_one_line(const struct advice_body *body, size_t first) {
    return memchr(body->bytes + first, '\r', body->length - first) == NULL && end_of_line(body, first) == body->length;
}

void advice_add(const struct advice_body *body, const char *reason, const char *place, struct fault_list *faults) {
    static const char *const whats[FORMATS] = {[FORMAT_JSON] = "JSON",
                                               [FORMAT_TEXT] = "the judge's text",
                                               [FORMAT_LINES] = "a case a line",
                                               [FORMAT_SGF] = "an SGF record"};
    size_t first;
    enum format looks = look(body, &first);
    if (body->link) {
        if (strstr(reason, "without an end") != NULL)
            fault_list_add_hint(faults, "; in a link # is written %%23, & %%26 and + %%2B");
        return;
    }
    bool is_json = body->format == FORMAT_JSON || body->format == FORMAT_LINES;
    bool several = is_json && looks == FORMAT_JSON &&
                   ((strstr(reason, "after the JSON value") != NULL && *place == '{') ||
                    (body->format == FORMAT_JSON && has_lines(body, first)));
    if (several || (body->format == FORMAT_LINES && looks == FORMAT_JSON))
        looks = FORMAT_LINES;
    if (looks != FORMAT_NONE && looks != body->format)
        fault_list_add_hint(faults, "; %s %s", whats[looks], body->service->body_names[looks]);
    if ((several || looks == FORMAT_TEXT) && body->service->curls && is_one_line(body, first))
        fault_list_add_hint(faults, "; if there were several lines: curl -d strips line ends, --data-binary does not");
}
