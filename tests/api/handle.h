/* Handles whole requests without a server, for tests, fuzzing and benchmarks. */
#pragma once

#include "api/api.h"

/* Handle a whole request on this thread. This can overwrite numbers in the body. */
void handle_request(const struct service *service, const struct request_head *head, char *body, size_t length,
                    struct response *ret_response);
