#define SET_LANES 2
#define PAWN_GROW pawn_grow_256
#include "pawn/layers_template.h"
