/* The public interface of api: request heads and bodies go in, and answers come out. Used by the server and the tests.
 *
 *     service_new      what is common to all requests (request/service.h)
 *     admit            decides from the head: the answer, or that a body must be read (request/admit.h)
 *     job_...          the life of a request that has a body (job.h)
 *     response_clear   (answer/response.h)
 *
 * A service is immutable, so any number of threads can use it. */
#pragma once

#include "api/answer/problem.h"
#include "api/answer/response.h"
#include "api/job/job.h"
#include "api/request/admit.h"
#include "api/request/cors.h"
#include "api/request/head.h"
#include "api/request/pages.h"
#include "api/request/service.h"

/*
 * Add the limits on requests, all games, answers, jobs and memory, with their defaults. `limits` must be zeroed.
 */
void api_add_limits(struct limits *limits);
