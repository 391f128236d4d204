#include "api/job/source_records.h"

#include "api/job/advice.h"
#include "base/assert.h"

struct games_source {
    struct source source;
    const void *collection;
};

static const struct game_records *records_of(const struct source *source) { return source->admission->game->records; }

static enum outcome next_record(struct source *source, struct workspace *workspace, struct work *work,
                                struct case_position *ret_position, void **ret_case) {
    (void)workspace, (void)work;
    *ret_position = (struct case_position){.end = source->length};
    *ret_case = NULL;
    source->ended = ++source->found == source->count;
    return OUTCOME_DONE;
}

/* ---- a body ---- */

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
    records_of(source)->read(&decode, &source->admission->parameters, source->bytes, source->length, &malformed,
                             r->the_case);
    if (malformed) {
        r->problem = PROBLEM_MALFORMED;
        advice_add(source, NULL, NULL, r->faults);
    }
    return decode.outcome;
}

const struct source_format source_records = {
    .format = FORMAT_SGF,
    .size = sizeof(struct source),
    .open = open_record,
    .next = next_record,
    .read = read_record,
};

/* ---- a collection ---- */

static enum outcome read_game(const struct source *source, struct case_reading *r) {
    if (!source_alloc_case(source, r))
        return OUTCOME_NO_MEMORY;
    struct json_decode decode = source_begin_decode(source, r, 0);
    records_of(source)->read_game(&decode, ((const struct games_source *)source)->collection, r->number, r->the_case);
    source_name_faults(source, r);
    return decode.outcome;
}

static const struct source_format games = {
    .format = FORMAT_SGF,
    .size = sizeof(struct games_source),
    .next = next_record,
    .read = read_game,
};

struct source *source_games_new(const struct source *whole, const void *collection) {
    ASSERT(whole->mode != MODE_BATCH && whole->count == 1 && whole->ended);
    struct source *source = source_new(&games, whole->service, whole->admission, whole->bytes, whole->length);
    if (source == NULL)
        return NULL;
    source_set_batch(source);
    source->count = records_of(source)->count_games(collection);
    ((struct games_source *)source)->collection = collection;
    return source;
}
