/* The contract in code, for who has heads and bodies and wants answers: what the server and the tests include of it.
 *
 *     service_new      what is the same for all requests (request/service.h)
 *     admit            the head decides all that needs no body: the answer, or that a body is wanted (request/admit.h)
 *     job_...          the life of a request that has a body (job.h)
 *     response_clear   (answer/response.h)
 *
 * A service is immutable: any number of threads may use it. */
#pragma once

#include "api/answer/problem.h"
#include "api/answer/response.h"
#include "api/job/job.h"
#include "api/request/admit.h"
#include "api/request/cors.h"
#include "api/request/head.h"
#include "api/request/pages.h"
#include "api/request/service.h"

/* Add the limits of requests, of all games, of answers, of jobs and of memory to limits that are zeroed, at their
 * defaults. */
void api_add_limits(struct limits *limits);

/* The whole way of a request on this thread; numbers in the body may be overwritten. */
void api_handle(const struct service *service, const struct request_head *head, char *body, size_t length,
                struct response *ret_response);
