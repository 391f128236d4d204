#include "api/request/negotiate.h"

#include <string.h>
#include <strings.h>

const char *const negotiate_types[FORMATS] = {[FORMAT_JSON] = "application/json",
                                              [FORMAT_TEXT] = "text/plain",
                                              [FORMAT_SVG] = "image/svg+xml",
                                              [FORMAT_SGF] = "application/x-go-sgf"};

const char *negotiate_body_list(bool with_sgf) {
    return with_sgf ? "application/json, text/plain, application/x-go-sgf" : "application/json, text/plain";
}

const char *negotiate_answer_list(bool with_svg) {
    return with_svg ? "application/json, text/plain, image/svg+xml" : "application/json, text/plain";
}

/* Answers are of the formats before this one; pictures are the last of them. */
static int answer_formats(bool with_svg) { return with_svg ? FORMAT_SVG + 1 : FORMAT_SVG; }

/* A stretch of a header's value. */
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

/* Cut `rest` at the first `separator` outside of quotes: what stands before it. */
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
    size_t skip = i < rest->length ? i + 1 : i;
    *rest = (struct piece){rest->start + skip, rest->length - skip};
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

bool negotiate_body(const char *content_type, bool with_sgf, enum format *ret_format) {
    const char *text = content_type != NULL ? content_type : "";
    struct piece rest = trim((struct piece){text, strlen(text)});
    if (rest.length == 0) {
        *ret_format = FORMAT_JSON;
        return true;
    }
    struct piece type = cut(&rest, ';');
    /* A form is what `curl -d` calls everything that it sends. */
    if (equals(type, negotiate_types[FORMAT_JSON]) || equals(type, "application/x-www-form-urlencoded"))
        *ret_format = FORMAT_JSON;
    else if (equals(type, negotiate_types[FORMAT_TEXT]))
        *ret_format = FORMAT_TEXT;
    else if (with_sgf && equals(type, negotiate_types[FORMAT_SGF]))
        *ret_format = FORMAT_SGF;
    else
        return false;
    /* A record of SGF may be any bytes, and says itself of which set. */
    while (rest.length != 0) {
        struct piece value = cut(&rest, ';'), name = cut(&value, '=');
        if (*ret_format != FORMAT_SGF && equals(name, "charset") && !equals(unquote(trim(value)), "utf-8"))
            return false;
    }
    return true;
}

/* A weight in thousandths; -1 when it is none. */
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

/* How exactly a media range names `type`: 0 not at all, 1 by a wildcard for all, 2 for its kind, 3 by itself. */
static int match(struct piece range, const char *type) {
    size_t kind = strcspn(type, "/") + 1;
    if (equals(range, type))
        return 3;
    if (range.length == kind + 1 && range.start[kind] == '*' && strncasecmp(range.start, type, kind) == 0)
        return 2;
    return equals(range, "*/*") ? 1 : 0;
}

/* The weight of each format as the most exact range gives it. */
struct weights {
    int weight[FORMATS], exactness[FORMATS];
    bool any; /* there was an element at all */
};

static void weigh_range(struct weights *weights, struct piece element) {
    struct piece range = cut(&element, ';');
    int weight = 1000;
    while (element.length != 0) {
        struct piece value = cut(&element, ';'), name = cut(&value, '=');
        if (equals(name, "q"))
            weight = read_weight(trim(value));
    }
    weights->any = true;
    if (weight < 0)
        return;
    for (int format = 0; format < FORMATS; format++) {
        int exactness = match(range, negotiate_types[format]);
        if (exactness > weights->exactness[format]) {
            weights->exactness[format] = exactness;
            weights->weight[format] = weight;
        }
    }
}

bool negotiate_answer(const struct header *headers, size_t count, enum format standard, bool with_svg,
                      enum format *ret_format) {
    struct weights weights = {0};
    for (size_t h = 0; h < count; h++) {
        if (strcasecmp(headers[h].name, "accept") != 0)
            continue;
        struct piece rest = {headers[h].value, strlen(headers[h].value)};
        while (rest.length != 0) {
            struct piece element = cut(&rest, ',');
            if (element.length != 0)
                weigh_range(&weights, element);
        }
    }
    enum format best = standard;
    if (weights.any)
        for (int format = 0; format < answer_formats(with_svg); format++)
            if (weights.weight[format] > weights.weight[best])
                best = (enum format)format;
    *ret_format = best;
    return !weights.any || weights.weight[best] > 0;
}
