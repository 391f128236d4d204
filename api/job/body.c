#include "api/job/body.h"

#include "api/job/advice.h"
#include "api/json/decode.h"
#include "api/json/tree.h"
#include "api/text/reader.h"
#include "base/assert.h"
#include "base/bits.h"

#include <string.h>

enum {
    AT_ONCE = 64 << 10,         /* bytes between two looks at the budget */
    UNCHARGED_NOTES = 64 << 10, /* bytes */
    BLANKS_A_UNIT = 64,         /* bytes: eight of them are looked at in a nanosecond */
    LINE_A_UNIT = 256,          /* bytes: memchr looks at 30 or more in a nanosecond */
};
_Static_assert(BODY_LEAST_WORK >= (int)(2 + AT_ONCE / 8), "a step of the check can be paid");

/* Charge work that is done. If the budget holds less than that, all of it is used up. */
static void pay_afterwards(struct work *work, uint64_t units) {
    if (!work_charge(work, units))
        work->left = 0;
}

static const struct request_limits *limits_of_request(const struct body *body) { return body->service->request; }

/* The length of the byte order mark at the beginning of the bytes; 0: there is none. */
static size_t mark_length(const char *bytes, size_t length) {
    return length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

bool body_is_case(char *bytes, size_t length) {
    size_t mark = mark_length(bytes, length);
    struct json_checker checker;
    struct buffer counted_only;
    buffer_init(&counted_only, 0, NULL);
    json_checker_init(&checker, bytes + mark, length - mark, "cases", &counted_only);
    while (!json_checker_run(&checker, SIZE_MAX))
        continue;
    return checker.report.good && !checker.report.has_member;
}

void body_init(struct body *body, const struct service *service, const struct admission *admission, char *bytes,
               size_t length, bool alone) {
    /* One byte order mark is skipped; to a record it says of which characters it is. */
    bool may_be_marked = admission->first_line == 0 && admission->body != FORMAT_SGF;
    size_t mark = may_be_marked ? mark_length(bytes, length) : 0;
    *body = (struct body){
        .service = service,
        .game = admission->game,
        .limits = limits_of(&service->limits, &admission->game->limits),
        .parameters = &admission->parameters,
        .format = admission->body,
        .link = admission->link,
        .may_be_json = admission->body == FORMAT_TEXT && admission->answer_to_json != FORMAT_NONE,
        .alone = alone,
        .bytes = mark != 0 ? bytes + mark : bytes, /* which may be none */
        .length = length - mark,
        .first_line = admission->first_line != 0 ? admission->first_line : 1,
    };
    body->line = body->first_line;
    body_init_faults(body, &body->faults);
    body_init_faults(body, &body->faults_behind);
    buffer_init(&body->notes, SIZE_MAX, service->account);
    if (length <= ADMIT_SMALL_BODY)
        body->notes.uncharged = UNCHARGED_NOTES;
}

void body_clear(struct body *body) {
    buffer_clear(&body->notes);
    fault_list_clear(&body->faults);
    fault_list_clear(&body->faults_behind);
}

void body_init_faults(const struct body *body, struct fault_list *ret_faults) {
    fault_list_init(ret_faults, body->service->account);
    if (body->length <= ADMIT_SMALL_BODY)
        ret_faults->records.uncharged = UNCHARGED_NOTES;
    ret_faults->parameter = body->link ? "case" : NULL;
}

void body_add_hint(const struct body *body, const char *reason, const char *place, struct fault_list *faults) {
    struct advice_body hint = {body->service, body->game, body->format, body->link, body->bytes, body->length};
    advice_add(&hint, reason, place, faults);
}

size_t body_most_cases(const struct body *body) {
    /* A case of lines takes three bytes, its end one of them; the last may lack it. */
    return body->count != SIZE_MAX ? body->count : body->length / 3 + 1;
}

/* There will be no more cases, and this is why. */
static void give_up(struct body *body, enum body_fault fault) {
    body->ended = true;
    body->fault = fault;
}

/* ---- JSON ---- */

/* Is the array `cases` as long as it may be? Cases that stand alone have no bound on their count but the body's. */
static void check_count(struct body *body, const struct place *here) {
    uint64_t most = limits_of_request(body)->max_cases;
    size_t count = body->checker.report.elements, before = body->faults.count;
    if (!body->checker.report.member_is_array)
        fault_at(&body->faults, here, FAULT_TYPE, "cases is no array");
    else if (count == 0 || (count > most && !body->alone))
        fault_at(&body->faults, here, FAULT_LENGTH, "cases has %zu cases; 1 to %llu are allowed", count,
                 (unsigned long long)most);
    if (body->faults.count != before)
        give_up(body, BODY_INVALID);
}

/* Look at a member of the envelope: the first one called "cases" has the cases, and any other is a fault. False: the
 * stop flag was set. */
static bool check_member(struct body *body, struct json_members *members, const char *name) {
    const struct json_span *cases = &body->checker.report.member;
    const struct place whole = {0}, here = {.parent = &whole, .member = "cases"};
    size_t value = (size_t)(members->at - body->bytes);
    struct fault_list *faults = value > cases->begin ? &body->faults_behind : &body->faults;
    if (value == cases->begin) {
        check_count(body, &here);
        members->at = body->bytes + cases->end;
        return true;
    }
    if (strcmp(name, "cases") == 0) {
        fault_at(faults, &here, FAULT_DUPLICATE_MEMBER, "the batch has the member \"cases\" more than once");
    } else {
        const struct place unknown = json_unknown_place(&whole, name);
        fault_at(faults, &unknown, FAULT_UNKNOWN_MEMBER, "beside \"cases\" there is no member \"%s\"",
                 fault_quote_string(name).text);
    }
    return json_members_pass(members);
}

/* A batch: what stands around its cases must be good, and of the cases nothing is looked at yet. Member by member, for
 * there may be millions. The cases are looked at all the same, for their faults, unless each is answered by itself. */
static enum outcome open_envelope(struct body *body, struct workspace *workspace, struct work *work) {
    struct json_members members = json_members_begin(body->bytes, body->length, work);
    const char *name;
    body->batch = true;
    body->count = body->checker.report.elements;
    if (body->at != 0) /* where it was given up for lack of work */
        members.at = body->bytes + body->at;
    for (;;) {
        size_t before = body->at;
        if (!work_charge(work, 20))
            return work_failure(work);
        enum outcome end = json_members_next(&members, &workspace->reading, &name);
        if (end == OUTCOME_CANCELLED)
            return OUTCOME_CANCELLED;
        if (end != OUTCOME_DONE)
            give_up(body, end == OUTCOME_INTERNAL ? BODY_NOT_PARSED : BODY_NO_MEMORY);
        if (name == NULL)
            break;
        if (!check_member(body, &members, name))
            return OUTCOME_CANCELLED;
        workspace_reset(workspace);
        body->at = (size_t)(members.at - body->bytes);
        /* Passing over a value takes a nanosecond a byte; it is paid for when it is done, so that each call gets
         * further. The cases themselves are jumped over. */
        bool jumped = before <= body->checker.report.member.begin && body->at == body->checker.report.member.end;
        if (!jumped)
            pay_afterwards(work, (body->at - before) / 8);
    }
    workspace_reset(workspace);
    if (body->fault == BODY_GOOD && body->alone && body->faults.count + body->faults_behind.count != 0)
        give_up(body, BODY_INVALID);
    return OUTCOME_DONE;
}

static enum outcome begin_json(struct body *body, struct workspace *workspace, struct work *work) {
    if (!body->checking) {
        json_checker_init(&body->checker, body->bytes, body->length, body->link ? NULL : "cases", &body->notes);
        body->checking = true;
    }
    size_t step = body->length < AT_ONCE ? body->length : AT_ONCE;
    while (!body->checked) {
        /* Checking reads a byte in a nanosecond or two. */
        if (!work_charge(work, 2 + step / 8))
            return work_failure(work);
        body->checked = json_checker_run(&body->checker, step);
    }
    const struct json_report *report = &body->checker.report;
    if (report->no_memory) {
        give_up(body, BODY_NO_MEMORY);
    } else if (!report->good) {
        fault_in_text(&body->faults, body->bytes, report->offset, FAULT_SYNTAX, "%s", report->reason);
        body_add_hint(body, report->reason, body->bytes + report->offset, &body->faults);
        give_up(body, BODY_MALFORMED);
    } else if (report->has_member && !body->link) {
        if (report->values > limits_of_request(body)->max_json_values && !body->alone) {
            give_up(body, BODY_TOO_MANY_VALUES);
            return OUTCOME_DONE;
        }
        return open_envelope(body, workspace, work);
    } else if (report->values > limits_of_request(body)->max_json_values) {
        give_up(body, BODY_TOO_MANY_VALUES);
    } else {
        body->count = 1;
    }
    return OUTCOME_DONE;
}

/* ---- text ---- */

static struct text_reader reader_at(const struct body *body, size_t at, uint64_t total, struct fault_list *faults,
                                    struct workspace *workspace, struct work *work) {
    return (struct text_reader){
        .text = body->bytes,
        .length = body->length,
        .at = at,
        .total = total,
        .most_cases = limits_of_request(body)->max_cases,
        .limits = body->limits,
        .faults = faults,
        .arena = &workspace->reading,
        .work = work,
    };
}

/* The reading has stopped: why. */
static enum outcome stop_reading(struct body *body, const struct text_reader *reader) {
    if (reader->outcome == OUTCOME_MORE_WORK || reader->outcome == OUTCOME_CANCELLED)
        return reader->outcome;
    give_up(body, reader->outcome == OUTCOME_NO_MEMORY ? BODY_NO_MEMORY
                  : reader->malformed                  ? BODY_MALFORMED
                                                       : BODY_INVALID);
    if (body->fault != BODY_NO_MEMORY)
        body_add_hint(body, NULL, NULL, &body->faults);
    return OUTCOME_DONE;
}

/* Read the next case; NULL when the reading has stopped. */
static void *read_case(const struct body *body, struct text_reader *reader) {
    void *the_case = text_alloc(reader, 1, body->game->case_size);
    return the_case != NULL && body->game->read_case(reader, the_case) ? the_case : NULL;
}

/* Read the next case. It is read to its end, whatever the budget holds: there is no other way to the next one. Without
 * anything left in the budget it is not begun. */
static enum outcome next_in_text(struct body *body, struct workspace *workspace, struct work *work,
                                 struct body_place *ret_place, void **ret_case) {
    struct work whole = {.left = WORK_UNBOUNDED, .stop = work->stop};
    if (!work_charge(work, 1))
        return work_failure(work);
    struct text_reader reader = reader_at(body, body->at, body->text_total, &body->faults, workspace, &whole);
    void *the_case = read_case(body, &reader);
    bool last = body->found + 1 == body->count;
    if (the_case == NULL || (last && !text_read_end(&reader))) {
        if (the_case == NULL)
            fault_list_add_hint(&body->faults, ", in case %zu", body->found + 1);
        workspace_reset(workspace);
        return stop_reading(body, &reader);
    }
    *ret_place = (struct body_place){.begin = body->at, .text_before = body->text_total};
    *ret_case = the_case;
    pay_afterwards(work, 1 + (reader.at - body->at) / 5);
    body->at = reader.at;
    body->text_total = reader.total;
    body->found++;
    body->ended = last;
    return OUTCOME_DONE;
}

/* Read what stands before the cases, which may be a million blanks, to its end, as cases are read. */
static enum outcome read_head(struct body *body, struct workspace *workspace, struct work *work) {
    struct work whole = {.left = WORK_UNBOUNDED, .stop = work->stop};
    uint64_t count;
    if (!work_charge(work, 1))
        return work_failure(work);
    struct text_reader reader = reader_at(body, 0, 0, &body->faults, workspace, &whole);
    if (!body->game->read_head(&reader, &count))
        return stop_reading(body, &reader);
    pay_afterwards(work, reader.at / 5);
    body->batch = true;
    body->count = (size_t)count;
    body->at = reader.at;
    return OUTCOME_DONE;
}

/* A text is refused as a whole, also where its cases are answered one by one: then all of it is read first, and it is
 * noted where each stands. */
static enum outcome check_text(struct body *body, struct workspace *workspace, struct work *work) {
    while (!body->ended) {
        struct body_place place;
        void *unused;
        enum outcome outcome = next_in_text(body, workspace, work, &place, &unused);
        workspace_reset(workspace);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (body->fault != BODY_GOOD)
            return OUTCOME_DONE;
        buffer_put(&body->notes, &place, sizeof place);
    }
    if (body->notes.outcome != OUTCOME_DONE)
        give_up(body, BODY_NO_MEMORY);
    body->found = 0;
    body->ended = body->fault != BODY_GOOD;
    return OUTCOME_DONE;
}

static enum outcome begin_text(struct body *body, struct workspace *workspace, struct work *work) {
    enum outcome outcome = body->batch ? OUTCOME_DONE : read_head(body, workspace, work);
    if (outcome != OUTCOME_DONE || body->fault != BODY_GOOD || !body->alone)
        return outcome;
    return check_text(body, workspace, work);
}

void *body_read_again(const struct body *body, const struct body_place *place, struct workspace *workspace,
                      struct work *work, enum outcome *ret_outcome) {
    struct fault_list none;
    fault_list_init(&none, NULL);
    struct text_reader reader = reader_at(body, place->begin, place->text_before, &none, workspace, work);
    void *the_case = read_case(body, &reader);
    ASSERT(none.count == 0);
    fault_list_clear(&none);
    *ret_outcome = reader.outcome;
    return the_case;
}

/* ---- lines ---- */

/* The top bit of each byte of a word that is a blank. */
static uint64_t find_blanks(uint64_t word) {
    return bits_zero_bytes(word ^ bits_repeat(' ')) | bits_zero_bytes(word ^ bits_repeat('\t'));
}

/* How many blanks `bytes` begins with. */
static size_t count_first_blanks(const char *bytes, size_t length) {
    size_t count = 0;
    for (; length - count >= 8; count += 8) {
        uint64_t others = ~find_blanks(bits_load(bytes + count)) & bits_repeat(0x80);
        if (others != 0)
            return count + (size_t)__builtin_ctzll(others) / 8;
    }
    while (count < length && (bytes[count] == ' ' || bytes[count] == '\t'))
        count++;
    return count;
}

/* How many blanks and carriage returns `bytes` ends with. */
static size_t count_last_blanks(const char *bytes, size_t length) {
    size_t count = 0;
    for (; length - count >= 8; count += 8) {
        uint64_t word = bits_load(bytes + length - count - 8), returns = bits_zero_bytes(word ^ bits_repeat('\r'));
        uint64_t others = ~(find_blanks(word) | returns) & bits_repeat(0x80);
        if (others != 0)
            return count + (size_t)__builtin_clzll(others) / 8;
    }
    const char *end = bytes + length - count;
    for (; end > bytes && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'); end--)
        count++;
    return count;
}

/* When the budget is exhausted, the next three functions return, and the next call continues. A line may have 60 MB,
 * and another thread may wait for the job meanwhile. */

static bool find_first(struct body *body, struct work *work) {
    for (;;) {
        size_t left = body->length - body->here.first, step = left < AT_ONCE ? left : AT_ONCE;
        size_t blanks = count_first_blanks(body->bytes + body->here.first, step);
        body->here.first += blanks;
        pay_afterwards(work, blanks / BLANKS_A_UNIT);
        if (blanks < AT_ONCE)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

static bool find_end(struct body *body, struct work *work) {
    if (body->here.end < body->here.first)
        body->here.end = body->here.first;
    for (;;) {
        size_t left = body->length - body->here.end, step = left < AT_ONCE ? left : AT_ONCE;
        const char *begin = body->bytes + body->here.end, *feed = memchr(begin, '\n', step);
        size_t passed = feed != NULL ? (size_t)(feed - begin) : step;
        body->here.end += passed;
        pay_afterwards(work, passed / LINE_A_UNIT);
        if (passed < AT_ONCE)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

static bool find_last(struct body *body, struct work *work) {
    if (body->here.last == 0)
        body->here.last = body->here.end;
    for (;;) {
        size_t left = body->here.last - body->here.first, step = left < AT_ONCE ? left : AT_ONCE;
        size_t blanks = count_last_blanks(body->bytes + body->here.last - step, step);
        body->here.last -= blanks;
        pay_afterwards(work, blanks / BLANKS_A_UNIT);
        if (blanks < AT_ONCE || body->here.last == body->here.first)
            return true;
        if (!work_charge(work, 1))
            return false;
    }
}

/* Set the byte at which the next line begins. */
static void begin_line(struct body *body, size_t at) {
    body->at = at;
    body->here = (struct body_line){.first = at};
}

/* Find the next line that is not blank, without the blanks around it and the carriage return before a line feed.
 * Without one, `ended` is set. */
static enum outcome next_line(struct body *body, struct work *work, struct body_place *ret_place) {
    while (body->at < body->length) {
        if (!work_charge(work, 1) || !find_first(body, work) || !find_end(body, work) || !find_last(body, work))
            return work_failure(work);
        struct body_line line = body->here;
        size_t start = body->at, number = body->line++;
        begin_line(body, line.end + (line.end < body->length));
        if (line.first == line.last)
            continue;
        *ret_place = (struct body_place){
            .begin = line.first, .end = line.last, .line = number, .column = line.first - start + 1};
        body->found++;
        return OUTCOME_DONE;
    }
    body->ended = true;
    return OUTCOME_DONE;
}

/* All lines are blank. The fault is a missing case, at the end of the last line. */
static void refuse_blank(struct body *body) {
    const char *feed = body->length != 0 ? memrchr(body->bytes, '\n', body->length) : NULL;
    size_t begin = feed != NULL ? (size_t)(feed + 1 - body->bytes) : 0;
    size_t line = begin < body->length ? body->line - 1 : body->line;
    fault_in_line(&body->faults, line, body->length - begin + 1, FAULT_SYNTAX, "there is no case, only blank lines");
    give_up(body, BODY_MALFORMED);
}

/* Lines are counted beforehand where they are a batch: what a case may cost depends on how many there are. Where each
 * is answered by itself it is enough that there is one. Too many are a fault, and all are checked none the less: a line
 * that cannot be read is told first. */
static enum outcome begin_lines(struct body *body, struct work *work) {
    uint64_t most = limits_of_request(body)->max_cases;
    body->batch = true;
    while (!body->ended && !(body->alone && body->found != 0)) {
        struct body_place place;
        enum outcome outcome = next_line(body, work, &place);
        if (outcome != OUTCOME_DONE)
            return outcome;
        if (!body->ended && !body->alone && body->found == most + 1)
            fault_in_line(&body->faults_behind, place.line, 0, FAULT_LENGTH, "the batch has more than %llu cases",
                          (unsigned long long)most);
    }
    size_t count = body->found;
    body->ended = false;
    if (count == 0)
        refuse_blank(body);
    body->count = body->alone ? SIZE_MAX : count;
    body->found = 0;
    body->line = body->first_line;
    begin_line(body, 0);
    return OUTCOME_DONE;
}

/* ---- all formats ---- */

/* Find out whether a text is JSON. OUTCOME_MORE_WORK: call again. */
static enum outcome look_for_json(struct body *body, struct work *work) {
    bool found = false;
    while (!found) {
        size_t begin = body->at, left = body->length - begin;
        size_t end = left < AT_ONCE ? body->length : begin + AT_ONCE;
        while (body->at < end && text_is_blank(body->bytes[body->at]))
            body->at++;
        found = body->at < end || end == body->length;
        /* Charged afterwards, so that each call makes progress, and a text without blanks costs nothing. */
        if (!work_charge(work, (body->at - begin) / 8))
            return work_failure(work);
    }
    if (body->at < body->length && body->bytes[body->at] == '{')
        body->format = FORMAT_JSON;
    body->at = 0;
    body->may_be_json = false;
    return OUTCOME_DONE;
}

enum outcome body_begin(struct body *body, struct workspace *workspace, struct work *work) {
    if (body->length == 0 && body->first_line == 1) {
        fault_in_text(&body->faults, body->bytes, 0, FAULT_SYNTAX,
                      body->link ? "the case is empty" : "the body is empty");
        give_up(body, BODY_MALFORMED);
        return OUTCOME_DONE;
    }
    if (body->may_be_json && look_for_json(body, work) != OUTCOME_DONE)
        return work_failure(work);
    switch (body->format) {
    case FORMAT_TEXT:
        return begin_text(body, workspace, work);
    case FORMAT_LINES:
        return begin_lines(body, work);
    case FORMAT_SGF:
        body->count = 1;
        return OUTCOME_DONE;
    default:
        return begin_json(body, workspace, work);
    }
}

enum outcome body_next(struct body *body, struct workspace *workspace, struct work *work, struct body_place *ret_place,
                       void **ret_text_case) {
    /* Lines of a batch are checked on behind too many values: one that cannot be read is told first. */
    bool is_checked_on = body->format == FORMAT_LINES && body->fault == BODY_TOO_MANY_VALUES;
    ASSERT((body->fault == BODY_GOOD || is_checked_on) && !body->ended);
    *ret_text_case = NULL;
    if (body->format == FORMAT_TEXT && !body->alone)
        return next_in_text(body, workspace, work, ret_place, ret_text_case);
    if (body->format == FORMAT_LINES) {
        enum outcome outcome = next_line(body, work, ret_place);
        body->ended |= body->found == body->count;
        return outcome;
    }
    if (body->collection != NULL) {
        *ret_place = (struct body_place){.begin = 0};
    } else if (body->format == FORMAT_TEXT) {
        memcpy(ret_place, body->notes.data + body->found * sizeof *ret_place, sizeof *ret_place);
    } else {
        struct json_span span = {0, body->length};
        if (body->batch)
            memcpy(&span, body->notes.data + body->found * sizeof span, sizeof span);
        *ret_place = (struct body_place){.begin = span.begin, .end = span.end};
    }
    body->ended = ++body->found == body->count;
    return OUTCOME_DONE;
}

void body_open(struct body *body, const void *collection) {
    ASSERT(!body->batch && body->count == 1 && body->ended);
    body->batch = true;
    body->collection = collection;
    body->count = body->game->records->count_games(collection);
    body->found = 0;
    body->ended = false;
}
