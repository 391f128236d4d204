#include "api/job/answer.h"

#include "api/answer/problem.h"
#include "api/request/negotiate.h"
#include "base/assert.h"

bool answer_is_failure(const struct answer_failure *failure) {
    return failure->outcome != OUTCOME_DONE || failure->problem != PROBLEM_NONE || failure->faults->count != 0;
}

struct answer_limit answer_limit(const struct service *service, const struct admission *admission) {
    const struct response_limits *limits = service->answer;
    if (admission->link && limits->max_link_answer_bytes < limits->max_answer_bytes)
        return (struct answer_limit){.name = "max_link_answer_bytes", .bytes = limits->max_link_answer_bytes};
    return (struct answer_limit){.name = "max_answer_bytes", .bytes = limits->max_answer_bytes};
}

enum problem answer_put_problem(struct buffer *out, const struct service *service, const struct admission *admission,
                                const struct answer_failure *failure) {
    ASSERT(answer_is_failure(failure));
    if (failure->outcome == OUTCOME_NO_MEMORY) {
        problem_put(out, PROBLEM_OVERLOADED, "out of memory");
        return PROBLEM_OVERLOADED;
    }
    if (failure->outcome == OUTCOME_INTERNAL) {
        problem_put(out, PROBLEM_INTERNAL, "an internal consistency check failed");
        return PROBLEM_INTERNAL;
    }
    if (failure->problem == PROBLEM_TOO_LARGE) {
        problem_put(out, PROBLEM_TOO_LARGE, "the body has too many JSON values; max_json_values is %llu",
                    (unsigned long long)service->request->max_json_values);
        return PROBLEM_TOO_LARGE;
    }
    if (failure->faults->count != 0) {
        enum problem problem = failure->problem != PROBLEM_NONE ? failure->problem : PROBLEM_INVALID_CASE;
        problem_put_faults(out, problem, failure->faults);
        return problem;
    }
    ASSERT(failure->outcome == OUTCOME_TOO_LARGE);
    struct answer_limit limit = answer_limit(service, admission);
    problem_put(out, PROBLEM_ANSWER_TOO_LARGE, "the answer is too large; %s is %llu", limit.name,
                (unsigned long long)limit.bytes);
    return PROBLEM_ANSWER_TOO_LARGE;
}

void answer_put_findings(struct buffer *out, const struct service *service, const struct admission *admission,
                         const struct answer_failure *failure) {
    struct fault fault;
    size_t at = 0, listed = 0;
    ASSERT(answer_is_failure(failure));
    if (failure->outcome == OUTCOME_NO_MEMORY || failure->outcome == OUTCOME_INTERNAL)
        buffer_printf(out, "1:1: not checked: %s\n",
                      failure->outcome == OUTCOME_NO_MEMORY ? "out of memory" : "an internal consistency check failed");
    else if (failure->outcome == OUTCOME_TOO_LARGE)
        buffer_printf(out, "1:1: the findings are too long; max_answer_bytes is %llu\n",
                      (unsigned long long)answer_limit(service, admission).bytes);
    for (; fault_list_next(failure->faults, &at, &fault); listed++)
        buffer_printf(out, "%zu:%zu: %s\n", fault.line != 0 ? fault.line : 1, fault.column != 0 ? fault.column : 1,
                      fault.detail);
    if (listed < failure->faults->count)
        buffer_printf(out, "1:1: %zu more faults are not listed\n", failure->faults->count - listed);
}

static void refuse(const struct service *service, const struct admission *admission,
                   const struct answer_failure *failure, struct response *ret_response) {
    struct buffer document;
    problem_init_document(&document);
    enum problem problem = answer_put_problem(&document, service, admission, failure);
    problem_respond_document(problem, &document, &admission->cors, ret_response);
    if (problem == PROBLEM_UNSUPPORTED_MEDIA_TYPE)
        response_add_header(ret_response, "Accept-Post", service_body_types(service, admission->game));
    response_pack(ret_response, admission->gzip);
}

/* Add Vary: Accept, unless the format is fixed by the query. */
static void add_vary(const struct admission *admission, struct response *response) {
    if (!admission->fixed_format)
        response_add_header(response, "Vary", "Accept");
}

bool answer_is_unchanged(const struct admission *admission, enum format format) {
    return format < FORMATS && admission->unchanged[format] != ADMIT_CHANGED;
}

/* Add the headers of the answer to a link: how long it can be cached, and its entity tag. */
static void add_cache_headers(const struct service *service, const struct admission *admission, enum format format,
                              bool packed, struct response *response) {
    char tag[RESPONSE_TAG_BYTES];
    admit_write_tag(service, admission, format, packed, tag);
    response_add_header(response, "Cache-Control", "public, max-age=86400");
    response_add_tag(response, tag);
}

/* Answer 200. */
static void write_result(const struct service *service, const struct admission *admission, enum format format,
                         struct buffer *bytes, struct response *ret_response) {
    response_init(ret_response, &admission->cors, 200,
                  format == FORMAT_TEXT || format == FORMAT_LINT ? "text/plain; charset=utf-8"
                  : format == FORMAT_LINES                       ? admission->lines_type
                                                                 : format_table[format].types[0]);
    if (format == FORMAT_SVG) {
        /* Any page may embed a picture, but the picture must not load or run anything. */
        response_add_header(ret_response, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        response_add_header(ret_response, "Cross-Origin-Resource-Policy", "cross-origin");
    }
    add_vary(admission, ret_response);
    response_take(ret_response, bytes);
    bool packed = response_pack(ret_response, admission->gzip);
    if (admission->link)
        add_cache_headers(service, admission, format, packed, ret_response);
}

void answer_write(const struct service *service, const struct admission *admission, enum format format,
                  const struct answer_failure *failure, struct buffer *bytes, struct response *ret_response) {
    if (answer_is_failure(failure) && format == FORMAT_LINT) {
        buffer_clear(bytes);
        problem_init_document(bytes);
        answer_put_findings(bytes, service, admission, failure);
        write_result(service, admission, format, bytes, ret_response);
    } else if (answer_is_failure(failure)) {
        buffer_clear(bytes);
        refuse(service, admission, failure, ret_response);
    } else if (format == FORMAT_NONE) {
        char list[FORMAT_LIST_BYTES];
        format_list_types(admission->link ? NEGOTIATE_LINK_WITHOUT_PICTURE : NEGOTIATE_BATCH, list);
        problem_respond_not_acceptable(list, true, service->reads_files, &admission->cors, ret_response);
        add_vary(admission, ret_response);
    } else if (answer_is_unchanged(admission, format)) {
        bool packed = admission->unchanged[format] == ADMIT_UNCHANGED_PACKED;
        response_init(ret_response, &admission->cors, 304, NULL);
        add_vary(admission, ret_response);
        add_cache_headers(service, admission, format, packed, ret_response);
        response_add_header(ret_response, "Vary", "Accept-Encoding");
    } else {
        write_result(service, admission, format, bytes, ret_response);
    }
}

void answer_with_lines(const struct admission *admission, struct response *ret_response) {
    response_init(ret_response, &admission->cors, 200, admission->lines_type);
    response_add_header(ret_response, "Vary", "Accept");
}
