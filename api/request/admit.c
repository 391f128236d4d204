/* The checks stand in the order that the contract gives: framing, 414, path, method, 413, 415, 406, query. */
#include "api/request/admit.h"

#include "api/answer/problem.h"
#include "api/game/game.h"
#include "api/request/negotiate.h"
#include "api/request/query.h"

#include <string.h>
#include <strings.h>

enum { MOST_TARGET_BYTES = 8192 };

/* One admission in the making. */
struct admitting {
    const struct service *service;
    const struct request_head *head;
    struct head_facts facts;
    const char *query;
    struct admission *admission;
    struct response *response;
};

/* The path and the query of a target, which may be in absolute form (http://host/path). */
static void split_target(const char *target, const char **ret_path, size_t *ret_length, const char **ret_query) {
    const char *path = target, *scheme = strstr(target, "://");
    if (*target != '/' && scheme != NULL) {
        path = scheme + 3;
        path += strcspn(path, "/?");
    }
    *ret_length = strcspn(path, "?");
    *ret_query = path[*ret_length] == '?' ? path + *ret_length + 1 : "";
    if (*ret_length == 0) {
        path = "/";
        *ret_length = 1;
    }
    *ret_path = path;
}

/* Were there no faults in the query? Otherwise the answer is written. */
static bool has_good_query(const struct admitting *a, struct faults *faults) {
    bool good = faults->count == 0;
    if (!good)
        problem_respond_faults(PROBLEM_MALFORMED, &faults, 1, &a->admission->cors, a->response);
    faults_clear(faults);
    return good;
}

/* The path knows no parameter: a fault for each that is given. */
static bool check_query(const struct admitting *a) {
    struct query_parameter parameter;
    struct faults faults;
    faults_init(&faults, NULL);
    for (const char *at = a->query; query_next(&at, &parameter);)
        query_fault_unknown(&faults, &parameter);
    return has_good_query(a, &faults);
}

/* OPTIONS, for CORS preflights and for the curious. */
static void respond_options(const struct admitting *a, const char *allow) {
    response_init(a->response, &a->admission->cors, 204, NULL);
    response_add_header(a->response, "Allow", allow);
    if (a->admission->cors.allow_origin == NULL)
        return;
    response_add_header(a->response, "Access-Control-Allow-Methods", allow);
    response_add_header(a->response, "Access-Control-Allow-Headers", "content-type, x-request-id, traceparent");
    response_add_header(a->response, "Access-Control-Max-Age", "86400");
}

/* Blanks around a value are no part of it (RFC 9110, 5.5); libmicrohttpd leaves those behind it. */
static bool is_identity(const char *coding) {
    return strncasecmp(coding, "identity", 8) == 0 && coding[8 + strspn(coding + 8, " \t")] == 0;
}

/* Choose the format of the answer by Accept, with and without a picture. False when nothing is acceptable. */
static bool choose_answer(const struct admitting *a, bool with_svg) {
    struct admission *admission = a->admission;
    const struct request_head *head = a->head;
    enum format standard = admission->body == FORMAT_TEXT ? FORMAT_TEXT : FORMAT_JSON;
    if (!negotiate_answer(head->headers, head->header_count, standard, false, &admission->undrawn))
        admission->undrawn = FORMAT_NONE;
    if (negotiate_answer(head->headers, head->header_count, standard, with_svg, &admission->answer))
        return true;
    problem_respond_not_acceptable(negotiate_answer_list(with_svg), &admission->cors, a->response);
    response_add_header(a->response, "Vary", "Accept");
    return false;
}

void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response) {
    problem_respond(PROBLEM_TOO_LARGE, &admission->cors, ret_response, "max_body_bytes allows %llu bytes in a body",
                    (unsigned long long)service->request->max_body_bytes);
}

/* Find the format of the body. False when it is not supported. */
static bool choose_body(const struct admitting *a) {
    const char *coding = a->facts.content_encoding, *type = a->facts.content_type;
    bool with_sgf = a->admission->game->read_sgf != NULL, coded = coding != NULL && !is_identity(coding);
    if (!coded && negotiate_body(type, with_sgf, &a->admission->body))
        return true;
    problem_respond(PROBLEM_UNSUPPORTED_MEDIA_TYPE, &a->admission->cors, a->response,
                    coded ? "the Content-Encoding \"%s\" is not supported"
                          : "the Content-Type \"%s\" is not supported; %s in UTF-8 are",
                    fault_quote_string(coded ? coding : type).text, negotiate_body_list(with_sgf));
    response_add_header(a->response, "Accept-Post", negotiate_body_list(with_sgf));
    if (coded)
        response_add_header(a->response, "Accept-Encoding", "identity");
    return false;
}

/* A POST of a solving route. */
static enum admit_action admit_post(const struct admitting *a) {
    if (a->admission->content_length > a->service->request->max_body_bytes) {
        admit_respond_too_large(a->service, a->admission, a->response);
        return ADMIT_ANSWER;
    }
    /* A text is a batch, and there are no pictures of batches. */
    if (!choose_body(a) || !choose_answer(a, a->admission->body != FORMAT_TEXT) || !check_query(a))
        return ADMIT_ANSWER;
    return ADMIT_READ_BODY;
}

/* The format that `format` names; a fault when it names none. */
static void read_format(const struct query_parameter *parameter, enum format *ret_format, struct faults *faults) {
    static const char *const names[] = {[FORMAT_JSON] = "json", [FORMAT_TEXT] = "text", [FORMAT_SVG] = "svg"};
    char name[64];
    size_t decoded = query_decode(parameter->value, parameter->value_length, name, sizeof name);
    if (decoded > sizeof name)
        decoded = sizeof name;
    for (int format = FORMAT_JSON; format <= FORMAT_SVG; format++)
        if (strlen(names[format]) == decoded && memcmp(names[format], name, decoded) == 0) {
            *ret_format = (enum format)format;
            return;
        }
    fault_in_query(faults, "format", 6, FAULT_VALUE, "format is \"%s\"; it must be json, text or svg",
                   fault_quote(name, decoded).text);
}

static bool has_case(const char *query) {
    struct query_parameter parameter;
    bool found = false;
    for (const char *at = query; !found && query_next(&at, &parameter);)
        found = query_is(&parameter, "case");
    return found;
}

/* Read the parameters of a link. *ret_value is the case as it stands in the query, NULL where there is none. */
static void read_link(const struct admitting *a, struct faults *faults, const char **ret_value, size_t *ret_length) {
    struct query_parameter parameter;
    struct admission *admission = a->admission;
    *ret_value = NULL;
    if (!has_case(a->query))
        fault_in_query(faults, "case", 4, FAULT_MISSING, "the parameter \"case\" is missing");
    for (const char *at = a->query; query_next(&at, &parameter);) {
        bool is_case = query_is(&parameter, "case"), is_format = query_is(&parameter, "format");
        if (is_case && *ret_value == NULL) {
            *ret_value = parameter.value;
            *ret_length = parameter.value_length;
        } else if (is_format && !admission->fixed_format) {
            admission->fixed_format = true;
            read_format(&parameter, &admission->answer, faults);
        } else if (is_case || is_format) {
            fault_in_query(faults, parameter.name, parameter.name_length, FAULT_DUPLICATE_MEMBER,
                           "the parameter \"%s\" is given more than once",
                           fault_quote(parameter.name, parameter.name_length).text);
        } else {
            query_fault_unknown(faults, &parameter);
        }
    }
}

/* Does If-None-Match name this tag? Weak tags compare equal (RFC 9110, 13.1.2); "*" is not looked at. */
static bool has_tag(const struct request_head *head, const char *tag) {
    for (size_t h = 0; h < head->header_count; h++)
        if (strcasecmp(head->headers[h].name, "if-none-match") == 0 && strstr(head->headers[h].value, tag) != NULL)
            return true;
    return false;
}

/* A GET of a solving route: the case stands in the query. */
static enum admit_action admit_link(const struct admitting *a, struct buffer *ret_body) {
    struct admission *admission = a->admission;
    struct faults faults;
    const char *value;
    size_t length = 0;
    admission->link = true;
    admission->body = FORMAT_JSON;
    faults_init(&faults, NULL);
    read_link(a, &faults, &value, &length);
    if (admission->fixed_format) {
        admission->undrawn = admission->answer == FORMAT_SVG ? FORMAT_NONE : admission->answer;
    } else if (!choose_answer(a, true)) {
        faults_clear(&faults);
        return ADMIT_ANSWER;
    }
    if (!has_good_query(a, &faults))
        return ADMIT_ANSWER;
    for (int format = 0; format < FORMATS; format++)
        admission->unchanged[format] = has_tag(a->head, a->service->tag[format]);
    buffer_init(ret_body, MOST_TARGET_BYTES, a->service->account);
    if (!buffer_reserve(ret_body, length)) {
        buffer_clear(ret_body);
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, a->response, "too many bytes are in flight");
        return ADMIT_ANSWER;
    }
    ret_body->length = query_decode(value, length, ret_body->data, ret_body->capacity);
    return ADMIT_HAS_BODY;
}

/* A method that the route knows. */
static enum admit_action admit_route(const struct admitting *a, const struct route *route, bool post,
                                     struct buffer *ret_body) {
    switch (route->kind) {
    case ROUTE_SOLVE:
        a->admission->game = route->game;
        return post ? admit_post(a) : admit_link(a, ret_body);
    case ROUTE_PROBE:
        a->admission->probe = route->probe;
        return check_query(a) ? ADMIT_PROBE : ADMIT_ANSWER;
    case ROUTE_PAGE:
        break;
    }
    if (check_query(a))
        route->page(a->service, &a->admission->cors, route->name, route->name_length, a->response);
    return ADMIT_ANSWER;
}

static enum admit_action admit_target(struct admitting *a, struct buffer *ret_body) {
    const char *method = a->head->method, *path;
    const struct response_cors *cors = &a->admission->cors;
    size_t length;
    struct route route;
    bool options = strcmp(method, "OPTIONS") == 0, post = strcmp(method, "POST") == 0;
    if (options && strcmp(a->head->target, "*") == 0) {
        respond_options(a, "GET, HEAD, OPTIONS, POST");
        return ADMIT_ANSWER;
    }
    split_target(a->head->target, &path, &length, &a->query);
    if (!route_find(path, length, &route)) {
        problem_respond(PROBLEM_NOT_FOUND, cors, a->response, "there is no path \"%s\"",
                        fault_quote(path, length).text);
        return ADMIT_ANSWER;
    }
    if (options) {
        respond_options(a, route.allow);
        return ADMIT_ANSWER;
    }
    bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (get || (post && route.kind == ROUTE_SOLVE))
        return admit_route(a, &route, post, ret_body);
    problem_respond(PROBLEM_METHOD_NOT_ALLOWED, cors, a->response, "%s does not know the method %s",
                    fault_quote(path, length).text, fault_quote_string(method).text);
    response_add_header(a->response, "Allow", route.allow);
    return ADMIT_ANSWER;
}

enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body) {
    struct admitting a = {service, head, head_read(head), "", ret_admission, ret_response};
    *ret_admission = (struct admission){
        .cors = cors_for(&service->cors, a.facts.origin),
        .chunked = a.facts.transfer_encoding != NULL,
        .content_length = head_content_length(&a.facts),
    };
    if (a.facts.framing_fault != NULL) {
        problem_respond(PROBLEM_MALFORMED, &ret_admission->cors, ret_response, "the head has %s",
                        a.facts.framing_fault);
        ret_response->closes = true;
        return ADMIT_ANSWER;
    }
    if (strlen(head->target) > MOST_TARGET_BYTES) {
        problem_respond(PROBLEM_URI_TOO_LONG, &ret_admission->cors, ret_response,
                        "the request target has %zu bytes; at most %d are allowed", strlen(head->target),
                        MOST_TARGET_BYTES);
        return ADMIT_ANSWER;
    }
    return admit_target(&a, ret_body);
}
