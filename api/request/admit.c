/* What the head of a request decides: see api_admit. The checks stand in the order that the contract gives. */
#include "api/json/encode.h"
#include "api/request/negotiate.h"
#include "api/request/routes.h"

#include <string.h>
#include <strings.h>

enum { MOST_TARGET_BYTES = 8192 };

/* The headers that matter, from one walk over all of them. */
struct head_facts {
    const char *content_type, *content_encoding, *origin;
    const char *content_length, *transfer_encoding;
    const char *host;
    const char *framing_fault; /* NULL: the framing is good */
};

static void note_once(struct head_facts *facts, const char **value, const char *new_value, const char *twice) {
    if (*value != NULL && facts->framing_fault == NULL)
        facts->framing_fault = twice;
    *value = new_value;
}

/* Names as RFC 9110 has them: tokens. What is not, some servers read one way and some another. (strspn makes a table of
 * its own for each of them, which takes as long as all else that is done with a head.) */
static bool is_token(const char *name) {
    static const bool allowed[256] = {
        ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['!'] = true, ['#'] = true, ['$'] = true,
        ['%'] = true,         ['&'] = true,         ['\''] = true,        ['*'] = true, ['+'] = true, ['-'] = true,
        ['.'] = true,         ['^'] = true,         ['_'] = true,         ['`'] = true, ['|'] = true, ['~'] = true,
    };
    size_t length = 0;
    while (allowed[(unsigned char)name[length]])
        length++;
    return length != 0 && name[length] == 0;
}

/* libmicrohttpd reads a body by one of two conflicting headers without a word: smuggling begins there. */
static struct head_facts read_headers(const struct api_head *head) {
    struct head_facts facts = {0};
    for (size_t h = 0; h < head->header_count; h++) {
        const char *name = head->headers[h].name, *value = head->headers[h].value;
        if (!is_token(name) && facts.framing_fault == NULL)
            facts.framing_fault = "a header whose name is no token";
        if (strcasecmp(name, "content-length") == 0)
            note_once(&facts, &facts.content_length, value, "more than one Content-Length");
        else if (strcasecmp(name, "transfer-encoding") == 0)
            note_once(&facts, &facts.transfer_encoding, value, "more than one Transfer-Encoding");
        else if (strcasecmp(name, "host") == 0)
            note_once(&facts, &facts.host, value, "more than one Host");
        else if (strcasecmp(name, "content-type") == 0)
            facts.content_type = facts.content_type == NULL ? value : "more than one";
        else if (strcasecmp(name, "content-encoding") == 0)
            facts.content_encoding = facts.content_encoding == NULL ? value : "more than one";
        else if (strcasecmp(name, "origin") == 0)
            facts.origin = value;
    }
    if (facts.framing_fault != NULL)
        return facts;
    if (facts.content_length != NULL && facts.transfer_encoding != NULL)
        facts.framing_fault = "both Content-Length and Transfer-Encoding";
    else if (facts.transfer_encoding != NULL && strcasecmp(facts.transfer_encoding, "chunked") != 0)
        facts.framing_fault = "a Transfer-Encoding other than chunked";
    else if (facts.content_length != NULL &&
             (*facts.content_length == 0 || facts.content_length[strspn(facts.content_length, "0123456789")] != 0))
        facts.framing_fault = "a Content-Length that is no number";
    else if (facts.host == NULL && strcmp(head->version, "HTTP/1.1") == 0)
        facts.framing_fault = "no Host";
    return facts;
}

/* The announced length; the largest number when it does not fit. */
static uint64_t read_length(const char *digits) {
    uint64_t length = 0;
    for (; digits != NULL && *digits != 0; digits++)
        if (__builtin_mul_overflow(length, 10, &length) ||
            __builtin_add_overflow(length, (uint64_t)(*digits - '0'), &length))
            return UINT64_MAX;
    return length;
}

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

static int hexadecimal(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A name or value as HTML forms encode it. An invalid escape stays as it is. Returns the length of what it decodes to,
 * of which the first `size` bytes are written. */
static size_t decode_form(const char *text, size_t length, char *ret_text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++, count++) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%' && i + 2 < length && hexadecimal(text[i + 1]) >= 0 && hexadecimal(text[i + 2]) >= 0) {
            c = (char)(hexadecimal(text[i + 1]) * 16 + hexadecimal(text[i + 2]));
            i += 2;
        }
        if (count < size)
            ret_text[count] = c;
    }
    return count;
}

/* No path knows a parameter: a fault for each that is given, by its name. */
static bool check_query(const struct api *api, const struct api_admission *admission, const char *query,
                        struct api_response *ret_response) {
    struct faults faults;
    faults_init(&faults, NULL);
    for (const char *at = query; *at != 0;) {
        char name[256]; /* more than is ever quoted */
        size_t pair = strcspn(at, "&"), length = decode_form(at, strcspn(at, "=&"), name, sizeof name);
        if (length > sizeof name)
            length = sizeof name;
        if (pair != 0)
            fault_in_query(&faults, name, length, FAULT_UNKNOWN_MEMBER, "the path has no parameter \"%s\"",
                           quote(name, length).text);
        at += pair + (at[pair] == '&');
    }
    bool good = faults.count == 0;
    if (!good)
        respond_faults(api, admission, PROBLEM_MALFORMED, &(struct faults *){&faults}, 1, ret_response);
    faults_clear(&faults);
    return good;
}

/* OPTIONS, for CORS preflights and for the curious. */
static void respond_options(const struct api *api, const struct api_admission *admission, const char *allow,
                            struct api_response *ret_response) {
    response_init(api, admission, 204, NULL, ret_response);
    response_header(ret_response, "Allow", allow);
    if (admission->allow_origin == NULL)
        return;
    response_header(ret_response, "Access-Control-Allow-Methods", allow);
    response_header(ret_response, "Access-Control-Allow-Headers", "content-type, x-request-id, traceparent");
    response_header(ret_response, "Access-Control-Max-Age", "86400");
}

/* Blanks around a value are no part of it (RFC 9110, 5.5); libmicrohttpd leaves those behind it. */
static bool is_identity(const char *coding) {
    return strncasecmp(coding, "identity", 8) == 0 && coding[8 + strspn(coding + 8, " \t")] == 0;
}

/* Choose the form of the answer by Accept, with and without a picture. False when nothing is acceptable. */
static bool choose_answer(const struct api *api, const struct api_head *head, bool with_svg,
                          struct api_admission *admission, struct api_response *ret_response) {
    enum api_form standard = admission->body == API_TEXT ? API_TEXT : API_JSON;
    if (!answer_form(head->headers, head->header_count, standard, false, &admission->undrawn))
        admission->undrawn = API_FORMS;
    if (answer_form(head->headers, head->header_count, standard, with_svg, &admission->answer))
        return true;
    respond_not_acceptable(api, admission, answer_list(with_svg), ret_response);
    response_header(ret_response, "Vary", "Accept");
    return false;
}

static enum api_action admit_solve(const struct api *api, const struct api_head *head, const struct head_facts *facts,
                                   const char *query, struct api_admission *admission,
                                   struct api_response *ret_response) {
    bool with_sgf = admission->game->read_sgf != NULL;
    if (admission->content_length > api->limits.max_body_bytes) {
        api_respond_too_large(api, admission, ret_response);
        return API_ANSWER;
    }
    bool coded = facts->content_encoding != NULL && !is_identity(facts->content_encoding);
    if (coded || !body_form(facts->content_type, with_sgf, &admission->body)) {
        const char *given = coded ? facts->content_encoding : facts->content_type;
        respond_problem(api, admission, PROBLEM_UNSUPPORTED_MEDIA_TYPE, ret_response,
                        coded ? "the Content-Encoding \"%s\" is not supported"
                              : "the Content-Type \"%s\" is not supported; %s in UTF-8 are",
                        quote(given, strlen(given)).text, body_list(with_sgf));
        response_header(ret_response, "Accept-Post", body_list(with_sgf));
        if (coded)
            response_header(ret_response, "Accept-Encoding", "identity");
        return API_ANSWER;
    }
    /* A text is a batch, and there are no pictures of batches. */
    if (!choose_answer(api, head, admission->body != API_TEXT, admission, ret_response))
        return API_ANSWER;
    return check_query(api, admission, query, ret_response) ? API_READ_BODY : API_ANSWER;
}

/* The case of a link: a stretch of the query. */
struct link {
    const char *value; /* NULL while it was not given */
    size_t length;
};

/* The form that `format` names; a fault when it names none. */
static void read_format(const char *value, size_t length, enum api_form *ret_form, struct faults *faults) {
    static const char *const names[] = {[API_JSON] = "json", [API_TEXT] = "text", [API_SVG] = "svg"};
    char name[64];
    size_t decoded = decode_form(value, length, name, sizeof name);
    if (decoded > sizeof name)
        decoded = sizeof name;
    for (int form = API_JSON; form <= API_SVG; form++)
        if (strlen(names[form]) == decoded && memcmp(names[form], name, decoded) == 0) {
            *ret_form = (enum api_form)form;
            return;
        }
    fault_in_query(faults, "format", 6, FAULT_VALUE, "format is \"%s\"; it must be json, text or svg",
                   quote(name, decoded).text);
}

/* Is the parameter that begins at `at` called `name`? */
static bool is_called(const char *at, const char *name) {
    char decoded[8];
    size_t length = decode_form(at, strcspn(at, "=&"), decoded, sizeof decoded);
    return length == strlen(name) && memcmp(decoded, name, length) == 0;
}

static bool has_case(const char *query) {
    bool found = false;
    for (const char *at = query; *at != 0 && !found; at += strcspn(at, "&"), at += *at == '&')
        found = is_called(at, "case");
    return found;
}

/* One parameter of a link; faults go to the list. */
static void read_parameter(struct link *link, const char *at, size_t pair, struct api_admission *admission,
                           struct faults *faults) {
    char name[256]; /* more than is ever quoted */
    size_t length = strcspn(at, "=&"), decoded = decode_form(at, length, name, sizeof name);
    const char *value = at + length + (at[length] == '=');
    size_t value_length = pair - (size_t)(value - at);
    if (decoded > sizeof name)
        decoded = sizeof name;
    bool is_case = is_called(at, "case"), is_format = is_called(at, "format");
    if (is_case && link->value == NULL) {
        link->value = value;
        link->length = value_length;
    } else if (is_format && !admission->fixed_form) {
        admission->fixed_form = true;
        read_format(value, value_length, &admission->answer, faults);
    } else if (is_case || is_format) {
        fault_in_query(faults, name, decoded, FAULT_DUPLICATE_MEMBER, "the parameter \"%s\" is given more than once",
                       quote(name, decoded).text);
    } else {
        fault_in_query(faults, name, decoded, FAULT_UNKNOWN_MEMBER, "the path has no parameter \"%s\"",
                       quote(name, decoded).text);
    }
}

/* Does If-None-Match name this tag? Weak tags compare equal (RFC 9110, 13.1.2); "*" is not looked at. */
static bool has_tag(const struct api_head *head, const char *tag) {
    for (size_t h = 0; h < head->header_count; h++)
        if (strcasecmp(head->headers[h].name, "if-none-match") == 0 && strstr(head->headers[h].value, tag) != NULL)
            return true;
    return false;
}

/* A GET of a solving route: the case stands in the query. */
static enum api_action admit_link(const struct api *api, const struct api_head *head, const char *query,
                                  struct api_admission *admission, struct api_response *ret_response,
                                  struct buffer *ret_body) {
    struct link link = {0};
    struct faults faults;
    admission->link = true;
    admission->body = API_JSON;
    faults_init(&faults, NULL);
    if (!has_case(query))
        fault_in_query(&faults, "case", 4, FAULT_MISSING, "the parameter \"case\" is missing");
    for (const char *at = query; *at != 0;) {
        size_t pair = strcspn(at, "&");
        if (pair != 0)
            read_parameter(&link, at, pair, admission, &faults);
        at += pair + (at[pair] == '&');
    }
    if (admission->fixed_form) {
        admission->undrawn = admission->answer == API_SVG ? API_FORMS : admission->answer;
    } else if (!choose_answer(api, head, true, admission, ret_response)) {
        faults_clear(&faults);
        return API_ANSWER;
    }
    bool good = faults.count == 0;
    if (!good)
        respond_faults(api, admission, PROBLEM_MALFORMED, &(struct faults *){&faults}, 1, ret_response);
    faults_clear(&faults);
    if (!good)
        return API_ANSWER;
    for (int form = 0; form < API_FORMS; form++)
        admission->unchanged[form] = has_tag(head, api->etag[form]);
    buffer_init(ret_body, MOST_TARGET_BYTES, api->account);
    if (!buffer_reserve(ret_body, link.length)) {
        buffer_clear(ret_body);
        api_respond_overloaded(api, admission, "too many bytes are in flight", ret_response);
        return API_ANSWER;
    }
    ret_body->length = decode_form(link.value, link.length, ret_body->data, ret_body->capacity);
    return API_HAS_BODY;
}

static enum api_action admit_target(const struct api *api, const struct api_head *head, const struct head_facts *facts,
                                    struct api_admission *admission, struct api_response *ret_response,
                                    struct buffer *ret_body) {
    const char *path, *query, *name;
    size_t length, name_length;
    bool options = strcmp(head->method, "OPTIONS") == 0;
    if (options && strcmp(head->target, "*") == 0) {
        respond_options(api, admission, "GET, HEAD, OPTIONS, POST", ret_response);
        return API_ANSWER;
    }
    split_target(head->target, &path, &length, &query);
    const struct route *route = admission->route = find_route(path, length, &name, &name_length);
    if (route == NULL) {
        respond_problem(api, admission, PROBLEM_NOT_FOUND, ret_response, "there is no path \"%s\"",
                        quote(path, length).text);
        return API_ANSWER;
    }
    if (options) {
        respond_options(api, admission, route->allow, ret_response);
        return API_ANSWER;
    }
    bool get = strcmp(head->method, "GET") == 0 || strcmp(head->method, "HEAD") == 0;
    if (!get && (route->kind != ROUTE_SOLVE || strcmp(head->method, "POST") != 0)) {
        respond_problem(api, admission, PROBLEM_METHOD_NOT_ALLOWED, ret_response, "%s does not know the method %s",
                        quote(path, length).text, quote(head->method, strlen(head->method)).text);
        response_header(ret_response, "Allow", route->allow);
        return API_ANSWER;
    }
    switch (route->kind) {
    case ROUTE_SOLVE:
        admission->game = route->game;
        if (get)
            return admit_link(api, head, query, admission, ret_response, ret_body);
        return admit_solve(api, head, facts, query, admission, ret_response);
    case ROUTE_PROBE:
        admission->probe = route->probe;
        return check_query(api, admission, query, ret_response) ? API_PROBE : API_ANSWER;
    case ROUTE_PAGE:
        break;
    }
    if (check_query(api, admission, query, ret_response))
        route->page(api, admission, name, name_length, ret_response);
    return API_ANSWER;
}

enum api_action api_admit(const struct api *api, const struct api_head *head, struct api_admission *ret_admission,
                          struct api_response *ret_response, struct buffer *ret_body) {
    struct head_facts facts = read_headers(head);
    *ret_admission = (struct api_admission){
        .allow_origin = allowed_origin(api, facts.origin),
        .chunked = facts.transfer_encoding != NULL,
        .content_length = read_length(facts.framing_fault == NULL ? facts.content_length : NULL),
    };
    if (facts.framing_fault != NULL) {
        respond_problem(api, ret_admission, PROBLEM_MALFORMED, ret_response, "the head has %s", facts.framing_fault);
        ret_response->closes = true;
        return API_ANSWER;
    }
    if (strlen(head->target) > MOST_TARGET_BYTES) {
        respond_problem(api, ret_admission, PROBLEM_URI_TOO_LONG, ret_response,
                        "the request target has %zu bytes; at most %d are allowed", strlen(head->target),
                        MOST_TARGET_BYTES);
        return API_ANSWER;
    }
    return admit_target(api, head, &facts, ret_admission, ret_response, ret_body);
}

bool api_request_id_is_good(const char *id) {
    static const char allowed[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ._-";
    size_t length = strlen(id);
    return length >= 1 && length <= 64 && strspn(id, allowed) == length;
}
