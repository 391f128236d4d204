/* Facts about each format. api/job/source_NAME.c finds its cases in a body. */
#pragma once

#include "api/game/format.h"

#include <stdbool.h>
#include <stddef.h>

struct game;

enum { FORMAT_TYPES = 2, FORMAT_ENDINGS = 2, FORMAT_LIST_BYTES = 256 };

/* A row of the table. */
struct format_row {
    const char *name;                /* for people: --from sgf, ?format=svg */
    const char *types[FORMAT_TYPES]; /* the media types; the first one, and NULL or another one for the same */

    /* Of answers. */
    bool has_objects; /* results are objects of JSON */

    /* Of bodies. */
    const char *what;          /* a phrase for such a body: "for contest format, send ..." */
    const char *unlisted_type; /* one more media type, which lists of types do not name; or NULL. A format that
                                * has only this one, and is_detected, may share it with a vague one */
    const char *endings[FORMAT_ENDINGS]; /* of the names of files, with the dot; NULL: fewer */
    size_t reader;                       /* the offset in struct game of the pointer that reads the format: games where
                                          * it is NULL do not have the format. 0: no body has the format */
    enum format answer;                  /* the format of the answer, unless the client asks for another */
    bool is_batch;                       /* it may have several cases, so there is no picture of it */
    bool is_in_lines;                    /* it has a case a line, so that it can be cut between any two lines */
    bool has_several_lines;              /* even the shortest body is broken if its line ends are lost */
    bool is_binary;                      /* a body names its own charset, perhaps by a byte order mark */
    bool is_vague;                       /* programs send anything with its types, ... */
    bool is_detected;                    /* ... and if a body begins like one in this format, it is in this format */
    bool takes_parameters;               /* the query may have the parameters of the game */
};

extern const struct format_row format_table[FORMATS];

/* Can bodies of the game have this format? */
bool format_is_of(enum format format, const struct game *game);

/* Get the formats that bodies of the game can have, a bit for each. */
unsigned format_set_of(const struct game *game);

/* Get the media type that names the format of a body in a head. */
const char *format_type(enum format format);

/* Write the media types of a set of formats, separated by ", ". */
void format_list_types(unsigned formats, char ret_list[FORMAT_LIST_BYTES]);

/* Find a format by its name. FORMAT_NONE: there is none. */
enum format format_named(const char *name, size_t length);

/* Find the format of a file by the ending of its name; FORMAT_NONE: no format has this ending. */
enum format format_of_name(const char *name);
