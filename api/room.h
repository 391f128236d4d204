/* Where cases are read and solved: the memory of one thread, which serves one case after the other. */
#pragma once

#include "base/account.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct room {
    struct arena reading; /* the tree of a case, and what it is decoded into; what is above 4 MiB is charged */
    struct arena solving; /* what its solver works in; it has a cap */
    bool is_last;         /* is there no larger room? In others a case that does not fit asks for more work. */
};

/* Start empty. A case may have `most_solving` bytes to be solved in. */
void room_init(struct room *room, struct account *account, size_t most_solving, bool is_last);

/* Forget the case. Some memory is kept for the next. */
void room_reset(struct room *room);

/* Give everything back. Accepts a zeroed struct. */
void room_clear(struct room *room);
