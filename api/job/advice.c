#include "api/job/advice.h"

#include "api/text/reader.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

/* Say that the body is UTF-16, if it is and its format cannot be read so. */
static bool name_utf16(const struct source *source, struct fault_list *faults) {
    enum utf16_look look = utf16_look(source->bytes, source->length);
    bool is_binary = format_table[source->body].is_binary;
    if (look == UTF16_UNMARKED && is_binary)
        fault_list_add_advice(faults, "; the body is UTF-16 without a byte order mark: add the mark, or convert it to "
                                      "UTF-8");
    else if (look != UTF16_NONE && !is_binary)
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

void advice_add(const struct source *source, enum format suspected, struct fault_list *faults) {
    const char *begin = source->bytes, *end = begin + source->length;
    if (name_utf16(source, faults))
        return;
    while (begin < end && ascii_is_space(*begin))
        begin++;
    size_t length = (size_t)(end - begin);
    bool like_its_own = length != 0 && source->format->look(begin, length) != SOURCE_UNLIKE;
    enum format guess = !like_its_own              ? source_guess(source->admission->game, SOURCE_LIKE, begin, length)
                        : suspected != FORMAT_NONE ? suspected
                                                   : source->body;
    if (guess == FORMAT_NONE)
        return;
    const struct format_row *row = &format_table[guess];
    bool reads_files = source->service->reads_files;
    if (guess != source->body)
        fault_list_add_advice(faults,
                              reads_files ? "; %s is read with --from %s" : "; %s is sent with Content-Type: %s",
                              row->what, reads_files ? row->name : format_type(guess));
    if (!reads_files && (guess == suspected || row->has_several_lines) && memchr(begin, '\n', length) == NULL &&
        memchr(begin, '\r', length) == NULL)
        fault_list_add_advice(faults,
                              "; if there were several lines: curl -d strips line ends, --data-binary does not");
}
