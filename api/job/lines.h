/* Cases in lines, no matter what a line contains: one case per line (the formats with is_in_lines), or several lines
 * per case, with blank lines between cases. */
#pragma once

#include "api/job/source.h"

/* The search for a line. A line can be 60 MB long, and other threads may be waiting for the job, so the search stops
 * when the budget runs out, and the next call continues. */
struct line_search {
    size_t start; /* where the line begins */
    size_t end;   /* the line does not end before this offset */
    size_t last;  /* all bytes from here to the end of the line are blank; 0 while the end is not known */
};

/* The first member of such a format's struct, or all of it. */
struct lines_source {
    struct source source;
    struct line_search search;
    size_t lines_read;          /* lines before the current one */
    struct case_position block; /* the lines of the current case so far; `line` is 0 if there are none */
};

/* The functions `open` and `next` for such a format. The position of a case is its line or lines, without trailing
 * blanks. */
enum outcome lines_open(struct source *source, struct workspace *workspace, struct work *work);
enum outcome lines_next(struct source *source, struct workspace *workspace, struct work *work,
                        struct case_position *ret_position, void **ret_case);
