#include "api/request/pages.h"

#include "api/request/games.h"
#include "base/assert.h"

#include <string.h>

static const char html[] = "text/html; charset=utf-8", json[] = "application/json";

static void begin_html(struct buffer *out, const char *title) {
    buffer_printf(out,
                  "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<h1>%s</h1>\n",
                  title, title);
}

static void write_home(struct buffer *out) {
    begin_html(out, "Arbiter");
    buffer_put_literal(out, "<p>Exact answers about board games, over HTTP.</p>\n<ul>\n");
    for (size_t g = 0; g < game_count; g++)
        buffer_printf(out, "<li><code>POST /%s</code>: %s</li>\n", games[g]->name, games[g]->about);
    buffer_put_literal(
        out, "<li><a href=\"/openapi.yaml\">/openapi.yaml</a>, <a href=\"/openapi.json\">/openapi.json</a>: the "
             "contract in full</li>\n"
             "<li><a href=\"/limits\">/limits</a>: the limits in force</li>\n"
             "<li><a href=\"/version\">/version</a>: what is running</li>\n"
             "<li><a href=\"/livez\">/livez</a>, <a href=\"/readyz\">/readyz</a>: is it alive, does it take requests"
             "</li>\n"
             "<li><a href=\"/problems\">/problems</a>: what each error means</li>\n</ul>\n</html>\n");
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
        ASSERT(strpbrk(row->command, "<>&") == NULL); /* it stands in HTML as it is */
        buffer_printf(out, "<p>To see it:</p>\n<pre>%s</pre>\n", row->command);
    }
    buffer_put_literal(out, "<p><a href=\"/problems\">All problems</a></p>\n</html>\n");
}

bool pages_write(const struct pages_facts *facts, struct sheet *ret_pages) {
    bool good = true;
    ret_pages[PAGE_OPENAPI_YAML] = sheet_openapi_yaml(facts->seed);
    ret_pages[PAGE_OPENAPI_JSON] = sheet_openapi_json(facts->seed);
    for (int page = 0; page < PAGES; page++) {
        struct buffer text;
        buffer_init(&text, SIZE_MAX, NULL);
        switch (page) {
        case PAGE_OPENAPI_YAML:
        case PAGE_OPENAPI_JSON:
            continue;
        case PAGE_HOME:
            write_home(&text);
            break;
        case PAGE_LIMITS:
            write_limits(&text, facts->limits);
            break;
        case PAGE_VERSION:
            buffer_printf(&text, "{\"name\":\"arbiter\",\"version\":\"%s\",\"commit\":\"%s\"}\n", facts->version,
                          facts->commit);
            break;
        case PAGE_PROBLEMS:
            write_problems(&text);
            break;
        default:
            write_problem(&text, &problem_table[page - PAGE_PROBLEM]);
        }
        const char *type = page == PAGE_LIMITS || page == PAGE_VERSION ? json : html;
        good &= sheet_write(&ret_pages[page], type, facts->seed, &text);
    }
    return good;
}

bool pages_find_problem(const char *name, size_t length, enum page *ret_page) {
    for (int p = 0; p < PROBLEM_COUNT; p++)
        if (strlen(problem_table[p].slug) == length && memcmp(problem_table[p].slug, name, length) == 0) {
            *ret_page = (enum page)(PAGE_PROBLEM + p);
            return true;
        }
    return false;
}

void pages_respond_well(const struct response_cors *cors, struct response *ret_response) {
    static const char well[] = "{\"status\":\"ok\"}\n";
    response_init(ret_response, cors, 200, json);
    response_lend(ret_response, well, sizeof well - 1);
}
