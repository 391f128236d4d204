#include "api/request/pages.h"

#include "api/answer/pack.h"
#include "base/ascii.h"
#include "base/assert.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

const char pages_bare[] = "default-src 'none'; " PAGES_NO_OTHERS;

static const char html[] = "text/html; charset=utf-8", json[] = "application/json";

static void begin_html(struct buffer *out, const char *title) {
    buffer_printf(out,
                  "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<h1>%s</h1>\n",
                  title, title);
}

static void write_limits(struct buffer *out, const struct limits *all) {
    for (size_t i = 0; i < all->count; i++)
        buffer_printf(out, "%s\"%s\":%llu", i == 0 ? "{" : ",", limits_row(all, i)->name,
                      (unsigned long long)all->value[i]);
    buffer_put_literal(out, "}\n");
}

static void write_problems(struct buffer *out) {
    begin_html(out, "Problems");
    buffer_put_literal(out, "<p>Errors are reported as problem documents (RFC 9457), whose <code>type</code> is one "
                            "of these:</p>\n<ul>\n");
    for (size_t p = 0; p < PROBLEM_COUNT; p++)
        buffer_printf(out, "<li><a href=\"/problems/%s\">/problems/%s</a>, status %u: %s</li>\n", problem_table[p].slug,
                      problem_table[p].slug, problem_table[p].status, problem_table[p].title);
    buffer_put_literal(out, "</ul>\n</html>\n");
}

static void write_problem(struct buffer *out, const struct problem_row *row) {
    begin_html(out, row->title);
    buffer_printf(out, "<p><code>/problems/%s</code>, status %u</p>\n%s\n", row->slug, row->status, row->page);
    if (row->command != NULL) {
        ASSERT(strpbrk(row->command, "<>&") == NULL); /* it is copied into HTML without escaping */
        buffer_printf(out, "<p>To reproduce it:</p>\n<pre>%s</pre>\n", row->command);
    }
    buffer_put_literal(out, "<p><a href=\"/problems\">All problems</a></p>\n</html>\n");
}

static void write_text(struct buffer *out, int page, const struct pages_facts *facts) {
    switch (page) {
    case PAGE_LIMITS:
        write_limits(out, facts->limits);
        break;
    case PAGE_VERSION:
        buffer_printf(out, "{\"name\":\"arbiter\",\"version\":\"%s\",\"commit\":\"%s\",\"profile\":\"%s\"}\n",
                      facts->version, facts->commit, facts->profile);
        break;
    case PAGE_PROBLEMS:
        write_problems(out);
        break;
    case PAGE_NOT_FOUND:
        begin_html(out, "Not found");
        buffer_put_literal(out, "<p>There is no page at this address. Go to <a href=\"/\">the games</a> or <a "
                                "href=\"/docs\">the documentation</a>.</p>\n</html>\n");
        break;
    default:
        write_problem(out, &problem_table[page - PAGE_PROBLEM]);
    }
}

static struct embedded_form form_of(const struct buffer *bytes) {
    return (struct embedded_form){bytes->data, bytes->length, hash_bytes(HASH_OF_NOTHING, bytes->data, bytes->length)};
}

bool pages_write(struct pages *ret_pages, const struct pages_facts *facts, uint64_t seed) {
    bool good = true;
    ret_pages->seed = seed;
    for (int p = 0; p < PAGES; p++) {
        struct written_page *page = &ret_pages->written[p];
        buffer_init(&page->plain, SIZE_MAX, NULL);
        buffer_init(&page->packed, SIZE_MAX, NULL);
        write_text(&page->plain, p, facts);
        good &= page->plain.outcome == OUTCOME_DONE &&
                (page->plain.length < PACK_MIN || pack_gzip(page->plain.data, page->plain.length, &page->packed));
        page->file = (struct embedded){.content_type = p == PAGE_LIMITS || p == PAGE_VERSION ? json : html,
                                       .plain = form_of(&page->plain),
                                       .packed = form_of(&page->packed)};
    }
    return good;
}

void pages_clear(struct pages *pages) {
    for (int p = 0; p < PAGES; p++) {
        buffer_clear(&pages->written[p].plain);
        buffer_clear(&pages->written[p].packed);
    }
}

static bool has_path(size_t page, const char *path, size_t length) {
    static const char problems[] = "/problems/";
    static const char *const paths[PAGES] = {
        [PAGE_LIMITS] = "/limits", [PAGE_VERSION] = "/version", [PAGE_PROBLEMS] = "/problems"};
    const size_t prefix = sizeof problems - 1;
    if (page >= PAGES)
        return ascii_equals(path, length, embedded_files[page - PAGES].path);
    if (page >= PAGE_PROBLEM)
        return length > prefix && memcmp(path, problems, prefix) == 0 &&
               ascii_equals(path + prefix, length - prefix, problem_table[page - PAGE_PROBLEM].slug);
    return paths[page] != NULL && ascii_equals(path, length, paths[page]);
}

bool pages_find(const char *path, size_t length, size_t *ret_page) {
    const size_t count = PAGES + embedded_count;
    for (*ret_page = 0; *ret_page < count && !has_path(*ret_page, path, length); ++*ret_page)
        ;
    return *ret_page < count;
}

/* Does the client have this form? Its tag is written in any case. */
static bool has_form(const struct pages *pages, const struct embedded_form *form, const struct request_head *head,
                     char ret_tag[RESPONSE_TAG_BYTES]) {
    unsigned long long hash = hash_step(pages->seed, form->hash);
    snprintf(ret_tag, RESPONSE_TAG_BYTES, "\"%016llx\"", hash);
    return head_has_tag(head, ret_tag);
}

void pages_respond(const struct pages *pages, size_t page, const char *policy, const struct request_head *head,
                   bool gzip, const struct response_cors *cors, struct response *ret_response) {
    const struct embedded *file = page < PAGES ? &pages->written[page].file : &embedded_files[page - PAGES];
    bool choice = file->plain.length >= PACK_MIN, packed = gzip && choice;
    const struct embedded_form *best = packed ? &file->packed : &file->plain,
                               *other = packed ? &file->plain : &file->packed;
    char best_tag[RESPONSE_TAG_BYTES], other_tag[RESPONSE_TAG_BYTES];
    bool has_best = has_form(pages, best, head, best_tag);
    bool has_other = !has_best && choice && has_form(pages, other, head, other_tag), unchanged = has_best || has_other;
    response_init(ret_response, cors, unchanged ? 304 : 200, unchanged ? NULL : file->content_type);
    if (!unchanged)
        response_lend(ret_response, best->bytes, best->length);
    if (!unchanged && packed)
        response_add_header(ret_response, "Content-Encoding", "gzip");
    response_add_tag(ret_response, has_other ? other_tag : best_tag);
    if (!unchanged && policy != NULL) {
        response_add_header(ret_response, "Content-Security-Policy", policy);
        response_add_header(ret_response, "Referrer-Policy", "no-referrer");
    }
    if (policy != NULL)
        response_add_header(ret_response, "Cache-Control", "no-cache");
    /* Even after a 304, a different Accept-Encoding would lead to a different answer. */
    if (choice || unchanged)
        response_add_header(ret_response, "Vary", "Accept-Encoding");
}

void pages_respond_not_found(const struct pages *pages, const struct response_cors *cors,
                             struct response *ret_response) {
    const struct buffer *page = &pages->written[PAGE_NOT_FOUND].plain;
    response_init(ret_response, cors, 404, html);
    response_lend(ret_response, page->data, page->length);
    response_add_header(ret_response, "Content-Security-Policy", pages_bare);
    response_add_header(ret_response, "Cache-Control", "no-store");
    response_add_header(ret_response, "Vary", "Accept");
}

void pages_respond_well(const struct response_cors *cors, struct response *ret_response) {
    static const char well[] = "{\"status\":\"ok\"}\n";
    response_init(ret_response, cors, 200, json);
    response_lend(ret_response, well, sizeof well - 1);
}
