/* Gets from a member to its struct. */
#pragma once

#include <stddef.h>

/* Get the struct of `type` whose `member` is at `pointer`. */
#define OWNER_OF(pointer, type, member) ((type *)(void *)((char *)(pointer)-offsetof(type, member)))
