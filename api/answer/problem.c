#include "api/answer/problem.h"

#include "api/json/encode.h"
#include "base/assert.h"

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
    [PROBLEM_ANSWER_TOO_LARGE] =
        {"answer-too-large", 422, "The answer would be too large",
         "<p>The answer would have more bytes than <code>max_answer_bytes</code>, or by link more than "
         "<code>max_link_answer_bytes</code>. Send fewer "
         "cases at once. <a href=\"/limits\">/limits</a> tells the limits in force.</p>"},
    [PROBLEM_INTERNAL] = {"internal", 500, "Something went wrong inside the service",
                          "<p>This is a fault of the service and not of the request. Please report it with the "
                          "<code>X-Request-Id</code> of the answer.</p>"},
    [PROBLEM_OVERLOADED] = {"overloaded", 503, "The service cannot take the request now",
                            "<p>The queue or the memory of the service is full, or it is about to leave. Nothing was "
                            "lost: send the same request again after the seconds in <code>Retry-After</code>.</p>"},
};

/* No problem document comes near this. */
enum { MOST_PROBLEM_BYTES = 1 << 20 };

/* When even a problem cannot be written: a fixed one. */
static const char no_memory[] = "{\"type\":\"/problems/overloaded\",\"title\":\"The service cannot take the request "
                                "now\",\"status\":503,\"detail\":\"memory is exhausted\"}\n";

/* Begin a problem document, up to and with the opening quote of its detail. */
static void begin(const struct problem_row *row, struct buffer *ret_body) {
    /* Not from the account: who is told that it is empty must not need it. */
    buffer_init(ret_body, MOST_PROBLEM_BYTES, NULL);
    buffer_printf(ret_body, "{\"type\":\"/problems/%s\",\"title\":\"%s\",\"status\":%u,\"detail\":\"", row->slug,
                  row->title, row->status);
}

/* Send the document; without memory, the fixed one instead. */
static void end(const struct problem_row *row, struct buffer *body, const struct response_cors *cors,
                struct response *ret_response) {
    buffer_put_literal(body, "}\n");
    bool good = body->state == BUFFER_GOOD;
    if (!good)
        row = &problem_table[PROBLEM_OVERLOADED];
    response_init(ret_response, cors, row->status, "application/problem+json");
    response_add_header(ret_response, "Cache-Control", "no-store");
    if (row == &problem_table[PROBLEM_OVERLOADED])
        response_add_header(ret_response, "Retry-After", "1");
    if (good) {
        response_take(ret_response, body);
    } else {
        buffer_clear(body);
        response_lend(ret_response, no_memory, sizeof no_memory - 1);
    }
}

void problem_respond(enum problem problem, const struct response_cors *cors, struct response *ret_response,
                     const char *format, ...) {
    const struct problem_row *row = &problem_table[problem];
    struct buffer body, detail;
    va_list arguments;
    buffer_init(&detail, MOST_PROBLEM_BYTES, NULL);
    va_start(arguments, format);
    buffer_vprintf(&detail, format, arguments);
    va_end(arguments);
    begin(row, &body);
    json_put_escaped(&body, detail.data, detail.length);
    buffer_put_char(&body, '"');
    if (body.state == BUFFER_GOOD)
        body.state = detail.state;
    buffer_clear(&detail);
    end(row, &body, cors, ret_response);
}

void problem_respond_not_acceptable(const char *available, const struct response_cors *cors,
                                    struct response *ret_response) {
    const struct problem_row *row = &problem_table[PROBLEM_NOT_ACCEPTABLE];
    struct buffer body;
    begin(row, &body);
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
    end(row, &body, cors, ret_response);
}

/* One fault as a JSON object. */
static void put_fault(struct buffer *body, const struct fault *fault) {
    buffer_put_char(body, '{');
    if (fault->parameter != NULL) {
        buffer_put_literal(body, "\"parameter\":");
        json_put_string(body, fault->parameter, strlen(fault->parameter));
        buffer_put_char(body, ',');
    }
    if (fault->pointer != NULL) {
        buffer_put_literal(body, "\"pointer\":");
        json_put_string(body, fault->pointer, strlen(fault->pointer));
        buffer_put_char(body, ',');
    }
    if (fault->line != 0)
        buffer_printf(body, "\"line\":%zu,\"column\":%zu,", fault->line, fault->column);
    buffer_printf(body, "\"code\":\"%s\",\"detail\":", fault_code_names[fault->code]);
    json_put_string(body, fault->detail, strlen(fault->detail));
    buffer_put_char(body, '}');
}

/* The detail of the whole: that of a single fault, else how many there are and the first. */
static void put_detail(struct buffer *body, struct faults *const *lists, size_t count) {
    size_t all = 0, first = count, at = 0;
    struct fault fault = {.detail = ""};
    for (size_t l = 0; l < count; l++) {
        all += lists[l]->count;
        if (first == count && lists[l]->count != 0)
            first = l;
    }
    ASSERT(first < count);
    if (first < count)
        faults_next(lists[first], &at, &fault);
    if (all != 1)
        buffer_printf(body, "%zu faults; the first: ", all);
    json_put_escaped(body, fault.detail, strlen(fault.detail));
}

/* The faults of all lists, the first 20 of them. */
static void put_errors(struct buffer *body, struct faults *const *lists, size_t count) {
    size_t listed = 0;
    buffer_put_literal(body, ",\"errors\":[");
    for (size_t l = 0; l < count; l++) {
        struct fault fault;
        for (size_t at = 0; listed < FAULTS_LISTED && faults_next(lists[l], &at, &fault); listed++) {
            if (listed != 0)
                buffer_put_char(body, ',');
            put_fault(body, &fault);
        }
    }
    buffer_put_char(body, ']');
}

void problem_respond_faults(enum problem problem, struct faults *const *lists, size_t count,
                            const struct response_cors *cors, struct response *ret_response) {
    const struct problem_row *row = &problem_table[problem];
    struct buffer body;
    begin(row, &body);
    for (size_t l = 0; l < count; l++)
        if (!faults_are_whole(lists[l]))
            body.state = BUFFER_NO_MEMORY;
    if (body.state == BUFFER_GOOD) {
        put_detail(&body, lists, count);
        buffer_put_char(&body, '"');
        put_errors(&body, lists, count);
    }
    end(row, &body, cors, ret_response);
}
