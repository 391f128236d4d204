/* Cases in lines, whatever a line holds: what the formats with is_in_lines share. Blank lines are skipped. */
#pragma once

#include "api/job/source.h"

/* The search for a line. A line may have 60 MB, and other threads may wait for the job. So the search stops when the
 * budget is exhausted, and the next call continues. */
struct line_search {
    size_t start; /* the beginning of the line */
    size_t end;   /* the line does not end before this byte */
    size_t last;  /* all bytes from here to the end are blank; 0: the end is not known */
};

/* The first member of the struct of such a format, or all of it. */
struct lines_source {
    struct source source;
    struct line_search search;
    size_t lines_read; /* lines before the current one */
};

/* The functions `open` and `next` of such a format. The position of a case is that of its line, without the blanks at
 * its end. */
enum outcome lines_open(struct source *source, struct workspace *workspace, struct work *work);
enum outcome lines_next(struct source *source, struct workspace *workspace, struct work *work,
                        struct case_position *ret_position, void **ret_case);
