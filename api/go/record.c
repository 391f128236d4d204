#include "api/go/record.h"

#include "api/game/limit.h"
#include "api/go/json_move.h"
#include "api/go/settle.h"
#include "api/go/sgf_names.h"
#include "base/ascii.h"
#include "base/utf8.h"
#include "base/words.h"

#include <string.h>

/* The state of reading a record into a case. */
struct reading {
    struct json_decode *d;
    const struct sgf_record *record; /* NULL if the game is not a record; its faults then have no line */
    const struct place *place;       /* the place of the member; NULL: the record is the body */
    const struct sgf_game *game;
    struct go_case *the_case;
};

/* Get the position of an offset in the record. */
static struct fault_line line_of(const struct reading *r, size_t offset) {
    size_t begin = r->game != NULL ? r->game->begin : 0;
    struct fault_line from = r->game != NULL ? r->game->line : FAULT_FIRST_BYTE;
    return r->record != NULL ? fault_find_line(r->record->text + begin, offset - begin, from)
                             : (struct fault_line){0, 0};
}

static void add_fault(const struct reading *r, const struct sgf_fault *fault) {
    fault_in_line(r->d->faults, r->place, line_of(r, fault->offset), fault->code, "%s", fault->detail);
}

/* ---- legality ---- */

/* Add a fault for each chain without liberties. Returns true if there is none. */
static bool check_chains(const struct reading *r, const struct go_game *game, size_t offset) {
    uint16_t first[GO_POINTS];
    unsigned count = go_game_find_without_liberty(game, first), size = go_game_size(game);
    struct fault_line line = count != 0 ? line_of(r, offset) : (struct fault_line){0, 0};
    for (unsigned k = 0; k < count; k++) {
        struct fault_cell cell = {first[k] / size, first[k] % size};
        fault_in_line(r->d->faults, r->place, line, FAULT_LIBERTY, "the chain at [%u,%u] has no liberties", cell.row,
                      cell.col);
        fault_list_add_cell(r->d->faults, cell);
    }
    return count == 0;
}

/* Check that every chain has a liberty after the set-up. */
static bool check_setup(const struct reading *r) {
    struct json_decode *d = r->d;
    struct go_game *game;
    unsigned size = (unsigned)r->the_case->size;
    bool good = true;
    if (r->the_case->setup == NULL)
        return true;
    /* Setting up a stone takes about 30 ns. */
    if (!json_decode_charge(d, 3 * (uint64_t)size * size))
        return false;
    struct arena_mark mark = arena_mark(d->arena);
    d->outcome =
        go_game_new(size, (struct go_rules){.ko = GO_KO_NONE}, 0, d->context->hash_seed, d->arena, d->work, &game);
    if (d->outcome == OUTCOME_DONE) {
        go_case_set_up(r->the_case, game);
        good = check_chains(r, game, r->game != NULL ? r->game->begin : 0);
    }
    arena_rewind(d->arena, mark);
    return good && d->outcome == OUTCOME_DONE;
}

/* Play the lines, to count them and to check that every chain has a liberty after each change, which depends on the
 * moves before it. */
static void check_lines(const struct reading *r, bool main_only, uint64_t max_steps) {
    struct json_decode *d = r->d;
    struct go_case *the_case = r->the_case;
    struct sgf_lines lines;
    struct arena_mark mark = arena_mark(d->arena);
    d->outcome = sgf_lines_begin(&lines, the_case, max_steps, d->context->hash_seed, d->arena, d->work);
    if (d->outcome == OUTCOME_DONE) {
        lines.main_only = main_only;
        while (sgf_lines_next(&lines))
            continue;
        d->outcome = lines.outcome;
        if (d->outcome == OUTCOME_DONE && lines.fault.code == FAULT_LIBERTY)
            check_chains(r, lines.board, lines.fault.offset);
        else if (d->outcome == OUTCOME_DONE && lines.fault.code != FAULT_CODES)
            add_fault(r, &lines.fault);
        the_case->tree.lines = lines.leaves;
        the_case->tree.moves = lines.moves;
        the_case->tree.steps = lines.steps;
    }
    arena_rewind(d->arena, mark);
}

void go_record_check_setup(struct json_decode *d, const struct place *place, struct go_case *the_case) {
    check_setup(&(struct reading){.d = d, .place = place, .the_case = the_case});
}

/* ---- a game ---- */

/* Use the record's rules where the caller has not specified any. */
static void find_rules(const struct reading *r) {
    struct go_asked *asked = &r->the_case->asked;
    struct sgf_span name = r->game->first[SGF_RULES - SGF_RULES];
    struct sgf_rules rules = sgf_find_rules(r->record->text + name.at, name.length);
    bool found = true;
    if (!asked->rules.ko_named) {
        asked->rules.ko = rules.ko;
        found = rules.has_ko;
    }
    if (!asked->rules.suicide_named) {
        asked->rules.suicide = rules.suicide;
        found = found && rules.has_suicide;
    }
    if (!asked->rules.ko_named || !asked->rules.suicide_named)
        asked->rules.source = found ? GO_SOURCE_RECORD : GO_SOURCE_DEFAULT;
}

/* Read game `number` of `games`. */
static void read_game(struct reading *r, uint64_t number, uint64_t games) {
    struct json_decode *d = r->d;
    const struct go_limits *limits = d->context->limits;
    struct sgf_fault fault;
    bool good;
    find_rules(r);
    r->the_case->record.game = number;
    r->the_case->record.games = games;
    r->the_case->record.variations = r->game->variations;
    d->outcome = sgf_read_game(r->record, r->game, limits->max_moves, d->arena, d->work, r->the_case, &good, &fault);
    if (d->outcome != OUTCOME_DONE)
        return;
    r->the_case->tree.text = r->record->text;
    r->the_case->tree.game = r->game;
    if (!good)
        add_fault(r, &fault);
    else if (d->context->over_total)
        fault_in_line(d->faults, r->place, r->game->line, FAULT_RANGE,
                      "with these moves, the request exceeds max_moves_total");
    else if (check_setup(r) && r->the_case->depth == GO_RECORD_WHOLE && r->the_case->change_count != 0)
        check_lines(r, true, UINT64_MAX);
}

void go_record_read_variations(struct json_decode *d, const struct place *place, struct go_case *the_case) {
    const struct go_limits *limits = d->context->limits;
    struct sgf_record record = {.text = the_case->tree.text};
    if (go_case_includes(the_case, GO_INCLUDE_VARIATIONS) && record.text != NULL && d->outcome == OUTCOME_DONE)
        check_lines(&(struct reading){d, &record, place, the_case->tree.game, the_case}, false, limits->max_moves);
}

/* Turn the case into a collection. */
static void collect(const struct reading *r, const struct sgf_survey *survey) {
    struct go_collection *collection = arena_alloc(r->d->arena, sizeof *collection);
    if (collection == NULL) {
        r->d->outcome = OUTCOME_NO_MEMORY;
        return;
    }
    *collection = (struct go_collection){*r->record, r->place != NULL, survey->kept_count, survey->kept};
    r->the_case->collection = collection;
}

void go_record_read(struct json_decode *d, const struct sgf_record *record, const struct place *place,
                    bool *ret_malformed, struct go_case *the_case) {
    struct reading r = {.d = d, .record = record, .place = place, .the_case = the_case};
    uint64_t number = the_case->asked.game;
    struct sgf_survey survey;
    struct sgf_fault fault;
    enum go_record_depth depth = the_case->depth;
    bool all = number == GO_ALL_GAMES && depth != GO_RECORD_SYNTAX, good;
    if (!all && (number == 0 || number == GO_ALL_GAMES))
        number = 1;
    d->outcome = sgf_survey(record, all ? 0 : number, d->context->max_games, d->arena, d->work, &survey, &good, &fault);
    *ret_malformed = false;
    if (d->outcome != OUTCOME_DONE)
        return;
    if (!good) {
        *ret_malformed = fault.code == FAULT_SYNTAX;
        add_fault(&r, &fault);
    } else if (all) {
        collect(&r, &survey);
    } else if (survey.kept_count == 0) {
        if (depth != GO_RECORD_SYNTAX)
            go_case_fault(d->faults, place != NULL ? place->parent : NULL, "game", -1, FAULT_RANGE,
                          "\"game\" is %llu; the record has %llu game%s", (unsigned long long)number,
                          (unsigned long long)survey.games, ascii_plural(survey.games));
    } else if (depth != GO_RECORD_SYNTAX) {
        r.game = survey.kept;
        read_game(&r, number, survey.games);
    }
}

/* ---- the parameters of a body ---- */

enum parameter { GAME, KO, SUICIDE, INCLUDE, NEXT, KOMI, SCORING, REPETITION, DEAD, SEKI };

const char *const go_parameter_names[] = {[GAME] = "game",
                                          [KO] = "ko",
                                          [SUICIDE] = "suicide",
                                          [INCLUDE] = "include",
                                          [NEXT] = "next",
                                          [KOMI] = "komi",
                                          [SCORING] = "scoring",
                                          [REPETITION] = "repetition",
                                          [DEAD] = "dead",
                                          [SEKI] = "seki",
                                          NULL};

_Static_assert((int)SEKI < FORMAT_PARAMETERS, "struct format_parameters has room for each");
_Static_assert((int)GO_LISTS == (int)FORMAT_SETS && GO_POINTS <= 64 * (int)FORMAT_SET_WORDS, "and for the lists");

/* Add a fault for a value that is not allowed; `needed` says what is. */
static void refuse_value(struct fault_list *faults, enum parameter which, const char *value, size_t length,
                         const char *needed) {
    const char *name = go_parameter_names[which];
    fault_in_query(faults, name, strlen(name), FAULT_VALUE, "\"%s\" is \"%s\"; it must be %s", name,
                   fault_quote(value, length).text, needed);
}

static void read_number(const char *value, size_t length, struct fault_list *faults, uint64_t *ret_value) {
    uint64_t number = 0;
    size_t digits = 0;
    for (; digits < length && ascii_is_digit(value[digits]); digits++)
        if (number <= LIMIT_MAX)
            number = 10 * number + (uint64_t)(value[digits] - '0');
    if (ascii_equals(value, length, "all"))
        *ret_value = GO_ALL_GAMES;
    else if (digits == 0 || digits < length)
        refuse_value(faults, GAME, value, length, "an integer or all");
    else if (number < 1 || number > LIMIT_MAX)
        fault_in_query(faults, "game", 4, FAULT_RANGE, "\"game\" is %s; it must be between 1 and %llu",
                       fault_quote(value, length).text, (unsigned long long)LIMIT_MAX);
    else
        *ret_value = number;
}

/* Read one of `words` and store its index. */
static void read_word(enum parameter which, const char *value, size_t length, const char *const *words,
                      struct fault_list *faults, uint64_t *ret_value) {
    int index = words_find(words, value, length);
    if (index < 0)
        refuse_value(faults, which, value, length, words_list(words, "", " or ").text);
    else
        *ret_value = (uint64_t)index;
}

/* Read a part of an answer. */
static void read_part(const char *word, size_t length, struct fault_list *faults, uint64_t *ret_parts) {
    int index = words_find(go_include_words, word, length);
    if (index < 0)
        fault_in_query(faults, "include", 7, FAULT_VALUE,
                       "unknown part \"%s\"; \"include\" is a comma-separated list of %s",
                       fault_quote(word, length).text, words_list(go_include_words, "\"", " and ").text);
    else if (*ret_parts >> index & 1)
        fault_in_query(faults, "include", 7, FAULT_VALUE, "the part \"%s\" appears more than once",
                       go_include_words[index]);
    else
        *ret_parts |= (uint64_t)1 << index;
}

/* Read the name of a point. A set has one bit for each name, whatever the size of the board: "A1" is the first. */
static void read_point(enum parameter which, const char *name, size_t length, struct fault_list *faults,
                       uint64_t *ret_set) {
    struct go_move point;
    /* The largest size accepts each name that any size accepts. Rows are then counted from the top of that board. */
    if (go_json_parse_point(name, length, GO_MAX_SIZE, &point) == GO_POINT_READ) {
        unsigned bit = (GO_MAX_SIZE - 1u - point.row) * GO_MAX_SIZE + point.col;
        ret_set[bit / 64] |= (uint64_t)1 << bit % 64;
    } else {
        fault_in_query(faults, go_parameter_names[which], strlen(go_parameter_names[which]), FAULT_VALUE,
                       "\"%s\" has \"%s\", which is not a point, such as \"Q16\"; separate points with commas",
                       go_parameter_names[which], fault_quote(name, length).text);
    }
}

/* Read a comma-separated list of parts or points. An empty value has none. */
static void read_list(enum parameter which, const char *at, size_t length, struct fault_list *faults,
                      struct format_parameters *ret_parameters) {
    const char *end = at + length;
    for (bool more = length != 0; more;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        more = comma != NULL;
        size_t part = (size_t)((more ? comma : end) - at);
        if (which == INCLUDE)
            read_part(at, part, faults, &ret_parameters->value[which]);
        else
            read_point(which, at, part, faults, ret_parameters->set[which - DEAD]);
        at += part + more;
    }
}

void go_parameter_read(size_t which, const char *value, size_t length, struct fault_list *faults,
                       struct format_parameters *ret_parameters) {
    static const char *const booleans[] = {"true", "false", NULL};
    static const char *const *const words[] = {
        [KO] = go_ko_words, [SUICIDE] = booleans, [SCORING] = go_scoring_words, [REPETITION] = go_repetition_words};
    uint64_t *ret_value = &ret_parameters->value[which];
    int number;
    switch ((enum parameter)which) {
    case GAME:
        read_number(value, length, faults, ret_value);
        break;
    case NEXT:
        number = json_find_side(go_sides, value, length);
        if (number < 0)
            refuse_value(faults, NEXT, value, length, "B or W");
        else
            *ret_value = (uint64_t)number + GO_BLACK;
        break;
    case KOMI:
        if (go_komi_parse(value, length, &number)) /* the size of the board limits it later */
            *ret_value = (uint64_t)(int64_t)number;
        else
            refuse_value(faults, KOMI, value, length, "a multiple of 0.5");
        break;
    case INCLUDE:
    case DEAD:
    case SEKI:
        read_list((enum parameter)which, value, length, faults, ret_parameters);
        break;
    default:
        read_word((enum parameter)which, value, length, words[which], faults, ret_value);
    }
}

/* Store the values, which are valid, in the options of a case. */
static void apply_parameters(const struct format_parameters *parameters, struct go_asked *ret_asked) {
    const uint64_t *value = parameters->value;
    *ret_asked = (struct go_asked){
        .include = (uint32_t)value[INCLUDE],
        .rules = {.ko = (unsigned)value[KO],
                  .suicide = parameters->named >> SUICIDE & 1 && value[SUICIDE] == 0,
                  .scoring = (unsigned)value[SCORING],
                  .repetition = (unsigned)value[REPETITION],
                  .ko_named = parameters->named >> KO & 1,
                  .suicide_named = parameters->named >> SUICIDE & 1,
                  .source = GO_SOURCE_REQUEST},
        .game = value[GAME],
        .next = (unsigned)value[NEXT],
        .has_komi = parameters->named >> KOMI & 1,
        .komi = (int)(int64_t)value[KOMI],
    };
    for (enum go_list list = GO_LIST_DEAD; list < GO_LISTS; list++)
        if (parameters->named >> (DEAD + list) & 1)
            ret_asked->query_lists[list] = parameters->set[list];
}

/* ---- a body, and a game of a collection ---- */

static size_t skip_blanks(const struct sgf_record *record, size_t at) {
    while (at < record->length && sgf_is_blank(record->text[at]))
        at++;
    return at;
}

/* Is the body a JSON case? If it were read as SGF, it would be skipped, with its options, as text before the first
 * game. Other text before a game can also begin with a brace. */
static bool is_json(const struct sgf_record *record) {
    size_t brace = skip_blanks(record, 0), quote = brace;
    if (brace < record->length && record->text[brace] == '{')
        quote = skip_blanks(record, brace + 1);
    return quote != brace && quote < record->length && record->text[quote] == '"';
}

/* Skip the byte order mark, which indicates the record's encoding but is not part of it. */
static void read_mark(struct json_decode *d, struct sgf_record *record) {
    if (utf16_look(record->text, record->length) == UTF16_MARKED) {
        record->is_unicode = true;
        d->outcome = sgf_from_utf16(record->text, record->length, d->arena, d->work, &record->text, &record->length);
        return;
    }
    size_t mark = utf8_mark_length(record->text, record->length);
    if (mark != 0)
        *record = (struct sgf_record){record->text + mark, record->length - mark, true};
}

static void read_body(struct json_decode *d, const struct format_parameters *parameters, const char *text,
                      size_t length, bool *ret_malformed, void *ret_case) {
    struct go_case *the_case = ret_case;
    struct sgf_record record = {text, length, false};
    size_t before = d->faults->count;
    apply_parameters(parameters, &the_case->asked);
    the_case->has_sgf = true;
    the_case->depth = GO_RECORD_WHOLE;
    *ret_malformed = false;
    read_mark(d, &record);
    if (d->outcome != OUTCOME_DONE)
        return;
    if (is_json(&record)) {
        *ret_malformed = true;
        fault_in_line(d->faults, NULL, FAULT_FIRST_BYTE, FAULT_SYNTAX, "the body is a JSON object, not an SGF record");
    } else {
        go_record_read(d, &record, NULL, ret_malformed, the_case);
        if (d->faults->count == before)
            go_record_read_variations(d, NULL, the_case);
    }
    if (d->outcome == OUTCOME_DONE)
        go_settle(d, NULL, d->faults->count == before, the_case);
}

static size_t count_games(const void *the_case) {
    const struct go_collection *collection = ((const struct go_case *)the_case)->collection;
    return collection != NULL ? collection->count : 0;
}

static void read_game_of_collection(struct json_decode *d, const void *of_collection, size_t number, void *ret_case) {
    const struct go_case *whole = of_collection;
    const struct go_collection *collection = whole->collection;
    const struct place body = {0}, member = {.parent = &body, .member = "sgf"};
    struct go_case *the_case = ret_case;
    size_t before = d->faults->count;
    *the_case = (struct go_case){.echo = whole->echo, .asked = whole->asked, .has_sgf = true, .depth = GO_RECORD_WHOLE};
    struct reading r = {.d = d,
                        .record = &collection->record,
                        .place = collection->is_member ? &member : NULL,
                        .game = &collection->games[number],
                        .the_case = the_case};
    read_game(&r, number + 1, collection->count);
    if (d->faults->count == before)
        go_record_read_variations(d, r.place, the_case);
    if (d->outcome == OUTCOME_DONE)
        go_settle(d, collection->is_member ? &body : NULL, d->faults->count == before, the_case);
}

const struct game_records go_records = {
    .read = read_body,
    .count_games = count_games,
    .read_game = read_game_of_collection,
};
