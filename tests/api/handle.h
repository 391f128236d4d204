/* Whole requests without a server, for tests, fuzzing and benches. */
#pragma once

#include "api/api.h"

/* Handle a whole request on this thread. Numbers in the body may be overwritten. */
void handle_request(const struct service *service, const struct request_head *head, char *body, size_t length,
                    struct response *ret_response);
