#include "api/game/formats.h"

#include "api/game/game.h"
#include "base/ascii.h"
#include "base/assert.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define FORMAT_BODY(id, text, source, ...) [id] = {.name = text, __VA_ARGS__},
#define FORMAT_ANSWER(id, text, ...) [id] = {.name = text, __VA_ARGS__},
const struct format_row format_table[FORMATS] = {
#include "api/game/format_rows.h"
};

bool format_is_of(enum format format, const struct game *game) {
    static const char none[sizeof game->decode]; /* as large as the pointer to any reader */
    size_t reader = format_table[format].reader;
    return reader != 0 && memcmp((const char *)game + reader, none, sizeof none) != 0;
}

unsigned format_set_of(const struct game *game) {
    unsigned formats = 0;
    for (enum format format = 0; format < FORMATS; format++)
        formats |= (unsigned)format_is_of(format, game) << format;
    return formats;
}

const char *format_type(enum format format) {
    const struct format_row *row = &format_table[format];
    return row->types[0] != NULL ? row->types[0] : row->unlisted_types[0];
}

void format_list_types(unsigned formats, char ret_list[FORMAT_LIST_BYTES]) {
    int length = 0;
    for (enum format format = 0; format < FORMATS; format++)
        for (int t = 0; formats >> format & 1 && t < FORMAT_TYPES && format_table[format].types[t] != NULL; t++) {
            length += snprintf(ret_list + length, (size_t)(FORMAT_LIST_BYTES - length), "%s%s", length != 0 ? ", " : "",
                               format_table[format].types[t]);
            ASSERT(length < FORMAT_LIST_BYTES);
        }
}

enum format format_named(const char *name, size_t length) {
    enum format format = 0;
    while (format < FORMATS && !ascii_equals(name, length, format_table[format].name))
        format++;
    return format;
}

enum format format_of_name(const char *name) {
    const char *ending = strrchr(name, '.');
    for (enum format format = 0; ending != NULL && format < FORMATS; format++)
        for (int e = 0; e < FORMAT_ENDINGS && format_table[format].endings[e] != NULL; e++)
            if (strcasecmp(ending, format_table[format].endings[e]) == 0)
                return format;
    return FORMAT_NONE;
}
