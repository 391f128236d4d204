#include "api/game/case.h"

#include "api/json/encode.h"

#include <string.h>

enum { ID_BYTES = 128 };
static const int64_t id_max = ((int64_t)1 << 53) - 1;

void case_read_id(struct json_decode *d, const struct json_field *field, const cJSON *json, const struct place *place,
                  void *target) {
    int64_t value;
    (void)field;
    if (!cJSON_IsString(json) && !cJSON_IsNumber(json))
        json_fault_type(d, json, place, NULL, "a string or an integer");
    else if (cJSON_IsString(json) && strlen(json->valuestring) > ID_BYTES)
        fault_at(d->faults, place, FAULT_LENGTH, "\"id\" has %zu bytes; the maximum is %d", strlen(json->valuestring),
                 ID_BYTES);
    else if (cJSON_IsString(json) || json_decode_integer(d, json, place, NULL, -id_max, id_max, &value))
        ((struct case_echo *)target)->id = json;
}

const char case_part[] = "case";

void case_read_include(struct json_decode *d, const struct json_field *field, const cJSON *json,
                       const struct place *place, void *target) {
    const uint32_t *include = (const uint32_t *)((char *)target + field->offset);
    struct case_echo *echo = target;
    json_read_parts(d, field, json, place, target);
    for (unsigned part = 0; field->words[part] != NULL; part++)
        if (field->words[part] == case_part && *include >> part & 1 &&
            json_decode_charge(d, d->context->text.length / 8))
            echo->text = d->context->text;
}

void case_put_id(struct buffer *out, const struct case_echo *echo) {
    if (cJSON_IsString(echo->id))
        json_put_string(out, echo->id->valuestring, strlen(echo->id->valuestring));
    else
        buffer_put_integer(out, (int64_t)echo->id->valuedouble);
}

void case_put_head(struct buffer *out, const struct case_echo *echo) {
    buffer_put_char(out, '{');
    if (echo->id == NULL)
        return;
    buffer_put_literal(out, "\"id\":");
    case_put_id(out, echo);
    buffer_put_char(out, ',');
}

/* Append lines as a string, as JSON.stringify writes it. */
static void put_lines(struct buffer *out, const char *at, const char *end) {
    buffer_put_char(out, '"');
    for (const char *feed; at < end; at = feed + 1) {
        feed = memchr(at, '\n', (size_t)(end - at));
        json_put_escaped(out, at, (size_t)((feed != NULL ? feed : end) - at));
        if (feed == NULL)
            break;
        buffer_put_literal(out, "\\n");
    }
    buffer_put_char(out, '"');
}

/* Append the case as an object. */
static void put_text(struct buffer *out, const struct case_text *text) {
    const char *end = text->bytes + text->length;
    bool open = text->member != NULL || text->added != 0; /* its brace is still to be written */
    if (text->member != NULL)
        buffer_printf(out, "{\"%s\":", text->member);
    else if (open)
        while (*--end != '}')
            continue;
    if (text->is_raw)
        put_lines(out, text->bytes, end);
    else
        json_put_compact(out, text->bytes, (size_t)(end - text->bytes));
    for (unsigned k = 0; text->added >> k != 0; k++)
        if (text->added >> k & 1) {
            buffer_printf(out, ",\"%s\":", text->defaults[k].json->string);
            json_put_compact(out, text->defaults[k].text, text->defaults[k].length);
        }
    if (open)
        buffer_put_char(out, '}');
}

void case_put_result_head(struct buffer *out, const struct case_echo *echo) {
    case_put_head(out, echo);
    if (echo->text.bytes == NULL)
        return;
    buffer_put_literal(out, "\"case\":");
    put_text(out, &echo->text);
    buffer_put_char(out, ',');
}
