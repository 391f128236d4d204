#include "pawn/layers_128.h"

#define SET_LANES 1
#define LAYERS_GROW pawn_layers_grow_128
#include "pawn/layers_template.h"
