#include "api/job/advice.h"

#include "api/text/reader.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

/* Guess the format of the body by its first byte that is not blank. FORMAT_NONE: no known format. */
static enum format guess_format(const struct source *source, size_t *ret_first) {
    size_t first = 0;
    while (first < source->length && ascii_is_space(source->bytes[first]))
        first++;
    *ret_first = first;
    if (first == source->length)
        return FORMAT_NONE;
    char c = source->bytes[first];
    return c == '{' || c == '['                                   ? FORMAT_JSON
           : c >= '0' && c <= '9'                                 ? FORMAT_TEXT
           : c == '(' && source->admission->game->records != NULL ? FORMAT_SGF
                                                                  : FORMAT_NONE;
}

/* Get the end of the line that `at` is in. */
static size_t end_of_line(const struct source *source, size_t at) {
    const char *feed = memchr(source->bytes + at, '\n', source->length - at);
    return feed != NULL ? (size_t)(feed - source->bytes) : source->length;
}

/* Has the body cases in lines? True if the line from `first` on begins and ends like an object, and the next line
 * begins like one. */
static bool has_lines(const struct source *source, size_t first) {
    size_t end = end_of_line(source, first), next = end, last = end;
    while (next < source->length && ascii_is_space(source->bytes[next]))
        next++;
    while (last > first && ascii_is_space(source->bytes[last - 1]))
        last--;
    return next < source->length && source->bytes[next] == '{' && source->bytes[first] == '{' &&
           source->bytes[last - 1] == '}';
}

/* Are there no line ends left, in a body that should have lines? */
static bool is_one_line(const struct source *source, size_t first) {
    return end_of_line(source, first) == source->length &&
           memchr(source->bytes + first, '\r', source->length - first) == NULL;
}

/* Say that the body is UTF-16, if it is and its format cannot be read so. */
static bool name_utf16(const struct source *source, struct fault_list *faults) {
    enum utf16_look look = utf16_look(source->bytes, source->length);
    if (look == UTF16_UNMARKED && source->format->format == FORMAT_SGF)
        fault_list_add_advice(faults, "; the body is UTF-16 without a byte order mark: add the mark, or convert it to "
                                      "UTF-8");
    else if (look != UTF16_NONE && source->format->format != FORMAT_SGF)
        fault_list_add_advice(faults, "; the body is UTF-16: convert it to UTF-8");
    else
        return false;
    return true;
}

void advice_name_byte(const char *at, const char *end, struct fault_list *faults) {
    if (at == end)
        return;
    struct fault_quote quote = fault_quote_character(at, (size_t)(end - at));
    if (quote.text[0] == '<' && quote.text[1] != 0)
        fault_list_add_advice(faults, ": %s", quote.text);
}

void advice_add(const struct source *source, const char *reason, const char *at, struct fault_list *faults) {
    static const char *const whats[FORMATS] = {[FORMAT_JSON] = "JSON",
                                               [FORMAT_TEXT] = "the judge's text",
                                               [FORMAT_LINES] = "a case a line",
                                               [FORMAT_SGF] = "an SGF record"};
    size_t first;
    enum format format = source->format->format;
    enum format guess = guess_format(source, &first);
    if (source->admission->link) {
        if (strstr(reason, "without an end") != NULL)
            fault_list_add_advice(faults, "; in a link # is written %%23, & %%26 and + %%2B");
        return;
    }
    if (name_utf16(source, faults))
        return;
    bool is_json = format == FORMAT_JSON || format == FORMAT_LINES;
    bool several = is_json && guess == FORMAT_JSON &&
                   ((strstr(reason, "after the JSON value") != NULL && *at == '{') ||
                    (format == FORMAT_JSON && has_lines(source, first)));
    if (several || (format == FORMAT_LINES && guess == FORMAT_JSON))
        guess = FORMAT_LINES;
    if (guess != FORMAT_NONE && guess != format)
        fault_list_add_advice(faults, "; %s %s", whats[guess], source->service->body_names[guess]);
    if ((several || guess == FORMAT_TEXT) && source->service->suggests_curl && is_one_line(source, first))
        fault_list_add_advice(faults,
                              "; if there were several lines: curl -d strips line ends, --data-binary does not");
}
