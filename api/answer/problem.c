#include "api/answer/problem.h"

#include "api/json/encode.h"
#include "base/assert.h"

#include <string.h>

#define HERE "localhost:8080"

const struct problem_row problem_table[PROBLEM_COUNT] = {
    [PROBLEM_MALFORMED] =
        {"malformed", 400, "Malformed request",
         "<p>The body is empty, or isn't valid in the format that its <code>Content-Type</code> names (JSON, NDJSON, "
         "contest format or SGF). You also get this problem for an unknown query parameter, and for conflicting or "
         "repeated framing headers.</p>"
         "<p><code>errors</code> says where each error is: <code>line</code> and <code>column</code> count from 1, "
         "with columns in bytes; <code>parameter</code> is the name of a query parameter.</p>",
         "curl -i " HERE "/mine -d '{\"board\":[\".*.\"'"},
    [PROBLEM_CROSS_SITE] =
        {"cross-site", 403, "Cross-site request refused",
         "<p>The server was started with <code>--refuse-cross-site</code>, and the browser sent "
         "<code>Sec-Fetch-Site: cross-site</code>, which means that a page on another site made the request. Open the "
         "address directly, or send the request from a program.</p>",
         "curl -i " HERE "/version -H 'Sec-Fetch-Site: cross-site'"},
    [PROBLEM_NOT_FOUND] = {"not-found", 404, "Not found",
                           "<p>There is nothing at this path. <code>detail</code> lists all paths.</p>",
                           "curl -i " HERE "/nowhere"},
    [PROBLEM_METHOD_NOT_ALLOWED] = {"method-not-allowed", 405, "Method not allowed",
                                    "<p>The <code>Allow</code> header lists the methods that this path supports. Send "
                                    "cases with <code>POST</code>.</p>",
                                    "curl -i -X DELETE " HERE "/go"},
    [PROBLEM_NOT_ACCEPTABLE] =
        {"not-acceptable", 406, "Not acceptable",
         "<p>The <code>Accept</code> header rules out all media types in which this request can be "
         "answered; <code>available</code> lists them.</p>",
         "curl -i " HERE "/mine -H 'Accept: image/png' -d '{\"board\":[\".*.\"]}'"},
    [PROBLEM_BODY_TIMEOUT] = {"body-timeout", 408, "Body timeout",
                              "<p>The whole body must arrive within <code>--body-timeout</code> seconds of the "
                              "headers (30 by default). Send it faster, or send fewer cases per request.</p>",
                              NULL},
    [PROBLEM_TOO_LARGE] = {"too-large", 413, "Body too large",
                           "<p>The body has more than <code>max_body_bytes</code> bytes or more than "
                           "<code>max_json_values</code> JSON values. Send fewer cases per request. <a "
                           "href=\"/limits\">/limits</a> shows the limits of this server.</p>",
                           "head -c 70000000 /dev/zero | curl -i " HERE "/go --data-binary @-"},
    [PROBLEM_URI_TOO_LONG] = {"uri-too-long", 414, "Request target too long",
                              "<p>The path and the query together can have at most 8192 bytes. Send longer cases as "
                              "the body of a <code>POST</code>.</p>",
                              "curl -i \"" HERE "/mine?case=$(printf %09000d 0)\""},
    [PROBLEM_UNSUPPORTED_MEDIA_TYPE] =
        {"unsupported-media-type", 415, "Unsupported media type",
         "<p>The <code>Accept-Post</code> header lists the media types that this path accepts. Send the body as UTF-8 "
         "and without a content coding.</p>",
         "curl -i " HERE "/mine -H 'Content-Type: application/xml' -d '{\"board\":[\".*.\"]}'"},
    [PROBLEM_INVALID_CASE] =
        {"invalid-case", 422, "Invalid case",
         "<p>The request could be parsed, but a case in it is invalid or exceeds a limit. "
         "<code>errors</code> lists the first 20 errors in document order. Each gives its "
         "location, either as a <code>pointer</code> (a JSON Pointer, RFC 6901) or as a <code>line</code> "
         "and a <code>column</code>, together with a <code>code</code> and a "
         "<code>detail</code>.</p>",
         "curl -i " HERE "/mine -d '{\"board\":[\".*.\",\"..\"]}'"},
    [PROBLEM_ANSWER_TOO_LARGE] =
        {"answer-too-large", 422, "Answer too large",
         "<p>The answer would have more than <code>max_answer_bytes</code> bytes or, if the case is in a link, more "
         "than <code>max_link_answer_bytes</code>. Send fewer cases per request. <a href=\"/limits\">/limits</a> shows "
         "the limits of this server.</p>",
         "(printf '{\"size\":25,\"include\":[\"boards\"],\"moves\":[[\"B\",\"pass\"]'; "
         "yes ',[\"B\",\"pass\"]' | head -n 99999; echo ']}') |\n"
         "    curl -i " HERE "/go --data-binary @-"},
    [PROBLEM_INTERNAL] = {"internal", 500, "Internal error",
                          "<p>This is a bug in the server, not in your request. Please report it, and include the "
                          "<code>X-Request-Id</code> header of the response.</p>",
                          NULL},
    [PROBLEM_OVERLOADED] = {"overloaded", 503, "Temporarily unavailable",
                            "<p>The server's queue or memory is full, or the server is shutting down. Retry the same "
                            "request after the number of seconds in <code>Retry-After</code>.</p>"
                            "<p>The command below gets this problem from a server started with "
                            "<code>--max-inflight-bytes 1</code>, which has no memory for bodies of more than 4 "
                            "KiB.</p>",
                            "head -c 9000 /dev/zero | curl -i " HERE "/go --data-binary @-"},
};

/* bytes; larger than any problem document */
enum { MAX_PROBLEM_BYTES = 1 << 20 };

/* The answer when there is no memory for a problem. */
#define NO_MEMORY                                                                                                      \
    "{\"type\":\"/problems/overloaded\",\"title\":\"Temporarily unavailable\",\"status\":503,"                         \
    "\"detail\":\"out of memory\"}"
static const char no_memory[] = NO_MEMORY "\n";
const char problem_last_line[] = "{\"problem\":" NO_MEMORY "}\n";

void problem_init_document(struct buffer *ret_document) { buffer_init(ret_document, MAX_PROBLEM_BYTES, NULL); }

/* Begin a problem document, up to and including the opening quote of its detail. */
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

void problem_respond_not_acceptable(const char *available, bool no_picture, bool reads_files,
                                    const struct response_cors *cors, struct response *ret_response) {
    struct buffer body;
    problem_init_document(&body);
    begin(&body, &problem_table[PROBLEM_NOT_ACCEPTABLE]);
    if (reads_files)
        buffer_put_literal(&body, "--to svg draws a single board, of at most 10,000 cells; use --to json, --to text or "
                                  "--to ndjson, or solve the boards one by one");
    else if (no_picture)
        buffer_printf(&body, "a picture shows a single board, of at most 10,000 cells; this can only be answered as %s",
                      available);
    else
        buffer_printf(&body, "Accept rules out all available media types: %s", available);
    buffer_put_literal(&body, "\",\"available\":[\"");
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

/* A string member and a comma. */
static void put_member(struct buffer *out, const char *name, const char *value) {
    json_put_string(out, name, strlen(name));
    buffer_put_char(out, ':');
    json_put_string(out, value, strlen(value));
    buffer_put_char(out, ',');
}

void problem_put_with(struct buffer *out, const char *name, const char *value, const char *document, size_t length) {
    ASSERT(length != 0 && *document == '{');
    buffer_put_char(out, '{');
    put_member(out, name, value);
    buffer_put(out, document + 1, length - 1);
}

/* One fault as a JSON object. */
static void put_fault(struct buffer *out, const struct fault *fault) {
    buffer_put_char(out, '{');
    if (fault->id != NULL)
        buffer_printf(out, "\"id\":%s,", fault->id);
    if (fault->parameter != NULL)
        put_member(out, "parameter", fault->parameter);
    if (fault->pointer != NULL)
        put_member(out, "pointer", fault->pointer);
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
    /* The detail of the document: the fault's own if there is only one; otherwise the number of faults, and the first
     * one. */
    fault_list_next(faults, &at, &fault);
    if (faults->count != 1)
        buffer_printf(out, "%zu errors; the first: ", faults->count);
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
