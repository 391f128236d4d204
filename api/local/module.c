#include "api/local/module.h"

#include "api/api.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 500000 /* units of about 10 ns */ };

struct module {
    struct service_config config;
    struct account account;
    struct workspace workspace;
    struct service *service; /* NULL until module_start */
};

struct module_request {
    char *body; /* owned */
    struct local local;
    struct buffer answer; /* the head of the answer, written when it is first read */
    size_t read;          /* bytes of the head that have been read */
};

/* ---- an instance ---- */

struct module *module_new(uint64_t hash_seed) {
    struct module *module = calloc(1, sizeof *module);
    if (module == NULL)
        return NULL;
    module->config = (struct service_config){
        .cors_origins = "*",
        .version = ARBITER_VERSION,
        .commit = ARBITER_COMMIT,
        .profile = "trusted",
        .account = &module->account,
        .hash_seed = hash_seed,
    };
    api_add_limits(&module->config.limits);
    return module;
}

bool module_set_limit(struct module *module, const char *name, uint64_t value) {
    struct limits *limits = &module->config.limits;
    for (size_t i = 0; i < limits->count; i++) {
        const struct limit *row = limits_row(limits, i);
        if (strcmp(row->name, name) == 0 && value >= 1 && value <= row->max) {
            limits->value[i] = value;
            return true;
        }
    }
    return false;
}

bool module_start(struct module *module) {
    const struct limits *limits = &module->config.limits;
    service_init_account(limits, &module->account);
    workspace_init(&module->workspace, &module->account, service_max_solving_bytes(limits), true);
    module->service = service_new(&module->config);
    return module->service != NULL;
}

/* ---- requests ---- */

/* Cut off the first line of a text. Returns the rest. */
static char *cut_line(char *text) {
    char *end = text + strcspn(text, "\n");
    if (*end == 0)
        return end;
    *end = 0;
    return end + 1;
}

/* Split a head, whose bytes are overwritten. The strings of *ret_head and of its headers are in `text`. Returns false
 * if there are too many headers. */
static bool read_head(char *text, struct header headers[MODULE_HEADERS], struct request_head *ret_head) {
    char *rest = cut_line(text), *space = strchr(text, ' ');
    char *target = space != NULL ? space + 1 : text + strlen(text);
    if (space != NULL)
        *space = 0;
    *ret_head = (struct request_head){.method = text, .target = target, .version = "HTTP/1.1", .headers = headers};
    while (*rest != 0) {
        char *name = rest, *colon;
        rest = cut_line(name);
        if ((colon = strstr(name, ": ")) == NULL)
            continue;
        if (ret_head->header_count == MODULE_HEADERS)
            return false;
        *colon = 0;
        headers[ret_head->header_count++] = (struct header){name, colon + 2};
    }
    return true;
}

struct module_request *module_ask(struct module *module, char *head, char *body, size_t length) {
    struct module_request *request = calloc(1, sizeof *request);
    struct header headers[MODULE_HEADERS];
    struct request_head read;
    if (request != NULL && read_head(head, headers, &read)) {
        request->body = body;
        local_ask(module->service, &read, body, length, &module->workspace, &request->local);
    } else {
        free(request);
        free(body);
        request = NULL;
    }
    free(head);
    return request;
}

enum local_state module_step(struct module_request *request) { return local_step(&request->local, STEP); }

/* Write the head of the answer. */
static void write_head(struct module_request *request) {
    const struct response *response = &request->local.response;
    buffer_init(&request->answer, SIZE_MAX, NULL);
    buffer_printf(&request->answer, "%u\n", response->status);
    for (size_t h = 0; h < response->header_count; h++)
        buffer_printf(&request->answer, "%s: %s\n", response->headers[h].name, response_value(response, h));
    buffer_put_char(&request->answer, '\n');
}

size_t module_read(struct module_request *request, char *ret_bytes, size_t size) {
    if (!request->local.has_response)
        return 0;
    if (request->answer.length == 0)
        write_head(request);
    if (request->answer.outcome != OUTCOME_DONE)
        return 0; /* no head: the host reports that memory is exhausted */
    size_t left = request->answer.length - request->read, length = left < size ? left : size;
    if (length != 0)
        memcpy(ret_bytes, request->answer.data + request->read, length);
    request->read += length;
    return length + local_read(&request->local, ret_bytes + length, size - length);
}

void module_free(struct module_request *request) {
    local_clear(&request->local);
    buffer_clear(&request->answer);
    free(request->body);
    free(request);
}
