#include "api/job/source.h"

#include <stdlib.h>

enum { UNCHARGED = 64 << 10 /* bytes: the faults and the positions of a small body, which are not charged */ };

struct source *source_new(const struct source_format *format, const struct service *service,
                          const struct admission *admission, char *bytes, size_t length) {
    struct source *source = calloc(1, format->size);
    if (source == NULL)
        return NULL;
    *source = (struct source){
        .format = format,
        .service = service,
        .admission = admission,
        .limits = limits_of(&service->limits, &admission->game->limits),
        .bytes = bytes,
        .length = length,
        .mode = admission->answer == FORMAT_LINES ? MODE_STREAM : MODE_SINGLE,
        .problem = PROBLEM_NONE,
    };
    source_init_faults(source, &source->faults);
    source_init_faults(source, &source->faults_after);
    return source;
}

void source_free(struct source *source) {
    if (source == NULL)
        return;
    if (source->format->close != NULL)
        source->format->close(source);
    fault_list_clear(&source->faults);
    fault_list_clear(&source->faults_after);
    free(source);
}

bool source_is_small(const struct source *source) { return source->length <= ADMIT_SMALL_BODY; }

static size_t uncharged(const struct source *source) { return source_is_small(source) ? UNCHARGED : 0; }

void source_init_faults(const struct source *source, struct fault_list *ret_faults) {
    fault_list_init(ret_faults, source->service->account);
    ret_faults->bytes.uncharged = uncharged(source);
    ret_faults->parameter = source->admission->link ? "case" : NULL;
}

void source_init_positions(const struct source *source, struct buffer *ret_positions) {
    buffer_init(ret_positions, SIZE_MAX, source->service->account);
    ret_positions->uncharged = uncharged(source);
}

void source_set_batch(struct source *source) {
    const struct admission *admission = source->admission;
    enum format answer = admission->answer == FORMAT_SVG ? admission->answer_without_picture : admission->answer;
    if (source->mode == MODE_SINGLE)
        source->mode = answer == FORMAT_LINES ? MODE_STREAM : MODE_BATCH;
}

void source_refuse(struct source *source, enum problem problem) {
    source->ended = true;
    source->problem = problem;
}

void source_pay_afterwards(struct work *work, uint64_t units) {
    if (!work_charge(work, units))
        work->left = 0;
}

bool source_alloc_case(const struct source *source, struct case_reading *r) {
    r->the_case = arena_calloc(&r->workspace->reading, 1, source->admission->game->case_size);
    return r->the_case != NULL;
}

struct json_decode source_begin_decode(const struct source *source, struct case_reading *r, uint64_t max_games) {
    r->context = (struct case_context){
        .limits = source->limits,
        .over_total = r->over_total,
        .max_games = max_games,
        .hash_seed = source->service->hash_seed,
    };
    return (struct json_decode){
        .faults = r->faults,
        .arena = &r->workspace->reading,
        .work = r->work,
        .elements = &r->workspace->reading,
        .context = &r->context,
    };
}

void source_name_faults(const struct source *source, const struct case_reading *r) {
    const struct case_echo *echo = r->the_case;
    struct buffer text;
    if (source->mode != MODE_BATCH || r->faults->count == 0 || echo->id == NULL)
        return;
    buffer_init_like(&text, &r->faults->bytes);
    case_put_id(&text, echo);
    buffer_put_char(&text, 0);
    if (text.outcome == OUTCOME_DONE)
        fault_list_add_id(r->faults, text.data);
    else
        r->faults->bytes.outcome = text.outcome;
    buffer_clear(&text);
}
