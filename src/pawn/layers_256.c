#include "pawn/layers_256.h"

#define SET_BITS 256
#define LAYERS_GROW pawn_layers_grow_256
#include "pawn/layers_template.h"
