/* A byte above 0x7f matters only directly before ']' or '\'; elsewhere the game means the same in every set. So most
 * games that are not UTF-8 only need to be read once more.
 *
 * Two readings are compared piece by piece, considering only what Arbiter uses: the tree, and the values of the
 * relevant properties, unless they only state the default, such as SZ[19]. A value that ends elsewhere usually swallows
 * or exposes the property after it, which is harmless if that property is, say, a name. */
#include "api/go/sgf_encoding.h"

#include "api/go/sgf_names.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* The total length of all readings, in lengths of the record. Where a value may end elsewhere, the next games can
 * become part of it, so that a reading goes on to the end of the record: without a limit, the time would be quadratic.
 */
enum { MAX_READINGS = 32 };

/* ---- readings ---- */

/* A reading of a game in some character set, besides that of the survey. */
struct probe {
    struct sgf_scan scan;
    struct sgf_fault fault;
    enum sgf_piece piece;     /* the last piece read */
    bool fresh;               /* no value that matters precedes this one in its node */
    bool has_kind, has_rules; /* GM and RU: only the first one counts */
};

/* Begin a reading at the game's opening parenthesis. */
static void begin_probe(struct probe *probe, const struct sgf_scan *scan, enum sgf_charset charset) {
    *probe = (struct probe){.scan = *scan, .piece = SGF_PIECE_OPEN};
    probe->scan.charset = charset;
    probe->scan.arena = NULL;
    probe->scan.branched = NULL;
    probe->scan.level_words = 0;
    probe->scan.fault = &probe->fault;
}

/* End a reading and charge for it. Returns false if choosing must stop. */
static bool end_probe(struct sgf_encoding *e, struct sgf_scan *scan, const struct probe *probe) {
    size_t bytes = probe->scan.at - scan->at;
    e->read += bytes;
    if (probe->scan.outcome != OUTCOME_DONE)
        scan->outcome = probe->scan.outcome;
    else if (!work_charge(e->work, bytes / 4))
        scan->outcome = work_failure(e->work);
    if (scan->outcome != OUTCOME_DONE)
        return false;
    return e->read / MAX_READINGS <= scan->length ||
           sgf_note(
               scan->fault, scan->at, FAULT_VALUE,
               "too many games could be in several character sets; declare the set of each game with CA, or convert "
               "the record to UTF-8");
}

/* Read to the end of the game. Returns false if it cannot be read. */
static bool finish(struct probe *probe) {
    while (probe->piece != SGF_PIECE_FAULT && (probe->scan.depth != 0 || probe->scan.state == SGF_AT_GAME))
        probe->piece = sgf_next(&probe->scan);
    return probe->piece != SGF_PIECE_FAULT;
}

static bool is_text(const struct sgf_scan *scan, const char *text) {
    struct sgf_span span = sgf_trim(scan->text, scan->value);
    return span.length == strlen(text) && memcmp(scan->text + span.at, text, span.length) == 0;
}

/* Does the value change anything, compared with leaving it out? */
static bool matters(struct probe *probe) {
    const struct sgf_scan *scan = &probe->scan;
    struct sgf_rules rules, usual = sgf_find_rules("", 0);
    switch (scan->property) {
    case SGF_OTHER:
    case SGF_KOMI: /* these three decide no move, so records with a doubt about them stay readable */
    case SGF_HANDICAP:
    case SGF_PLAYER:
    case SGF_CHARSET:
        return false;
    case SGF_SIZE:
        return !is_text(scan, "") && !is_text(scan, "19");
    case SGF_GAME:
        if (scan->nodes != 1 || probe->has_kind || is_text(scan, ""))
            return false;
        probe->has_kind = true;
        return !is_text(scan, "1");
    case SGF_RULES:
        if (scan->nodes != 1 || probe->has_rules || is_text(scan, ""))
            return false;
        probe->has_rules = true;
        rules = sgf_find_rules(scan->text + scan->value.at, scan->value.length);
        return rules.ko != usual.ko || rules.suicide != usual.suicide;
    default:
        return true;
    }
}

/* Continue to the next piece that matters: a parenthesis, a value, a node after a variation, or a fault. */
static void next_that_matters(struct probe *probe) {
    if (probe->piece == SGF_PIECE_VALUE)
        probe->fresh = false;
    for (;;) {
        bool after_variation = probe->scan.state == SGF_AT_CLOSE;
        probe->piece = sgf_next(&probe->scan);
        probe->fresh |= probe->piece == SGF_PIECE_NODE;
        if (probe->piece == SGF_PIECE_NODE
                ? after_variation
                : probe->piece != SGF_PIECE_NAME && (probe->piece != SGF_PIECE_VALUE || matters(probe)))
            return;
    }
}

/* ---- the comparison ---- */

/* Are both readings at the same piece? */
static bool is_same(const struct probe *a, const struct probe *b) {
    const struct sgf_scan *x = &a->scan, *y = &b->scan;
    if (a->piece != b->piece)
        return false;
    return a->piece != SGF_PIECE_VALUE || (x->property == y->property && a->fresh == b->fresh &&
                                           (x->nodes == 1) == (y->nodes == 1) && x->value.length == y->value.length &&
                                           memcmp(x->text + x->value.at, y->text + y->value.at, x->value.length) == 0);
}

/* Find where two readings diverge: at the value that ends elsewhere. */
static size_t parting(const struct sgf_scan *scan, enum sgf_charset other) {
    struct probe a, b;
    begin_probe(&a, scan, SGF_BYTES);
    begin_probe(&b, scan, other);
    do {
        a.piece = sgf_next(&a.scan);
        b.piece = sgf_next(&b.scan);
    } while (a.scan.at == b.scan.at && a.piece != SGF_PIECE_FAULT && a.scan.depth != 0);
    return b.piece == SGF_PIECE_VALUE ? b.scan.value.at - 1 : scan->at;
}

/* ---- CA ---- */

struct named {
    enum sgf_charset charset; /* SGF_UNKNOWN also if several sets are named */
    struct sgf_span value;    /* the first CA that is not blank; length 0 if there is none */
};

/* Find the set that the first node names when it is read in `charset` up to *end, and set *end to where it ends.
 * Returns false if choosing must stop. */
static bool find_named(struct sgf_encoding *e, struct sgf_scan *scan, enum sgf_charset charset, bool first_only,
                       size_t *end, struct named *ret_named) {
    struct named named = {SGF_UNKNOWN, {0, 0}};
    struct probe probe;
    begin_probe(&probe, scan, charset);
    probe.scan.length = *end;
    do {
        probe.piece = sgf_next(&probe.scan);
        if (probe.piece != SGF_PIECE_VALUE || probe.scan.property != SGF_CHARSET || is_text(&probe.scan, ""))
            continue;
        enum sgf_charset found = sgf_find_charset(probe.scan.text + probe.scan.value.at, probe.scan.value.length);
        if (named.value.length == 0)
            named = (struct named){found, probe.scan.value};
        else if (named.charset != found)
            named.charset = SGF_UNKNOWN;
    } while (probe.scan.nodes < 2 && probe.scan.depth == 1 && probe.piece != SGF_PIECE_FAULT &&
             (!first_only || named.value.length == 0));
    *ret_named = named;
    *end = probe.scan.at;
    return end_probe(e, scan, &probe);
}

/* Find the only set that CA names when the node is read in that very set (SGF_UNKNOWN if there is none, or several),
 * and what CA says when read byte by byte. Usually the first CA is right. In the other sets, the last value of the node
 * might not end before the record does, so they are read only as far as the first node reaches. */
static bool find_declared(struct sgf_encoding *e, struct sgf_scan *scan, struct named *ret_named,
                          enum sgf_charset *ret_charset) {
    struct named first, here;
    size_t end = scan->length, limit = scan->length;
    unsigned count = 0;
    *ret_charset = SGF_UNKNOWN;
    if (!find_named(e, scan, SGF_BYTES, true, &end, &first))
        return false;
    for (int others = 0; others < 2; others++)
        for (enum sgf_charset charset = SGF_BYTES; charset <= SGF_SHIFT_JIS; charset++) {
            if (charset == SGF_UTF8 || (charset == first.charset) == (others != 0))
                continue;
            end = limit;
            if (!find_named(e, scan, charset, false, &end, &here))
                return false;
            if (charset == SGF_BYTES)
                *ret_named = here;
            if (here.charset != charset)
                continue;
            limit = end;
            *ret_charset = count++ == 0 ? charset : SGF_UNKNOWN;
        }
    return true;
}

/* ---- the choice ---- */

/* Find where the text, from this game on, stops being UTF-8. Often an earlier game has already found that. */
static bool find_utf8_end(struct sgf_encoding *e, struct sgf_scan *scan) {
    size_t at = scan->at, length = scan->length;
    const char *text = scan->text;
    if (at < e->utf8_end)
        return true;
    while (at < length) {
        size_t end = length - at < WORK_CHUNK ? length : at + WORK_CHUNK, step = 1;
        uint64_t word;
        if (work_is_stopped(e->work)) {
            scan->outcome = OUTCOME_CANCELLED;
            return false;
        }
        while (at < end && step != 0) {
            if (end - at >= sizeof word && (memcpy(&word, text + at, sizeof word), (word & 0x8080808080808080u) == 0))
                step = sizeof word;
            else
                step = utf8_length(text + at, length - at);
            at += step;
        }
        if (step == 0)
            break;
    }
    e->utf8_end = at;
    return true;
}

/* Is the game valid UTF-8? It must end before the first invalid byte, and a missing closing parenthesis does not count
 * as its end. */
static bool is_utf8(struct sgf_encoding *e, struct sgf_scan *scan, bool *ret_utf8) {
    struct probe probe;
    size_t before;
    if (!find_utf8_end(e, scan))
        return false;
    *ret_utf8 = e->utf8_end == scan->length;
    if (*ret_utf8)
        return true;
    begin_probe(&probe, scan, SGF_UTF8);
    probe.scan.length = e->utf8_end;
    do {
        before = probe.scan.at;
        probe.piece = sgf_next(&probe.scan);
    } while (probe.piece != SGF_PIECE_FAULT && probe.scan.depth != 0);
    *ret_utf8 = probe.piece != SGF_PIECE_FAULT && probe.scan.at != before && scan->text[probe.scan.at - 1] == ')';
    return end_probe(e, scan, &probe);
}

/* Byte patterns in a part of the record that make its character set relevant. */
struct marks {
    bool high;    /* a byte above 0x7f */
    bool doubt;   /* such a byte directly before ']' or '\\' */
    bool no_utf8; /* the same, where it does not end a UTF-8 character */
    bool shift;   /* see sgf_has_shift */
};

/* Examine the text between `at` and `end`. If the stop flag is set, reports every pattern; the next reading will notice
 * the flag. */
static struct marks look(const struct sgf_encoding *e, const struct sgf_scan *scan, size_t at, size_t end) {
    struct marks marks = {0};
    for (size_t next_check = at; at < end;) {
        const char *text = scan->text + at;
        if (at >= next_check && work_is_stopped(e->work))
            return (struct marks){true, true, true, true};
        next_check = at >= next_check ? at + WORK_CHUNK : next_check;
        if ((unsigned char)*text < 0x80) {
            marks.shift |=
                *text == 0x1b || *text == 0x0e || (*text == '~' && sgf_has_shift(text, end - at < 2 ? 1 : 2));
            at++;
            continue;
        }
        size_t step = utf8_length(text, end - at), length = step != 0 ? step : 1;
        bool special = at + length < end && (text[length] == ']' || text[length] == '\\');
        marks.high = true;
        marks.doubt |= special;
        marks.no_utf8 |= special && step == 0;
        at += length;
    }
    return marks;
}

/* Is there a shift anywhere in the record? */
static bool find_shift(struct sgf_encoding *e, struct sgf_scan *scan) {
    for (size_t at = 0; e->shift == SGF_SHIFT_UNKNOWN; at += WORK_CHUNK) {
        size_t left = scan->length - at;
        if (work_is_stopped(e->work)) {
            scan->outcome = OUTCOME_CANCELLED;
            return false;
        }
        /* A pair of bytes can straddle two chunks. */
        if (sgf_has_shift(scan->text + at, left < WORK_CHUNK + 1 ? left : WORK_CHUNK + 1))
            e->shift = SGF_SHIFT_SOME;
        else if (left <= WORK_CHUNK)
            e->shift = SGF_SHIFT_NONE;
    }
    return true;
}

/* Get the advice at the end of a refusal. */
static const char *advice(enum sgf_charset other) {
    return other < SGF_JOHAB ? "declare the character set with CA, or convert the record to UTF-8"
                             : "convert the record to UTF-8";
}

/* Refuse the game, because it means something else in another set. Always returns false. */
static bool refuse(const struct sgf_encoding *e, struct sgf_scan *scan, const struct named *named,
                   enum sgf_charset other) {
    char reason[sizeof(struct fault_quote) + 48] = "no CA declares the character set";
    struct fault_quote quote = sgf_quote(scan, named->value);
    bool known = sgf_find_charset(scan->text + named->value.at, named->value.length) != SGF_UNKNOWN;
    if (e->is_unicode && other != SGF_SHIFTED)
        snprintf(reason, sizeof reason, "not all of the text is UTF-8");
    else if (named->value.length != 0 && named->charset != SGF_UNKNOWN)
        snprintf(reason, sizeof reason, "CA[%s] is not the character set of this text", quote.text);
    else if (named->value.length != 0 && known)
        snprintf(reason, sizeof reason, "CA names several character sets");
    else if (named->value.length != 0)
        snprintf(reason, sizeof reason, "CA[%s] is not a supported character set", quote.text);
    return sgf_note(scan->fault, parting(scan, other), FAULT_VALUE,
                    "%s, and the value that begins here ends elsewhere if it is read as %s; %s", reason,
                    sgf_charset_names[other], advice(other));
}

/*
 * Compare the byte-by-byte reading with that in another set. Returns false if the game is refused or choosing must
 * stop.
 */
static bool compare(struct sgf_encoding *e, struct sgf_scan *scan, const struct named *named, enum sgf_charset other) {
    struct probe a, b;
    bool same;
    begin_probe(&a, scan, SGF_BYTES);
    begin_probe(&b, scan, other);
    do {
        next_that_matters(&a);
        next_that_matters(&b);
        same = is_same(&a, &b);
    } while (same && a.piece != SGF_PIECE_FAULT && a.scan.depth != 0);
    bool readable = finish(&a), other_readable = finish(&b);
    same = same && a.scan.at == b.scan.at;
    if (!end_probe(e, scan, &a) || !end_probe(e, scan, &b))
        return false;
    if (!other_readable || (readable && same))
        return true;
    if (readable)
        return refuse(e, scan, named, other);
    *scan->fault = a.fault;
    size_t used = strlen(a.fault.detail);
    snprintf(scan->fault->detail + used, sizeof a.fault.detail - used, "; the record can be read as %s: %s",
             sgf_charset_names[other], advice(other));
    return false;
}

/* Compare the byte-by-byte reading with those in all other sets from `first` on. */
static bool compare_all(struct sgf_encoding *e, struct sgf_scan *scan, const struct named *named,
                        enum sgf_charset first) {
    bool good = true;
    for (enum sgf_charset other = first; good && other < SGF_CHARSETS; other++)
        good = compare(e, scan, named, other);
    return good;
}

/* The game is UTF-8 or ASCII. If it is ASCII, it could be in a 7-bit set. */
static bool choose_among_ascii(struct sgf_encoding *e, struct sgf_scan *scan) {
    struct probe probe;
    struct named named;
    if (e->shift == SGF_SHIFT_NONE)
        return true;
    begin_probe(&probe, scan, SGF_UTF8);
    finish(&probe);
    if (!end_probe(e, scan, &probe))
        return false;
    struct marks marks = look(e, scan, scan->at, probe.scan.at);
    if (marks.high || !marks.shift)
        return true;
    size_t limit = scan->length;
    return find_named(e, scan, SGF_UTF8, false, &limit, &named) && compare_all(e, scan, &named, SGF_SHIFTED);
}

/* CA does not settle how the game is read. */
static bool choose_bytes(struct sgf_encoding *e, struct sgf_scan *scan, const struct named *named) {
    struct probe probe;
    begin_probe(&probe, scan, SGF_BYTES);
    bool readable = finish(&probe), says_utf8 = e->is_unicode || named->charset == SGF_UTF8;
    if (!end_probe(e, scan, &probe))
        return false;
    struct marks marks = look(e, scan, scan->at, probe.scan.at);
    if (readable && !(says_utf8 ? marks.no_utf8 : marks.doubt) && !marks.shift)
        return true;
    return compare_all(e, scan, named, SGF_GB18030);
}

bool sgf_encoding_choose(struct sgf_encoding *e, struct sgf_scan *scan) {
    struct named named = {SGF_UNKNOWN, {0, 0}};
    enum sgf_charset declared = SGF_UNKNOWN;
    bool utf8;
    if (!find_shift(e, scan) || !is_utf8(e, scan, &utf8))
        return false;
    scan->charset = SGF_UTF8;
    if (utf8)
        return choose_among_ascii(e, scan);
    if (!e->is_unicode && !find_declared(e, scan, &named, &declared))
        return false;
    scan->charset = declared;
    return declared != SGF_UNKNOWN || choose_bytes(e, scan, &named);
}
