#include "pawn/layers_256.h"

#define SET_LANES 2
#define LAYERS_GROW pawn_layers_grow_256
#include "pawn/layers_template.h"
