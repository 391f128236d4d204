#include "api/job/source.h"

#include "base/ascii.h"
#include "base/assert.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { UNCHARGED = 64 << 10 /* bytes of faults and positions that a small body can have without being charged */ };

#define FORMAT_BODY(id, name, source, ...) [id] = &source,
const struct source_format *const source_table[FORMATS] = {
#include "api/game/format_rows.h"
};

enum format source_guess(const struct game *game, enum source_look least, const char *bytes, size_t length) {
    enum format guess = FORMAT_NONE;
    enum source_look best = least - 1;
    for (enum format format = 0; length != 0 && format < FORMATS; format++) {
        bool may_be = source_table[format] != NULL && (game == NULL || format_is_of(format, game));
        enum source_look look = may_be ? source_table[format]->look(bytes, length) : SOURCE_UNLIKE;
        if (look > best) {
            guess = format;
            best = look;
        }
    }
    return guess;
}

bool source_is_small(const struct source *source) { return source->length <= ADMIT_SMALL_BODY; }

static size_t uncharged(const struct source *source) { return source_is_small(source) ? UNCHARGED : 0; }

static bool is_stream(enum format answer) { return answer != FORMAT_NONE && format_table[answer].is_stream; }

static struct source *make(const struct source_format *format, enum format body, const struct service *service,
                           const struct admission *admission, char *bytes, size_t length) {
    struct source *source = malloc(format->size); /* glibc's calloc takes nothing from what the thread has freed */
    if (source == NULL)
        return NULL;
    memset(source, 0, format->size);
    *source = (struct source){
        .format = format,
        .body = body,
        .service = service,
        .admission = admission,
        .limits = limits_of(&service->limits, &admission->game->limits),
        .bytes = bytes,
        .length = length,
        .mode = is_stream(admission->answer) ? MODE_STREAM : MODE_SINGLE,
        .problem = PROBLEM_NONE,
    };
    source_init_faults(source, &source->faults);
    source_init_faults(source, &source->faults_after);
    arena_init_charged(&source->defaults.arena, uncharged(source), service->account);
    return source;
}

struct source *source_new(const struct service *service, const struct admission *admission, enum format body,
                          char *bytes, size_t length) {
    bool can_have_mark = admission->first_line == 0 && !format_table[body].is_binary;
    size_t mark = can_have_mark ? utf8_mark_length(bytes, length) : 0;
    struct source *source =
        make(source_table[body], body, service, admission, mark != 0 ? bytes + mark : bytes, length - mark);
    if (source != NULL)
        source->mark = mark;
    return source;
}

void source_free(struct source *source) {
    if (source == NULL)
        return;
    if (source->format->close != NULL)
        source->format->close(source);
    fault_list_clear(&source->faults);
    fault_list_clear(&source->faults_after);
    arena_clear(&source->defaults.arena);
    free(source);
}

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
        source->mode = is_stream(answer) ? MODE_STREAM : MODE_BATCH;
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
        .context = &r->context,
    };
}

void source_name_faults(const struct source *source, const struct case_reading *r) {
    const struct case_echo *echo = r->the_case;
    if (source->mode != MODE_BATCH || r->faults->count == 0 || echo->id == NULL)
        return;
    r->faults->id = r->faults->bytes.length;
    case_put_id(&r->faults->bytes, echo);
    buffer_put_char(&r->faults->bytes, 0);
}

enum outcome source_next_whole(struct source *source, struct workspace *workspace, struct work *work,
                               struct case_position *ret_position, void **ret_case) {
    (void)workspace, (void)work;
    *ret_position = (struct case_position){.end = source->length};
    *ret_case = NULL;
    source->ended = ++source->found == source->count;
    return OUTCOME_DONE;
}

/* ---- advice ---- */

/* If the body is UTF-16, which its format does not allow, say so. Returns true if it did. */
static bool name_utf16(const struct source *source, struct fault_list *faults) {
    enum utf16_look look = utf16_look(source->bytes, source->length);
    bool is_binary = format_table[source->body].is_binary;
    if (look == UTF16_NONE || (look == UTF16_MARKED && is_binary))
        return false;
    fault_list_add_advice(faults, is_binary
                                      ? " (the body is UTF-16 without a byte order mark; add the mark, or convert the "
                                        "body to UTF-8)"
                                      : " (the body is UTF-16; convert it to UTF-8)");
    return true;
}

void source_name_byte(const char *reason, const char *at, const char *end, struct fault_list *faults) {
    if (at == end)
        return;
    struct fault_quote quote = fault_quote_character(at, (size_t)(end - at));
    if (quote.text[0] == '<' && quote.text[1] != 0)
        fault_list_add_advice(faults, strncmp(reason, "expected", 8) == 0 ? ", found %s" : ": %s", quote.text);
}

void source_advise(const struct source *source, enum format suspected, struct fault_list *faults) {
    const char *end = source->bytes + source->length, *begin = ascii_skip_space(source->bytes, end);
    size_t length = (size_t)(end - begin);
    if (name_utf16(source, faults))
        return;
    bool like_its_own = length != 0 && source->format->look(begin, length) != SOURCE_UNLIKE;
    enum format guess = !like_its_own              ? source_guess(source->admission->game, SOURCE_LIKE, begin, length)
                        : suspected != FORMAT_NONE ? suspected
                                                   : source->body;
    if (!like_its_own && source->body == FORMAT_JSON && (guess == FORMAT_NONE || source->admission->link))
        fault_list_add_advice(faults, "; a case looks like %s", source->admission->game->example);
    if (guess == FORMAT_NONE || source->admission->link)
        return;
    const struct format_row *row = &format_table[guess];
    bool reads_files = source->service->reads_files;
    if (guess != source->body)
        fault_list_add_advice(faults, reads_files ? "; for %s, use --from %s" : "; for %s, send Content-Type: %s",
                              row->what, reads_files ? row->name : format_type(guess));
    if (!reads_files && (guess == suspected || row->has_several_lines) && memchr(begin, '\n', length) == NULL &&
        memchr(begin, '\r', length) == NULL)
        fault_list_add_advice(faults, " (curl -d strips line ends; use --data-binary)");
}

/* ---- the games of a collection ---- */

struct games_source {
    struct source source;
    const void *collection;
};

static enum outcome read_game(const struct source *source, struct case_reading *r) {
    const struct game_records *records = source->admission->game->records;
    if (!source_alloc_case(source, r))
        return OUTCOME_NO_MEMORY;
    struct json_decode decode = source_begin_decode(source, r, 0);
    records->read_game(&decode, ((const struct games_source *)source)->collection, r->number, r->the_case);
    source_name_faults(source, r);
    return decode.outcome;
}

static const struct source_format games = {
    .size = sizeof(struct games_source),
    .next = source_next_whole,
    .read = read_game,
};

struct source *source_games_new(const struct source *whole, const void *collection) {
    ASSERT(whole->mode != MODE_BATCH && whole->count == 1 && whole->ended);
    struct source *source = make(&games, whole->body, whole->service, whole->admission, whole->bytes, whole->length);
    if (source == NULL)
        return NULL;
    source_set_batch(source);
    source->count = whole->admission->game->records->count_games(collection);
    ((struct games_source *)source)->collection = collection;
    return source;
}
