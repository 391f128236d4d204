/* A body that is an SGF record is one case. If it turns out to be a collection, job.c continues with
 * source_games_new. */
#include "api/job/source.h"

#include <string.h>

static enum outcome open_record(struct source *source, struct workspace *workspace, struct work *work) {
    (void)workspace, (void)work;
    source->count = 1;
    return OUTCOME_DONE;
}

static enum outcome read_record(const struct source *source, struct case_reading *r) {
    bool malformed = false;
    if (!source_alloc_case(source, r))
        return OUTCOME_NO_MEMORY;
    struct json_decode decode = source_begin_decode(source, r, source->service->request->max_cases);
    source->admission->game->records->read(&decode, &source->admission->parameters, source->bytes, source->length,
                                           &malformed, r->the_case);
    if (malformed) {
        r->problem = PROBLEM_MALFORMED;
        source_advise(source, FORMAT_NONE, r->faults);
    }
    return decode.outcome;
}

static enum source_look look(const char *bytes, size_t length) {
    static const char marked[2][4] = {"\xff\xfe(", {(char)0xfe, (char)0xff, 0, '('}}; /* in UTF-16 */
    bool is_utf16 = length >= 4 && (memcmp(bytes, marked[0], 4) == 0 || memcmp(bytes, marked[1], 4) == 0);
    return *bytes == '(' || is_utf16 ? SOURCE_SURE : SOURCE_UNLIKE;
}

const struct source_format source_records = {
    .size = sizeof(struct source),
    .look = look,
    .open = open_record,
    .next = source_next_whole,
    .read = read_record,
};
