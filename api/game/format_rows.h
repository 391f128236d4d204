/* The table of formats, for bodies and answers. A row consists of the enumerator's name, the name for users (--from
 * sgf), the struct source_format of a body (in api/job/source_NAME.c), and the members of its struct format_row, which
 * formats.h describes. ARCHITECTURE.md explains how to add a row.
 *
 * No #pragma once: a file that includes this one defines FORMAT_BODY, FORMAT_ANSWER or both, and so takes what it needs
 * from each row. A row for both counts as a FORMAT_BODY where that is defined. Lists of media types are in the order of
 * the rows. If a client accepts several answer formats equally, the first one is chosen. */

#ifdef FORMAT_BODY
#define FORMAT_BOTH FORMAT_BODY
#else
#define FORMAT_BODY(...)
#define FORMAT_BOTH(id, name, source, ...) FORMAT_ANSWER(id, name, __VA_ARGS__)
#endif
#ifndef FORMAT_ANSWER
#define FORMAT_ANSWER(...)
#endif

/* The default. `curl -d` sends everything as a form, and some programs as bytes. */
FORMAT_BOTH(FORMAT_JSON, "json", source_json, .what = "JSON", .types = {"application/json"},
            .unlisted_types = {"application/x-www-form-urlencoded", "application/octet-stream"}, .endings = {".json"},
            .reader = offsetof(struct game, decode), .answer = FORMAT_JSON, .is_vague = true, .is_detected = true,
            .has_objects = true)

/* The contest format; files in an unknown format are read as this, too. */
FORMAT_BOTH(FORMAT_TEXT, "text", source_text, .what = "contest format", .types = {"text/plain"}, .endings = {".txt"},
            .reader = offsetof(struct game, read_case), .answer = FORMAT_TEXT, .is_batch = true, .is_vague = true,
            .has_several_lines = true)

FORMAT_ANSWER(FORMAT_SVG, "svg", .types = {"image/svg+xml"})

FORMAT_BOTH(FORMAT_LINES, "ndjson", source_lines, .what = "one case per line",
            .types = {"application/x-ndjson", "application/jsonl"}, .endings = {".ndjson", ".jsonl"},
            .reader = offsetof(struct game, decode), .answer = FORMAT_LINES, .is_batch = true, .is_in_lines = true,
            .has_objects = true, .is_stream = true)

FORMAT_BODY(FORMAT_SGF, "sgf", source_records, .what = "an SGF record", .types = {"application/x-go-sgf"},
            .unlisted_types = {"application/sgf"}, .endings = {".sgf"}, .reader = offsetof(struct game, records),
            .answer = FORMAT_JSON, .is_binary = true, .is_detected = true, .takes_parameters = true)

/* Boards as text, which no media type denotes. */
FORMAT_BODY(FORMAT_DRAWING, "drawing", source_drawing, .what = "a drawing", .unlisted_types = {"text/plain"},
            .reader = offsetof(struct game, bare_member), .answer = FORMAT_JSON, .is_batch = true, .is_detected = true,
            .has_several_lines = true)

/* The findings in records, one per line. Only `arbiter solve` writes this format, so it has no media type. */
FORMAT_ANSWER(FORMAT_LINT, "lint", .is_stream = true)

#undef FORMAT_BODY
#undef FORMAT_ANSWER
#undef FORMAT_BOTH
