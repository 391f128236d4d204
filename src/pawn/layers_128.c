#define SET_LANES 1
#define PAWN_GROW pawn_grow_128
#include "pawn/layers_template.h"
