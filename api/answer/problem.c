#include "api/answer/problem.h"

#include "api/json/encode.h"
#include "base/assert.h"

#include <string.h>

#define HERE "localhost:8080"

const struct problem_row problem_table[PROBLEM_COUNT] = {
    [PROBLEM_MALFORMED] =
        {"malformed", 400, "The request cannot be read",
         "<p>The body is not the JSON, the lines of JSON, the judge's text or the SGF record that its "
         "<code>Content-Type</code> announces, or it is empty; or the query has a parameter that the path does not "
         "know; or the head has "
         "conflicting or doubled framing headers.</p>"
         "<p><code>errors</code> names the place: <code>line</code> and <code>column</code> count from "
         "1, the column in bytes; <code>parameter</code> names one of the query.</p>",
         "curl -i " HERE "/mine -d '{\"board\":[\".*.\"'"},
    [PROBLEM_CROSS_SITE] =
        {"cross-site", 403, "The service refuses requests from other sites",
         "<p>The service was started with <code>--refuse-cross-site</code>, and the browser says by "
         "<code>Sec-Fetch-Site: "
         "cross-site</code> that a page of another site has caused the request. Open the address itself, or ask from a "
         "program.</p>",
         "curl -i " HERE "/version -H 'Sec-Fetch-Site: cross-site'"},
    [PROBLEM_NOT_FOUND] = {"not-found", 404, "There is no such path",
                           "<p>Nothing is served at this path. <code>detail</code> lists the paths that there are.</p>",
                           "curl -i " HERE "/nowhere"},
    [PROBLEM_METHOD_NOT_ALLOWED] = {"method-not-allowed", 405, "The path does not know this method",
                                    "<p>The header <code>Allow</code> lists the methods that it knows. The solving "
                                    "routes are asked with <code>POST</code>.</p>",
                                    "curl -i -X DELETE " HERE "/go"},
    [PROBLEM_NOT_ACCEPTABLE] = {"not-acceptable", 406, "No form of the answer is acceptable",
                                "<p>The header <code>Accept</code> leaves nothing that could be sent. The member "
                                "<code>available</code> lists the media types that can be had.</p>",
                                "curl -i " HERE "/mine -H 'Accept: image/png' -d '{\"board\":[\".*.\"]}'"},
    [PROBLEM_BODY_TIMEOUT] = {"body-timeout", 408, "The body arrived too slowly",
                              "<p>The whole body must arrive within <code>--body-timeout</code> seconds (30 by "
                              "default) after the head of the request. Send it faster, or send fewer cases at "
                              "once.</p>",
                              NULL},
    [PROBLEM_TOO_LARGE] = {"too-large", 413, "The body is too large",
                           "<p>The body has more bytes than <code>max_body_bytes</code>, or more JSON values than "
                           "<code>max_json_values</code>. <a href=\"/limits\">/limits</a> tells the limits in force. "
                           "Send fewer cases at once.</p>",
                           "head -c 70000000 /dev/zero | curl -i " HERE "/go --data-binary @-"},
    [PROBLEM_URI_TOO_LONG] = {"uri-too-long", 414, "The request target is too long",
                              "<p>A request target has at most 8192 bytes. Longer cases are sent in the body of a "
                              "<code>POST</code>.</p>",
                              "curl -i \"" HERE "/mine?case=$(printf %09000d 0)\""},
    [PROBLEM_UNSUPPORTED_MEDIA_TYPE] =
        {"unsupported-media-type", 415, "The body's media type is not supported",
         "<p>The header <code>Accept-Post</code> lists the types that the path reads, in "
         "UTF-8 and without a content coding.</p>",
         "curl -i " HERE "/mine -H 'Content-Type: application/xml' -d '{\"board\":[\".*.\"]}'"},
    [PROBLEM_INVALID_CASE] = {"invalid-case", 422, "The case breaks a rule of the route",
                              "<p>The body could be read, but it is not a valid case, or it is over a limit. "
                              "<code>errors</code> lists the first 20 faults in the order of the document; each has a "
                              "<code>pointer</code> (a JSON Pointer, RFC 6901) or a <code>line</code> and a "
                              "<code>column</code>, a <code>code</code> and a <code>detail</code>.</p>",
                              "curl -i " HERE "/mine -d '{\"board\":[\".*.\",\"..\"]}'"},
    [PROBLEM_ANSWER_TOO_LARGE] =
        {"answer-too-large", 422, "The answer would be too large",
         "<p>The answer would have more bytes than <code>max_answer_bytes</code>, or by link more than "
         "<code>max_link_answer_bytes</code>. Send fewer "
         "cases at once. <a href=\"/limits\">/limits</a> tells the limits in force.</p>",
         "(printf '{\"size\":25,\"include\":[\"boards\"],\"moves\":[[\"B\",\"pass\"]'; "
         "yes ',[\"B\",\"pass\"]' | head -n 99999; echo ']}') |\n"
         "    curl -i " HERE "/go --data-binary @-"},
    [PROBLEM_INTERNAL] = {"internal", 500, "Something went wrong inside the service",
                          "<p>This is a fault of the service and not of the request. Please report it with the "
                          "<code>X-Request-Id</code> of the answer.</p>",
                          NULL},
    [PROBLEM_OVERLOADED] = {"overloaded", 503, "The service cannot take the request now",
                            "<p>The queue or the memory of the service is full, or it is about to leave. Nothing was "
                            "lost: send the same request again after the seconds in <code>Retry-After</code>.</p>"
                            "<p>A service that was started with <code>--max-inflight-bytes 1</code> has no memory for "
                            "bodies of more than 4 KiB.</p>",
                            "head -c 9000 /dev/zero | curl -i " HERE "/go --data-binary @-"},
};

/* bytes; more than any problem document has */
enum { MAX_PROBLEM_BYTES = 1 << 20 };

/* The answer if there is no memory for a problem. */
#define NO_MEMORY                                                                                                      \
    "{\"type\":\"/problems/overloaded\",\"title\":\"The service cannot take the request now\",\"status\":503,"         \
    "\"detail\":\"memory is exhausted\"}"
static const char no_memory[] = NO_MEMORY "\n";
const char problem_last_line[] = "{\"problem\":" NO_MEMORY "}\n";

void problem_init_document(struct buffer *ret_document) { buffer_init(ret_document, MAX_PROBLEM_BYTES, NULL); }

/* Begin a problem document, up to the opening quote of its detail, inclusive. */
static void begin(struct buffer *out, const struct problem_row *row) {
    buffer_printf(out, "{\"type\":\"/problems/%s\",\"title\":\"%s\",\"status\":%u,\"detail\":\"", row->slug, row->title,
                  row->status);
}

void problem_respond_document(enum problem problem, struct buffer *body, const struct response_cors *cors,
                              struct response *ret_response) {
    const struct problem_row *row = &problem_table[problem];
    buffer_put_char(body, '\n');
    bool good = body->outcome == OUTCOME_DONE;
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

__attribute__((format(printf, 3, 0))) static void put(struct buffer *out, enum problem problem, const char *format,
                                                      va_list arguments) {
    struct buffer detail;
    problem_init_document(&detail);
    buffer_vprintf(&detail, format, arguments);
    begin(out, &problem_table[problem]);
    json_put_escaped(out, detail.data, detail.length);
    buffer_put_literal(out, "\"}");
    if (out->outcome == OUTCOME_DONE)
        out->outcome = detail.outcome;
    buffer_clear(&detail);
}

void problem_put(struct buffer *out, enum problem problem, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    put(out, problem, format, arguments);
    va_end(arguments);
}

void problem_respond(enum problem problem, const struct response_cors *cors, struct response *ret_response,
                     const char *format, ...) {
    struct buffer body;
    va_list arguments;
    problem_init_document(&body);
    va_start(arguments, format);
    put(&body, problem, format, arguments);
    va_end(arguments);
    problem_respond_document(problem, &body, cors, ret_response);
}

void problem_respond_not_acceptable(const char *available, const struct response_cors *cors,
                                    struct response *ret_response) {
    struct buffer body;
    problem_init_document(&body);
    begin(&body, &problem_table[PROBLEM_NOT_ACCEPTABLE]);
    buffer_printf(&body, "none of the forms in Accept can be had, only %s\",\"available\":[\"", available);
    for (const char *type = available; *type != 0;) {
        size_t length = strcspn(type, ",");
        buffer_put(&body, type, length);
        type += length;
        type += strspn(type, ", ");
        if (*type != 0)
            buffer_put_literal(&body, "\",\"");
    }
    buffer_put_literal(&body, "\"]}");
    problem_respond_document(PROBLEM_NOT_ACCEPTABLE, &body, cors, ret_response);
}

void problem_put_with(struct buffer *out, const char *name, const char *value, const char *document, size_t length) {
    ASSERT(length != 0 && *document == '{');
    buffer_put_char(out, '{');
    json_put_string(out, name, strlen(name));
    buffer_put_char(out, ':');
    json_put_string(out, value, strlen(value));
    buffer_put_char(out, ',');
    buffer_put(out, document + 1, length - 1);
}

/* One fault as a JSON object. */
static void put_fault(struct buffer *out, const struct fault *fault) {
    buffer_put_char(out, '{');
    if (fault->id != NULL) {
        buffer_put_literal(out, "\"id\":");
        buffer_put_string(out, fault->id);
        buffer_put_char(out, ',');
    }
    if (fault->parameter != NULL) {
        buffer_put_literal(out, "\"parameter\":");
        json_put_string(out, fault->parameter, strlen(fault->parameter));
        buffer_put_char(out, ',');
    }
    if (fault->pointer != NULL) {
        buffer_put_literal(out, "\"pointer\":");
        json_put_string(out, fault->pointer, strlen(fault->pointer));
        buffer_put_char(out, ',');
    }
    if (fault->line != 0)
        buffer_printf(out, "\"line\":%zu,", fault->line);
    if (fault->column != 0)
        buffer_printf(out, "\"column\":%zu,", fault->column);
    buffer_printf(out, "\"code\":\"%s\",\"detail\":", fault_code_names[fault->code]);
    json_put_string(out, fault->detail, strlen(fault->detail));
    if (fault->has_cell)
        buffer_printf(out, ",\"at\":[%u,%u]", fault->cell.row, fault->cell.col);
    buffer_put_char(out, '}');
}

void problem_put_faults(struct buffer *out, enum problem problem, const struct fault_list *faults) {
    struct fault fault = {.detail = ""};
    const char *comma = "";
    size_t at = 0;
    ASSERT(faults->count != 0);
    if (!fault_list_is_whole(faults)) {
        out->outcome = OUTCOME_NO_MEMORY;
        return;
    }
    begin(out, &problem_table[problem]);
    /* The detail of the document: that of a single fault; otherwise the number of faults, and the first. */
    fault_list_next(faults, &at, &fault);
    if (faults->count != 1)
        buffer_printf(out, "%zu faults; the first: ", faults->count);
    json_put_escaped(out, fault.detail, strlen(fault.detail));
    buffer_put_literal(out, "\",\"errors\":[");
    for (at = 0; fault_list_next(faults, &at, &fault);) {
        buffer_put_string(out, comma);
        comma = ",";
        put_fault(out, &fault);
    }
    buffer_put_literal(out, "]}");
}

void problem_respond_faults(enum problem problem, const struct fault_list *faults, const struct response_cors *cors,
                            struct response *ret_response) {
    struct buffer body;
    problem_init_document(&body);
    problem_put_faults(&body, problem, faults);
    problem_respond_document(problem, &body, cors, ret_response);
}
