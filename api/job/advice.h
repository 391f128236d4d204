/* What to do about a body that cannot be read: people send one format and call it another, or have its line ends taken
 * away on the way. */
#pragma once

#include "api/fault/fault.h"
#include "api/game/format.h"
#include "api/game/game.h"
#include "api/request/service.h"

#include <stdbool.h>
#include <stddef.h>

/* A body as it came, or the case of a link. */
struct advice_body {
    const struct service *service;
    const struct game *game;
    enum format format; /* that it was said to be in */
    bool link;
    const char *bytes;
    size_t length;
};

/* The last of the faults says that the body, or a line of it, cannot be read, or that a text is not allowed: add what
 * to do, where the body shows it. Of JSON `reason` is that of the check and `place` the byte where it ended, if there
 * is one; of other formats both are NULL. */
void advice_add(const struct advice_body *body, const char *reason, const char *place, struct fault_list *faults);
