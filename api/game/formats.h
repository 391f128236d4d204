/* Facts about each format. The code that finds its cases in a body is in api/job/source_NAME.c. */
#pragma once

#include "api/game/format.h"

#include <stdbool.h>
#include <stddef.h>

struct game;

enum { FORMAT_TYPES = 2, FORMAT_UNLISTED_TYPES = 2, FORMAT_ENDINGS = 2, FORMAT_LIST_BYTES = 256 };

/* A row of the table. */
struct format_row {
    const char *name;                /* for users: --from sgf, ?format=svg */
    const char *types[FORMAT_TYPES]; /* media types: the first one, then a synonym or NULL */

    /* For answers. */
    bool has_objects; /* results are JSON objects */
    bool is_stream;   /* each result is written as soon as it and those before it are done, and faults are results */

    /* For bodies. */
    const char *what;                                  /* a phrase for such a body: "for contest format, send ..." */
    const char *unlisted_types[FORMAT_UNLISTED_TYPES]; /* other media types, which are left out of lists of types;
                                                        * NULL if there are fewer. A format that has no other types,
                                                        * and is_detected, can share one with a vague format */
    const char *endings[FORMAT_ENDINGS];               /* file name extensions, with the dot; NULL if there are fewer */
    size_t reader;          /* the offset in struct game of a pointer that is NULL in games without
                             * the format; 0: no body has the format */
    enum format answer;     /* the format of the answer, unless the client asks for another */
    bool is_batch;          /* it can have several cases, so there is no picture of it */
    bool is_in_lines;       /* it has one case per line, so it can be cut between any two lines */
    bool has_several_lines; /* even the shortest body is broken if its line ends are lost */
    bool is_binary;         /* a body determines its own character set, perhaps by a byte order mark */
    bool is_vague;          /* programs send all kinds of bodies with its media types ... */
    bool is_detected;       /* ... and a body that begins like one in this format is taken to be in it */
    bool takes_parameters;  /* the query can have the parameters of the game */
};

extern const struct format_row format_table[FORMATS];

/* Can bodies for the game have this format? */
bool format_is_of(enum format format, const struct game *game);

/* Get the formats that bodies for the game can have, with one bit per format. */
unsigned format_set_of(const struct game *game);

/* Get the media type that denotes a body format in a head. */
const char *format_type(enum format format);

/* Write the media types of a set of formats, separated by ", ". */
void format_list_types(unsigned formats, char ret_list[FORMAT_LIST_BYTES]);

/* Find a format by name. Returns FORMAT_NONE if there is none. */
enum format format_named(const char *name, size_t length);

/* Find the format of a file by its extension. Returns FORMAT_NONE if no format has it. */
enum format format_of_name(const char *name);
