/* The checks are made in the order of the contract: framing, 403, 414, path, method, 413, 415, 406, query. */
#include "api/request/admit.h"

#include "api/answer/problem.h"
#include "api/game/game.h"
#include "api/request/negotiate.h"
#include "api/request/query.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_TARGET_BYTES = 8192 };

static const char allow_page[] = "GET, HEAD, OPTIONS", allow_solve[] = "GET, HEAD, OPTIONS, POST";

/* The arguments and results of one call to admit. */
struct admitting {
    const struct service *service;
    const struct request_head *head;
    struct head_facts facts;
    const char *query;
    struct admission *admission;
    struct response *response;
};

/* Find the path and the query of a target, which can be in absolute form (http://host/path). Returns false if it has
 * another scheme, or anything else before "://", because a proxy that compares paths would see a different path in
 * it. */
static bool split_target(const char *target, const char **ret_path, size_t *ret_length, const char **ret_query) {
    const char *path = target, *scheme = *target != '/' ? strstr(target, "://") : NULL;
    if (scheme != NULL) {
        if (strncasecmp(target, "http://", 7) != 0 && strncasecmp(target, "https://", 8) != 0)
            return false;
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
    return true;
}

/* Does the character mean the same with and without percent-encoding (RFC 3986, 2.3)? */
static bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ascii_is_digit(c) ||
           (c != 0 && strchr("-._~", c) != NULL);
}

/* Copy a path, and decode the unreserved characters in it. Returns the length of the copy. */
static size_t decode_unreserved(const char *path, size_t length, char ret_path[MAX_TARGET_BYTES]) {
    size_t count = 0;
    for (size_t i = 0, step; i < length; i += step) {
        char c = path[i];
        step = c == '%' && i + 2 < length && query_decode(path + i, 3, &c, 1) == 1 && is_unreserved(c) ? 3 : 1;
        ret_path[count++] = step == 3 ? c : path[i];
    }
    return count;
}

/* Check that there are no faults in the query. If there are, writes the answer with this problem. Clears the list. */
static bool has_none(const struct admitting *a, enum problem problem, struct fault_list *faults) {
    bool good = faults->count == 0;
    if (!good)
        problem_respond_faults(problem, faults, &a->admission->cors, a->response);
    fault_list_clear(faults);
    return good;
}

/* Answer OPTIONS, for CORS preflights and for users. Pages may send any method to any path, because otherwise they
 * could not read a 404 or 405. */
static enum admit_action respond_options(const struct admitting *a, const char *allow) {
    response_init(a->response, &a->admission->cors, 204, NULL);
    response_add_header(a->response, "Allow", allow);
    if (a->admission->cors.allow_origin == NULL)
        return ADMIT_ANSWER;
    response_add_header(a->response, "Access-Control-Allow-Methods", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT");
    response_add_header(a->response, "Access-Control-Allow-Headers",
                        "cache-control, content-type, if-none-match, traceparent, tracestate, x-request-id");
    response_add_header(a->response, "Access-Control-Max-Age", "86400");
    return ADMIT_ANSWER;
}

/* Is every element of a Content-Encoding empty or "identity"? */
static bool is_identity(const char *coding) {
    for (const char *at = coding; *at != 0;) {
        at += strspn(at, " \t,");
        size_t length = strcspn(at, " \t,");
        if (length != 0 && (length != strlen("identity") || strncasecmp(at, "identity", length) != 0))
            return false;
        at += length;
    }
    return true;
}

/* Choose the format of the answer among those offered, according to Accept. The body is not known yet, so choose two
 * more formats: one in case a picture is not possible, and one in case the body is in a format that no type denotes.
 * Returns false if no format is acceptable. */
static bool choose_answer(const struct admitting *a, unsigned offered) {
    struct admission *admission = a->admission;
    const struct request_head *head = a->head;
    const struct format_row *body = &format_table[admission->body];
    char list[FORMAT_LIST_BYTES];
    struct negotiate_accept accept = negotiate_read_accept(head->headers, head->header_count);
    if (!negotiate_answer(&accept, body->answer, offered & ~(1u << FORMAT_SVG), &admission->answer_without_picture))
        admission->answer_without_picture = FORMAT_NONE;
    if (!negotiate_answer(&accept, body->answer, offered, &admission->answer)) {
        format_list_types(offered, list);
        problem_respond_not_acceptable(list, false, a->service->reads_files, &admission->cors, a->response);
        response_add_header(a->response, "Vary", "Accept");
        return false;
    }
    if (body->is_vague)
        admission->answer_if_detected = admission->answer;
    if (body->is_vague && body->answer != FORMAT_JSON)
        negotiate_answer(&accept, FORMAT_JSON, offered, &admission->answer_if_detected);
    if (admission->answer == FORMAT_LINES || admission->answer_without_picture == FORMAT_LINES)
        admission->lines_type = negotiate_answer_type(&accept, FORMAT_LINES, a->facts.content_type);
    return true;
}

void admit_respond_too_large(const struct service *service, const struct admission *admission,
                             struct response *ret_response) {
    problem_respond(PROBLEM_TOO_LARGE, &admission->cors, ret_response, "the body is too large; max_body_bytes is %llu",
                    (unsigned long long)service->request->max_body_bytes);
}

/* Add a fault for a parameter's name: it is not one of `names` (which ends with NULL), or it is given twice. */
static void refuse_name(const struct query_parameter *parameter, const char *const *names, struct fault_list *faults) {
    const struct fault_quote quoted = fault_quote(parameter->name, parameter->name_length);
    bool known = false;
    for (size_t n = 0; names[n] != NULL; n++)
        known |= query_is(parameter, names[n]);
    if (known)
        fault_in_query(faults, parameter->name, parameter->name_length, FAULT_DUPLICATE_MEMBER,
                       "the parameter \"%s\" appears more than once", quoted.text);
    else if (names[0] == NULL)
        fault_in_query(faults, parameter->name, parameter->name_length, FAULT_UNKNOWN_MEMBER,
                       "unknown parameter \"%s\"; this request can't have parameters", quoted.text);
    else
        fault_in_query(faults, parameter->name, parameter->name_length, FAULT_UNKNOWN_MEMBER,
                       "unknown parameter \"%s\"; this request can have %s%s", quoted.text,
                       words_list(names, "\"", " and ").text,
                       fault_ask(faults, names, parameter->name, parameter->name_length).text);
}

/* Read a parameter of a POST. Faults for parameters that are not allowed go to `bad`, and those for wrong values to
 * `wrong`. */
static void read_parameter(const struct admitting *a, const struct query_parameter *parameter, struct fault_list *bad,
                           struct fault_list *wrong) {
    static const char *const none[] = {NULL};
    const struct game *game = a->admission->game;
    /* A body of a vague type can turn out to be in a format that takes them; cases_open checks that it is. */
    const struct format_row *body = &format_table[a->admission->body];
    bool takes = (body->takes_parameters || body->is_vague) && game->parameters != NULL;
    const char *const *names = takes ? game->parameters : none;
    struct format_parameters *ret_parameters = &a->admission->parameters;
    char value[MAX_TARGET_BYTES];
    size_t which = 0;
    while (names[which] != NULL && !query_is(parameter, names[which]))
        which++;
    if (names[which] == NULL || ret_parameters->named >> which & 1) {
        refuse_name(parameter, names, bad);
    } else {
        ret_parameters->named |= (uint32_t)1 << which;
        size_t length = query_decode(parameter->value, parameter->value_length, value, sizeof value);
        game->read_parameter(which, value, length, wrong, ret_parameters);
    }
}

/* Check the query of a POST. Returns false if the answer has been written. */
static bool check_query(const struct admitting *a) {
    struct query_parameter parameter;
    struct fault_list bad, wrong;
    fault_list_init(&bad, NULL);
    fault_list_init(&wrong, NULL);
    for (const char *at = a->query; query_next(&at, &parameter);)
        read_parameter(a, &parameter, &bad, &wrong);
    bool good = has_none(a, PROBLEM_MALFORMED, &bad) && has_none(a, PROBLEM_INVALID_CASE, &wrong);
    fault_list_clear(&wrong);
    return good;
}

/* Determine the format of the body. Returns false if it is not supported. */
static bool choose_body(const struct admitting *a) {
    const char *coding = a->facts.content_encoding, *type = a->facts.content_type;
    const struct game *game = a->admission->game;
    bool coded = coding != NULL && !is_identity(coding);
    if (!coded && negotiate_body(type, game, &a->admission->body, &a->admission->other_charset))
        return true;
    const char *list = service_body_types(a->service, game);
    problem_respond(
        PROBLEM_UNSUPPORTED_MEDIA_TYPE, &a->admission->cors, a->response,
        coded ? "Content-Encoding \"%s\" is not supported; send the body without a content coding"
        : type != NULL && strncasecmp(type, "multipart/", 10) == 0
            ? "Content-Type \"%s\" is not supported; send the file itself (curl --data-binary @FILE), as one of %s"
            : "Content-Type \"%s\" is not supported; send one of %s, in UTF-8",
        fault_quote_string(coded ? coding : type).text, list);
    response_add_header(a->response, "Accept-Post", list);
    if (coded)
        response_add_header(a->response, "Accept-Encoding", "identity");
    return false;
}

/* Admit a POST to a solving route. */
static enum admit_action admit_post(const struct admitting *a) {
    if (a->admission->content_length > a->service->request->max_body_bytes) {
        admit_respond_too_large(a->service, a->admission, a->response);
        return ADMIT_ANSWER;
    }
    bool good = choose_body(a) &&
                choose_answer(a, format_table[a->admission->body].is_batch ? NEGOTIATE_BATCH : NEGOTIATE_CASE) &&
                check_query(a);
    return good ? ADMIT_READ_BODY : ADMIT_ANSWER;
}

/* Read the name of a format. Adds a fault if it is unknown. */
static void read_format(const struct query_parameter *parameter, enum format *ret_format, struct fault_list *faults) {
    char name[64];
    size_t decoded = query_decode(parameter->value, parameter->value_length, name, sizeof name);
    enum format format = format_named(name, decoded);
    if (format != FORMAT_NONE && NEGOTIATE_LINK >> format & 1)
        *ret_format = format;
    else
        fault_in_query(faults, "format", 6, FAULT_VALUE, "\"format\" is \"%s\"; it must be json, text or svg",
                       fault_quote(name, decoded).text);
}

static bool has_case(const char *query) {
    struct query_parameter parameter;
    bool found = false;
    for (const char *at = query; !found && query_next(&at, &parameter);)
        found = query_is(&parameter, "case");
    return found;
}

/* Read the parameters of a link. *ret_value is the case, still encoded, or NULL if there is none. */
static void read_link(const struct admitting *a, struct fault_list *faults, const char **ret_value,
                      size_t *ret_length) {
    static const char *const names[] = {"case", "format", NULL};
    struct query_parameter parameter;
    struct admission *admission = a->admission;
    *ret_value = NULL;
    if (!has_case(a->query))
        fault_in_query(faults, "case", 4, FAULT_MISSING, "\"case\" is missing; to send the case as the body, use POST");
    for (const char *at = a->query; query_next(&at, &parameter);) {
        bool is_case = query_is(&parameter, "case"), is_format = query_is(&parameter, "format");
        if (is_case && *ret_value == NULL) {
            *ret_value = parameter.value;
            *ret_length = parameter.value_length;
        } else if (is_format && !admission->fixed_format) {
            admission->fixed_format = true;
            read_format(&parameter, &admission->answer, faults);
        } else {
            refuse_name(&parameter, names, faults);
        }
    }
}

void admit_write_tag(const struct service *service, const struct admission *admission, enum format format, bool packed,
                     char ret_tag[RESPONSE_TAG_BYTES]) {
    uint64_t hash = hash_step(service->link_hash[format], admission->link_hash);
    snprintf(ret_tag, RESPONSE_TAG_BYTES, "\"%016llx%s\"", (unsigned long long)hash, packed ? "-gz" : "");
}

/* Determine which answers to this link the client already has. */
static void note_tags(const struct admitting *a, const struct buffer *body) {
    struct admission *admission = a->admission;
    const char *name = admission->game->name;
    char plain[RESPONSE_TAG_BYTES], packed[RESPONSE_TAG_BYTES];
    admission->link_hash = hash_bytes(hash_bytes(HASH_OF_NOTHING, name, strlen(name) + 1), body->data, body->length);
    for (enum format format = 0; format < FORMATS; format++) {
        if (!(NEGOTIATE_LINK >> format & 1))
            continue;
        admit_write_tag(a->service, admission, format, false, plain);
        admit_write_tag(a->service, admission, format, true, packed);
        admission->unchanged[format] = head_has_tag(a->head, packed)  ? ADMIT_UNCHANGED_PACKED
                                       : head_has_tag(a->head, plain) ? ADMIT_UNCHANGED_PLAIN
                                                                      : ADMIT_CHANGED;
    }
}

/* Admit a GET on a solving route, whose case is in the query. */
static enum admit_action admit_link(const struct admitting *a, struct buffer *ret_body) {
    struct admission *admission = a->admission;
    struct fault_list faults;
    const char *value;
    size_t length = 0;
    admission->link = true;
    admission->body = FORMAT_JSON;
    fault_list_init(&faults, NULL);
    read_link(a, &faults, &value, &length);
    if (admission->fixed_format) {
        admission->answer_without_picture = admission->answer == FORMAT_SVG ? FORMAT_NONE : admission->answer;
    } else if (!choose_answer(a, NEGOTIATE_LINK)) {
        fault_list_clear(&faults);
        return ADMIT_ANSWER;
    }
    if (!has_none(a, PROBLEM_MALFORMED, &faults))
        return ADMIT_ANSWER;
    buffer_init(ret_body, MAX_TARGET_BYTES, NULL); /* not charged, because it is no larger than a head */
    if (!buffer_reserve(ret_body, length)) {
        buffer_clear(ret_body);
        problem_respond(PROBLEM_OVERLOADED, &admission->cors, a->response, "out of memory");
        return ADMIT_ANSWER;
    }
    ret_body->length = query_decode(value, length, ret_body->data, ret_body->capacity);
    note_tags(a, ret_body);
    return ADMIT_HAS_BODY;
}

/* Admit a method that the route supports. Pages and probes ignore parameters. */
static enum admit_action admit_route(const struct admitting *a, const struct route *route, bool post,
                                     struct buffer *ret_body) {
    struct admission *admission = a->admission;
    if (route->kind == ROUTE_PROBE) {
        admission->probe = route->probe;
        return ADMIT_PROBE;
    }
    if (route->kind == ROUTE_PAGE) {
        pages_respond(&a->service->pages, route->page, route->policy, a->head, admission->gzip, &admission->cors,
                      a->response);
        return ADMIT_ANSWER;
    }
    admission->game = route->game;
    return post ? admit_post(a) : admit_link(a, ret_body);
}

/* Send the client to a path without its last slash. In the query, bytes that a URL can't have are encoded. */
static enum admit_action respond_moved(const struct admitting *a, const char *path, size_t length) {
    struct buffer location;
    buffer_init(&location, SIZE_MAX, NULL);
    buffer_printf(&location, "%.*s%s", (int)length, path, *a->query != 0 ? "?" : "");
    for (const char *c = a->query; *c != 0; c++)
        if (*c > ' ' && *c <= '~')
            buffer_put_char(&location, *c);
        else
            buffer_printf(&location, "%%%02X", (unsigned char)*c);
    buffer_put_char(&location, 0);
    if (location.outcome == OUTCOME_DONE) {
        response_init(a->response, &a->admission->cors, 308, NULL);
        response_take_location(a->response, location.data);
        return ADMIT_ANSWER;
    }
    buffer_clear(&location);
    problem_respond(PROBLEM_OVERLOADED, &a->admission->cors, a->response, "out of memory");
    return ADMIT_ANSWER;
}

static enum admit_action respond_not_found(const struct admitting *a, const char *path, size_t length) {
    struct buffer list;
    if (negotiate_prefers_html(a->head->headers, a->head->header_count)) {
        pages_respond_not_found(&a->service->pages, &a->admission->cors, a->response);
        return ADMIT_ANSWER;
    }
    const char *meant = route_nearest(path, length);
    if (meant != NULL) {
        problem_respond(PROBLEM_NOT_FOUND, &a->admission->cors, a->response,
                        "unknown path \"%s\"; did you mean \"%s\"?", fault_quote(path, length).text, meant);
        return ADMIT_ANSWER;
    }
    problem_init_document(&list);
    route_list(&list);
    buffer_put_char(&list, 0);
    if (list.outcome == OUTCOME_DONE)
        problem_respond(PROBLEM_NOT_FOUND, &a->admission->cors, a->response, "unknown path \"%s\"; the paths are %s",
                        fault_quote(path, length).text, list.data);
    else
        problem_respond(PROBLEM_OVERLOADED, &a->admission->cors, a->response, "out of memory");
    buffer_clear(&list);
    return ADMIT_ANSWER;
}

static enum admit_action admit_target(struct admitting *a, struct buffer *ret_body) {
    const char *method = a->head->method, *path;
    const struct response_cors *cors = &a->admission->cors;
    size_t length;
    struct route route;
    bool options = strcmp(method, "OPTIONS") == 0, post = strcmp(method, "POST") == 0;
    if (options && strcmp(a->head->target, "*") == 0)
        return respond_options(a, allow_solve);
    if (!split_target(a->head->target, &path, &length, &a->query)) {
        problem_respond(PROBLEM_MALFORMED, cors, a->response,
                        "the request target \"%s\" is neither a path nor an http or https URL",
                        fault_quote_string(a->head->target).text);
        return ADMIT_ANSWER;
    }
    char plain[MAX_TARGET_BYTES];
    if (memchr(path, '%', length) != NULL) {
        length = decode_unreserved(path, length, plain);
        path = plain;
    }
    bool found = route_find(path, length, &route);
    if (!found && options && a->facts.preflight)
        return respond_options(a, "OPTIONS");
    if (!found && length > 1 && path[length - 1] == '/' && route_find(path, length - 1, &route))
        return respond_moved(a, path, length - 1);
    if (!found)
        return respond_not_found(a, path, length);
    const char *allow = route.kind == ROUTE_SOLVE ? allow_solve : allow_page;
    a->admission->route = route.path;
    if (options)
        return respond_options(a, allow);
    bool get = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (get || (post && route.kind == ROUTE_SOLVE))
        return admit_route(a, &route, post, ret_body);
    problem_respond(PROBLEM_METHOD_NOT_ALLOWED, cors, a->response, "%s does not allow %s; it allows %s",
                    fault_quote(path, length).text, fault_quote_string(method).text, allow);
    response_add_header(a->response, "Allow", allow);
    return ADMIT_ANSWER;
}

enum admit_action admit(const struct service *service, const struct request_head *head, struct admission *ret_admission,
                        struct response *ret_response, struct buffer *ret_body) {
    struct admitting a = {service, head, head_read(head), "", ret_admission, ret_response};
    *ret_admission = (struct admission){
        .cors = cors_for(&service->cors, a.facts.origin),
        .chunked = a.facts.transfer_encoding != NULL,
        .content_length = a.facts.body_length,
        .gzip = a.facts.accept_encoding && negotiate_gzip(head->headers, head->header_count),
    };
    if (a.facts.framing_fault != NULL) {
        problem_respond(PROBLEM_MALFORMED, &ret_admission->cors, ret_response, "the request has %s",
                        a.facts.framing_fault);
        ret_response->closes = true;
        return ADMIT_ANSWER;
    }
    if (service->refuse_cross_site && a.facts.cross_site) {
        problem_respond(PROBLEM_CROSS_SITE, &ret_admission->cors, ret_response,
                        "Sec-Fetch-Site is cross-site, and this server refuses requests from other sites");
        return ADMIT_ANSWER;
    }
    if (strlen(head->target) > MAX_TARGET_BYTES) {
        problem_respond(PROBLEM_URI_TOO_LONG, &ret_admission->cors, ret_response,
                        "the request target has %zu bytes; the maximum is %d", strlen(head->target), MAX_TARGET_BYTES);
        return ADMIT_ANSWER;
    }
    enum admit_action action = admit_target(&a, ret_body);
    if (action == ADMIT_ANSWER)
        response_pack(ret_response, ret_admission->gzip);
    return action;
}
