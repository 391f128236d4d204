/* Cases in a JSON body or in the query of a link. The body is one value: either a case, or an object whose array
 * `cases` contains the cases. The whole body is checked before the first case is read. */
#include "api/job/json_case.h"
#include "api/job/source.h"
#include "api/json/check.h"
#include "api/json/decode.h"
#include "api/json/tree.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

_Static_assert(JOB_MIN_WORK >= (int)(2 + SOURCE_STEP / 8), "there is enough budget left for a step of the check");

struct json_source {
    struct source source;
    enum { JSON_NEW, JSON_CHECKING, JSON_CHECKED } state;
    struct json_checker checker;
    struct buffer spans; /* struct json_span: the positions of the cases in a batch */
    size_t at;           /* the members of a batch before this offset have been checked */
    uint64_t seen;       /* a bit for each member that was a default */
    bool bad_count;      /* `cases` is not an array, or has too few or too many cases */
};

static struct json_source *json_of(struct source *source) { return (struct json_source *)source; }

static enum outcome check(struct json_source *json, struct work *work) {
    size_t length = json->source.length, step = length < SOURCE_STEP ? length : SOURCE_STEP;
    do {
        /* Checking a byte takes 1 to 2 ns. */
        if (!work_charge(work, 2 + step / 8))
            return work_failure(work);
    } while (!json_checker_run(&json->checker, step));
    return json->checker.report.no_memory ? OUTCOME_NO_MEMORY : OUTCOME_DONE;
}

/* Does the body look like one case per line: a first line that begins and ends like an object, and a next line that
 * begins like one? */
static bool has_lines(const struct source *source) {
    const char *end = source->bytes + source->length, *begin = ascii_skip_space(source->bytes, end);
    const char *feed = memchr(begin, '\n', (size_t)(end - begin)), *last = feed != NULL ? feed : end;
    const char *next = ascii_skip_space(last, end);
    while (last > begin && ascii_is_space(last[-1]))
        last--;
    return next < end && *next == '{' && *begin == '{' && last[-1] == '}';
}

static void add_advice(struct source *source, const char *reason, const char *at) {
    source_name_byte(reason, at, source->bytes + source->length, &source->faults);
    source_advise(source, json_case_is_followed(reason, at) || has_lines(source) ? FORMAT_LINES : FORMAT_NONE,
                  &source->faults);
    if (source->admission->link && strstr(reason, "unterminated") != NULL)
        fault_list_add_advice(&source->faults, " (in a link, write # as %%23, & as %%26 and + as %%2B)");
}

/* Refuse a body that is not JSON or has too many values. In a stream, the limit on values applies to each case in an
 * array separately. */
static void refuse_bad(struct json_source *json) {
    struct source *source = &json->source;
    const struct json_report *report = &json->checker.report;
    bool counts_cases = source->mode == MODE_STREAM && report->has_member;
    if (!report->good) {
        fault_in_line(&source->faults, NULL, fault_find_line(source->bytes, report->offset, FAULT_FIRST_BYTE),
                      FAULT_SYNTAX, "%s", report->reason);
        add_advice(source, report->reason, source->bytes + report->offset);
        source_refuse(source, PROBLEM_MALFORMED);
    } else if (report->values > source->service->request->max_json_values && !counts_cases) {
        source_refuse(source, PROBLEM_TOO_LARGE);
    }
}

/* ---- a batch ---- */

/* Check the array of cases against its limit. In a stream, only the size of the body limits it. The body is refused
 * once all members have been checked, which can take several calls. */
static void check_count(struct json_source *json, const struct place *here) {
    struct source *source = &json->source;
    const char *what = json->checker.report.is_bare ? "the array" : "\"cases\"";
    uint64_t max = source->service->request->max_cases;
    size_t count = source->count, before = source->faults.count;
    if (!json->checker.report.member_is_array)
        fault_at(&source->faults, here, FAULT_TYPE, "%s must be an array", what);
    else if (count == 0)
        fault_at(&source->faults, here, FAULT_LENGTH, "%s is empty; a batch has at least 1 case", what);
    else if (count > max && source->mode != MODE_STREAM)
        fault_at(&source->faults, here, FAULT_LENGTH, "%s has %zu cases; max_cases is %llu", what, count,
                 (unsigned long long)max);
    json->bad_count = source->faults.count != before;
}

static void refuse_member(const struct json_object *members, const char *name, struct fault_list *faults) {
    const struct place whole = {0}, here = {.parent = &whole, .member = name};
    const char *names[JSON_DEFAULTS + 2] = {"cases"};
    for (size_t f = 0, count = 1; f < members->count; f++)
        if (members->fields[f].is_default)
            names[count++] = members->fields[f].name;
    fault_unknown(faults, &here, FAULT_UNKNOWN_MEMBER, "member", name, names, "a batch can have");
}

/* Check a member of the batch: the first one named "cases" contains the cases, the others are defaults. `seen` has a
 * bit for each default. */
static enum outcome check_member(struct json_source *json, struct json_members *members, const char *name,
                                 struct workspace *workspace, struct work *work) {
    struct source *source = &json->source;
    const struct json_object *known = source->admission->game->members;
    const struct json_span *cases = &json->checker.report.member;
    const struct place whole = {0}, here = {.parent = &whole, .member = name};
    size_t value = (size_t)(members->at - source->bytes), elements;
    struct fault_list *faults = value > cases->begin ? &source->faults_after : &source->faults;
    if (value == cases->begin) {
        check_count(json, &here);
        members->at = source->bytes + cases->end;
        return OUTCOME_DONE;
    }
    const char *text = members->at;
    const struct json_field *field = json_find_field(known, name);
    if (field != NULL && !field->is_default)
        field = NULL;
    enum outcome outcome = json_skip_value(&members->at, members->end, members->work, &elements);
    if (outcome != OUTCOME_DONE)
        return outcome;
    uint64_t bit = field != NULL ? (uint64_t)1 << (field - known->fields) : 0;
    if (strcmp(name, "cases") == 0 || json->seen & bit)
        fault_at(faults, &here, FAULT_DUPLICATE_MEMBER, "\"%s\" appears more than once", name);
    else if (field == NULL)
        refuse_member(known, name, faults);
    else
        outcome = json_default_read(source, field, text, (size_t)(members->at - text), workspace, work, faults);
    if (outcome == OUTCOME_DONE)
        json->seen |= bit;
    return outcome;
}

/* Check the members of a batch one by one, because there can be millions. If a member is wrong, a batch still checks
 * its cases; a stream does not. */
static enum outcome check_members(struct json_source *json, struct workspace *workspace, struct work *work) {
    struct source *source = &json->source;
    struct json_members members = json_members_begin(source->bytes, source->length, work);
    const char *name;
    if (json->at != 0) /* where the last call stopped */
        members.at = source->bytes + json->at;
    for (;;) {
        const char *before = members.at;
        if (!work_charge(work, 20))
            return work_failure(work);
        enum outcome outcome = json_members_next(&members, &workspace->reading, &name);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (name == NULL)
            break;
        outcome = check_member(json, &members, name, workspace, work);
        if (outcome != OUTCOME_DONE)
            return outcome;
        workspace_reset(workspace);
        json->at = (size_t)(members.at - source->bytes);
        /* Skipping a value takes 1 ns per byte. It is charged afterwards, so that every call makes progress. The array
         * of cases costs nothing, because its end is already known. */
        if (json->at != json->checker.report.member.end)
            source_pay_afterwards(work, (uint64_t)(members.at - before) / 8);
    }
    return OUTCOME_DONE;
}

/* ---- the interface ---- */

static enum source_look look(const char *bytes, size_t length) {
    (void)length;
    return *bytes == '{' || *bytes == '[' || *bytes == '"' ? SOURCE_SURE : SOURCE_UNLIKE;
}

/* An object with a member `cases` is not itself a case. */
static bool is_case(char *bytes, size_t length) {
    size_t mark = utf8_mark_length(bytes, length);
    struct json_checker checker;
    struct buffer counted_only;
    buffer_init(&counted_only, 0, NULL);
    json_checker_init(&checker, bytes + mark, length - mark, "cases", &counted_only);
    while (!json_checker_run(&checker, SIZE_MAX))
        continue;
    return checker.report.good && !checker.report.has_member;
}

/* Is the body an array of rows, which is not an array of cases but the only member of one? */
static bool is_bare_case(const struct json_source *json) {
    const struct json_report *report = &json->checker.report;
    struct json_span first;
    if (!report->is_bare || report->elements == 0 || json->source.admission->game->bare_member == NULL)
        return false;
    memcpy(&first, json->spans.data, sizeof first);
    const char *text = json->source.bytes + first.begin;
    return *text == '"' && memmem(text, first.end - first.begin, "\\n", 2) == NULL;
}

static enum outcome open_json(struct source *source, struct workspace *workspace, struct work *work) {
    struct json_source *json = json_of(source);
    if (json->state == JSON_NEW) {
        source_init_positions(source, &json->spans);
        json_checker_init(&json->checker, source->bytes, source->length, source->admission->link ? NULL : "cases",
                          &json->spans);
        json->state = JSON_CHECKING;
    }
    if (json->state == JSON_CHECKING) {
        enum outcome outcome = check(json, work);
        if (outcome != OUTCOME_DONE)
            return outcome;
        json->state = JSON_CHECKED;
        if (is_bare_case(json))
            json->checker.report.has_member = false;
        source->count = json->checker.report.has_member ? json->checker.report.elements : 1;
        if (json->checker.report.has_member)
            source_set_batch(source);
        refuse_bad(json);
        if (source->problem == PROBLEM_NONE && json->checker.report.is_bare && json->checker.report.has_member)
            check_count(json, &(struct place){0});
    }
    if (source->problem != PROBLEM_NONE || !json->checker.report.has_member)
        return OUTCOME_DONE;
    enum outcome outcome = json->checker.report.is_bare ? OUTCOME_DONE : check_members(json, workspace, work);
    workspace_reset(workspace);
    bool faulty = source->faults.count + source->faults_after.count != 0;
    if (outcome == OUTCOME_DONE && (json->bad_count || (source->mode == MODE_STREAM && faulty)))
        source_refuse(source, PROBLEM_INVALID_CASE);
    return outcome;
}

static enum outcome next_json(struct source *source, struct workspace *workspace, struct work *work,
                              struct case_position *ret_position, void **ret_case) {
    const struct json_source *json = json_of(source);
    struct json_span span = {0, source->length};
    (void)workspace, (void)work;
    if (json->checker.report.has_member)
        memcpy(&span, json->spans.data + source->found * sizeof span, sizeof span);
    *ret_position = (struct case_position){.begin = span.begin, .end = span.end};
    *ret_case = NULL;
    source->ended = ++source->found == source->count;
    return OUTCOME_DONE;
}

/*
 * Count the values of a case if the whole body has too many. This happens only in a stream, because a batch would have
 * been refused.
 */
static enum outcome count_values(const struct source *source, const struct json_report *whole, struct case_reading *r) {
    const struct case_position *position = r->position;
    uint64_t max = source->service->request->max_json_values;
    struct json_report report;
    if (whole->values <= max)
        return OUTCOME_DONE;
    enum outcome outcome =
        json_check(source->bytes + position->begin, position->end - position->begin, r->work, &report);
    if (outcome == OUTCOME_DONE && report.values > max)
        r->problem = PROBLEM_TOO_LARGE;
    return outcome;
}

static enum outcome read_json(const struct source *source, struct case_reading *r) {
    const struct json_source *json = (const struct json_source *)source;
    const struct json_report *report = &json->checker.report;
    const struct place whole = {0}, cases = {.parent = &whole, .member = "cases"},
                       element = {.parent = report->is_bare ? &whole : &cases, .index = r->number};
    /* Only a case that is the whole body can be a collection. */
    bool by_itself = !report->has_member && !source->admission->link;
    if (!json_case_pay(r))
        return work_failure(r->work);
    enum outcome outcome = count_values(source, report, r);
    if (outcome != OUTCOME_DONE || r->problem != PROBLEM_NONE)
        return outcome;
    return json_case_read(source, r, report->has_long_numbers, source->mode == MODE_BATCH ? &element : &whole,
                          by_itself ? source->service->request->max_cases : 0);
}

static void close_json(struct source *source) { buffer_clear(&json_of(source)->spans); }

const struct source_format source_json = {
    .size = sizeof(struct json_source),
    .lines = FORMAT_LINES,
    .look = look,
    .is_case = is_case,
    .open = open_json,
    .next = next_json,
    .read = read_json,
    .close = close_json,
};
