#include "api/request/pages.h"

#include "api/request/embedded.h"
#include "base/ascii.h"
#include "base/assert.h"

#include <string.h>

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
    buffer_put_literal(out, "<p>Whatever goes wrong is answered with a problem document (RFC 9457). Its "
                            "<code>type</code> is one of these:</p>\n<ul>\n");
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
        buffer_printf(out, "<p>To see it:</p>\n<pre>%s</pre>\n", row->command);
    }
    buffer_put_literal(out, "<p><a href=\"/problems\">All problems</a></p>\n</html>\n");
}

size_t pages_count(void) { return PAGES + embedded_count; }

bool pages_write(const struct pages_facts *facts, struct static_page *ret_pages) {
    bool good = true;
    for (int page = 0; page < PAGES; page++) {
        struct buffer text;
        buffer_init(&text, SIZE_MAX, NULL);
        switch (page) {
        case PAGE_LIMITS:
            write_limits(&text, facts->limits);
            break;
        case PAGE_VERSION:
            buffer_printf(&text, "{\"name\":\"arbiter\",\"version\":\"%s\",\"commit\":\"%s\",\"profile\":\"%s\"}\n",
                          facts->version, facts->commit, facts->profile);
            break;
        case PAGE_PROBLEMS:
            write_problems(&text);
            break;
        default:
            write_problem(&text, &problem_table[page - PAGE_PROBLEM]);
        }
        const char *type = page == PAGE_LIMITS || page == PAGE_VERSION ? json : html;
        good &= static_page_write(&ret_pages[page], type, facts->seed, &text);
    }
    for (size_t f = 0; f < embedded_count; f++)
        ret_pages[PAGES + f] = static_page_of_file(&embedded_files[f], facts->seed);
    return good;
}

bool pages_find_problem(const char *path, size_t length, size_t *ret_page) {
    size_t prefix = strlen("/problems/");
    for (size_t p = 0; length >= prefix && p < PROBLEM_COUNT; p++)
        if (ascii_equals(path + prefix, length - prefix, problem_table[p].slug)) {
            *ret_page = PAGE_PROBLEM + p;
            return true;
        }
    return false;
}

bool pages_find_file(const char *path, size_t length, size_t *ret_page) {
    for (size_t f = 0; f < embedded_count; f++)
        if (ascii_equals(path, length, embedded_files[f].path)) {
            *ret_page = PAGES + f;
            return true;
        }
    return false;
}

void pages_respond_well(const struct response_cors *cors, struct response *ret_response) {
    static const char well[] = "{\"status\":\"ok\"}\n";
    response_init(ret_response, cors, 200, json);
    response_lend(ret_response, well, sizeof well - 1);
}
