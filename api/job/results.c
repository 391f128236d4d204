#include "api/job/results.h"

#include "api/answer/problem.h"
#include "api/job/answer.h"
#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Bytes that a small body gets without being charged: for its answer, and for the results and faults in its
     * window. */
    UNCHARGED_ANSWER = 64 << 10,
    UNCHARGED_PARTS = 64 << 10,
    MAX_PACKED_HERE = 16 << 10, /* bytes that any thread may compress, at about 10 us per KiB */
};

/* ---- the window ---- */

void results_init(struct results *results, const struct service *service, const struct admission *admission,
                  uint64_t max_held) {
    *results = (struct results){
        .service = service,
        .admission = admission,
        .max_bytes = limit_bytes(answer_limit(service, admission).bytes),
        .max_held = max_held,
    };
    buffer_init(&results->joined, results->max_bytes, service->account);
    buffer_init(&results->id, SIZE_MAX, NULL);
}

/* Free what a case has written. */
static void drop(struct result *result) {
    buffer_clear(&result->out);
    fault_list_clear(&result->faults);
}

static void close_window(struct results *results) {
    for (size_t r = 0; r < results->size; r++)
        drop(&results->window[r]);
    if (results->window == &results->single)
        results->single = (struct result){.is_done = false};
    else
        free(results->window);
    results->window = NULL;
    results->size = 0;
}

void results_clear(struct results *results) {
    close_window(results);
    buffer_clear(&results->joined);
    buffer_clear(&results->id);
}

/* The largest possible number of cases. A valid case on a line of its own takes at least three bytes, including the
 * line feed, which only the last line can lack. Invalid ones can be shorter; the window is then smaller than the number
 * of cases, which is harmless. */
static size_t max_cases(const struct source *source) {
    return source->count != SIZE_MAX ? source->count : source->length / 3 + 1;
}

bool results_open(struct results *results, struct source *source, enum format answer) {
    size_t max = max_cases(source);
    close_window(results);
    results->source = source;
    results->max_total_size = source->admission->game->total_limit(source->limits);
    results->format =
        source->mode != MODE_SINGLE && answer == FORMAT_SVG ? results->admission->answer_without_picture : answer;
    results->first = results->done = 0;
    results->joined.uncharged = source_is_small(source) ? UNCHARGED_ANSWER : 0;
    if (source->ended)
        return true;
    size_t size = max < RESULTS_WINDOW ? max : RESULTS_WINDOW;
    results->window = size == 1 ? &results->single : calloc(size, sizeof *results->window);
    results->size = results->window != NULL ? size : 0;
    return results->window != NULL;
}

struct result *results_room(const struct results *results) {
    const struct source *source = results->source;
    bool is_full = source->found - results->first >= results->size;
    bool is_held_up = source->mode == MODE_STREAM && results->held >= results->max_held;
    return source->ended || is_full || is_held_up ? NULL : results_at(results, source->found);
}

struct result *results_first_done(const struct results *results) {
    bool is_empty = results->first == results->source->found;
    return !is_empty && results_at(results, results->first)->is_done ? results_at(results, results->first) : NULL;
}

/* Remove the first result from the window, to make room for another case. */
static void leave(struct results *results, struct result *result) {
    drop(result);
    result->is_done = result->over_total = false;
    result->size = 0;
    results->done_bytes = result->found.position.begin;
    results->first++;
}

/* ---- by the thread that processes a case ---- */

void results_fail(struct results *results, enum outcome why) {
    int none = OUTCOME_DONE;
    atomic_compare_exchange_strong(&results->failure, &none, (int)why);
}

/* Are cases only checked, not solved? True if the request will be refused, or if the client already has the answer. */
static bool is_off(const struct results *results) {
    return answer_is_unchanged(results->admission, results->format) ||
           (results->source->mode != MODE_STREAM &&
            (atomic_load_explicit(&results->size_read, memory_order_relaxed) > results->max_total_size ||
             atomic_load_explicit(&results->faulty, memory_order_relaxed) ||
             atomic_load_explicit(&results->failure, memory_order_relaxed) != OUTCOME_DONE ||
             atomic_load_explicit(&results->answer_bytes, memory_order_relaxed) > results->max_bytes));
}

void results_start(const struct results *results, struct result *result) {
    const struct source *source = results->source;
    buffer_init(&result->out, results->max_bytes, results->service->account);
    result->out.uncharged = source_is_small(source) ? UNCHARGED_PARTS / results->size : 0;
    source_init_faults(source, &result->faults);
    result->faults.line = source->mode == MODE_BATCH ? result->found.position.line : 0;
    result->problem = PROBLEM_NONE;
    result->values = 0;
    result->collection = NULL;
}

bool results_want(struct results *results, struct result *result, const void *the_case) {
    const struct game *game = results->admission->game;
    /* Only a single case has a picture, so no other thread can be reading the format. */
    if (results->format == FORMAT_SVG && game->can_draw != NULL && !game->can_draw(the_case))
        results->format = results->admission->answer_without_picture;
    if (!results->source->format->checks_total) {
        uint64_t size = game->size_of(the_case);
        atomic_fetch_add_explicit(&results->size_read, size - result->size, memory_order_relaxed);
        result->size = size; /* a case that was put back has already added its size */
    }
    return result->faults.count == 0 && results->format != FORMAT_NONE && !is_off(results);
}

/* End the line for a case in a stream. If there is a problem, it replaces the result. It is charged like a result, but
 * the limits on answers do not apply to it. */
static void end_line(struct results *results, struct result *result, const struct case_echo *echo,
                     enum outcome outcome) {
    struct buffer *line = &result->out;
    struct answer_failure failure = {.outcome = outcome, .problem = result->problem, .faults = &result->faults};
    if (!answer_is_failure(&failure))
        return;
    if (results_is_failure(outcome))
        results_fail(results, outcome);
    else
        atomic_store(&results->faulty, true);
    buffer_clear(line);
    line->max = SIZE_MAX;
    if (results->format == FORMAT_LINT) {
        answer_put_findings(line, results->service, results->admission, &failure);
    } else {
        case_put_head(line, echo);
        buffer_put_literal(line, "\"problem\":");
        answer_put_problem(line, results->service, results->admission, &failure);
        buffer_put_literal(line, "}\n");
    }
    fault_list_clear(&result->faults);
    if (line->outcome != OUTCOME_DONE) {
        buffer_clear(line);
        line->outcome = OUTCOME_NO_MEMORY; /* the stream ends here */
    }
}

/* Record the outcome of a case that has no line of its own. */
static void note_outcome(struct results *results, struct result *result, const struct case_echo *echo,
                         enum outcome outcome) {
    if (results_is_failure(outcome))
        results_fail(results, outcome);
    if (result->faults.count != 0 || result->problem != PROBLEM_NONE)
        atomic_store(&results->faulty, true);
    size_t bytes = outcome == OUTCOME_TOO_LARGE ? results->max_bytes + 1 : result->out.length;
    atomic_fetch_add_explicit(&results->answer_bytes, bytes, memory_order_relaxed);
    if (results->source->mode == MODE_SINGLE && echo->id != NULL)
        case_put_id(&results->id, echo);
}

void results_end(struct results *results, struct result *result, const struct case_echo *echo, enum outcome outcome) {
    bool is_stream = results->source->mode == MODE_STREAM;
    if (outcome == OUTCOME_MORE_WORK || outcome == OUTCOME_CANCELLED) {
        drop(result);
        return;
    }
    if (results->format == FORMAT_LINES)
        buffer_put_char(&result->out, '\n');
    if (outcome == OUTCOME_DONE)
        outcome = result->out.outcome;
    (is_stream ? end_line : note_outcome)(results, result, echo, outcome);
}

/* ---- joining ---- */

/* Does this case make the batch exceed the limit on the sum, and is the position of that fault still unknown? */
static bool exceeds_total(const struct results *results, const struct result *result) {
    uint64_t limit = results->max_total_size;
    return results->source->problem != PROBLEM_MALFORMED && !result->over_total && results->total_size <= limit &&
           result->size > limit - results->total_size;
}

/* This case makes the batch exceed the limit on the sum of sizes. It is read again, so that this fault takes its place
 * among the case's other faults, in document order. That takes as long as the first reading, so it is a separate
 * step. */
static void ask_for_position(struct results *results, struct result *result) {
    drop(result);
    buffer_clear(&results->id);
    result->over_total = true;
    result->is_done = false;
    results->done--;
    atomic_store(&results->faulty, true);
}

/* Add the faults of a case to those of the body. A malformed case causes all other faults to be dropped. */
static void join_faults(struct results *results, const struct result *result) {
    struct source *source = results->source;
    if (source->problem == PROBLEM_MALFORMED)
        return;
    if (result->problem == PROBLEM_MALFORMED) {
        fault_list_clear(&source->faults);
        source_refuse(source, PROBLEM_MALFORMED);
    } else if (results->values > results->service->request->max_json_values) {
        source->problem = PROBLEM_TOO_LARGE; /* later lines are still checked, because a malformed one takes
                                              * precedence */
        atomic_store(&results->faulty, true);
    }
    fault_list_append(&source->faults, &result->faults);
}

/* Append a result to those before it. The result of a single case is the whole answer, and stays where it is. */
static void join(struct results *results, const struct result *result) {
    results->values += result->values;
    results->total_size += result->size;
    join_faults(results, result);
    if (results->source->mode == MODE_SINGLE || is_off(results))
        return;
    if (results->format == FORMAT_JSON)
        buffer_put_string(&results->joined, results->joined.length == 0 ? "{\"results\":[" : ",");
    buffer_put(&results->joined, result->out.data, result->out.length);
}

struct result *results_deliver(struct results *results, struct result *result) {
    ASSERT(!result->is_done);
    result->is_done = true;
    results->done++;
    if (results->source->mode == MODE_STREAM) {
        results->held += result->out.capacity;
        return NULL;
    }
    while ((result = results_first_done(results)) != NULL) {
        if (exceeds_total(results, result)) {
            ask_for_position(results, result);
            return result;
        }
        join(results, result);
        if (results->source->mode == MODE_SINGLE)
            break;
        leave(results, result);
    }
    return NULL;
}

/* ---- a stream ---- */

/* Copy as much of the rest of a line as fits; *at bytes of it have been read. Returns true when the line has been read
 * completely. */
static bool copy_line(const char *line, size_t length, size_t *at, char *to, size_t size, size_t *copied) {
    size_t left = length - *at, count = left < size - *copied ? left : size - *copied;
    if (count != 0)
        memcpy(to + *copied, line + *at, count);
    *copied += count;
    *at += count;
    return count == left;
}

size_t results_read(struct results *results, char *ret_bytes, size_t size) {
    struct result *result;
    size_t copied = 0;
    while (copied < size && results->read_last == 0 && (result = results_first_done(results)) != NULL) {
        if (result->out.outcome != OUTCOME_DONE ||
            !copy_line(result->out.data, result->out.length, &results->read, ret_bytes, size, &copied))
            break;
        results->read = 0;
        results->held -= result->out.capacity;
        leave(results, result);
    }
    /* The stream is broken: write the last line and nothing after it. A client that counts lines would mistake a
     * further line for the missing one. */
    if (results->is_broken)
        copy_line(problem_last_line, strlen(problem_last_line), &results->read_last, ret_bytes, size, &copied);
    return copied;
}

/* ---- other answers ---- */

bool results_are_heavy(const struct results *results) {
    bool is_batch = results->source->mode == MODE_BATCH;
    size_t length = is_batch ? results->joined.length : results->single.out.length;
    return results->admission->gzip && length > MAX_PACKED_HERE;
}

/* Collect the failures of the request. */
static struct answer_failure close_faults(struct results *results) {
    struct source *source = results->source;
    enum outcome outcome = (enum outcome)atomic_load(&results->failure);
    if (outcome == OUTCOME_DONE && atomic_load(&results->answer_bytes) > results->max_bytes)
        outcome = OUTCOME_TOO_LARGE;
    if (source->problem == PROBLEM_NONE || source->problem == PROBLEM_INVALID_CASE)
        fault_list_append(&source->faults, &source->faults_after);
    return (struct answer_failure){.outcome = outcome, .problem = source->problem, .faults = &source->faults};
}

void results_respond(struct results *results, struct response *ret_response) {
    bool is_batch = results->source->mode == MODE_BATCH;
    struct buffer *bytes = is_batch ? &results->joined : &results->single.out;
    struct answer_failure failure = close_faults(results);
    if (!answer_is_failure(&failure)) {
        if (bytes->length != 0 && is_batch && results->format == FORMAT_JSON)
            buffer_put_literal(bytes, "]}\n");
        else if (bytes->length != 0 && (results->format == FORMAT_JSON || results->format == FORMAT_LINES))
            buffer_put_char(bytes, '\n');
        failure.outcome = bytes->outcome;
    }
    answer_write(results->service, results->admission, results->format, &failure, bytes, ret_response);
}
