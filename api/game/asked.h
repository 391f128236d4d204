/* What the query of a POST asks of a record, as its game keeps it. Plain data, which goes with the head. */
#pragma once

#include <stdalign.h>

struct game_asked {
    alignas(8) unsigned char bytes[32];
};
