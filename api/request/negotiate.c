#include "api/request/negotiate.h"

#include "api/internal.h"

#include <string.h>
#include <strings.h>

const char *const form_types[API_FORMS] = {[API_JSON] = "application/json",
                                           [API_TEXT] = "text/plain",
                                           [API_SVG] = "image/svg+xml",
                                           [API_SGF] = "application/x-go-sgf"};

const char *body_list(bool with_sgf) {
    return with_sgf ? "application/json, text/plain, application/x-go-sgf" : "application/json, text/plain";
}

const char *answer_list(bool with_svg) {
    return with_svg ? "application/json, text/plain, image/svg+xml" : "application/json, text/plain";
}

/* Answers are of the forms before this one; pictures are the last of them. */
static int answer_forms(bool with_svg) { return with_svg ? API_SVG + 1 : API_SVG; }

/* A stretch of a header's value. */
struct span {
    const char *start;
    size_t length;
};

static struct span trim(struct span span) {
    while (span.length != 0 && (*span.start == ' ' || *span.start == '\t')) {
        span.start++;
        span.length--;
    }
    while (span.length != 0 && (span.start[span.length - 1] == ' ' || span.start[span.length - 1] == '\t'))
        span.length--;
    return span;
}

/* Cut `rest` at the first `separator` outside of quotes: what stands before it. */
static struct span cut(struct span *rest, char separator) {
    bool quoted = false;
    size_t i = 0;
    for (; i < rest->length && (quoted || rest->start[i] != separator); i++) {
        if (rest->start[i] == '"')
            quoted = !quoted;
        else if (quoted && rest->start[i] == '\\' && i + 1 < rest->length)
            i++;
    }
    struct span head = {rest->start, i};
    size_t skip = i < rest->length ? i + 1 : i;
    *rest = (struct span){rest->start + skip, rest->length - skip};
    return trim(head);
}

static bool equals(struct span span, const char *text) {
    return span.length == strlen(text) && strncasecmp(span.start, text, span.length) == 0;
}

static struct span unquote(struct span span) {
    if (span.length >= 2 && span.start[0] == '"' && span.start[span.length - 1] == '"')
        return (struct span){span.start + 1, span.length - 2};
    return span;
}

bool body_form(const char *content_type, bool with_sgf, enum api_form *ret_form) {
    struct span rest = trim((struct span){content_type != NULL ? content_type : "", 0});
    if (content_type != NULL)
        rest = trim((struct span){content_type, strlen(content_type)});
    if (rest.length == 0) {
        *ret_form = API_JSON;
        return true;
    }
    struct span type = cut(&rest, ';');
    /* A form is what `curl -d` calls everything that it sends. */
    if (equals(type, form_types[API_JSON]) || equals(type, "application/x-www-form-urlencoded"))
        *ret_form = API_JSON;
    else if (equals(type, form_types[API_TEXT]))
        *ret_form = API_TEXT;
    else if (with_sgf && equals(type, form_types[API_SGF]))
        *ret_form = API_SGF;
    else
        return false;
    /* A record of SGF may be any bytes, and says itself of which set. */
    while (rest.length != 0) {
        struct span value = cut(&rest, ';'), name = cut(&value, '=');
        if (*ret_form != API_SGF && equals(name, "charset") && !equals(unquote(trim(value)), "utf-8"))
            return false;
    }
    return true;
}

/* A weight in thousandths; -1 when it is none. */
static int read_weight(struct span text) {
    int weight = 0, unit = 1000;
    if (text.length == 0 || text.length > 5 || (text.start[0] != '0' && text.start[0] != '1') ||
        (text.length > 1 && text.start[1] != '.'))
        return -1;
    for (size_t i = 0; i < text.length; i++) {
        if (i == 1)
            continue;
        if (text.start[i] < '0' || text.start[i] > '9')
            return -1;
        weight += (text.start[i] - '0') * unit;
        unit /= 10;
    }
    return weight <= 1000 ? weight : -1;
}

/* How exactly a media range names `type`: 0 not at all, 1 by a wildcard for all, 2 for its kind, 3 by itself. */
static int match(struct span range, const char *type) {
    size_t kind = strcspn(type, "/") + 1;
    if (equals(range, type))
        return 3;
    if (range.length == kind + 1 && range.start[kind] == '*' && strncasecmp(range.start, type, kind) == 0)
        return 2;
    return equals(range, "*/*") ? 1 : 0;
}

/* The weight of each form as the most exact range gives it. */
struct weights {
    int weight[API_FORMS], exactness[API_FORMS];
    bool any; /* there was an element at all */
};

static void weigh_range(struct weights *weights, struct span element) {
    struct span range = cut(&element, ';');
    int weight = 1000;
    while (element.length != 0) {
        struct span value = cut(&element, ';'), name = cut(&value, '=');
        if (equals(name, "q"))
            weight = read_weight(trim(value));
    }
    weights->any = true;
    if (weight < 0)
        return;
    for (int form = 0; form < API_FORMS; form++) {
        int exactness = match(range, form_types[form]);
        if (exactness > weights->exactness[form]) {
            weights->exactness[form] = exactness;
            weights->weight[form] = weight;
        }
    }
}

bool answer_form(const struct api_header *headers, size_t count, enum api_form standard, bool with_svg,
                 enum api_form *ret_form) {
    struct weights weights = {0};
    for (size_t h = 0; h < count; h++) {
        if (strcasecmp(headers[h].name, "accept") != 0)
            continue;
        struct span rest = {headers[h].value, strlen(headers[h].value)};
        while (rest.length != 0) {
            struct span element = cut(&rest, ',');
            if (element.length != 0)
                weigh_range(&weights, element);
        }
    }
    enum api_form best = standard;
    if (weights.any)
        for (int form = 0; form < answer_forms(with_svg); form++)
            if (weights.weight[form] > weights.weight[best])
                best = (enum api_form)form;
    *ret_form = best;
    return !weights.any || weights.weight[best] > 0;
}

const char *allowed_origin(const struct api *api, const char *origin) {
    if (api->any_origin)
        return "*";
    for (const char *allowed = api->cors_origins; origin != NULL && *allowed != 0; allowed += strlen(allowed) + 1)
        if (strcmp(allowed, origin) == 0)
            return allowed;
    return NULL;
}
