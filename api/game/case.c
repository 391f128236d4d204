#include "api/game/case.h"

#include "api/json/encode.h"

#include <string.h>

enum { ID_BYTES = 128 };
static const int64_t id_most = ((int64_t)1 << 53) - 1;

void case_read_id(struct json_decode *d, const struct json_field *field, const cJSON *json, const struct place *place,
                  void *target) {
    int64_t value;
    if (cJSON_IsString(json)) {
        size_t length = strlen(json->valuestring);
        if (length > ID_BYTES) {
            fault_at(d->faults, place, FAULT_LENGTH, "id has %zu bytes; at most %d are allowed", length, ID_BYTES);
            return;
        }
    } else if (!cJSON_IsNumber(json)) {
        json_fault_type(d, json, place, field->name, "a string or an integer");
        return;
    } else if (!json_decode_integer(d, json, place, field->name, -id_most, id_most, &value)) {
        return;
    }
    ((struct case_id *)((char *)target + field->offset))->json = json;
}

void case_put_id(struct buffer *out, const struct case_id *id) {
    if (cJSON_IsString(id->json))
        json_put_string(out, id->json->valuestring, strlen(id->json->valuestring));
    else
        buffer_put_integer(out, (int64_t)id->json->valuedouble);
}

void case_put_head(struct buffer *out, const struct case_id *id) {
    if (id->json == NULL) {
        buffer_put_literal(out, "{");
        return;
    }
    buffer_put_literal(out, "{\"id\":");
    case_put_id(out, id);
    buffer_put_literal(out, ",");
}
