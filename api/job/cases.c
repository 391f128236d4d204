#include "api/job/cases.h"

#include "api/job/source_json.h"
#include "api/job/source_lines.h"
#include "api/job/source_records.h"
#include "api/job/source_text.h"

const struct source_format *const cases_formats[FORMATS] = {
    [FORMAT_JSON] = &source_json,
    [FORMAT_TEXT] = &source_text,
    [FORMAT_LINES] = &source_lines,
    [FORMAT_SGF] = &source_records,
};
