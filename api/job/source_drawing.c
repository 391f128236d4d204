/* Cases as drawings: boards in plain text, with blank lines between them. Each is decoded like the JSON case that has
 * nothing but that board. */
#include "api/job/json_case.h"
#include "api/job/lines.h"
#include "base/ascii.h"

#include <string.h>

/* Copy lines without the blanks and carriage returns at their ends, which nobody sees. Returns the number of bytes. */
static size_t copy_lines(const char *from, size_t length, char *to) {
    const char *end = from + length, *begin = to;
    while (from < end) {
        const char *feed = memchr(from, '\n', (size_t)(end - from)), *last = feed != NULL ? feed : end;
        const char *next = last + (feed != NULL);
        while (last > from && (ascii_is_blank(last[-1]) || last[-1] == '\r'))
            last--;
        to = mempcpy(to, from, (size_t)(last - from));
        if (feed != NULL)
            *to++ = '\n';
        from = next;
    }
    return (size_t)(to - begin);
}

/* Is the whole body one line? Then its line ends were probably lost. */
static bool is_one_line(const struct source *source, const struct case_reading *r) {
    return r->position->line == 1 && memchr(source->bytes, '\n', source->length) == NULL;
}

static enum outcome read_drawing(const struct source *source, struct case_reading *r) {
    const struct game *game = source->admission->game;
    const struct place place = {.line = r->position->line};
    struct arena *arena = &r->workspace->reading;
    size_t length = r->position->end - r->position->begin;
    if (!work_charge(r->work, 4 + length / 32))
        return work_failure(r->work);
    char *text = arena_alloc(arena, length + 1), *nul;
    if (text == NULL || !source_alloc_case(source, r))
        return OUTCOME_NO_MEMORY;
    length = copy_lines(source->bytes + r->position->begin, length, text);
    text[length] = 0;
    if ((nul = memchr(text, 0, length)) != NULL) { /* it would end the board's string too early */
        fault_in_line(r->faults, NULL,
                      fault_find_line(text, (size_t)(nul - text), (struct fault_line){r->position->line, 1}),
                      FAULT_VALUE, "a board cannot contain <U+0000>");
        return OUTCOME_DONE;
    }
    struct json_decode decode = source_begin_decode(source, r, 0);
    cJSON board = {.type = cJSON_String, .valuestring = text, .string = (char *)game->bare_member};
    cJSON object = {.type = cJSON_Object, .child = &board};
    decode.is_bare = true;
    r->context.text = (struct case_text){.bytes = text, .length = length, .member = game->bare_member, .is_raw = true};
    enum outcome outcome = json_defaults_apply(source, r, &object);
    if (outcome != OUTCOME_DONE)
        return outcome;
    game->decode(&decode, &object, &place, r->the_case);
    if (r->faults->count != 0 && is_one_line(source, r))
        source_advise(source, FORMAT_NONE, r->faults);
    return decode.outcome;
}

/* The first word consists of pieces, and is not a number, with which contest format begins. */
static enum source_look look(const char *bytes, size_t length) {
    bool has_other = false;
    size_t at = 0;
    for (; at < length && memchr(".#OoXx*012345678", bytes[at], 16) != NULL; at++)
        has_other |= !ascii_is_digit(bytes[at]);
    bool is_word = at == length || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == ' ' || bytes[at] == '\t';
    return has_other && is_word ? SOURCE_SURE : SOURCE_UNLIKE;
}

const struct source_format source_drawing = {
    .size = sizeof(struct lines_source),
    .look = look,
    .open = lines_open,
    .next = lines_next,
    .read = read_drawing,
};
