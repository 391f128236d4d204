#include "api/answer/problem.h"

#include "api/internal.h"
#include "api/json/encode.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

const struct problem_row problem_table[PROBLEM_COUNT] = {
    [PROBLEM_MALFORMED] =
        {"malformed", 400, "The request cannot be read",
         "<p>The body is not the JSON or the text format that its <code>Content-Type</code> announces, "
         "or it is empty; or the query has a parameter that the path does not know; or the head has "
         "conflicting or doubled framing headers.</p>"
         "<p><code>errors</code> names the place: <code>line</code> and <code>column</code> count from "
         "1, the column in bytes; <code>parameter</code> names one of the query.</p>"},
    [PROBLEM_NOT_FOUND] = {"not-found", 404, "There is no such path",
                           "<p>Nothing is served at this path. <a href=\"/\">The first page</a> names the paths that "
                           "there are.</p>"},
    [PROBLEM_METHOD_NOT_ALLOWED] = {"method-not-allowed", 405, "The path does not know this method",
                                    "<p>The header <code>Allow</code> lists the methods that it knows. The solving "
                                    "routes are asked with <code>POST</code>.</p>"},
    [PROBLEM_NOT_ACCEPTABLE] = {"not-acceptable", 406, "No form of the answer is acceptable",
                                "<p>The header <code>Accept</code> leaves nothing that could be sent. The member "
                                "<code>available</code> lists the media types that can be had.</p>"},
    [PROBLEM_TOO_LARGE] = {"too-large", 413, "The body is too large",
                           "<p>The body has more bytes than <code>max_body_bytes</code>, or more JSON values than "
                           "<code>max_json_values</code>. <a href=\"/limits\">/limits</a> tells the limits in force. "
                           "Send fewer cases at once.</p>"},
    [PROBLEM_URI_TOO_LONG] = {"uri-too-long", 414, "The request target is too long",
                              "<p>A request target has at most 8192 bytes. Longer cases are sent in the body of a "
                              "<code>POST</code>.</p>"},
    [PROBLEM_UNSUPPORTED_MEDIA_TYPE] =
        {"unsupported-media-type", 415, "The body's media type is not supported",
         "<p>The header <code>Accept-Post</code> lists the types that the path reads, in "
         "UTF-8 and without a content coding.</p>"},
    [PROBLEM_INVALID_CASE] = {"invalid-case", 422, "The case breaks a rule of the route",
                              "<p>The body could be read, but it is not a valid case, or it is over a limit. "
                              "<code>errors</code> lists the first 20 faults in the order of the document; each has a "
                              "<code>pointer</code> (a JSON Pointer, RFC 6901) or a <code>line</code> and a "
                              "<code>column</code>, a <code>code</code> and a <code>detail</code>.</p>"},
    [PROBLEM_ANSWER_TOO_LARGE] = {"answer-too-large", 422, "The answer would be too large",
                                  "<p>The answer would have more bytes than <code>max_answer_bytes</code>. Send fewer "
                                  "cases at once. <a href=\"/limits\">/limits</a> tells the limits in force.</p>"},
    [PROBLEM_INTERNAL] = {"internal", 500, "Something went wrong inside the service",
                          "<p>This is a fault of the service and not of the request. Please report it with the "
                          "<code>X-Request-Id</code> of the answer.</p>"},
    [PROBLEM_OVERLOADED] = {"overloaded", 503, "The service cannot take the request now",
                            "<p>The queue or the memory of the service is full, or it is about to leave. Nothing was "
                            "lost: send the same request again after the seconds in <code>Retry-After</code>.</p>"},
};

static const char *const code_names[] = {
    [FAULT_SYNTAX] = "syntax",
    [FAULT_TYPE] = "type",
    [FAULT_MISSING] = "missing",
    [FAULT_UNKNOWN_MEMBER] = "unknown-member",
    [FAULT_DUPLICATE_MEMBER] = "duplicate-member",
    [FAULT_RANGE] = "range",
    [FAULT_VALUE] = "value",
    [FAULT_LENGTH] = "length",
    [FAULT_COUNT] = "count",
    [FAULT_CONFLICT] = "conflict",
    [FAULT_LIBERTY] = "liberty",
};

/* No problem document comes near this. */
enum { MOST_PROBLEM_BYTES = 1 << 20 };

void faults_init(struct faults *faults, struct account *account) {
    *faults = (struct faults){0};
    buffer_init(&faults->json, MOST_PROBLEM_BYTES, account);
}

void faults_clear(struct faults *faults) { buffer_clear(&faults->json); }

struct quoted quote(const char *input, size_t length) {
    struct quoted quoted;
    size_t at = 0, characters = 0, used = 0;
    while (at < length && characters < 40) {
        size_t step = utf8_length(input + at, length - at);
        if (step == 0 || input[at] == 0) {
            quoted.text[used++] = '?';
            at++;
        } else {
            memcpy(quoted.text + used, input + at, step);
            used += step;
            at += step;
        }
        characters++;
    }
    memcpy(quoted.text + used, at < length ? "..." : "", at < length ? 4 : 1);
    return quoted;
}

struct quoted quote_character(const char *input, size_t length) {
    size_t step = utf8_length(input, length);
    return quote(input, step != 0 ? step : 1);
}

/* Write a JSON Pointer (RFC 6901), the outermost part first. Bounded by the depth that the JSON check allows. */
static void put_pointer(struct buffer *out, const struct place *place) {
    if (place == NULL || place->parent == NULL)
        return;
    put_pointer(out, place->parent);
    buffer_put_char(out, '/');
    if (place->member == NULL) {
        buffer_put_integer(out, (int64_t)place->index);
        return;
    }
    for (const char *c = place->member; *c != 0;) {
        size_t plain = strcspn(c, "~/");
        put_json_escaped(out, c, plain);
        c += plain;
        if (*c != 0)
            buffer_put_string(out, *c++ == '~' ? "~0" : "~1");
    }
}

/* Begin a fault; false when it is counted only. */
static bool begin(struct faults *faults) { return faults->count++ < FAULTS_LISTED; }

/* Code and detail, which end every fault. */
static void end(struct faults *faults, enum fault_code code, const char *format, va_list arguments) {
    char detail[1024];
    vsnprintf(detail, sizeof detail, format, arguments);
    buffer_put_string(&faults->json, "\"code\":\"");
    buffer_put_string(&faults->json, code_names[code]);
    buffer_put_literal(&faults->json, "\",\"detail\":\"");
    if (faults->count == 1)
        faults->detail = faults->json.length;
    put_json_escaped(&faults->json, detail, strlen(detail));
    if (faults->count == 1)
        faults->after = faults->json.length;
    buffer_put_literal(&faults->json, "\"}\n");
}

/* The opening brace, and the parameter that all faults are in. */
static void put_fault_head(struct faults *faults) {
    buffer_put_literal(&faults->json, "{");
    if (faults->parameter != NULL)
        buffer_printf(&faults->json, "\"parameter\":\"%s\",", faults->parameter);
}

static void put_fault_pointer(struct faults *faults, const struct place *place) {
    buffer_put_literal(&faults->json, "\"pointer\":\"");
    put_pointer(&faults->json, place);
    buffer_put_literal(&faults->json, "\",");
}

/* Line and column of an offset, both from 1. */
static void put_fault_line(struct faults *faults, const char *text, size_t offset) {
    size_t line = 1, start = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 >= offset || text[i + 1] != '\n'))) {
            line++;
            start = i + 1;
        }
    buffer_printf(&faults->json, "\"line\":%zu,\"column\":%zu,", line, offset - start + 1);
}

void fault_at(struct faults *faults, const struct place *place, enum fault_code code, const char *format, ...) {
    if (!begin(faults))
        return;
    put_fault_head(faults);
    put_fault_pointer(faults, place);
    va_list arguments;
    va_start(arguments, format);
    end(faults, code, format, arguments);
    va_end(arguments);
}

void fault_in_text(struct faults *faults, const char *text, size_t offset, enum fault_code code, const char *format,
                   ...) {
    if (!begin(faults))
        return;
    put_fault_head(faults);
    put_fault_line(faults, text, offset);
    va_list arguments;
    va_start(arguments, format);
    end(faults, code, format, arguments);
    va_end(arguments);
}

void fault_in_member(struct faults *faults, const struct place *place, const char *text, size_t offset,
                     enum fault_code code, const char *format, ...) {
    if (!begin(faults))
        return;
    /* A byte order mark is no column. That of a body is gone by now. */
    size_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 && offset >= 3 ? 3 : 0;
    put_fault_head(faults);
    put_fault_pointer(faults, place);
    put_fault_line(faults, text + mark, offset - mark);
    va_list arguments;
    va_start(arguments, format);
    end(faults, code, format, arguments);
    va_end(arguments);
}

void fault_in_query(struct faults *faults, const char *parameter, size_t length, enum fault_code code,
                    const char *format, ...) {
    if (!begin(faults))
        return;
    struct quoted quoted = quote(parameter, length);
    buffer_put_literal(&faults->json, "{\"parameter\":");
    put_json_string(&faults->json, quoted.text, strlen(quoted.text));
    buffer_put_literal(&faults->json, ",");
    va_list arguments;
    va_start(arguments, format);
    end(faults, code, format, arguments);
    va_end(arguments);
}

/* When even a problem cannot be written: a fixed one. */
static const char no_memory[] = "{\"type\":\"/problems/overloaded\",\"title\":\"The service cannot take the request "
                                "now\",\"status\":503,\"detail\":\"memory is exhausted\"}\n";

/* Begin a problem document, up to and with the opening quote of its detail. */
static void begin_problem(const struct problem_row *row, struct buffer *out) {
    /* Not from the account: who is told that it is empty must not need it. */
    buffer_init(out, MOST_PROBLEM_BYTES, NULL);
    buffer_printf(out, "{\"type\":\"/problems/%s\",\"title\":\"%s\",\"status\":%u,\"detail\":\"", row->slug, row->title,
                  row->status);
}

/* Send the document; without memory, the fixed one instead. */
static void end_problem(const struct api *api, const struct api_admission *admission, const struct problem_row *row,
                        struct buffer *body, struct api_response *ret_response) {
    buffer_put_literal(body, "}\n");
    bool good = body->state == BUFFER_GOOD;
    if (!good)
        row = &problem_table[PROBLEM_OVERLOADED];
    response_init(api, admission, row->status, "application/problem+json", ret_response);
    response_header(ret_response, "Cache-Control", "no-store");
    if (row == &problem_table[PROBLEM_OVERLOADED])
        response_header(ret_response, "Retry-After", "1");
    if (good) {
        response_take(ret_response, body);
    } else {
        buffer_clear(body);
        ret_response->body = no_memory;
        ret_response->length = sizeof no_memory - 1;
    }
}

void respond_problem(const struct api *api, const struct api_admission *admission, enum problem problem,
                     struct api_response *ret_response, const char *format, ...) {
    const struct problem_row *row = &problem_table[problem];
    struct buffer body;
    char detail[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    begin_problem(row, &body);
    put_json_escaped(&body, detail, strlen(detail));
    buffer_put_char(&body, '"');
    end_problem(api, admission, row, &body, ret_response);
}

void respond_not_acceptable(const struct api *api, const struct api_admission *admission, const char *available,
                            struct api_response *ret_response) {
    const struct problem_row *row = &problem_table[PROBLEM_NOT_ACCEPTABLE];
    struct buffer body;
    begin_problem(row, &body);
    buffer_printf(&body, "none of the forms in Accept can be had, only %s\",\"available\":[\"", available);
    for (const char *type = available; *type != 0;) {
        size_t length = strcspn(type, ",");
        buffer_put(&body, type, length);
        type += length;
        type += strspn(type, ", ");
        if (*type != 0)
            buffer_put_literal(&body, "\",\"");
    }
    buffer_put_literal(&body, "\"]");
    end_problem(api, admission, row, &body, ret_response);
}

/* The faults of all lists, the first 20 of them. */
static void put_errors(struct buffer *body, struct faults *const *lists, size_t count) {
    size_t listed = 0;
    buffer_put_literal(body, ",\"errors\":[");
    for (size_t l = 0; l < count; l++) {
        if (lists[l]->json.length == 0)
            continue;
        const char *line = lists[l]->json.data, *end = line + lists[l]->json.length;
        while (line != end && listed < FAULTS_LISTED) {
            const char *stop = memchr(line, '\n', (size_t)(end - line));
            if (listed++ != 0)
                buffer_put_char(body, ',');
            buffer_put(body, line, (size_t)(stop - line));
            line = stop + 1;
        }
    }
    buffer_put_char(body, ']');
}

void respond_faults(const struct api *api, const struct api_admission *admission, enum problem problem,
                    struct faults *const *lists, size_t count, struct api_response *ret_response) {
    const struct problem_row *row = &problem_table[problem];
    const struct faults *first = NULL;
    struct buffer body;
    size_t faults = 0;
    begin_problem(row, &body);
    for (size_t l = 0; l < count; l++) {
        faults += lists[l]->count;
        if (first == NULL && lists[l]->count != 0)
            first = lists[l];
        if (lists[l]->json.state != BUFFER_GOOD)
            body.state = BUFFER_NO_MEMORY;
    }
    if (body.state == BUFFER_GOOD) {
        if (faults != 1)
            buffer_printf(&body, "%zu faults; the first: ", faults);
        buffer_put(&body, first->json.data + first->detail, first->after - first->detail);
        buffer_put_char(&body, '"');
        put_errors(&body, lists, count);
    }
    end_problem(api, admission, row, &body, ret_response);
}

bool write_problem_page(const struct problem_row *row, struct buffer *out) {
    buffer_printf(out,
                  "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n"
                  "<h1>%s</h1>\n<p><code>/problems/%s</code>, status %u</p>\n",
                  row->title, row->title, row->slug, row->status);
    buffer_put_string(out, row->page);
    buffer_put_literal(out, "\n</html>\n");
    return out->state == BUFFER_GOOD;
}
