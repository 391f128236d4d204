#include "pawn/layers_64.h"

#define SET_BITS 64
#define LAYERS_GROW pawn_layers_grow_64
#include "pawn/layers_template.h"
