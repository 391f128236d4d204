#include "api/request/negotiate.h"

#include <string.h>
#include <strings.h>

/* A part of a header's value. */
struct piece {
    const char *start;
    size_t length;
};

static struct piece trim(struct piece piece) {
    while (piece.length != 0 && (*piece.start == ' ' || *piece.start == '\t')) {
        piece.start++;
        piece.length--;
    }
    while (piece.length != 0 && (piece.start[piece.length - 1] == ' ' || piece.start[piece.length - 1] == '\t'))
        piece.length--;
    return piece;
}

/* Cut `rest` at the first `separator` outside quotes, and return what is before it. If there is none, `rest` becomes
 * empty, with a NULL start. */
static struct piece cut(struct piece *rest, char separator) {
    bool quoted = false;
    size_t i = 0;
    for (; i < rest->length && (quoted || rest->start[i] != separator); i++) {
        if (rest->start[i] == '"')
            quoted = !quoted;
        else if (quoted && rest->start[i] == '\\' && i + 1 < rest->length)
            i++;
    }
    struct piece head = {rest->start, i};
    *rest = i < rest->length ? (struct piece){rest->start + i + 1, rest->length - i - 1} : (struct piece){NULL, 0};
    return trim(head);
}

static bool equals(struct piece piece, const char *text) {
    return piece.length == strlen(text) && strncasecmp(piece.start, text, piece.length) == 0;
}

static struct piece unquote(struct piece piece) {
    if (piece.length >= 2 && piece.start[0] == '"' && piece.start[piece.length - 1] == '"')
        return (struct piece){piece.start + 1, piece.length - 2};
    return piece;
}

/* Does the format have this media type? */
static bool has_type(const struct format_row *row, struct piece type) {
    for (int t = 0; t < FORMAT_TYPES && row->types[t] != NULL; t++)
        if (equals(type, row->types[t]))
            return true;
    for (int t = 0; t < FORMAT_UNLISTED_TYPES && row->unlisted_types[t] != NULL; t++)
        if (equals(type, row->unlisted_types[t]))
            return true;
    return false;
}

bool negotiate_body(const char *content_type, const struct game *game, enum format *ret_format,
                    bool *ret_other_charset) {
    const char *text = content_type != NULL ? content_type : "";
    struct piece whole = {text, strnlen(text, NEGOTIATE_MAX_BYTES + 1)}, rest = trim(whole);
    enum format format = FORMAT_JSON;
    if (whole.length > NEGOTIATE_MAX_BYTES)
        return false;
    if (rest.length != 0) {
        struct piece type = cut(&rest, ';');
        while (format < FORMATS && !(has_type(&format_table[format], type) && format_is_of(format, game)))
            format++;
    }
    if (format == FORMATS)
        return false;
    *ret_other_charset = false;
    while (rest.length != 0) {
        struct piece value = cut(&rest, ';'), name = cut(&value, '=');
        *ret_other_charset |= equals(name, "charset") && !equals(unquote(trim(value)), "utf-8");
    }
    *ret_format = format;
    return true;
}

/* Read a weight in thousandths, or -1 if it is invalid. */
static int read_weight(struct piece text) {
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

/* Reads all header lines with one name as a single list, up to a limit. */
struct list {
    const struct header *headers;
    size_t count; /* header lines that are left */
    const char *name;
    struct piece rest; /* the rest of the current line */
    bool whole;        /* the line is not truncated, so its last element is complete */
    size_t elements, bytes;
};

/* Move to the next line of the list. Returns false if there is none. */
static bool next_line(struct list *list) {
    for (; list->count != 0; list->headers++, list->count--) {
        const char *value = list->headers->value;
        if (value == NULL || *value == 0 || strcasecmp(list->headers->name, list->name) != 0)
            continue;
        size_t free_bytes = NEGOTIATE_MAX_BYTES - list->bytes;
        list->rest = (struct piece){value, strnlen(value, free_bytes + 1)};
        list->whole = list->rest.length <= free_bytes;
        if (!list->whole)
            list->rest.length = free_bytes;
        list->bytes += list->rest.length;
        list->headers++;
        list->count--;
        return true;
    }
    return false;
}

/* Find the next element that is not empty. Returns false if there is none or the limit is reached. */
static bool next_element(struct list *list, struct piece *ret_element) {
    while (list->elements < NEGOTIATE_MAX_ELEMENTS) {
        if (list->rest.length == 0 && !next_line(list))
            return false;
        list->elements++;
        *ret_element = cut(&list->rest, ',');
        if (list->rest.start == NULL && !list->whole)
            return false; /* the line is truncated within this element */
        if (ret_element->length != 0)
            return true;
    }
    return false;
}

/* Split an element into its name and its parameters. Returns its weight, or -1 if that is invalid. */
static int read_element(struct piece element, struct piece *ret_name) {
    int weight = 1000;
    *ret_name = cut(&element, ';');
    while (element.length != 0) {
        struct piece value = cut(&element, ';'), name = cut(&value, '=');
        if (equals(name, "q"))
            weight = read_weight(trim(value));
    }
    return weight;
}

/* How precisely a media range matches `type`: 0 not at all; 1 by a wildcard for everything; 2 by its main type; 3
 * exactly. */
static int match(struct piece range, const char *type) {
    if (range.length != 0 && range.start[0] == '*')
        return equals(range, "*/*") ? 1 : 0;
    if (range.length == 0 || (range.start[0] | 0x20) != type[0])
        return 0; /* the most frequent case */
    if (equals(range, type))
        return 3;
    size_t kind = strcspn(type, "/") + 1;
    bool wild = range.length == kind + 1 && range.start[kind] == '*' && strncasecmp(range.start, type, kind) == 0;
    return wild ? 2 : 0;
}

static void update(struct negotiate_weight *best, struct piece range, const char *type, int weight) {
    int exactness = match(range, type);
    if (exactness > best->exactness)
        *best = (struct negotiate_weight){weight, exactness};
}

struct negotiate_accept negotiate_read_accept(const struct header *headers, size_t count) {
    struct negotiate_accept accept = {0};
    struct list list = {.headers = headers, .count = count, .name = "accept"};
    struct piece element, range;
    while (next_element(&list, &element)) {
        int weight = read_element(element, &range);
        accept.any = true;
        for (enum format format = 0; format < FORMATS && weight >= 0; format++) {
            const char *const *types = format_table[format].types;
            for (int t = 0; NEGOTIATE_CASE >> format & 1 && t < FORMAT_TYPES && types[t] != NULL; t++)
                update(&accept.types[format][t], range, types[t], weight);
        }
    }
    return accept;
}

bool negotiate_prefers_html(const struct header *headers, size_t count) {
    struct negotiate_weight html = {0}, json = {0}, problem = {0};
    struct list list = {.headers = headers, .count = count, .name = "accept"};
    struct piece element, range;
    while (next_element(&list, &element)) {
        int weight = read_element(element, &range);
        if (weight < 0)
            continue;
        update(&html, range, "text/html", weight);
        update(&json, range, "application/json", weight);
        update(&problem, range, "application/problem+json", weight);
    }
    return html.weight > json.weight && html.weight > problem.weight;
}

static int weight_of(const struct negotiate_accept *accept, enum format format) {
    const struct negotiate_weight *types = accept->types[format];
    return types[0].weight > types[1].weight ? types[0].weight : types[1].weight;
}

bool negotiate_answer(const struct negotiate_accept *accept, enum format preferred, unsigned offered,
                      enum format *ret_format) {
    int most = weight_of(accept, preferred);
    *ret_format = preferred;
    for (enum format format = 0; accept->any && format < FORMATS; format++)
        if (offered >> format & 1 && weight_of(accept, format) > most) {
            *ret_format = format;
            most = weight_of(accept, format);
        }
    return !accept->any || most > 0;
}

const char *negotiate_answer_type(const struct negotiate_accept *accept, enum format format, const char *content_type) {
    const char *text = content_type != NULL ? content_type : "", *const *types = format_table[format].types;
    struct piece rest = {text, strlen(text)}, type = cut(&rest, ';');
    int difference = accept->types[format][1].weight - accept->types[format][0].weight;
    bool is_second = difference != 0 ? difference > 0 : types[1] != NULL && equals(type, types[1]);
    return types[is_second];
}

bool negotiate_gzip(const struct header *headers, size_t count) {
    enum { GZIP, IDENTITY, ANY };
    int weights[] = {[GZIP] = -1, [IDENTITY] = -1, [ANY] = -1}; /* -1 if not listed */
    struct list list = {.headers = headers, .count = count, .name = "accept-encoding"};
    struct piece element, name;
    while (next_element(&list, &element)) {
        int weight = read_element(element, &name), *of = NULL;
        if (equals(name, "gzip") || equals(name, "x-gzip"))
            of = &weights[GZIP];
        else if (equals(name, "identity"))
            of = &weights[IDENTITY];
        else if (equals(name, "*"))
            of = &weights[ANY];
        if (of != NULL && *of < 0) /* if a name is repeated, the first one counts, as in Accept */
            *of = weight;
    }
    int gzip = weights[GZIP] >= 0 ? weights[GZIP] : weights[ANY];
    int identity = weights[IDENTITY] >= 0 ? weights[IDENTITY] : weights[ANY];
    return gzip > 0 && gzip >= identity;
}
