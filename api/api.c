#include "api/api.h"

#include "api/request/games.h"

void api_add_limits(struct limits *limits) {
    limits_add(limits, &request_limits);
    for (size_t g = 0; g < game_count; g++)
        limits_add(limits, &games[g]->limits);
    limits_add(limits, &response_limits);
    limits_add(limits, &job_limits);
    limits_add(limits, &memory_limits);
}
