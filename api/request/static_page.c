#include "api/request/static_page.h"

#include "api/answer/pack.h"
#include "base/hash.h"

#include <stdio.h>

static void write_tag(struct static_page_form *form, uint64_t hash) {
    snprintf(form->tag, sizeof form->tag, "\"%016llx\"", (unsigned long long)hash);
}

/* The two forms have different bytes, and so different hashes. */
static uint64_t hash_form(const struct static_page_form *form, uint64_t seed) {
    return hash_bytes(seed, form->bytes, form->length);
}

bool static_page_write(struct static_page *ret_page, const char *content_type, uint64_t seed, struct buffer *text) {
    struct buffer packed;
    bool good = text->outcome == OUTCOME_DONE;
    buffer_init(&packed, SIZE_MAX, text->account);
    if (good && text->length >= PACK_MIN)
        good = pack_gzip(text->data, text->length, &packed);
    *ret_page = (struct static_page){
        .content_type = content_type,
        .plain = {.bytes = text->data, .length = text->length},
        .packed = {.bytes = packed.data, .length = packed.length},
        .plain_bytes = *text,
        .packed_bytes = packed,
    };
    *text = (struct buffer){0};
    if (!good)
        return false;
    write_tag(&ret_page->plain, hash_form(&ret_page->plain, seed));
    write_tag(&ret_page->packed, hash_form(&ret_page->packed, seed));
    return true;
}

static struct static_page_form form_of_file(const struct embedded_form *file, uint64_t seed) {
    struct static_page_form form = {.bytes = file->bytes, .length = file->length};
    write_tag(&form, hash_step(seed, file->hash));
    return form;
}

struct static_page static_page_of_file(const struct embedded *file, uint64_t seed) {
    struct static_page page = {.content_type = file->content_type, .plain = form_of_file(&file->plain, seed)};
    if (file->plain.length >= PACK_MIN)
        page.packed = form_of_file(&file->packed, seed);
    return page;
}

void static_page_clear(struct static_page *page) {
    buffer_clear(&page->plain_bytes);
    buffer_clear(&page->packed_bytes);
}

/* The client has one of the forms: answer 304. */
static void respond_unchanged(const struct static_page_form *form, const struct response_cors *cors,
                              struct response *ret_response) {
    response_init(ret_response, cors, 304, NULL);
    response_add_header(ret_response, "ETag", form->tag);
}

void static_page_respond(const struct static_page *page, const char *policy, const struct request_head *head, bool gzip,
                         const struct response_cors *cors, struct response *ret_response) {
    bool choice = page->packed.bytes != NULL, packed = gzip && choice;
    const struct static_page_form *best = packed ? &page->packed : &page->plain,
                                  *other = packed ? &page->plain : &page->packed;
    if (head_has_tag(head, best->tag)) {
        respond_unchanged(best, cors, ret_response);
    } else if (choice && head_has_tag(head, other->tag)) {
        respond_unchanged(other, cors, ret_response);
    } else {
        response_init(ret_response, cors, 200, page->content_type);
        response_lend(ret_response, best->bytes, best->length);
        if (packed)
            response_add_header(ret_response, "Content-Encoding", "gzip");
        response_add_header(ret_response, "ETag", best->tag);
        if (policy != NULL) {
            response_add_header(ret_response, "Content-Security-Policy", policy);
            response_add_header(ret_response, "Referrer-Policy", "no-referrer");
        }
    }
    if (policy != NULL)
        response_add_header(ret_response, "Cache-Control", "no-cache");
    /* After a 304 to either tag, another Accept-Encoding would lead to another answer. */
    if (choice || ret_response->status == 304)
        response_add_header(ret_response, "Vary", "Accept-Encoding");
}
